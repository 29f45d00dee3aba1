"""Tells whether a text still parses as well as it did: what a fix makes of a file is written only then."""

from __future__ import annotations

import json
from collections.abc import Iterator

from npu_lsp.languages import read
from npu_lsp.languages.injections import regions
from npu_lsp.languages.registry import kinds
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_JSON = kinds(json=True)


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
    return before.kind not in _JSON or _is_json(after) or not _is_json(before)


def _shell(before: Document, after: Document) -> bool:
    """Return whether a script has no more errors, and no more text in them than what was added."""
    from npu_lsp.languages.shell.faults import bash_takes, faults

    if "\r" in before.text and bash_takes(before.text) and not bash_takes(after.text):
        return False
    old, new = faults(before), faults(after)
    growth = max(0, len(after.text) - len(before.text))
    return new.number <= old.number and new.covered <= old.covered + growth


def _is_json(document: Document) -> bool:
    try:
        json.loads(document.text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return False
    return True
