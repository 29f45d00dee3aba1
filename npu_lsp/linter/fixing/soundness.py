"""Tells whether a text still parses as well as it did: what a fix makes of a file is written only then."""

from __future__ import annotations

import json
from collections.abc import Iterator

from npu_lsp.languages import read
from npu_lsp.languages.hosts.template_actions import without_actions
from npu_lsp.languages.injections import regions
from npu_lsp.languages.registry import kinds
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import begun_alike
from npu_lsp.text.toml import TomlError, parse

_JSON = kinds(json=True)
_TAKEN, _UNKNOWN = float("inf"), float("nan")
_SLOWLY_READ = 5_000_000
"""What PyYAML reads in a second without libyaml: its length by the brackets that may nest. What nobody can read again is left as it is."""


def as_sound(before: Document, after: Document) -> bool:
    """Return whether `after` parses at least as well as `before`, which it was made from, and so does all that stands in it."""
    old, new = read(before), read(after)
    if new.damaged and not old.damaged:
        return False
    return _is_as_sound(before, after) and all(as_sound(*pair) for pair in _changed(before, after))


def _changed(before: Document, after: Document) -> Iterator[tuple[Document, Document]]:
    """Yield the texts of other languages that are no longer the same, with what became of them.

    None where some came or went: one that sets nothing any more isn't read as one.
    """
    old, new = (
        {(each.document.kind, each.document.text): each.document for each in regions(host) if each.found.read is None}
        for host in (before, after)
    )
    gone, came = ([each[key] for key in each if key not in other] for each, other in ((old, new), (new, old)))
    if len(gone) == len(came):
        yield from (pair for pair in zip(gone, came, strict=True) if pair[0].kind is pair[1].kind)


def _is_as_sound(before: Document, after: Document) -> bool:
    if before.kind is Kind.PYTHON:
        from npu_lsp.languages.python.tree.soundness import is_as_sound

        return is_as_sound(before.text, after.text)
    if before.kind is Kind.SHELL:
        return _shell(before, after)
    if (now := _stops(after)) == _TAKEN:
        return True
    # Behind its first error nobody knows what a text is. What was wrong may be so still, and nothing in front of it.
    stops, same = _stops(before), begun_alike(before.text, after.text)
    return now >= (stops if stops <= same else max(same, stops + len(after.text) - len(before.text)))


def _shell(before: Document, after: Document) -> bool:
    """Return whether a script has no more errors, and no more text in them than what was added."""
    from npu_lsp.languages.shell.faults import faults, seen_by_bash, unopened

    if "\r" in before.text:
        wrong = seen_by_bash(after.text)
        if wrong > seen_by_bash(before.text) or (wrong and unopened(after.text) > unopened(before.text)):
            return False
    old, new = faults(before), faults(after)
    growth = max(0, len(after.text) - len(before.text))
    return new.number <= old.number and new.covered <= old.covered + growth


@Memoized
def _stops(document: Document) -> float:
    """Return where the parser of a format stops, the one of those who read such files: past all of a text that it takes."""
    text = document.text
    try:
        if document.kind in _JSON:
            json.loads(text.replace("\ufeff", " ", 1) if text.startswith("\ufeff") else text)
        elif document.kind is Kind.YAML:
            # Templates of Helm and Jinja are no YAML before they are filled in.
            stops, plain = _yaml_stops(text), without_actions(text)
            return max(stops, _yaml_stops(plain)) if stops < _TAKEN and plain != text else stops
        elif document.path.endswith(".toml"):
            parse(text)
    except json.JSONDecodeError as error:
        return error.pos
    except TomlError as error:
        return document.line_starts[min(error.line or 1, document.line_count) - 1]
    except (ValueError, RecursionError):
        return 0  # A number of thousands of digits, or what is nested as deep.
    return _TAKEN


def _yaml_stops(text: str) -> float:
    """Return where libyaml stops, which PyYAML and the YAML of Go are made from."""
    # Loaded for edits alone.
    import yaml

    loader, known = getattr(yaml, "CSafeLoader", yaml.SafeLoader), set[str]()
    if loader is yaml.SafeLoader and len(text) * (100 + text.count("[") + text.count("{")) > _SLOWLY_READ:
        return _UNKNOWN
    try:
        for event in yaml.parse(text, loader):
            if isinstance(event, yaml.DocumentStartEvent):
                known.clear()
            elif isinstance(event, yaml.AliasEvent) and event.anchor not in known:
                return float(getattr(event.start_mark, "index", 0))
            elif isinstance(event, yaml.NodeEvent) and event.anchor:
                known.add(event.anchor)
    except yaml.MarkedYAMLError as error:
        return float(getattr(error.problem_mark, "index", 0))
    except (yaml.reader.ReaderError, UnicodeEncodeError) as error:
        return float(error.position if isinstance(error, yaml.reader.ReaderError) else error.start)
    return _TAKEN
