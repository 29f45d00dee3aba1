"""Findings of files that nobody has opened, for clients that want those of the whole workspace: those of `npu-lsp check`.

They are found beside everything else, and sent as they are found, or handed out on request. What changes on the disk has its
folder checked again, which costs little where most is remembered; so files that rest on the one that changed are right, too.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import finalize

from lsprotocol import types

from npu_lsp.lsp.features.indexer import SCANNING, RequestProgress
from npu_lsp.lsp.projects import Workspace
from npu_lsp.lsp.protocol import Protocol
from npu_lsp.lsp.session import Session
from npu_lsp.lsp.uris import key, to_path

if TYPE_CHECKING:
    from npu_lsp.checking.walking import Reach
    from npu_lsp.lsp.features.workspace_scan import FileDiagnostics, Scan


_log = logging.getLogger(__name__)

SETTING, WHOLE = "diagnosticMode", "workspace"
_CALM = 0.3
"""Seconds after a change in which more may come: a checkout of a branch changes thousands of files."""
_LONGEST_CALM = 10.0
"""The same after many changes that changed nothing, as of a log that grows."""
_SOON = 0.5
"""Seconds after which it is worth saying that a scan takes its time."""
_RULES_OF_GIT = ".gitignore"


class _Told(NamedTuple):
    """What is known of one file."""

    uri: str
    result: str
    items: list[dict[str, Any]]


class WorkspaceDiagnostics:
    """Checks the workspace folders whose settings ask for it, one at a time in a process of its own, and publishes what is found."""

    def __init__(self, session: Session, protocol: Protocol) -> None:
        self._session = session
        self._protocol = protocol
        self._found: dict[str, _Told] = {}
        """By key of the URI: the files that there is something to say about, open ones as well."""
        self._waiting: dict[Workspace, dict[str, None]] = {}
        """The folders to check, each with the files that changed, where that is why."""
        self._changed: dict[Workspace, dict[str, None]] = {}
        """Those to check once no more changes come."""
        self._scan: Scan | None = None
        """The one at hand."""
        self._rests: dict[Path, Collection[str]] = {}
        """By folder the files that what was found in others rests on."""
        self._scans = 0
        """How many were begun."""
        self._behind: dict[str, int] = {}
        """Keys of open documents whose file has changed since; each with how many scans had begun then, which may know it as it was."""
        self._said: set[str] = set()
        """What scans have said of what they couldn't do."""
        self._stopped = False
        """Whether nobody wants to know of more than what changes."""
        self._working = False
        self._watching = False
        self._planned: asyncio.TimerHandle | None = None
        self._calm = _CALM
        self._news = asyncio.Event()
        self._tokens = 0
        self._token = ""
        """What the client knows the scan at hand by."""
        self._progress: RequestProgress | None = None
        self._spare = ""
        """Where results are kept for as long as this runs, if no cache of the folder can hold them: made when it is needed."""

    def cancelled(self, params: types.WorkDoneProgressCancelParams) -> None:
        """Leave off the scan that the client has cancelled; what changes is looked at."""
        if self._token and params.token == self._token:
            self._stopped = True
            self._waiting = {each: paths for each, paths in self._waiting.items() if paths}
            if self._scan is not None:
                self._scan.stop()

    def renew(self) -> None:
        """Start anew: scan the folders whose `diagnosticMode` is `workspace`; in others only open documents have findings."""
        self._stopped = False
        self._said.clear()
        self._rests.clear()
        self._waiting = {workspace: {} for workspace in self._workspaces}
        if self._scan is not None:
            self._scan.stop()
            self._scan = None
        for at in [at for at, told in self._found.items() if self._workspace_of(to_path(told.uri)) is None]:
            self._forget(at)
        self._begin(shown=True)
        if self._waiting and not self._watching and self._session.client.registers_watchers:
            self._watching = True
            self._protocol.background(self._protocol.watch("npu-lsp-workspace", "**/*"))

    def opened(self, uri: str) -> None:
        """Say nothing of a document that is open: it speaks for itself, and its findings take the place of these."""
        if key(uri) in self._found:
            self._say(_Told(uri, "", []))

    def closed(self, uri: str) -> None:
        """Say what the file of a document that is closed holds."""
        at = key(uri)
        behind = self._behind.pop(at, None) is not None
        if behind:
            self._forget(at)
        elif at in self._found:
            self._say(self._found[at])
        workspace = self._workspace_of(to_path(uri))
        if workspace is not None and (behind or not self._session.client.registers_watchers):
            self._change(workspace, to_path(uri))

    def files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Have the folders checked again in which something has changed that may matter."""
        reaches: dict[Path, Reach] = {}
        for change in params.changes:
            path = to_path(change.uri)
            workspace = self._workspace_of(path)
            if workspace is None:
                continue
            if change.type is types.FileChangeType.Deleted:
                self._forget(key(change.uri))
            if self._matters(path, workspace, reaches):
                self._change(workspace, path)

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
                known, waits = dict(self._shown), False
            await self._news.wait()

    # -- what the client is told ------------------------------------------------------------------------

    @property
    def _shown(self) -> Mapping[str, _Told]:
        units = {key(unit.uri) for unit in self._session.documents.units()}
        return {
            at: told for at, told in self._found.items() if at not in units and self._session.documents.find(at) is None
        }

    def _new(self, known: Mapping[str, _Told]) -> Iterator[dict[str, Any]]:
        for at, told in self._shown.items():
            if at not in known or known[at].result != told.result:
                yield _report(told.uri, told.items, told.result)

    def _gone(self, known: Mapping[str, _Told]) -> Iterator[dict[str, Any]]:
        for at, told in known.items():
            if at not in self._found and not self._is_open(at):
                yield _report(told.uri, [], None)

    def _is_open(self, at: str) -> bool:
        documents = self._session.documents
        return documents.find(at) is not None or any(key(unit.uri) == at for unit in documents.units())

    def _forget(self, at: str) -> None:
        told = self._found.pop(at, None)
        if told is not None and not self._is_open(at):
            self._say(told._replace(items=[]))

    def _say(self, told: _Told) -> None:
        self._news.set()
        # The findings of an open text take the place of these by themselves; a notebook has those of its cells.
        if not self._session.client.pulls and self._session.documents.find(told.uri) is None:
            params = {"uri": told.uri, "diagnostics": told.items}
            self._protocol.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def _take(self, each: FileDiagnostics) -> bool:
        """Remember what was found in a file, and say it where that is new; tell whether it is."""
        at = key(each.uri)
        if self._behind.get(at, self._scans) < self._scans:
            del self._behind[at]
        known = self._found.get(at)
        if not each.diagnostics:
            self._forget(at)
            return known is not None
        told = _Told(each.uri, f"{hash(json.dumps(each.diagnostics)):x}", each.diagnostics)
        self._found[at] = told
        if known is not None and known.result == told.result:
            return False
        if not self._is_open(at):
            self._say(told)
        return True

    # -- what is checked when ---------------------------------------------------------------------------

    @property
    def _workspaces(self) -> list[Workspace]:
        return [each for each in self._session.projects.workspaces if each.settings.get(SETTING) == WHOLE]

    def _workspace_of(self, path: str) -> Workspace | None:
        """Return the innermost folder of the client that holds a file, where that is to be checked."""
        file = Path(path)
        holding = [each for each in self._session.projects.workspaces if path and file.is_relative_to(each.folder)]
        innermost = max(holding, key=lambda each: len(each.folder.parts), default=None)
        return innermost if innermost in self._workspaces else None

    def _matters(self, path: str, workspace: Workspace, reaches: dict[Path, Reach]) -> bool:
        """Return whether something else may be found when what is at `path` has changed."""
        from npu_lsp.checking.walking import Reach
        from npu_lsp.languages.detection import is_read
        from npu_lsp.text.globs import globs

        file, rests = Path(path), self._rests.get(workspace.folder)
        if rests is not None and path in rests:
            return True
        at = key(file.as_uri())
        if self._is_open(at):
            self._behind[at] = self._scans
            return False
        config = self._session.projects.find(path).config
        read = is_read(file.name) or globs(config.include).matches(config.relative(path))
        # What is gone may have been a folder, and one that has come holds files that nobody tells of. As long as a first check
        # goes on, anything may be what its findings will rest on.
        if not (read or rests is None or file.name == _RULES_OF_GIT or not file.is_file()):
            return False
        reach = reaches.get(workspace.folder)
        if reach is None:
            discovery = self._session.projects.discovery(workspace)
            reach = reaches[workspace.folder] = Reach(discovery, os.fspath(workspace.folder))
        return reach.has(path)

    def _change(self, workspace: Workspace, path: str) -> None:
        self._changed.setdefault(workspace, {})[path] = None
        if self._planned is None:
            self._planned = asyncio.get_running_loop().call_later(self._calm, self._take_changes)

    def _take_changes(self) -> None:
        self._planned = None
        changed, self._changed = self._changed, {}
        for workspace in changed.keys() & {*self._workspaces}:
            self._waiting.setdefault(workspace, {}).update(changed[workspace])
        self._begin(shown=False)

    def _begin(self, *, shown: bool) -> None:
        if self._waiting and not self._working:
            self._working = True
            self._protocol.background(self._run())
            if shown and self._session.client.shows_progress:
                self._protocol.background(self._tell_progress())

    async def _run(self) -> None:
        try:
            while self._waiting:
                workspace = next(iter(self._waiting))
                changed = self._waiting.pop(workspace)
                try:
                    new = await self._checked(workspace, [*changed] if self._stopped else [])
                except Exception:
                    _log.exception("%s can't be checked", workspace.folder)
                    new = False
                self._calm = _CALM if new or not changed else min(2 * self._calm, _LONGEST_CALM)
        finally:
            self._working = False
            self._token = ""
            if self._progress is not None:
                self._progress.end()
                self._progress = None
            self._news.set()

    async def _checked(self, workspace: Workspace, paths: list[str]) -> bool:
        """Check a folder, or `paths` in it; tell whether anything new was found."""
        # Most clients want open documents alone, and none should wait for what that takes.
        from npu_lsp.lsp.features.workspace_scan import Scan

        if not self._spare:
            # Asked for here: to find the folder for temporary files writes into it.
            self._spare = os.path.join(tempfile.gettempdir(), f"npu-lsp-{os.urandom(8).hex()}")  # noqa: PTH118 - a name alone
            finalize(self, shutil.rmtree, self._spare, ignore_errors=True)
        self._scan = scan = Scan(self._session, workspace, self._spare, paths, self._said)
        self._scans += 1
        new, seen = False, set[str]()
        async with aclosing(scan.found()) as found:
            async for each in found:
                # A folder of the client in this one has settings of its own.
                if self._workspace_of(each.path) == workspace and scan is self._scan:
                    new |= self._take(each)
                    seen.add(key(each.uri))
                if self._progress is not None:
                    self._progress.part(scan.seen, scan.listed)
        if scan is not self._scan:
            return new
        self._scan = None
        if not scan.ended:
            return new
        if not paths:
            self._rests[workspace.folder] = scan.rests
        for at in self._found.keys() - seen:
            path = to_path(self._found[at].uri)
            if self._workspace_of(path) == workspace and (not paths or any(map(Path(path).is_relative_to, paths))):
                new = True
                self._forget(at)
        return new

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


def _report(uri: str, items: list[dict[str, Any]], result: str | None) -> dict[str, Any]:
    report: dict[str, Any] = {"kind": "full", "uri": uri, "version": None, "items": items}
    return report if result is None else {**report, "resultId": result}
