"""Checks files in several processes. Batches go to whoever is free, so that a slow file holds up no other.

A process that dies takes no other with it: its batch is tried again file by file, and the file that kills twice is
given up.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from npu_lsp.checking import signals, stderr
from npu_lsp.checking.checked import NOTHING, Checked, Request
from npu_lsp.checking.checker import Checker
from npu_lsp.checking.loading import State
from npu_lsp.checking.walking import Found
from npu_lsp.linter.configuration import Config
from npu_lsp.text.bilingual import Text

Batch = Sequence[Found]
Done = tuple[Found, str, Checked]
Answer = Checked | tuple[int, ...] | None
"""What came of one file. Most hold nothing: of these it is the state that they were read in, as far as there is one."""

# Forking costs a few milliseconds and keeps what is imported; on macOS it isn't safe, on Windows it doesn't exist.
_METHOD = "fork" if sys.platform.startswith("linux") else "spawn"
_DIED = Text(en="{path}: the process that checked it died", zh="{path}：检查该文件的进程异常退出")
_AHEAD = 2
"""Batches that a process has at once, so that it never waits for the next one."""


class Pool:
    """Processes that check batches of files."""

    def __init__(self, jobs: int, configs: list[Config], request: Request) -> None:
        """Have up to `jobs` processes, each started when there is work for it. `configs` may grow while files are found."""
        self._configs = configs
        self._request = request
        self._jobs = jobs
        self._workers: list[_Worker] = []
        # What is there already stays; to look at it would make each process a copy of its own.
        gc.freeze()

    def check(self, batches: Iterable[Batch]) -> Iterator[Done]:
        """Yield what came of each file, in the order in which they get done."""
        waiting = iter(batches)
        again: deque[Batch] = deque()
        more = True
        while True:
            while self._has_room() and (again or more):
                batch = again.popleft() if again else next(waiting, None)
                if batch is None:
                    more = False
                else:
                    self._idlest().send(batch, self._configs)
            busy = {worker.connection: worker for worker in self._workers if worker.batches}
            if not busy:
                return
            for connection in wait(list(busy)):
                worker = busy[connection]
                try:
                    yield from worker.receive()
                except (EOFError, OSError):
                    yield from self._bury(worker, again)

    def close(self) -> None:
        """Let the processes end; those that are busy still, because nobody wants the answers, end after the file at hand."""
        for worker in self._workers:
            worker.close()

    def _has_room(self) -> bool:
        return len(self._workers) < self._jobs or any(len(worker.batches) < _AHEAD for worker in self._workers)

    def _idlest(self) -> _Worker:
        """Return who has the least to do: a new process as long as all are busy and there may be more."""
        idlest = min(self._workers, key=lambda worker: len(worker.batches), default=None)
        if idlest is None or (idlest.batches and len(self._workers) < self._jobs):
            idlest = _Worker(self._request, self._workers)
            self._workers.append(idlest)
        return idlest

    def _bury(self, worker: _Worker, again: deque[Batch]) -> Iterator[Done]:
        """Put a new process in the place of a dead one; its files are tried again, one by one."""
        first, *others = worker.batches
        place = self._workers.index(worker)
        worker.close()
        self._workers[place] = _Worker(self._request, [w for w in self._workers if w is not worker])
        again.extend(others)
        single = [each._replace(names=(name,)) for each in first for name in each.names]
        if len(single) > 1:
            again.extend([each] for each in single)
            return
        (found,) = single
        stderr.warn(_DIED, path=found.shown + found.names[0])
        yield found, found.names[0], Checked(failed=True)


class _Worker:
    """One process, seen from outside."""

    def __init__(self, request: Request, others: Sequence[_Worker]) -> None:
        context: Any = get_context(_METHOD)
        self.connection, theirs = context.Pipe()
        self.batches: deque[Batch] = deque()
        """What was sent and isn't answered yet."""
        self._known = 0
        # A forked process has our ends of all pipes too; as long as one is open, no end of that pipe can be seen.
        inherited = [self.connection, *(w.connection for w in others)] if _METHOD == "fork" else []
        # A daemon is told to end when we do, whatever we end of.
        arguments = (theirs, inherited, request, os.getpid(), os.getcwd())
        self._process: BaseProcess = context.Process(target=_work, args=arguments, daemon=True)
        with signals.held(), _elsewhere():
            self._process.start()
        theirs.close()

    def send(self, batch: Batch, configs: list[Config]) -> None:
        """Ask for a batch, and tell the configurations that are new."""
        self.batches.append(batch)
        # A process that died is noticed when its answer is read.
        try:
            self.connection.send((configs[self._known :], batch))
            self._known = len(configs)
        except OSError:
            pass

    def receive(self) -> Iterator[Done]:
        """Return the answer to the oldest batch; raise `EOFError` or `OSError` when the process is dead."""
        answers: list[Answer] = self.connection.recv()
        files = ((found, name) for found in self.batches.popleft() for name in found.names)
        return ((found, name, _read(answer)) for (found, name), answer in zip(files, answers, strict=True))

    def close(self) -> None:
        """Tell the process to end, and wait for it."""
        if self.batches:
            self._process.terminate()
        self.connection.close()
        self._process.join(10)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


@contextmanager
def _elsewhere() -> Iterator[None]:
    """Be in the folder of Python's own modules where a process isn't forked: it takes its first modules from the current one.

    That is a stranger's, and may hold a `multiprocessing.py`; `PYTHONSAFEPATH` says nothing to Python 3.10.
    """
    if _METHOD == "fork":
        yield
        return
    here = os.getcwd()
    os.chdir(os.path.dirname(os.__file__))
    try:
        yield
    finally:
        os.chdir(here)


def _work(
    connection: Connection[Any, Any],
    inherited: Sequence[Connection[Any, Any]],
    request: Request,
    parent: int,
    here: str,
) -> None:
    """Answer batches in the folder `here` until the other side is gone."""
    os.chdir(here)
    stop = signals.Stop(parent)
    stop.listen()
    for other_end in inherited:
        other_end.close()
    stderr.speak(request.language)
    configs: list[Config] = []
    checker = Checker(configs, request)
    while True:
        try:
            stop.waiting = True
            news, batch = connection.recv()
            stop.waiting = False
        except (EOFError, OSError):
            return
        configs += news
        answers: list[Answer] = []
        for candidate in chain.from_iterable(found.candidates() for found in batch):
            if stop:
                return
            answers.append(_written(checker.check(candidate)))
        try:
            connection.send(answers)
        except OSError:
            return


def _written(checked: Checked) -> Answer:
    if checked != NOTHING._replace(state=checked.state):
        return checked
    return tuple(checked.state) if checked.state is not None else None


def _read(answer: Answer) -> Checked:
    if isinstance(answer, Checked):
        return answer
    return Checked(state=State(*answer)) if answer is not None else NOTHING
