"""Goes through the files of the client's folders to list what they set, when somebody asks for it and never before.

What was listed is read again only where the file has changed. It ends after a while, whatever the folder is.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from time import monotonic, perf_counter

from lsprotocol import types

from npu_lsp.checking.loading import TooLargeError, UnreadableError, load
from npu_lsp.checking.walking import Candidate, Walk
from npu_lsp.config.errors import ConfigError
from npu_lsp.languages.triggers import may_match
from npu_lsp.lsp.features.subject import everything
from npu_lsp.lsp.inventory import ListedUse
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.decoding import UndecodableError, decode
from npu_lsp.text.dependencies import look

_log = logging.getLogger(__name__)

_PIECE = 0.02
"""Seconds after which others have their turn, as soon as the file at hand is done."""
_PAUSE = 0.02
_PATIENCE = 30.0
"""Seconds after which the rest is left out."""
_MOST = 50_000
"""Files that are looked at."""
_USES = re.compile(rb"getenv")


_TITLE = Text("npu-lsp: listing the settings of the workspace", "npu-lsp：正在查找工作区中的配置")
SCANNING = Text("npu-lsp: looking at the workspace", "npu-lsp：正在检查工作区")
_FILES = Text("{count} file{s}", "{count} 个文件")
_OF = Text("{count} of {total} files", "{count} / {total} 个文件")


class RequestProgress:
    """Tells a client how far that is which it knows by a token; without one it wants to hear nothing."""

    def __init__(self, session: Session, token: int | str | None, title: Text = _TITLE) -> None:
        self._session = session
        self._token = token
        self._title = title
        self._language = session.projects.find("").language
        self._told = 0

    def begin(self) -> None:
        """Say what is done."""
        self._say(kind="begin", title=self._title.to(self._language), cancellable=True)

    def report(self, count: int) -> None:
        """Say how many files were looked at, now and then."""
        if count >= self._told + 500:
            self._told = count
            self._say(kind="report", message=_FILES.many(count, self._language))

    def part(self, count: int, total: int) -> None:
        """Say how many files of how many were looked at, now and then."""
        if count >= self._told + 50 and total:
            self._told = count
            said = _OF.to(self._language).format(count=count, total=total)
            self._say(kind="report", message=said, percentage=100 * count // total)

    def end(self) -> None:
        """Say that it is done."""
        self._say(kind="end")

    def _say(self, **value: object) -> None:
        if self._token is not None:
            self._session.notify(types.PROGRESS, {"token": self._token, "value": value})


async def index_workspace(session: Session, token: int | str | None = None, *, within: float = 0) -> bool:
    """Have the session's inventory say what the files say now; tell whether all of them were looked at.

    `token` is that of the client's request, which is told how far it is. What was listed `within` so many seconds will do.
    """
    if session.inventory.whole and monotonic() - session.inventory.renewed < within:
        return True
    progress = RequestProgress(session, token)
    progress.begin()
    try:
        return await _go_through(session, progress)
    finally:
        progress.end()


def entries(view: DocumentView) -> Iterator[ListedUse]:
    """Yield the uses of options and variables in a document, for definitions, references and counts."""
    for place in everything(view):
        member = view.source.unit.member_at(place.span)
        if member is not None:
            (start, end) = (member.position(offset) for offset in place.span)
            where = (start.line, start.character, end.line, end.character)
            yield ListedUse(place.key, place.name, place.surface, place.sets, place.value, where)


async def _go_through(session: Session, progress: RequestProgress) -> bool:
    inventory, work, begun = session.inventory, session.work, perf_counter()
    scan = _Scan(session)
    done = False
    while not done and len(scan.seen) < _MOST and perf_counter() - begun < _PATIENCE:
        while session.pending() or work.busy:
            await asyncio.sleep(_PAUSE)
        done = await work.result(scan.piece) is not False
        progress.report(len(scan.seen))
    inventory.whole = done
    inventory.renewed = monotonic()
    if done:
        inventory.keep(scan.seen)
    else:
        _log.warning("the workspace has too many files: settings of %d were listed", len(scan.seen))
    return done


class _Scan:
    def __init__(self, session: Session) -> None:
        self._session = session
        self.seen: set[str] = set()
        self._files = self._candidates()

    def piece(self) -> bool:
        """Look at the next files; tell whether these were the last."""
        begun = perf_counter()
        while perf_counter() - begun < _PIECE and not self._session.pending():
            try:
                found = next(self._files, None)
            except ConfigError as error:
                _log.error("the folder is not looked at any further: %s", error)
                return True
            if found is None:
                return True
            self.seen.add(found[0].absolute)
            self._look_at(*found)
        return False

    def _candidates(self) -> Iterator[tuple[Candidate, Walk]]:
        projects = self._session.projects
        for workspace in projects.workspaces:
            walk = Walk(projects.discovery(workspace), os.fspath(workspace.folder))
            for candidate in walk.files([os.fspath(workspace.folder)]):
                yield candidate, walk

    def _look_at(self, candidate: Candidate, walk: Walk) -> None:
        inventory, path = self._session.inventory, candidate.absolute
        seen = look(path)
        if not inventory.knows(path, seen):
            view = self._view(candidate, walk.configs[candidate.config].size_limit(candidate.kind))
            inventory.take(path, seen, tuple(entries(view)) if view is not None and not view.too_large else ())

    def _view(self, candidate: Candidate, limit: int) -> DocumentView | None:
        from npu_lsp.checking.checker import kind_of

        try:
            data, _ = load(candidate.absolute, limit, links=False)
            kind = candidate.kind or kind_of(candidate.path, data)
            if not may_match(kind, data) and not _USES.search(data):
                return None
            text = decode(data).text
        except (UnreadableError, TooLargeError, UndecodableError):
            return None
        return self._session.unopened(candidate.absolute, text, kind)
