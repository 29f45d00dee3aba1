"""Which logs of a folder are of one run, and which process of each was the first to fail.

What ran at the same time belongs together; so does what follows within the hours that ranks wait for each other, where a log doesn't tell when it began:
a plog has errors alone. Machines may have clocks that differ by whole hours. A log that goes through several runs, as those of a device do, holds none together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from npu_lsp.checking.logs.stamps import (
    When,
    began,
    earlier,
    host_of,
    process_of,
    seconds_between,
    seconds_from_start,
)
from npu_lsp.checking.logs.stretches import WAITED, is_pause
from npu_lsp.checking.logs.waits import Waited, Waits
from npu_lsp.text import lazy_re as re

_TOGETHER = 60
"""Seconds within which the processes of a run begin, and a rotated log goes on."""
_NEAR, _ZONES = 300, 26
"""Seconds and hours by which the first errors of machines differ whose clocks are of other time zones."""
_COMPARED = 2
"""So many processes are compared."""
_HALF = 6
"""Months: a log that ends more than half a year before it begins goes on in the next year."""
_MOST = 1000
"""Files with errors that are told apart."""
_PACKED = frozenset({"gz", "bz2", "xz"})
_OF_PLOG = re.compile(r"(?:plog|device)-\d")

Failed = tuple[When, str, str]
"""When a process said its first error, its code, and its machine as far as a folder names it."""


class Spell(NamedTuple):
    """What one process says of errors in one log without a long pause."""

    process: str
    """Empty: the log doesn't tell."""
    when: When
    code: str
    last: When


class Run(NamedTuple):
    """Logs that were written together."""

    begin: When | None
    processes: Mapping[str, Failed] = {}
    """The processes that tell the time."""
    begins: Mapping[str, When] = {}
    """When the logs of each machine begin, as far as a folder names it."""
    seen: frozenset[str] = frozenset()
    """All processes that said an error."""
    waited: Waited | None = None
    """The rank that the others wait for."""


class Ranks(NamedTuple):
    """Which process of a distributed run failed first, and how many followed."""

    first: str
    when: When
    code: str
    followed: int
    """How many others told of an error behind it."""
    seconds: float
    """From the first to the last."""
    absent: tuple[str, ...] = ()
    """Ranks between the others that say nothing."""
    ahead: tuple[tuple[str, int], ...] = ()
    """Machines whose clocks are so many hours ahead; that is taken off before times are compared."""


class _Part(NamedTuple):
    """A log, or the part of it that is of one run; times are seconds of a year."""

    path: str
    host: str
    begin: float
    end: float
    known: bool
    """Whether it begins before its first error."""
    spells: tuple[Spell, ...]

    def joins(self, other: _Part) -> bool:
        """Return whether both may be of one run."""
        if self.begin <= other.end and other.begin <= self.end:
            return True
        gap = max(self.begin, other.begin) - min(self.end, other.end)
        if abs(self.begin - other.begin) <= _TOGETHER or (gap <= WAITED and not (self.known and other.known)):
            return True
        return gap <= _TOGETHER and self._name() == other._name()

    @property
    def first(self) -> float:
        """When its first error was said."""
        return seconds_from_start(self.spells[0].when) if self.spells else self.begin

    def _name(self) -> str:
        stem = self.path
        while (parts := stem.rpartition("."))[1] and (parts[2].isdecimal() or parts[2] in _PACKED):
            stem = parts[0]
        return f"{self.host} {process_of(self.path) or stem}"


class RunSpans:
    """Gathers when each log begins and ends, what its processes say of errors, and who waits for whom."""

    def __init__(self) -> None:
        self._spans: dict[str, tuple[When, When]] = {}
        self._spells: dict[str, dict[str, list[Spell]]] = {}
        self._seen: dict[str, set[str]] = {}
        self._waits: dict[str, Waits] = {}
        self._turns = False
        """A log goes on in the next year."""

    def spans(self, path: str, begin: When | None, end: When | None) -> None:
        """Take it that the log at `path` goes from `begin` to `end`."""
        if begin is not None and path not in self._spans:
            start, end = began(path) or begin, end or begin
            if max(start, begin)[0] - end[0] > _HALF:
                self._turns = True
                self._spans[path] = (start if start[0] - begin[0] > _HALF else min(begin, start), end)
            else:
                self._spans[path] = (min(begin, start), max(begin, end))

    def failed(self, path: str, process: str, when: When | None, code: str) -> None:
        """Take it that a process said an error in a log; without a time where it isn't known, or where it is no error yet."""
        if process:
            self._seen.setdefault(path, set()).add(process)
        if when is None:
            return
        spells = self._spells.setdefault(path, {}).setdefault(process, [])
        if not spells:
            spells.append(Spell(process, when, code, when))
            return
        last = spells[-1]
        if is_pause(last.last, when):
            spells.append(Spell(process, when, code, when))
        elif when < last.when:
            spells[-1] = Spell(process, when, code, last.last)
        elif when > last.last:
            spells[-1] = last._replace(last=when)

    def waits(self, path: str) -> Waits:
        """Return what gathers who waits for whom in the log at `path`."""
        return self._waits.setdefault(path, Waits())

    def runs(self) -> list[Run]:
        """Return the runs, the newest first; one alone where nothing tells them apart."""
        if self._turns:
            self._turn()
        paths = dict.fromkeys((*self._spells, *self._waits))
        parts = [part for path in paths for part in self._parts(path, self._spells.get(path, {}))][:_MOST]
        runs = [run.parts for run in _gathered(parts)] or [[]]
        home = {part.path: number for number, run in enumerate(runs) for part in run}
        # What tells no time is of the last one.
        home |= dict.fromkeys((path for path in (*paths, *self._seen) if path not in home), len(runs) - 1)
        made = [self._run(run, [path for path, at in home.items() if at == number]) for number, run in enumerate(runs)]
        telling = [run for run in made if run.processes or run.waited is not None] or made[-1:]
        return sorted(telling, key=lambda run: run.begin or (0,) * 6, reverse=True)

    def _turn(self) -> None:
        """Take the months of the new year as those behind December."""
        self._spans = {path: (_later(begin), _later(end)) for path, (begin, end) in self._spans.items()}
        for processes in self._spells.values():
            for spells in processes.values():
                spells[:] = [each._replace(when=_later(each.when), last=_later(each.last)) for each in spells]

    def _parts(self, path: str, spells: Mapping[str, Sequence[Spell]]) -> Iterator[_Part]:
        """Yield the parts of a log between which nobody says an error for long."""
        parts: list[list[Spell]] = []
        last = 0.0
        for spell in sorted((each for several in spells.values() for each in several), key=lambda each: each.when):
            if not parts or seconds_from_start(spell.when) - last > WAITED:
                parts.append([])
            parts[-1].append(spell)
            last = max(last, seconds_from_start(spell.last))
        span = self._spans.get(path)
        if not parts and span is not None:
            begins, ends = map(seconds_from_start, span)
            yield _Part(path, host_of(path), begins, ends, False, ())
        for part in parts:
            begin, end = min(each.when for each in part), max(each.last for each in part)
            if span is not None and len(parts) == 1:
                begin, end = min(begin, span[0]), max(end, span[1])
            known = begin < min(each.when for each in part)
            times = seconds_from_start(begin), seconds_from_start(end)
            yield _Part(path, host_of(path), *times, known, tuple(part))

    def _run(self, parts: Sequence[_Part], paths: Iterable[str]) -> Run:
        processes: dict[str, Failed] = {}
        begins: dict[str, When] = {}
        for part in parts:
            for spell in part.spells:
                found = spell.when, spell.code, part.host
                if spell.process:
                    processes[spell.process] = min(processes.get(spell.process, found), found)
        paths = list(paths)
        for path in paths:
            host, span = host_of(path), self._spans.get(path)
            if host and span is not None:
                begins[host] = min(span[0], begins.get(host, span[0]))
        first = min(parts, key=lambda part: part.begin, default=None)
        begin = None
        if first is not None:
            # Of a log of several runs only the errors tell when each began.
            span = self._spans.get(first.path)
            whole = span is not None and seconds_from_start(span[0]) == first.begin
            begin = span[0] if span is not None and whole else first.spells[0].when
        seen = frozenset(process for path in paths for process in self._seen.get(path, ()))
        waits = [self._waits[path] for path in paths if path in self._waits]
        return Run(begin, processes, begins, seen, Waits.together(waits).waited() if waits else None)


def _later(when: When) -> When:
    return (when[0] + 12, *when[1:]) if when[0] <= _HALF else when


class _Gathered:
    """Parts that are of one run, as far as is known."""

    def __init__(self, part: _Part) -> None:
        self.parts = [part]
        self.whole = part

    def take(self, parts: Iterable[_Part]) -> None:
        for part in parts:
            begin, end = min(part.begin, self.whole.begin), max(part.end, self.whole.end)
            self.whole = self.whole._replace(begin=begin, end=end, known=self.whole.known and part.known)
            self.parts.append(part)


def _gathered(parts: Iterable[_Part]) -> list[_Gathered]:
    """Return the parts by run: those of one machine and one clock first, since clocks may differ."""
    homes: dict[tuple[str, bool], list[_Part]] = {}
    for part in parts:
        homes.setdefault((part.host, _OF_PLOG.search(part.path) is not None), []).append(part)
    runs: list[_Gathered] = []
    for home in sorted(map(_of_one_clock, homes.values()), key=len, reverse=True):
        free = list(runs)
        for several in home:
            fitting = (run for fits in (_Part.joins, _is_zone) for run in free if fits(run.whole, several.whole))
            run = next(fitting, None)
            if run is None:
                runs.append(several)
            else:
                run.take(several.parts)
                free.remove(run)
    return runs


def _of_one_clock(parts: Iterable[_Part]) -> list[_Gathered]:
    runs: list[_Gathered] = []
    # What takes longest comes last: of the runs that it goes through, its errors are of one at most.
    for part in sorted(parts, key=lambda part: (part.end - part.begin, part.begin)):
        joined = [run for run in runs if run.whole.joins(part)]
        if len(joined) > 1:
            joined = [run for run in joined if run.whole.begin <= part.first <= run.whole.end + WAITED][-1:]
        elif not joined:
            runs.append(_Gathered(part))
        for run in joined:
            run.take([part])
    return sorted(runs, key=lambda run: run.whole.begin)


def _is_zone(one: _Part, other: _Part) -> bool:
    hours, rest = divmod(abs(one.begin - other.begin) + _NEAR, 3600)
    return 1 <= hours <= _ZONES and rest <= 2 * _NEAR


def ranks_of(run: Run) -> Ranks | None:
    """Return which process of a run was the first to fail; `None` where there is no other."""
    if len(run.processes) < _COMPARED:
        return None
    ahead = dict(_ahead(run))
    ordered = sorted(run.processes.items(), key=lambda each: earlier(each[1][0], ahead.get(each[1][2], 0)))
    (first, (when, code, host)), (_, (last, _, of_last)) = ordered[0], ordered[-1]
    seconds = seconds_between(earlier(when, ahead.get(host, 0)), earlier(last, ahead.get(of_last, 0)))
    return Ranks(first, when, code, len(ordered) - 1, seconds, tuple(_absent(run.seen)), tuple(ahead.items()))


def _ahead(run: Run) -> Iterator[tuple[str, int]]:
    """Yield the machines whose clocks are whole hours ahead of the earliest one's: they are in other time zones."""
    starts: dict[str, When] = {}
    for when, _, host in run.processes.values():
        starts[host] = min(when, starts.get(host, when))
    if "" in starts or not starts:
        return
    first = min(starts, key=lambda host: starts[host])
    for host, start in sorted(starts.items()):
        hours = _hours(starts[first], start)
        if not hours:
            continue
        begins = [run.begins.get(each, starts[each]) for each in (first, host)]
        # A log that begins before its first error tells the clock better: a run begins everywhere at once.
        tells = all(begin < starts[each] for begin, each in zip(begins, (first, host), strict=True))
        if (_hours(*begins) == hours) if tells else hours > WAITED // 3600:
            yield host, hours


def _hours(first: When, second: When) -> int:
    """Return by how many whole hours `second` is later, nearly; 0: it isn't, or by other times."""
    hours, rest = divmod(seconds_between(first, second) + _NEAR, 3600)
    return int(hours) if 1 <= hours <= _ZONES and rest <= 2 * _NEAR else 0


def _absent(seen: frozenset[str]) -> Iterator[str]:
    numbers = {int(name[5:]) for name in seen if re.fullmatch(r"rank \d{1,5}", name)}
    # A few that are missing between many others say something; single ones that are there don't.
    if len(numbers) > _COMPARED:
        missing = sorted(set(range(max(numbers) + 1)) - numbers)
        if len(missing) <= len(numbers):
            yield from (f"rank {number}" for number in missing)
