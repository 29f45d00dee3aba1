"""What CI waits for: measures whole processes, on single files and on a tree."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.peers import ENVIRONMENT
from tests.benchmarks.scripts import plain_module, training_script

_CHECK = (sys.executable, "-m", "npu_lsp", "check", "--isolated", "--quiet")
_READ = """\
import os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            file.read()
"""
WITH, WITHOUT, NOTHING = "file with options", "file without options", "python -c pass"
COLD, WARM, READING, RUFF = (
    "tree, no cache",
    "tree, warm cache",
    "plain reading in Python",
    "ruff check --select E9,F821",
)


class Spent(NamedTuple):
    """Seconds of a process: on the wall, and of the processors, which other programs disturb less."""

    wall: float
    work: float


def spent(command: Sequence[str], folder: Path) -> Spent:
    """Return how long a process and those that it starts take."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, env=ENVIRONMENT)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = Spent(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command}: {done.stderr.decode(errors='replace')}")
    return took


def single_files(folder: Path, rounds: int) -> dict[str, Spent]:
    """Return the medians of a `check` of one file with options and of one without."""
    import random

    (folder / "with.py").write_text(training_script(1000).text, encoding="utf-8")
    (folder / "without.py").write_text(plain_module(random.Random(1), 40_000), encoding="utf-8")
    commands: dict[str, Sequence[str]] = {
        WITH: (*_CHECK, "--no-cache", "with.py"),
        WITHOUT: (*_CHECK, "--no-cache", "without.py"),
        NOTHING: (sys.executable, "-c", "pass"),
    }
    return _medians({name: lambda c=command: spent(c, folder) for name, command in commands.items()}, rounds)  # type: ignore[misc]


def cold(folder: Path) -> Spent:
    """Return what a `check` of a tree takes that nothing is known of."""
    return spent((*_CHECK, "--no-cache", "--output-format", "concise", "."), folder)


def whole_tree(folder: Path, cache: Path, ruff: str | None, rounds: int) -> dict[str, Spent]:
    """Return the medians of a `check` of a tree, beside ruff and plain reading; everybody takes turns."""
    warm = (*_CHECK, "--cache-dir", str(cache), "--output-format", "concise", ".")
    runs: dict[str, Callable[[], Spent]] = {}
    if ruff is not None:
        command = (ruff, "check", "--isolated", "--select", "E9,F821", "--no-cache", "--quiet", ".")
        runs[RUFF] = lambda: spent(command, folder)
    runs[READING] = lambda: spent((sys.executable, "-c", _READ, "."), folder)
    runs[COLD] = lambda: cold(folder)
    spent(warm, folder)
    runs[WARM] = lambda: spent(warm, folder)
    return _medians(runs, rounds)


def _medians(runs: dict[str, Callable[[], Spent]], rounds: int) -> dict[str, Spent]:
    times: dict[str, list[Spent]] = {name: [] for name in runs}
    for run in runs.values():
        run()
    for _ in range(rounds):
        for name, run in runs.items():
            times[name].append(run())
    return {n: Spent(*map(statistics.median, zip(*each, strict=True))) for n, each in times.items()}
