"""Which stretches of a text share something with one of many others."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate

from npu_lsp.text.spans import Span


class Touching:
    """Tells which stretches share something with one of many; to ask costs no look at all of them."""

    __slots__ = ("_furthest", "_starts")

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [span.start for span in ordered]
        self._furthest = list(accumulate((span.end for span in ordered), max))
        """Up to where those reach that start no later."""

    def touches(self, span: Span) -> bool:
        """Tell whether one of the many starts before `span` ends, and ends behind where it starts."""
        before = bisect_left(self._starts, span.end)
        return before > 0 and self._furthest[before - 1] > span.start
