"""What an editor waits for: measures one server on one script."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.benchmarks.client import Client
from tests.benchmarks.command_line import Spent
from tests.benchmarks.peers import OURS, Server
from tests.benchmarks.scripts import Place, Script

START = "start to initialize"
OPEN = "open to diagnostics"
AT_ONCE = "open at once to diagnostics"
"""Where the file comes in the same moment as `initialized`, faster than a person can open it."""
HOVER = "hover, p95"
COMPLETION = "completion, p95"
CHANGE = "change to diagnostics, p95"
TYPICAL_CHANGE = "change to diagnostics, median"
MEMORY = "memory 1 s after open"
WORK = ", processor"
"""Behind the name of what a change, a hover or a completion takes on the wall: what the server works for it."""

_ENOUGH = 6
_LONG_ENOUGH = 5.0
"""Seconds after which a slow server is asked no more."""


@dataclass(slots=True)
class Measured:
    """What came of one server: seconds, or MB, by what was measured."""

    server: str
    values: dict[str, float] = field(default_factory=dict)


def p95(values: Sequence[float]) -> float:
    """Return what 95 of 100 values are not above."""
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]


def starts(servers: Sequence[Server], folder: Path, rounds: int) -> dict[str, Spent]:
    """Return the median time from start to the answer to `initialize`; servers take turns, so that noise hits all."""
    found: dict[str, list[Spent]] = {server.name: [] for server in servers}
    for _ in range(rounds):
        for server in servers:
            client = Client(server.command, folder)
            found[server.name].append(Spent(client.initialize(), client.work()))
            client.stop()
    return {name: Spent(*map(statistics.median, zip(*times, strict=True))) for name, times in found.items()}


def measure(server: Server, script: Script, folder: Path, rounds: int = 100) -> Measured:
    """Open, hover, complete and change; a value that the server doesn't give is left out."""
    measured = Measured(server.name)
    # A server that falls silent keeps what it has shown so far.
    with suppress(TimeoutError, EOFError):
        _measure(server, script, folder, rounds, measured.values)
    return measured


def _measure(server: Server, script: Script, folder: Path, rounds: int, values: dict[str, float]) -> None:
    for what, pause in ((AT_ONCE, 0.0), (OPEN, 1.0)):
        times = []
        for _ in range(3):
            client, spent = _opened(server, script, folder, pause)
            client.stop()
            times.append(spent)
        values[what] = statistics.median(times) - server.debounce
    client, _ = _opened(server, script, folder, 1.0)
    time.sleep(1)
    values[MEMORY] = client.memory()
    path = folder / script.name
    ours = server.command == OURS.command
    try:
        if server.hovers:
            hover, complete = (script.option, script.value) if ours else (script.word, script.word)
            _put(values, HOVER, _repeat(client, lambda: _ask(client, "hover", path, hover), rounds))
            _put(values, COMPLETION, _repeat(client, lambda: _ask(client, "completion", path, complete), rounds))
        changes = _changes(client, path, script, rounds if not server.debounce else 5)
        _put(values, CHANGE, changes)
        values[CHANGE] -= server.debounce
        values[TYPICAL_CHANGE] = statistics.median(each.wall for each in changes) - server.debounce
    finally:
        client.stop()


def _opened(server: Server, script: Script, folder: Path, pause: float) -> tuple[Client, float]:
    """Open a script in a new server, so many seconds after it is ready; a second is what an editor and a person take."""
    path = folder / script.name
    path.write_text(script.text, encoding="utf-8")
    client = Client(server.command, folder)
    try:
        client.initialize(server.options)
        time.sleep(pause)
        return client, client.open(path, script.language, script.text)
    except (TimeoutError, EOFError):
        client.stop()
        raise


def _ask(client: Client, what: str, path: Path, place: Place) -> float:
    return client.at(f"textDocument/{what}", path, place.line, place.column)[0]


def _put(values: dict[str, float], what: str, spent: Sequence[Spent]) -> None:
    values[what], values[what + WORK] = (p95(times) for times in zip(*spent, strict=True))


def _timed(client: Client, once: Callable[[], float]) -> Spent:
    before = client.work()
    return Spent(once(), client.work() - before)


def _repeat(client: Client, once: Callable[[], float], rounds: int) -> list[Spent]:
    once()
    end = time.monotonic() + _LONG_ENOUGH
    return [_timed(client, once) for number in range(rounds) if number < _ENOUGH or time.monotonic() < end]


def _changes(client: Client, path: Path, script: Script, rounds: int) -> list[Spent]:
    """Type and delete a letter, in an option's value and in a statement that sets nothing, by turns."""
    spent = []
    latest = time.monotonic() + _LONG_ENOUGH
    for number in range(rounds):
        if number >= _ENOUGH and time.monotonic() > latest:
            break
        place = script.value if number % 4 < 2 else script.word
        typed = number % 2 == 0
        behind = place.column if typed else place.column + 1
        change = partial(client.change, path, place.line, place.column, behind, "x" if typed else "")
        spent.append(_timed(client, change))
        time.sleep(0.01)
    return spent
