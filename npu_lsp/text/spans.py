"""Places in a text, and changes to it. All offsets are code points from 0, as Python indexes a `str`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of text: from `start` up to and without `end`."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """Return the same stretch `by` code points further on."""
        return Span(self.start + by, self.end + by)

    def covers(self, offset: int) -> bool:
        """Return whether a cursor at `offset` touches the span; both ends count."""
        return self.start <= offset <= self.end

    def within(self, other: Span) -> bool:
        """Return whether the span lies inside `other`."""
        return other.start <= self.start and self.end <= other.end


class Edit(NamedTuple):
    """Puts `text` in the place of `span`."""

    span: Span
    text: str


class TextChange(NamedTuple):
    """What differs between two versions of a text: `[start, old_end)` became `[start, new_end)`."""

    start: int
    old_end: int
    new_end: int

    def then(self, later: TextChange) -> TextChange:
        """Return one change that covers this one and a `later` one, from the old to the newest text."""
        delta = self.new_end - self.old_end
        start = min(self.start, later.start)
        old_end = max(self.old_end, later.old_end - delta)
        new_end = max(self.new_end, later.old_end) + (later.new_end - later.old_end)
        return TextChange(start, old_end, new_end)


def apply_edits(text: str, edits: tuple[Edit, ...]) -> str:
    """Return `text` with `edits` made.

    Raises `ValueError` when two edits overlap or one lies outside the text.
    """
    pieces: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda e: e.span):
        if edit.span.start < done or edit.span.end > len(text) or edit.span.end < edit.span.start:
            raise ValueError("edits overlap or lie outside the text")
        pieces += (text[done : edit.span.start], edit.text)
        done = edit.span.end
    pieces.append(text[done:])
    return "".join(pieces)


class IntervalIndex:
    """Tells which stretches share something with one of many; to ask costs no look at all of them."""

    __slots__ = ("_furthest", "_starts")

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [span.start for span in ordered]
        self._furthest = list(accumulate((span.end for span in ordered), max))
        """Up to where those reach that start no later."""

    def touches(self, span: Span) -> bool:
        """Return whether one of the many starts before `span` ends, and ends behind where it starts."""
        before = bisect_left(self._starts, span.end)
        return before > 0 and self._furthest[before - 1] > span.start


class EnclosedIntervalIndex:
    """Tells which stretches have one of many inside them; to ask costs no look at all of them."""

    __slots__ = ("_nearest", "_starts")

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [span.start for span in ordered]
        self._nearest = list(accumulate((span.end for span in reversed(ordered)), min))[::-1]
        """Where the first of those ends that start no sooner."""

    def within(self, span: Span) -> bool:
        """Return whether one of the many lies inside `span`."""
        first = bisect_left(self._starts, span.start)
        return first < len(self._starts) and self._nearest[first] <= span.end


def begun_alike(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many letters, or lines, two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


_FIRST_LOOK = 256


def before(text: str, at: int, most: int = 2_000) -> str | None:
    """Return what stands on a line in front of `at`; `None` where that is more than `most`: many on one line would each read all of it."""
    first = max(0, at - most)
    end = text.rfind("\n", first, at)
    end = max(end, text.rfind("\r", max(end, first), at))
    return text[end + 1 : at] if end >= 0 else text[:at] if first == 0 else None


def line_start(text: str, at: int) -> int:
    r"""Return where the line starts that `at` stands on, which ends at `\n`, `\r\n` or `\r`.

    It looks at no more than that line and as much above it: who looks for the one sign from the start of the text on, where a
    text has the other one alone, reads all of it for each of its lines.
    """
    look = _FIRST_LOOK
    while True:
        first = max(0, at - look)
        found = max(text.rfind("\n", first, at), text.rfind("\r", first, at))
        if found >= 0 or first == 0:
            return found + 1
        look *= 4
