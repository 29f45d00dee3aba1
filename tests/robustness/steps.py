"""How many steps something takes: calls of functions, which are the same on every machine and under every load."""

from __future__ import annotations

import gc
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from npu_lsp.text.lazy_re import LazyPattern


def steps(task: Callable[[], Any]) -> int:
    """Return how many functions `task` calls, those of the interpreter included."""
    # What counts is written in C, where nothing is told of it: it is called at each beginning and each end, and takes any three things.
    counted = lru_cache(maxsize=0)(getattr)
    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        task()
    finally:
        sys.setprofile(before)
    return counted.cache_info().misses // 2


def characters(task: Callable[[], Any]) -> int:
    """Return how many characters the patterns of the package look through in `task`: a search is one step, however long it takes."""
    return sum(looked_through(task).values())


def looked_through(task: Callable[[], Any]) -> Mapping[re.Pattern[Any], int]:
    """Return how many characters each pattern of the package looks through in `task`."""
    with _counted() as passed:
        task()
    return passed


@lru_cache(maxsize=1)
def _patterns(modules: int) -> list[tuple[LazyPattern, re.Pattern[Any]]]:
    """Return the patterns of so many `modules`: those of all that are loaded."""
    # What is frozen isn't told of.
    gc.unfreeze()
    found = [(each, each.compiled()) for each in gc.get_objects() if type(each) is LazyPattern]
    gc.freeze()
    return found


@contextmanager
def _counted() -> Iterator[Counter[re.Pattern[Any]]]:
    """Count what is looked through by each search: up to what it finds, or to the end."""
    passed: Counter[re.Pattern[Any]] = Counter()

    def iterated(by: re.Pattern[Any], find: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        def finditer(text: Any, start: int = 0, end: int = sys.maxsize) -> Iterator[Any]:
            for found in find(text, start, end):
                passed[by] += found.end() - start
                start = found.end()
                yield found
            passed[by] += max(0, min(end, len(text)) - start)

        return finditer

    def searched(by: re.Pattern[Any], find: Callable[..., Any]) -> Callable[..., Any]:
        def search(text: Any, start: int = 0, end: int = sys.maxsize) -> Any:
            found = find(text, start, end)
            passed[by] += max(0, (min(end, len(text)) if found is None else found.end()) - start)
            return found

        return search

    def listed(by: re.Pattern[Any], find: Callable[..., Any]) -> Callable[..., Any]:
        def findall(text: Any, start: int = 0, end: int = sys.maxsize) -> Any:
            passed[by] += max(0, min(end, len(text)) - start)
            return find(text, start, end)

        return findall

    ways = {"finditer": iterated, "search": searched, "findall": listed}
    patterns = _patterns(len(sys.modules))
    try:
        for pattern, compiled in patterns:
            pattern.__dict__.update((name, way(compiled, getattr(compiled, name))) for name, way in ways.items())
        yield passed
    finally:
        for pattern, compiled in patterns:
            pattern.__dict__.update((name, getattr(compiled, name)) for name in ways)


_QUICKEST = 20e-9
"""Seconds of the processor below which no machine takes a step: what is done sooner is not counted, which takes longer than to do it."""


def many_steps(make: Callable[[], Callable[[], Any]], most: float) -> int:
    """Return how many steps a task takes where these are more than `most`, and 0 where they aren't.

    It is done once, and once more to be counted where it took so long that they may be more: `make` makes it anew.
    """
    task = make()
    start = time.thread_time()
    task()
    if time.thread_time() - start < most * _QUICKEST:
        return 0
    count = steps(make())
    return count if count > most else 0


def multiplied(make: Callable[[int], Callable[[], Any]], size: int) -> str | None:
    """Return what is to be said of a task that takes more than 8 times the steps for 4 times the size: a product takes 16 times."""
    some, many = (steps(make(times)) for times in (size, 4 * size))
    return f"{some} steps for {size}, {many} for {4 * size}" if many > 8 * some else None


def projected(
    make: Callable[[int], Callable[[], Any]], size: int, most: int, count: Callable[[Callable[[], Any]], int] = steps
) -> str | None:
    """Return what is to be said of a task that takes more than twice as long for each of `most` things as for one.

    Steps for `size`, a third more and two thirds more tell what grows with the number of things, and what with its square. What
    is remembered of one text must not help with the next one. A third of `size` tells it first: where it is said of that, it may
    be true up to a bound of its own. Twice `size` is asked last: what begins at a bound between two sizes looks like a square there alone.
    """
    said = None
    for start, more in ((size // 3, size // 6), (size, size // 3), (2 * size, size // 2)):
        sizes = (start, start + more, start + 2 * more)
        if said is not None:
            # What is loaded once, and by nothing smaller: all in the first of three, it would look like a square.
            make(sizes[-1] + 1)()
        one, two, three = (count(make(times)) for times in sizes)
        square = (three - 2 * two + one) / 2 / more**2
        each = (two - one) / more - (2 * start + more) * square
        if square * most <= each:
            return None
        said = f"{one}, {two} and {three} steps for {sizes}: {each:.0f} n + {square:.2f} n²"
    return said
