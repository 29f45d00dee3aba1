"""Findings of files that nobody has opened, for clients that want those of the whole workspace.

The same as in an open document, in small steps beside everything else: sent as they are found, or handed out on request.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types

from npu_lsp.lsp.features.indexer import SCANNING, RequestProgress
from npu_lsp.lsp.projects import Workspace
from npu_lsp.lsp.protocol import Protocol
from npu_lsp.lsp.session import Session
from npu_lsp.lsp.uris import from_path, key, to_path

if TYPE_CHECKING:
    from npu_lsp.lsp.features.workspace_scan import FileDiagnostics, Scan


SETTING, WHOLE = "diagnosticMode", "workspace"
_PAUSE = 0.02
"""Seconds in which the client has the floor."""
_QUIET = 0.1
"""Seconds without a message after which it has said what it wanted: somebody types, and the next key is on its way."""
_PATIENCE = 1.0
"""Seconds after which there is a turn whatever the client says."""
_SWITCH = 0.0005
"""Seconds after which the thread that scans makes way."""
_CALM = 0.5
"""Seconds without news after which all is looked at anew: a checkout of a branch changes thousands of files."""
_SOON = 0.5
"""Seconds after which it is worth saying that a scan takes its time."""
_RULES_OF_GIT = ".gitignore"


class _Told(NamedTuple):
    """What is known of one file."""

    uri: str
    result: str
    items: list[dict[str, Any]]


class WorkspaceDiagnostics:
    """Looks at the files of the folders that are set so."""

    def __init__(
        self, session: Session, protocol: Protocol, pending: Callable[[], bool], quiet: Callable[[], float]
    ) -> None:
        """`pending` tells whether messages of the client wait to be handled, `quiet` for how many seconds it has said nothing."""
        self._session = session
        self._protocol = protocol
        self._pending = pending
        self._quiet = quiet
        self._scans: dict[Path, Scan] = {}
        self._told: dict[str, _Told] = {}
        """By key of the URI: the files that there is something to say about."""
        self._seen: set[str] | None = None
        """The files that were found since all is looked at anew."""
        self._changed: dict[Scan, dict[str, None]] = {}
        """The files that are to be looked at again."""
        self._outdated = False
        """Whether something has changed that the scan at hand may have passed by."""
        self._working = False
        self._watching = False
        self._planned: asyncio.TimerHandle | None = None
        self._news = asyncio.Event()
        self._tokens = 0
        self._token = ""
        """What the client knows the scan at hand by."""
        self._progress: RequestProgress | None = None

    def cancelled(self, params: types.WorkDoneProgressCancelParams) -> None:
        """Leave off the scan that the client has cancelled; what changes is looked at."""
        if self._token and params.token == self._token:
            for scan in self._scans.values():
                scan.stopped = True

    def renew(self) -> None:
        """Look at all files of the folders that are set so; others have no findings but those of open documents."""
        if self._planned is not None:
            self._planned.cancel()
            self._planned = None
        workspaces = [each for each in self._session.projects.workspaces if each.settings.get(SETTING) == WHOLE]
        self._scans = self._made(workspaces) if workspaces else {}
        self._changed.clear()
        self._seen = set()
        if workspaces or self._told:
            self._begin()
        if workspaces and not self._watching and self._session.client.registers_watchers:
            self._watching = True
            self._protocol.background(self._protocol.watch("npu-lsp-workspace", "**/*"))

    def opened(self, uri: str) -> None:
        """Say nothing of a document that is open: it speaks for itself."""
        self._forget(key(uri))

    def closed(self, uri: str) -> None:
        """Look at what is on the disk when a document is closed."""
        self._again(to_path(uri))

    def files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Look at what has changed."""
        for change in params.changes:
            path = to_path(change.uri)
            if change.type is types.FileChangeType.Deleted:
                self._forget(key(change.uri))
            scan = self._scan_of(path)
            if scan is None or (scan.stopped and not scan.knows(path)):
                continue
            if Path(path).name == _RULES_OF_GIT or not scan.knows(path):
                # What is checked may be something else now, or lies in a folder that is new.
                self._renew_soon()
            elif change.type is not types.FileChangeType.Deleted:
                self._again(path)

    async def pull(self, params: types.WorkspaceDiagnosticParams) -> dict[str, Any]:
        """Answer what differs from what the client has; where it has all of it, wait until something changes."""
        known = {key(each.uri): _Told(each.uri, each.value, []) for each in params.previous_result_ids}
        token, waits = params.partial_result_token, bool(known)
        while True:
            self._news.clear()
            items = [*self._new(known), *self._gone(known)]
            if not self._working and (items or not waits):
                return {"items": items}
            if items and token is not None:
                self._protocol.notify(types.PROGRESS, {"token": token, "value": {"items": items}})
                known, waits = dict(self._told), False
            await self._news.wait()

    # -- inside -----------------------------------------------------------------------------------------

    def _new(self, known: Mapping[str, _Told]) -> Iterator[dict[str, Any]]:
        for at, told in self._told.items():
            if at not in known or known[at].result != told.result:
                yield _report(told.uri, told.items, told.result)

    def _gone(self, known: Mapping[str, _Told]) -> Iterator[dict[str, Any]]:
        for at, told in known.items():
            if at not in self._told and not self._is_open(at):
                yield _report(told.uri, [], None)

    def _made(self, workspaces: Iterable[Workspace]) -> dict[Path, Scan]:
        # Most clients want open documents alone, and none should wait for what that takes.
        from npu_lsp.lsp.features.workspace_scan import Scan

        before = self._scans
        return {each.folder: Scan(self._session, each, self._pending, before.get(each.folder)) for each in workspaces}

    def _renew_soon(self) -> None:
        if self._seen is not None:
            self._outdated = True  # first to the end: what changes all the time would have it begun again and again
            return
        if self._planned is not None:
            self._planned.cancel()
        self._planned = asyncio.get_running_loop().call_later(_CALM, self.renew)

    def _scan_of(self, path: str) -> Scan | None:
        """Return the scan of the innermost folder that holds a file."""
        file = Path(path)
        holding = [folder for folder in self._scans if path and file.is_relative_to(folder)]
        return self._scans[max(holding, key=lambda each: len(each.parts))] if holding else None

    def _again(self, path: str) -> None:
        scan = self._scan_of(path)
        if scan is not None:
            self._changed.setdefault(scan, {})[path] = None
            self._begin()

    def _begin(self) -> None:
        if not self._working:
            self._working = True
            self._protocol.background(self._run())
            if self._seen is not None and self._session.client.shows_progress:
                self._protocol.background(self._tell_progress())

    async def _run(self) -> None:
        # Whoever waits for an answer must not wait for the scan to let go of the interpreter, several times over.
        usual = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH)
        try:
            scans: dict[Path, Scan] = {}
            while scans is not self._scans or self._changed:
                scans = self._scans
                for scan in scans.values():
                    await self._go_through(scan, scans)
                if scans is self._scans and self._seen is not None:
                    # Of what a scan that was stopped hasn't come to, nothing is known.
                    for at in set() if any(each.stopped for each in scans.values()) else self._told.keys() - self._seen:
                        self._forget(at)
                    self._seen = None
                    if self._outdated:
                        self._outdated = False
                        self._renew_soon()
        finally:
            sys.setswitchinterval(usual)
            self._working = False
            self._token = ""
            if self._progress is not None:
                self._progress.end()
                self._progress = None
            self._news.set()

    async def _tell_progress(self) -> None:
        """Have the client show how far the scan is, and that it can be stopped, unless it is done by then."""
        await asyncio.sleep(_SOON)
        if not self._working or self._token:
            return
        self._tokens += 1
        self._token = token = f"npu-lsp/scan/{self._tokens}"
        await self._protocol.ask(types.WINDOW_WORK_DONE_PROGRESS_CREATE, {"token": token})
        if self._token == token:
            self._progress = RequestProgress(self._session, token, SCANNING)
            self._progress.begin()

    async def _go_through(self, scan: Scan, scans: Mapping[Path, Scan]) -> None:
        """Look at what is left of one of `scans`, as long as these are the ones that count."""
        done = False
        while scans is self._scans and not done:
            await self._turn()
            changed = list(self._changed.pop(scan, ()))
            piece = await self._session.work.result(lambda: scan.piece(changed))  # noqa: B023 - done when it is called
            found, done = piece if piece is not None else ((), True)
            if scans is self._scans:
                self._take(found)
            if self._progress is not None:
                self._progress.part(scan.seen, scan.listed)

    async def _turn(self) -> None:
        """Wait for a pause of the client."""
        loop = asyncio.get_running_loop()
        latest = loop.time() + _PATIENCE
        while self._pending() or self._session.work.busy or (self._quiet() < _QUIET and loop.time() < latest):
            await asyncio.sleep(_PAUSE)

    def _take(self, found: Iterable[FileDiagnostics]) -> None:
        for each in found:
            uri = from_path(each.path)
            at = key(uri)
            if not each.diagnostics or self._is_open(at):
                self._forget(at)
                continue
            if self._seen is not None:
                self._seen.add(at)
            result = f"{hash(json.dumps(each.diagnostics)):x}"
            known = self._told.get(at)
            if known is None or known.result != result:
                self._told[at] = _Told(uri, result, each.diagnostics)
                self._say(uri, each.diagnostics)

    def _is_open(self, at: str) -> bool:
        documents = self._session.documents
        return documents.find(at) is not None or any(key(unit.uri) == at for unit in documents.units())

    def _forget(self, at: str) -> None:
        told = self._told.pop(at, None)
        # The findings of an open document take the place of these by themselves.
        if told is not None:
            self._news.set()
            if self._session.documents.find(told.uri) is None:
                self._say(told.uri, [])

    def _say(self, uri: str, items: list[dict[str, Any]]) -> None:
        self._news.set()
        if not self._session.client.pulls:
            self._protocol.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, {"uri": uri, "diagnostics": items})


def _report(uri: str, items: list[dict[str, Any]], result: str | None) -> dict[str, Any]:
    report: dict[str, Any] = {"kind": "full", "uri": uri, "version": None, "items": items}
    return report if result is None else {**report, "resultId": result}
