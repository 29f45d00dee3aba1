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
    few, some, many = (steps(make(size << shift)) for shift in range(3))
    if some > 2.5 * few and many > 2.5 * some:
        return f"{few} steps for {size}, {some} for {2 * size}, {many} for {4 * size}"
    return None
