"""A text that is put together of pieces of another one, with the place of each of its characters there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from npu_lsp.text.source_map import SourceMap
from npu_lsp.text.spans import Span


@dataclass(slots=True)
class LocatedText:
    """A text as it grows, and where each of its characters starts and ends in its host."""

    pieces: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, text: str, span: Span) -> LocatedText:
        """Return `text`, all of which stands for `span`."""
        found = cls()
        found.put(text, *span)
        return found

    @property
    def said(self) -> str:
        """The text."""
        return "".join(self.pieces)

    def take(self, host: str, span: Span) -> None:
        """Add a stretch of the host as it is."""
        self.pieces.append(host[span.start : span.end])
        self.starts.extend(range(span.start, span.end))
        self.ends.extend(range(span.start + 1, span.end + 1))

    def put(self, text: str, start: int, end: int) -> None:
        """Add `text`, all of which stands for `[start, end)`."""
        self.pieces.append(text)
        self.starts.extend([start] * len(text))
        self.ends.extend([end] * len(text))

    def add(self, other: LocatedText) -> None:
        """Add another text behind this one."""
        self.pieces += other.pieces
        self.starts += other.starts
        self.ends += other.ends

    def part(self, start: int, end: int) -> LocatedText:
        """Return what lies between two offsets of the text."""
        return LocatedText([self.said[start:end]], self.starts[start:end], self.ends[start:end])

    def moved(self, by: int) -> LocatedText:
        """Return the same text `by` code points further on."""
        return LocatedText(list(self.pieces), [s + by for s in self.starts], [e + by for e in self.ends])

    @property
    def exact(self) -> Span | None:
        """Where the text stands one to one, `None` where it doesn't."""
        start = self.starts[0] if self.starts else 0
        span = Span(start, start + len(self.starts))
        return span if self.starts == [*range(*span)] and self.ends[-1:] in ([], [span.end]) else None

    def places(self, walls: Iterable[int] = ()) -> SourceMap:
        """Return where the text stands; `walls` as in `SourceMap`."""
        exact = self.exact
        return SourceMap(exact.start) if exact is not None else SourceMap(0, self.starts, self.ends, frozenset(walls))
