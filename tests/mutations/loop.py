"""A pytest that is warm: it imports and collects once, and each change is tried in a copy of its process.

First each test runs alone in such a copy, which tells the lines that it touches and how long it takes; then each change is
tried by the tests that touch its lines, the quickest ones first, until one fails.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from types import FrameType
from typing import Any, NamedTuple

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from tests.mutations.mutants import ROOT, Mutant
from tests.mutations.planting import Field, UnknownFunctionError

_SLOWER = 20
"""How many times as long as without it the tests may take with a change; one that takes longer is noticed."""
_MOST = 300
"""Tests that are tried: the nearest ones, of each way through the file the quickest first."""
_LEAST = 60
"""Seconds that they always have."""


class Touched(NamedTuple):
    """What a test does."""

    seconds: float
    lines: dict[str, frozenset[int]]
    """By path."""
    failed: bool


class Loop:
    """The plugin. `codes` are those of rules, by path; `tried` is called with each change and the test that notices it."""

    def __init__(self, mutants: Sequence[Mutant], codes: dict[str, str], tried: Callable[[Mutant, str], None]) -> None:
        self._mutants = mutants
        self._codes = codes
        self._tried = tried
        self._paths = {mutant.path for mutant in mutants}
        self._killers: dict[tuple[str, str], dict[pytest.Item, None]] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run no test here."""
        for path in self._paths:
            import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        _warm()
        field = Field(ROOT, self._paths)
        gc.collect()
        gc.freeze()
        touched = self._touched(session.items)
        for mutant in self._mutants:
            near = self._near(mutant, touched)
            self._tried(mutant, self._noticed(mutant, near, field, sum(touched[item].seconds for item in near)))
        return True

    def _touched(self, items: Sequence[pytest.Item]) -> dict[pytest.Item, Touched]:
        unknown = Touched(0, {}, failed=True)
        found = {item: _apart(partial(_traced, item, self._paths), _LEAST) or unknown for item in items}
        for item in [item for item, each in found.items() if each.failed]:
            print(f"left out, it fails as it is: {item.nodeid}", file=sys.stderr)
            del found[item]
        return found

    def _near(self, mutant: Mutant, touched: dict[pytest.Item, Touched]) -> list[pytest.Item]:
        """Return the tests that touch a change: those that noticed one nearby first, then the examples of its rule.

        Those that go different ways through the file come before those that go the same one.
        """
        code = self._codes.get(mutant.path, "-")
        before = self._killers.get((mutant.path, mutant.where), {})

        def is_near(item: pytest.Item) -> bool:
            its = touched[item].lines
            if its.get(mutant.path, frozenset()) & mutant.lines:
                return True
            # What a class or a module declares is looked at by tests that run nothing of it, too.
            return mutant.function is None and (code in item.nodeid or not its)

        alike: Counter[tuple[bool, frozenset[int]]] = Counter()
        order: list[tuple[bool, bool, int, float, pytest.Item]] = []
        for item in sorted(filter(is_near, touched), key=lambda item: touched[item].seconds):
            of_rule, way = code in item.nodeid, touched[item].lines.get(mutant.path, frozenset())
            alike[of_rule, way] += 1
            order.append((item not in before, not of_rule, alike[of_rule, way], touched[item].seconds, item))
        return [each[-1] for each in sorted(order, key=lambda each: each[:-1])][:_MOST]

    def _noticed(self, mutant: Mutant, near: list[pytest.Item], field: Field, seconds: float) -> str:
        text = mutant.made((ROOT / mutant.path).read_text(encoding="utf-8"))

        def run() -> int:
            try:
                field.plant(mutant.path, text, mutant.function)
            except UnknownFunctionError:
                return -1  # Nobody knows what it would do.
            return next((number for number, item in enumerate(near) if _fails(item, near[number + 1 : number + 2])), -1)

        number: int | None = _apart(run, int(_LEAST + _SLOWER * seconds))
        if number is None:
            return "the program breaks, or does not come to an end"
        if number == -1:
            return ""
        before = self._killers.setdefault((mutant.path, mutant.where), {})
        before[near[number]] = None
        return near[number].nodeid


def _warm() -> None:
    """Load what the program loads when it needs it first; what is changed keeps nothing of a text."""
    for rule in all_rules():
        for text, kind in [
            *((each.text, each.kind) for each in rule.valid),
            *((each.text, each.kind) for each in rule.invalid),
        ]:
            Analyzer(Config(select=("ALL",)), all_rules).findings(Document(text, kind=kind))


def _apart(run: Callable[[], Any], seconds: int) -> Any:
    """Return what `run` returns in a copy of this process, or `None` where that breaks, or takes more than `seconds`."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(seconds)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            answer = pickle.dumps(run())
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(answer) if answer else None  # noqa: S301 - written above


def _fails(item: pytest.Item, following: Sequence[pytest.Item] = ()) -> bool:
    """Run a test; tell whether it fails."""
    reports: list[bool] = []
    watch = _Watch(reports)
    manager = item.config.pluginmanager
    manager.register(watch)
    try:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following[0] if following else None)
    finally:
        manager.unregister(watch)
    return any(reports)


class _Watch:
    def __init__(self, failed: list[bool]) -> None:
        self._failed = failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed.append(report.failed)


def _traced(item: pytest.Item, paths: set[str]) -> Touched:
    files = {str(ROOT / path): path for path in paths}
    lines: dict[str, set[int]] = {path: set() for path in paths}

    def trace(frame: FrameType, event: str, _: object) -> Any:
        path = files.get(frame.f_code.co_filename)
        if path is None:
            return None
        touch = lines[path].add

        def within(frame: FrameType, event: str, _: object) -> Any:
            touch(frame.f_lineno)
            return within

        return within

    start = time.process_time()
    with _tracing(trace):
        failed = _fails(item)
    return Touched(time.process_time() - start, {path: frozenset(each) for path, each in lines.items() if each}, failed)


@contextlib.contextmanager
def _tracing(trace: Any) -> Iterator[None]:
    threading.settrace(trace)
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(None)
        threading.settrace(None)
