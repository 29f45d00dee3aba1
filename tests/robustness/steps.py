"""How many steps something takes: calls of functions, which are the same on every machine and under every load."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(task: Callable[[], Any]) -> int:
    """Return how many functions `task` calls, those of the interpreter included."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        task()
    finally:
        sys.setprofile(before)
    return count


def multiplied(make: Callable[[int], Callable[[], Any]], size: int) -> str | None:
    """Return what is to be said of a task that takes more than 2.5 times the steps for twice the size, twice in a row."""
    some, many = (steps(make(size << shift)) for shift in (1, 2))
    if many > 2.5 * some and some > 2.5 * (few := steps(make(size))):
        return f"{few} steps for {size}, {some} for {2 * size}, {many} for {4 * size}"
    return None


def projected(make: Callable[[int], Callable[[], Any]], size: int, most: int) -> str | None:
    """Return what is to be said of a task that takes more than twice as long for each of `most` things as for one.

    Steps for `size`, half as many again and twice that tell what grows with the number of things, and what with its square. What is
    remembered of one text must not help with the next one.
    """
    more = size // 2
    sizes = (size, size + more, size + 2 * more)
    one, two, three = (steps(make(times)) for times in sizes)
    square = (three - 2 * two + one) / 2 / more**2
    each = (two - one) / more - (2 * size + more) * square
    if square * most > each:
        return f"{one}, {two} and {three} steps for {sizes}: {each:.0f} n + {square:.2f} n²"
    return None
