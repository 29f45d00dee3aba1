"""Where the thinking is done: at once where that takes moments, in a thread of its own where it may take longer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

from pygls.exceptions import JsonRpcContentModified

from npu_lsp.languages.density import words_of_interest
from npu_lsp.linter.analysis import Abandoned
from npu_lsp.lsp.documents import Unit
from npu_lsp.lsp.project import Project
from npu_lsp.text.document import Document

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

_SHORT = 50_000
"""Characters that are read from scratch without anybody noticing."""
_FEW = 100
"""Places that set something which are read without anybody noticing: a text can be short and hold thousands."""
_LONG = 0.2
"""Seconds that a version before took: a text can be short and hard, and others would wait for it."""
_SHORT_CHANGE = 1_500_000
"""Characters of a text of which most is known from its last version."""


class Work:
    """Analyses documents. One thread, so that no text is read twice at a time; what is out of date is not begun."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._thread: Thread | None = None
        self._running: dict[int, asyncio.Future[None]] = {}
        self._waiting: set[asyncio.Task[None]] = set()

    @property
    def busy(self) -> bool:
        """Whether somebody waits for an analysis."""
        return bool(self._running)

    def ready(self, document: Document, project: Project) -> bool:
        """Return whether findings and settings of `document` can be had at once."""
        if project.checked(document):
            return True
        if id(document) in self._running or document.effort > _LONG:
            return False
        return _is_cheap(document)

    async def prepare(self, unit: Unit, project: Project) -> None:
        """Analyse what `unit` holds now.

        Raises `JsonRpcContentModified` as soon as it holds something else: an answer would be about a text that the
        client no longer shows.
        """
        document, generation = unit.document, unit.generation
        identity = id(document)
        running = self._running.get(identity)
        if running is None:
            running = self._running[identity] = self._started(
                lambda: _analyse(project, document, lambda: unit.generation != generation)
            )
            running.add_done_callback(lambda _: self._running.pop(identity, None))
        # A cancelled request must not take the analysis from others that wait for it.
        await asyncio.wait({running, unit.replaced()}, return_when=asyncio.FIRST_COMPLETED)
        if unit.generation != generation:
            raise JsonRpcContentModified("the document has changed")

    def when_ready(self, unit: Unit, project: Project, then: Callable[[], None]) -> None:
        """Call `then` once what `unit` holds now is analysed; a change that comes between has its own turn."""

        async def wait() -> None:
            with suppress(JsonRpcContentModified):
                await self.prepare(unit, project)
                then()

        task = asyncio.get_running_loop().create_task(wait())
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def result(self, task: Callable[[], _T]) -> _T | None:
        """Do something in the thread and return what comes of it; what goes wrong is logged, and nothing comes of it."""
        found: list[_T] = []
        await self._started(lambda: found.append(task()))
        return found[0] if found else None

    def later(self, task: Callable[[], None]) -> None:
        """Do something in the thread when it has time."""
        if self._thread is None:
            # A daemon: the end of the session doesn't wait for the end of an analysis.
            self._thread = Thread(target=self._run, name="npu-lsp-work", daemon=True)
            self._thread.start()
        self._tasks.put(task)

    def _started(self, task: Callable[[], None]) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def finish() -> None:
            if not done.done():
                done.set_result(None)

        def run() -> None:
            _do(task)
            with suppress(RuntimeError):  # the loop is closed: the session is over
                loop.call_soon_threadsafe(finish)

        self.later(run)
        return done

    def _run(self) -> None:
        while True:
            _do(self._tasks.get())


def _do(task: Callable[[], None]) -> None:
    try:
        task()
    except Exception:
        _log.exception("work in the background failed")


def _is_cheap(document: Document) -> bool:
    """Return whether a text that nobody has measured can be read while others wait: what is new in it is little."""
    text, before = document.text, document.before
    start, end, most = 0, len(text), _SHORT
    if before is not None:
        start, end, most = before.change.start, before.change.new_end, _SHORT_CHANGE
    return len(text) <= most and end - start <= _SHORT and words_of_interest(text, start, end) <= _FEW


def _analyse(project: Project, document: Document, outdated: Callable[[], bool]) -> None:
    with suppress(Abandoned):
        if not outdated():
            project.findings(document, stop=outdated)
