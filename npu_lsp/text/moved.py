"""Where things stand after edits."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from npu_lsp.text.spans import Edit, IntervalIndex, Span


class Moved:
    """Where things of one text stand in the one that edits made of it, and the other way round."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = sorted(edits, key=lambda edit: edit.span)
        self._ends = [edit.span.end for edit in self._edits]
        grown = (len(edit.text) - (edit.span.end - edit.span.start) for edit in self._edits)
        self._by = list(accumulate(grown, initial=0))
        self._written = [
            Span(edit.span.start + by, edit.span.start + by + len(edit.text))
            for edit, by in zip(self._edits, self._by, strict=False)
        ]
        self._wrote = IntervalIndex(self._written)

    def at(self, offset: int) -> int:
        """Return where a character goes; one that is replaced goes where its edit starts."""
        index = bisect_right(self._ends, offset)
        if index < len(self._edits) and self._edits[index].span.start <= offset:
            offset = self._edits[index].span.start
        return offset + self._by[index]

    def span(self, span: Span) -> Span:
        """Return where a span of the old text stands in the new one, with all that the edits wrote within it."""
        start, end = self.at(span.start), self.at(span.end)
        for index in range(bisect_right(self._ends, span.start), len(self._edits)):
            if self._edits[index].span.start >= span.end:
                break
            start, end = min(start, self._written[index].start), max(end, self._written[index].end)
        return Span(start, end)

    def wrote(self, span: Span) -> bool:
        """Return whether a text of the new version has a part that was written."""
        return self._wrote.touches(span)

    def origin(self, span: Span) -> Span | None:
        """Return where a text of the new version stood in the old one; `None` where a part of it was written."""
        return (
            None
            if self.wrote(span)
            else Span(self._origin(span.start), self._origin(max(span.end - 1, span.start)) + 1)
        )

    def _origin(self, offset: int) -> int:
        index = bisect_right(self._written, offset, key=lambda each: each.end)
        # What is inserted, and what is taken out, moves what stands at its own place.
        return offset - self._by[index]
