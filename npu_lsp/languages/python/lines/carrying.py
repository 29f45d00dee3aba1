"""What is known of places in a text, or of lines by number, and is carried over a change."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable


def carried(old: list[int], first: int, behind: int, moved: int, near: Iterable[int]) -> list[int]:
    """Return sorted numbers after a change: `near`, with those of `old` below `first` before and those from `behind` on after it.

    The latter are `moved` by so many.
    """
    after = old[bisect_left(old, behind) :]
    return [*old[: bisect_left(old, first)], *near, *([at + moved for at in after] if moved else after)]
