"""Where places of one text stand in another one: a text inside of a file, or a version and the one that follows it.

All offsets are code points from 0.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Protocol

from npu_lsp.text.spans import Edit, Span, TextChange

HOLE = "\ufffc"
"""Stands in a text for what its author fills in when it runs: the `{...}` of an f-string, a variable that isn't known."""


class PlaceMap(Protocol):
    """What moves the places of a reading into another text."""

    def span(self, span: Span) -> Span:
        """Return where `span` stands there."""

    def content(self, span: Span) -> Span | None:
        """Return where the characters of `span` stand there one to one, `None` where they don't."""

    def edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return edits that do there what `edits` do here; none where that can't be done."""

    @property
    def region(self) -> int | None:
        """What tells this text from others inside of the same one; `None` where it is another version of that one."""


class SourceMap:
    """Maps offsets of an inner text to its host.

    `starts[i]` and `ends[i]` tell where the inner character `i` starts and ends in the host. Without them the inner
    text stands one to one from `shift` on.
    """

    __slots__ = ("_ends", "ends", "scattered", "shift", "starts", "walls")

    def __init__(
        self,
        shift: int = 0,
        starts: Sequence[int] = (),
        ends: Sequence[int] = (),
        walls: frozenset[int] = frozenset(),
        scattered: bool = False,
    ) -> None:
        self.shift = shift
        self.starts = starts
        self.ends = ends
        self.walls = walls
        """Inner offsets at which a part starts that has nothing to do with the one before: no edit reaches over them."""
        self.scattered = scattered
        """True: the inner characters don't stand in their order in the host."""
        self._ends: dict[Span, int] = {}
        """The ends of spans that go on further up in the host."""

    @property
    def one_to_one(self) -> bool:
        """True: inner and outer text are the same, character by character."""
        return not self.starts

    def span(self, span: Span) -> Span:
        """Return where the inner `span` stands in the host."""
        starts, ends = self.starts, self.ends
        if not starts:
            return Span(span.start + self.shift, span.end + self.shift)
        start = starts[span.start] if span.start < len(starts) else ends[-1]
        if span.end <= span.start:
            # An empty span clings to what stands before it: an insertion at a line's end stays on that line.
            here = ends[span.start - 1] if 0 < span.start <= len(ends) else start
            return Span(here, here)
        end = ends[min(span.end, len(ends)) - 1]
        if end < start:
            # Its end stands further up in the host: as far as it goes on from where it starts.
            end = self._ends.get(span, -1)
            if end < 0:
                end = next((each for each in reversed(ends[span.start : span.end]) if each >= start), start)
                self._ends[span] = end
        return Span(start, end)

    def content(self, span: Span) -> Span | None:
        """Return where the characters of the inner `span` stand one to one in the host, `None` where they don't."""
        outer = self.span(span)
        if outer.end - outer.start != span.end - span.start:
            return None
        # Something else can be as long by chance, or a part of it: what a variable says, and its name.
        if self.starts and [*self.starts[span.start : span.end]] != [*range(outer.start, outer.end)]:
            return None
        return outer

    def edited(self, span: Span) -> Span | None:
        """Return what an edit of the inner `span` replaces in the host, `None` where that is less or more than `span`.

        Where a line goes, what stands between it and the next one in the host (a prefix, quotes and commas) goes, too.
        """
        outer = self.span(span)
        starts = self.starts
        if not starts:
            return outer
        # There may be as many walls as edits: none of these looks at all of those.
        reaches_over = any(at in self.walls for at in range(span.start + 1, span.end)) if self.walls else False
        if reaches_over or self._splits(span.start) or self._splits(span.end):
            return None
        if self.scattered or not span.start < span.end < len(starts) or span.end in self.walls:
            return outer
        return Span(outer.start, max(outer.end, starts[span.end]))

    def _splits(self, at: int) -> bool:
        """Return whether the inner `at` lies in the middle of what is one thing in the host: a variable that is filled in."""
        starts, ends = self.starts, self.ends
        return 0 < at < len(starts) and starts[at - 1] == starts[at] and ends[at - 1] == ends[at] > starts[at]

    def extent(self, length: int) -> Span:
        """Return what part of the host an inner text of that length is in: nothing of it stands outside."""
        starts, ends = self.starts, self.ends
        if not starts:
            return Span(self.shift, self.shift + length)
        return Span(min(starts), max(ends)) if self.scattered else Span(starts[0], ends[-1])

    def inner(self, offset: int) -> int | None:
        """Return the inner offset of a host offset, or `None` where the inner text doesn't reach."""
        starts, ends = self.starts, self.ends
        if not starts:
            return offset - self.shift if offset >= self.shift else None
        if self.scattered:
            exact = (i for i, start in enumerate(starts) if start <= offset <= ends[i] == start + 1)
            index = next(exact, -1)
            return index + (offset - starts[index]) if index >= 0 else None
        if not starts[0] <= offset <= ends[-1]:
            return None
        index = bisect_right(starts, offset) - 1
        # Behind a character that takes several of the host's, or in what lies between two lines.
        return index + 1 if offset >= ends[index] else index

    def moved(self, by: int) -> SourceMap:
        """Return the same map into a host in which all of it stands `by` code points further on."""
        if not self.starts:
            return SourceMap(self.shift + by, walls=self.walls, scattered=self.scattered)
        starts, ends = [start + by for start in self.starts], [end + by for end in self.ends]
        return SourceMap(self.shift, starts, ends, self.walls, self.scattered)


def slices_of(text: str, parts: Sequence[Span]) -> tuple[str, SourceMap]:
    """Return the text that `parts` of a host make up, and where it stands."""
    inner = "".join(text[start:end] for start, end in parts)
    if all(one.end == other.start for one, other in itertools.pairwise(parts)):
        return inner, SourceMap(parts[0].start if parts else 0)
    starts: list[int] = []
    for start, end in parts:
        starts.extend(range(start, end))
    return inner, SourceMap(0, starts, [start + 1 for start in starts])


class OffsetShift:
    """Tells for places of one version where they are in the next; none may lie in what has changed.

    A place that holds the change grows with it.
    """

    __slots__ = ("_by", "_from")

    region = None

    def __init__(self, change: TextChange) -> None:
        self._from = change.old_end
        self._by = change.new_end - change.old_end

    @classmethod
    def by(cls, count: int) -> OffsetShift:
        """Return what moves every place `count` code points further on."""
        return cls(TextChange(0, 0, count))

    def span(self, span: Span) -> Span:
        """Return where `span` is now."""
        start, end = span
        if end < self._from:
            return span
        by = self._by
        return Span(start + by if start >= self._from else start, end + by)

    def content(self, span: Span) -> Span | None:
        """Return where `span` is now: its characters are still the same, or new ones of the same kind."""
        return self.span(span)

    def edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return `edits` where they are to be made now."""
        return tuple(Edit(self.span(edit.span), edit.text) for edit in edits)


class LocatedText:
    """A text as it grows, and where each of its characters starts and ends in its host."""

    __slots__ = ("ends", "pieces", "starts")

    def __init__(self, pieces: Iterable[str] = (), starts: Iterable[int] = (), ends: Iterable[int] = ()) -> None:
        self.pieces = [*pieces]
        self.starts = [*starts]
        self.ends = [*ends]

    @classmethod
    def of(cls, text: str, span: Span) -> LocatedText:
        """Return `text` with each of its characters mapped to all of `span`."""
        found = cls()
        found.put(text, *span)
        return found

    @property
    def said(self) -> str:
        """The text as put together so far."""
        return "".join(self.pieces)

    def take(self, host: str, span: Span, said: str | None = None) -> None:
        """Add a stretch of the host as it is, or as `said`, which is as long."""
        self.pieces.append(host[span.start : span.end] if said is None else said)
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
        return LocatedText(self.pieces, (s + by for s in self.starts), (e + by for e in self.ends))

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
