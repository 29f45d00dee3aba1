"""Commands that a host gives as a list of words: `["atc", "--model=a.onnx"]`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from npu_lsp.languages.hosts.region import Found
from npu_lsp.languages.places import Places
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_ITEM = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|(?P<open>[\"'][\s\S]*\Z)|[^\[\],\s\"'\\][^\[\],\r\n]*")
_SAFE = re.compile(r"[\w./:,@%+=^-]+")


def careful(text: str) -> str | None:
    """Return a text that means the same in any string; `None` for others, and for nothing at all.

    Nothing may be taken out of a list: its comma would stay.
    """
    return text if _SAFE.fullmatch(text) else None


def items_of(text: str, span: Span) -> Iterator[Span]:
    """Yield the items of a list between its brackets, quotes included."""
    for match in _ITEM.finditer(text, *span):
        if match["open"] is not None:
            return
        yield Span(match.start(), match.start() + len(match.group().rstrip()))


def listed(text: str, span: Span, items: Iterable[Span] | None = None, *, part: bool = False) -> Iterator[Found]:
    """Yield the command that the list in `span` of the host gives, which starts with `[`; `items` where they are known.

    Brackets and commas become blanks, and the strings keep their quotes: so it is a command line, place for place.
    """
    chars = [" "] * (span.end - span.start)
    closed = text.rfind("]", span.start, span.end)
    for item in items or items_of(text, Span(span.start + 1, closed if closed >= 0 else span.end)):
        said = text[item.start : item.end]
        if said[0] not in "\"'" and not _SAFE.fullmatch(said):
            # An unquoted item with blanks or signs in it: which shell words it makes isn't certain.
            return
        chars[item.start - span.start : item.end - span.start] = said
    yield Found(Kind.SHELL, "".join(chars), Places(span.start), careful, part)
