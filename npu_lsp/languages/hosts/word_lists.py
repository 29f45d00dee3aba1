"""Commands that a host gives as a list of words: `["atc", "--model=a.onnx"]`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from npu_lsp.languages.injections import SAFE, Injection, careful
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import SourceMap
from npu_lsp.text.spans import Span

_ITEM = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|(?P<open>[\"'][\s\S]*\Z)|[^\[\],\s\"'\\][^\[\],\r\n]*")


def items_of(text: str, span: Span) -> Iterator[Span]:
    """Yield the items of a list between its brackets, quotes included."""
    for match in _ITEM.finditer(text, *span):
        if match["open"] is not None:
            return
        yield Span(match.start(), match.start() + len(match.group().rstrip()))


def listed(text: str, span: Span, items: Iterable[Span] | None = None, *, part: bool = False) -> Iterator[Injection]:
    """Yield the command that the list in `span` of the host gives, which starts with `[`; `items` where they are known.

    Brackets and commas become blanks, and the strings keep their quotes: so it is a command line, place for place.
    """
    chars = [" "] * (span.end - span.start)
    closed = text.rfind("]", span.start, span.end)
    for item in items or items_of(text, Span(span.start + 1, closed if closed >= 0 else span.end)):
        said = text[item.start : item.end]
        if said[0] not in "\"'" and not SAFE.fullmatch(said):
            # An unquoted item with blanks or signs in it: which shell words it makes isn't certain.
            return
        chars[item.start - span.start : item.end - span.start] = said
    yield Injection(Kind.SHELL, "".join(chars), SourceMap(span.start), careful, part)
