"""Moves an entry from one object of a text to another, or adds one: JSON and the dicts of Python are written alike there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from npu_lsp.languages.model import Block, Setting
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

_NEXT_LINE = re.compile(r"[ \t]*(?:\r\n|\n|\r)[ \t]*")
Remove = Callable[[Document, Sequence[Setting]], tuple[Edit, ...]]


def moved(document: Document, block: Block, setting: Setting, name: str, remove: Remove) -> tuple[Edit, ...]:
    """Return the edits that make an entry one called `name`, whose part before the last dot is the object it belongs in.

    An object that isn't there is made in the entry's place. Nothing where the entry isn't written there, or is another's.
    """
    text, (start, end) = document.text, setting.own
    owner, (group, _, last) = setting.name.rpartition(".")[0], name.rpartition(".")
    quote = text[setting.key.start - 1 : setting.key.start]
    if quote not in ('"', "'") or setting.key.start != start + 1 or any(s.name == name for s in block.settings):
        return ()
    said = text[start : setting.key.start] + last + text[setting.key.end : end]
    if group == owner:
        return (Edit(setting.key, last),)
    into = _opening(document, block, group)
    if into is not None:
        removal = remove(document, [setting])
        behind = "" if text[into:].lstrip().startswith("}") else ", "
        return (Edit(Span(into, into), said + behind), *removal) if removal else ()
    if not group or "." in group or any(s.name == group for s in block.settings):
        return ()
    made = f"{quote}{group}{quote}: {{{said}}}"
    if not owner:
        return (Edit(setting.own, made),)
    around = next((s.own.start for s in block.settings if s.name == owner.partition(".")[0]), None)
    removal = remove(document, [setting]) if around is not None else ()
    return (Edit(Span(around, around), f"{made}, "), *removal) if removal and around is not None else ()


def member(document: Document, block: Block, name: str, value: str) -> tuple[Edit, ...]:
    """Return the edit that adds an entry to a JSON object, in front of its others; `value` is JSON.

    A group that isn't there is made. Nothing where the entry is there, or the object's beginning isn't.
    """
    group, _, last = name.rpartition(".")
    said = f'"{last}": {value}'
    if any(s.name == name for s in block.settings):
        return ()
    into = _opening(document, block, group)
    if into is None and group and "." not in group and not any(s.name == group for s in block.settings):
        said, into = f'"{group}": {{{said}}}', _opening(document, block, "")
    if into is None:
        return ()
    if document.text[into:].lstrip().startswith("}"):
        return (Edit(Span(into, into), said),)
    own_line = _NEXT_LINE.match(document.text, into)
    at = own_line.end() if own_line is not None else into
    return (Edit(Span(at, at), said + ("," + own_line.group().lstrip(" \t") if own_line is not None else ", ")),)


def _opening(document: Document, block: Block, group: str) -> int | None:
    """Return where the object of a group begins, behind its bracket."""
    places = [s.value.span.start for s in block.settings if s.name == group] if group else [block.head.start]
    if len(places) != 1 or document.text[places[0] : places[0] + 1] != "{":
        return None
    return places[0] + 1
