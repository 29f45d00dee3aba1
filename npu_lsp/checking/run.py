"""A whole run: which files, what is found in them, in one outcome."""

from __future__ import annotations

import gc
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from npu_lsp.checking.caches import Caches
from npu_lsp.checking.checked import NOTHING, Checked, Request
from npu_lsp.checking.checker import Checker
from npu_lsp.checking.progress import Progress
from npu_lsp.checking.report import ReportedFinding, order
from npu_lsp.checking.shards import Shard
from npu_lsp.checking.walking import Candidate, Found, PassedOver, Walk
from npu_lsp.config.discover import Discovery
from npu_lsp.linter.configuration import Config
from npu_lsp.text.kinds import Kind
from npu_lsp.text.links import is_link

if TYPE_CHECKING:
    from npu_lsp.checking.inventory import Row
    from npu_lsp.checking.launch_rows import LaunchRow

_FEW = 32
"""So many files are read first and looked up in the cache only when they hold something."""
_MANY = 400
"""For so many files more processes are started at once,"""
_LONG = 0.25
"""and for fewer when they have taken so many seconds."""
_FAR = 1_000
"""Where caches know of so many folders more, they are started with the first file: while one loads the parsers, which takes as
long as to go through these, this one goes on."""
_BATCH = 32
_RINGS = 100_000
"""So many new objects make Python look for rings of them; its own default is 700."""


class Plan(NamedTuple):
    """What one run of `check`, `settings` or the like is to do."""

    paths: Sequence[str]
    here: str
    """The folder that paths are relative to."""
    request: Request = Request()
    jobs: int = 1
    shard: Shard | None = None
    cache: bool = True
    """Use the caches that configurations allow."""
    spare: str | None = None
    """Where the caches are that have no place of their own; made, for nobody else to read, when there is one."""
    tell: Callable[[str, Checked], None] | None = None
    """Told at once what comes of each file, by its absolute path, but of those that are known to hold nothing."""
    order: Callable[[Iterable[Found]], Iterator[Found]] = iter
    """Sorts the files that are to be read."""


class Outcome(NamedTuple):
    """What a run found, and what it would change."""

    entries: tuple[ReportedFinding, ...]
    """Sorted."""
    files: int
    """How many files were checked."""
    diffs: tuple[tuple[str, str], ...]
    """What fixing would change, by path."""
    failed: bool
    """An error of ours kept something from being checked."""
    checked: Sequence[tuple[Found, Config]]
    """The files that were checked, each folder's with their configuration."""
    rows: tuple[Row, ...] = ()
    """The settings, where they were asked for; in no order."""
    launches: tuple[LaunchRow, ...] = ()
    """What commands and calls start, where that was asked for; in no order."""
    remembered: int = 0
    """How many results came from the cache."""
    mended: Mapping[str, Mapping[str, int]] = {}
    """How many findings of which code were fixed in which file, or would be; or silenced."""
    looked_at: Callable[[], frozenset[str]] = frozenset
    """Returns the other files that the entries depend on, absolute."""
    missing: tuple[str, ...] = ()
    """What was named and isn't there: files, folders, and globs that nothing matches."""
    passed_over: tuple[PassedOver, ...] = ()
    """The first few things that Git ignores."""

    @property
    def configs(self) -> dict[str, Config]:
        """The configuration of each file that was checked, by its path; made anew each time it is asked for."""
        return {found.shown + name: config for found, config in self.checked for name in found.names}

    @property
    def fixed(self) -> Counter[str]:
        """How many findings of which code were fixed, or would be."""
        return sum((Counter(codes) for codes in self.mended.values()), Counter())


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def run(plan: Plan, discovery: Discovery, progress: Progress) -> Outcome:
    """Check what the plan names. Raises `ConfigError` where a configuration can't be used."""
    return _Run(plan, discovery, progress).outcome()


class _Run:
    def __init__(self, plan: Plan, discovery: Discovery, progress: Progress) -> None:
        self.plan = plan
        self.progress = progress
        self.walk = Walk(discovery, plan.here)
        self.started = time.time_ns()
        self.entries: list[ReportedFinding] = []
        self.rows: list[Row] = []
        self.launches: list[LaunchRow] = []
        self.mended: dict[str, Mapping[str, int]] = {}
        self.looked_at: set[str] = set()
        self.diffs: list[tuple[str, str]] = []
        self.failed = False
        self.many = False
        self.checked: list[Found] = []
        self.walking = self._walked()
        self.ahead: deque[Found] = deque()
        """What was found and isn't looked at yet."""
        self.caches = Caches(self.walk, plan.request, plan.here, allowed=plan.cache, spare=plan.spare)
        self.referenced: dict[str, tuple[Candidate, str]] = {}
        """Files that settings name, absolute; each with the script that does, and what kind of file it must be."""

    def outcome(self) -> Outcome:
        # What is made for a file goes with it. To look for rings in all that stays takes time, and memory where it was forked off.
        gc.set_threshold(_RINGS)
        found = self._found()
        if self.plan.request.write:
            self._end_in_order()
        head: list[Found] = []
        while not self.many and (each := next(found, None)) is not None:
            head.append(each)
            self.many = sum(len(each.names) for each in head) > _FEW
        try:
            if not self.many:
                self._check_few(candidate for each in head for candidate in each.candidates())
            else:
                gc.enable()
                self._check_many(chain(head, found))
        except (KeyboardInterrupt, SystemExit):
            # Whoever ended it will ask again.
            self.caches.save(whole=False)
            raise
        self._check_few(self._named_by_settings())
        self.caches.save(whole=self.plan.shard is None)
        return Outcome(
            entries=tuple(sorted(self.entries, key=order)),
            files=self.progress.done,
            mended=dict(sorted(self.mended.items())),
            looked_at=lambda: frozenset(chain(self.looked_at, self.caches.looked_at())),
            diffs=tuple(sorted(self.diffs)),
            failed=self.failed,
            checked=[(found, self.walk.configs[found.config]) for found in self.checked],
            rows=tuple(self.rows),
            launches=tuple(self.launches),
            remembered=self.caches.hits,
            missing=tuple(self.walk.missing),
            passed_over=tuple(self.walk.passed_over),
        )

    def _walked(self) -> Iterator[Found]:
        shard = self.plan.shard
        for found in self.walk.found(self.plan.paths):
            if shard is not None:
                found = found._replace(names=[name for name in found.names if shard.has(found.shown + name)])
            self.checked.append(found)
            yield found

    def _found(self) -> Iterator[Found]:
        """Yield what is found, first what was found ahead."""
        while (found := self.ahead.popleft() if self.ahead else next(self.walking, None)) is not None:
            yield found

    def _count(self) -> None:
        """Find all that is left at once: someone waits and wants to know how many files there are."""
        self.ahead.extend(self.walking)
        self.progress.total = sum(len(found.names) for found in self.checked)

    def _named_by_settings(self) -> list[Candidate]:
        """Return the files that only a setting tells the kind of, in the folders that were gone through.

        What is excluded or ignored by Git is passed over as any other file is; rules about the setting still read it.
        """
        found: list[Candidate] = []
        for path, (script, kind) in sorted(self.referenced.items()):
            if self.walk.has(path) or self.walk.passes_over(path) or is_link(path):
                continue
            self.walk.add(path)
            shown = path if os.path.isabs(script.path) else os.path.relpath(path, self.plan.here)
            candidate = Candidate(shown, path, Kind(kind), script.config, explicit=False)
            found.append(candidate)
            self.checked.append(Found.of(candidate))
        # In the shard of the script: no other one knows of the file.
        return found

    def _check_few(self, candidates: Iterable[Candidate]) -> None:
        """Check files here and now. Most hold nothing, which is known sooner than what the cache says."""
        checker = Checker(self.walk.configs, self.plan.request)
        for candidate in candidates:
            done = checker.sift(candidate)
            if not isinstance(done, Checked):
                cache = self.caches.of(candidate.config)
                known = cache.get(candidate) if cache is not None else None
                done = known or checker.analyse(candidate, done)
            found = Found.of(candidate)
            self._take(found, found.names[0], done, new=True)

    def _check_many(self, found: Iterable[Found]) -> None:
        """Check files, in several processes when that pays."""
        self._end_in_order()
        misses = self.plan.order(self._misses(found))
        first: list[Found] = []
        count, pays = 0, False
        while not pays and (each := next(misses, None)) is not None:
            first.append(each)
            count += len(each.names)
            pays = self.plan.jobs > 1 and (count >= _MANY or self._is_far_from_done())
        if count >= _MANY:
            from npu_lsp.languages.triggers import prepare

            # Each process will need it.
            prepare()
        if pays:
            self._check_in_pool(chain(first, misses))
        else:
            self._check_here(first)

    def _is_far_from_done(self) -> bool:
        """Return whether caches know of so many more folders that another process gets ready while these are gone through."""
        return self.caches.folders - len(self.walk.folders) >= _FAR

    def _check_here(self, found: Iterable[Found]) -> None:
        """Check files in this process, unless that takes long and there may be others."""
        checker = Checker(self.walk.configs, self.plan.request)
        begin = time.monotonic()
        left = (each._replace(names=(name,)) for each in found for name in each.names)
        for number, each in enumerate(left):
            name = each.names[0]
            self._take(each, name, checker.check(each.candidate(name)), new=True)
            if self.plan.jobs > 1 and number >= _BATCH and time.monotonic() - begin >= _LONG:
                self._check_in_pool(left)

    def _end_in_order(self) -> None:
        """Be ready to be told to end, which a run that only reads a few files need not be."""
        from npu_lsp.checking.signals import end_in_order

        end_in_order()

    def _check_in_pool(self, found: Iterator[Found]) -> None:
        first = next(found, None)
        if first is None:
            return
        from npu_lsp.checking.pool import Pool

        pool = Pool(self.plan.jobs, self.walk.configs, self.plan.request)
        try:
            for each, name, checked in pool.check(_batches(chain([first], found))):
                self._take(each, name, checked, new=True)
        finally:
            pool.close()

    def _misses(self, found: Iterable[Found]) -> Iterator[Found]:
        """Yield the files that no cache knows; take what is known of the others."""
        for each in found:
            cache = self.caches.of(each.config)
            if cache is None:
                yield each
                continue
            told, unknown = cache.known(each)
            for name, known in told:
                self._take(each, name, known, new=False)
            self.progress.step(len(each.names) - len(told) - len(unknown))
            if unknown:
                yield each._replace(names=unknown)

    # -- what comes of a file ---------------------------------------------------------------------------

    def _take(self, found: Found, name: str, checked: Checked, new: bool) -> None:
        self._tell(found.above + name, checked, new)
        if checked is NOTHING:
            return
        path = found.shown + name
        self.entries += checked.entries
        self.rows += checked.rows
        self.launches += checked.launches
        self.looked_at.update(checked.looked_at)
        if checked.points_to:
            self._refer(found.candidate(name), checked.points_to)
        self.failed = self.failed or checked.failed
        if checked.fixed:
            self.mended[path] = checked.fixed
        if checked.diff:
            self.diffs.append((path, checked.diff))
        # Of a few files only those are remembered that cost something; of one that was fixed, what is left of it is not
        # what it holds.
        if new and not checked.fixed and (self.many or checked.digest):
            cache = self.caches.of(found.config)
            if cache is not None:
                cache.put(found.above + name, checked, self.started)

    def _tell(self, path: str, checked: Checked, new: bool) -> None:
        self.progress.step()
        if self.progress.is_shown and not self.progress.total:
            self._count()
        if self.plan.tell is not None and (new or checked.entries):
            self.plan.tell(path, checked)

    def _refer(self, script: Candidate, points_to: Mapping[str, str]) -> None:
        for path, kind in points_to.items():
            # Of several scripts the first one counts, in whichever order they get done.
            if path not in self.referenced or script.path < self.referenced[path][0].path:
                self.referenced[path] = script, kind


def _batches(found: Iterable[Found]) -> Iterator[Sequence[Found]]:
    """Yield more and more files, until they are worth a message: what comes of the first ones is known soon."""
    batch: list[Found] = []
    size, enough = 0, 1
    for each in found:
        for start in range(0, len(each.names), _BATCH):
            batch.append(each._replace(names=each.names[start : start + _BATCH]))
            size += len(batch[-1].names)
            if size >= enough:
                yield batch
                batch, size, enough = [], 0, min(2 * enough, _BATCH)
    if batch:
        yield batch
