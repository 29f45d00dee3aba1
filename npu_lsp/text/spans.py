"""Places in a text, and changes to it. All offsets are code points from 0, as Python indexes a `str`."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of text: from `start` up to and without `end`."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """Return the same stretch `by` code points further on."""
        return Span(self.start + by, self.end + by)

    def covers(self, offset: int) -> bool:
        """Tell whether a cursor at `offset` touches the span; both ends count."""
        return self.start <= offset <= self.end

    def within(self, other: Span) -> bool:
        """Tell whether the span lies inside `other`."""
        return other.start <= self.start and self.end <= other.end


class Edit(NamedTuple):
    """Puts `text` in the place of `span`."""

    span: Span
    text: str


class Change(NamedTuple):
    """What differs between two versions of a text: `[start, old_end)` became `[start, new_end)`."""

    start: int
    old_end: int
    new_end: int

    def then(self, later: Change) -> Change:
        """Return one change that covers this one and a `later` one, from the old to the newest text."""
        delta = self.new_end - self.old_end
        start = min(self.start, later.start)
        old_end = max(self.old_end, later.old_end - delta)
        new_end = max(self.new_end, later.old_end) + (later.new_end - later.old_end)
        return Change(start, old_end, new_end)


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
