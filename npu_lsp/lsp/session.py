"""Everything that is known about one client: what it can do, what it has open, how it wants things, and the work that is done for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from npu_lsp.config.discover import NAMES
from npu_lsp.languages import read
from npu_lsp.languages.density import words_of_interest
from npu_lsp.languages.model import ParseResult
from npu_lsp.linter.analysis import Abandoned
from npu_lsp.linter.findings import Finding
from npu_lsp.lsp.client import Client
from npu_lsp.lsp.documents import Documents, OpenDocument, Unit
from npu_lsp.lsp.inventory import Inventory
from npu_lsp.lsp.project import Project
from npu_lsp.lsp.projects import Projects
from npu_lsp.lsp.uris import from_path, name_of
from npu_lsp.text.bilingual import Language
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memo

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
        """Queue a task for the thread of analyses."""
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


if TYPE_CHECKING:
    from npu_lsp.linter.context import Context


_MISTAKES: Memo[Document, tuple[Finding, ...]] = Memo()
"""What is wrong with a configuration file."""


class Session:
    """The state of one client's session."""

    def __init__(
        self,
        client: Client,
        notify: Callable[[str, Any], None] = lambda _method, _params: None,
        pending: Callable[[], bool] = lambda: False,
    ) -> None:
        """`notify` sends the client a notification; `pending` tells whether messages of the client wait to be handled."""
        self.client = client
        self.notify = notify
        self.pending = pending
        self.documents = Documents(client.encoding)
        self.projects = Projects()
        self.work = Work()
        self.inventory = Inventory()

    def view(self, source: OpenDocument) -> DocumentView:
        """Return what features see of an open document."""
        return DocumentView(self, source, self.project(source.unit))

    def unopened(self, path: str, text: str, kind: Kind) -> DocumentView:
        """Return what features see of a file that nobody has opened."""
        source = OpenDocument(types.TextDocumentItem(from_path(path), "", 0, text), self.documents.encoding)
        source.become(kind)
        return self.view(source)

    def project(self, unit: Unit) -> Project:
        """Return the project that `unit` belongs to."""
        return self.projects.find(unit.document.path)


class DocumentView(NamedTuple):
    """One open document as a request finds it."""

    session: Session
    source: OpenDocument
    project: Project

    @property
    def client(self) -> Client:
        """The client that asks."""
        return self.session.client

    @property
    def document(self) -> Document:
        """What readers and rules look at."""
        return self.source.document

    @property
    def language(self) -> Language:
        """The language to answer in."""
        return self.project.language

    @property
    def too_large(self) -> bool:
        """Whether the configuration says to leave a text of that size alone."""
        followed = all(member.followed for member in self.source.unit.members)
        return not followed or len(self.document.text) > self.project.config.size_limit(self.document.kind)

    @property
    def configures(self) -> bool:
        """Whether the text is a configuration of npu-lsp itself, and perhaps more: a `pyproject.toml` has packages, too."""
        return name_of(self.source.uri) in NAMES

    @property
    def parsed(self) -> ParseResult:
        """What the document sets."""
        return read(self.document)

    def wants(self, setting: str, usual: bool = False) -> bool:
        """Return whether the client has switched something on that isn't for everybody; `usual` is what else holds."""
        told = self.session.projects.told(self.document.path, setting)
        return told if isinstance(told, bool) else usual

    @property
    def context(self) -> Context:
        """What rules see of the document."""
        return self.project.analyzer.context(self.document)

    def findings(self, *, whole: bool = False) -> list[Finding]:
        """Return what there is to say about the text that the client asks about, or the `whole` notebook, in the order of the text."""
        own = self._mistakes() if self.configures else []
        if self.document.kind is Kind.OTHER and self.configures:
            return own
        if self.project.excludes(self.document.path):
            return own
        found = self.project.findings(self.document)
        told = [finding for finding in found if not finding.suppressed and (whole or self.source.holds(finding.span))]
        return sorted((*own, *told), key=lambda finding: finding.span) if own else told

    def _mistakes(self) -> list[Finding]:
        from npu_lsp.config.mistakes import mistakes

        known = _MISTAKES.known(self.document)
        if known is None:
            folder = Path(self.document.path).parent if self.document.path else None
            found = mistakes(self.document.text, name_of(self.source.uri), folder, self.language)
            known = _MISTAKES.keep(self.document, tuple(found))
            self.document.before = None
        return list(known)
