"""How the time that something takes grows with its text: nothing here depends on how quick a machine is.

`tests.robustness.steps` counts calls and needs no clock, so what Python code does is measured there. A pattern that goes back, or a parser
written in C, is one call however long it takes: its growth shows in the time of the processor alone. Two of these times are
compared with each other, never with a constant; those too short to be told from noise are passed over.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from typing import Any

_MEASURABLE = 0.003
"""Seconds of the processor below which a measurement is noise."""
_GROWTH = 1.45
"""Power of the length that counts as out of proportion: a text that is twice as long takes 2.7 times as long then, not 2 or 4."""
_SUSPECT = 1.15
"""Power of the length from which on something is looked at with care."""
_SHORT = 64
"""Up to here the length grows by 4 or a third, since what doubles with every sign is seen before it takes for ever; then by 8 times."""

_GLANCES = (24, 48, 128, 512)
_GLANCED = 30e-6
"""Seconds of the processor below which a glance sees nothing: what `_MEASURABLE` is for a text eight times as long as the last one."""

Task = Callable[[], Any]


def suspicious(make: Callable[[int], Task], each: int = 1) -> bool:
    """Return whether what a task takes may grow faster than what it is made from: one quick look at short ones, each `each` long.

    It is said of some that are good, too, and `outgrown` tells these apart. What doubles with every sign shows in the second look.
    """
    last, before = 1, 0.0
    for size in _GLANCES:
        task = make(max(size // each, 1))
        start = time.thread_time()
        task()
        took = time.thread_time() - start
        most = max(_GLANCED, before * (size / last) ** _SUSPECT)
        # A second look at what something else held up: most of it was that, and `outgrown` takes a hundred times as long to tell.
        if took > most and _seconds(task, 1) > most:
            return True
        last, before = size, took
    return False


def outgrown(make: Callable[[int], Task], most: int, noise: float = _MEASURABLE) -> str | None:
    """Return what is to be said of a task whose time grows faster than what it is made from, up to `most` of it.

    It begins with little and goes on to more, and stops at the first time that is out of proportion: what doubles with every
    sign would never come back from the next one.
    """
    last, before = 1, 0.0
    for size in _sizes(most):
        took = _seconds(make(size), 1)
        if took > noise and took > before * (size / last) ** _GROWTH and size > 4:
            # Once more with care, over two steps: a machine has other things to do, too.
            part = _seconds(make(size // 4), 5)
            took = min(took, _seconds(make(size), 3 if took < 0.3 else 1))
            if took > noise and took > part * 4**_GROWTH:
                return f"{part * 1000:.2f} ms for {size // 4}, {took * 1000:.2f} ms for {size}"
        last, before = size, took
    return None


def _sizes(most: int) -> Iterator[int]:
    size = 4
    while size < most:
        yield size
        size = size + max(4, size // 3) if size < _SHORT else size * 8
    yield most


def _seconds(task: Task, times: int) -> float:
    """Return the time of the processor that a task takes: the least of some attempts.

    Without the collector, which goes through all that the tests before have left whenever much is made.
    """
    least = float("inf")
    collects = gc.isenabled()
    gc.disable()
    try:
        for _ in range(times):
            start = time.thread_time()
            task()
            least = min(least, time.thread_time() - start)
    finally:
        if collects:
            gc.enable()
    return least
