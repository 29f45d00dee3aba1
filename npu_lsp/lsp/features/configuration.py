"""Settings of the client, configuration files, and files that settings name: what changes is looked at anew."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from npu_lsp.config.errors import ConfigProblem
from npu_lsp.lsp.client import Folder
from npu_lsp.lsp.documents import Unit
from npu_lsp.lsp.features.diagnostics import SOURCE
from npu_lsp.lsp.features.publishing import Publisher
from npu_lsp.lsp.project import forget_findings, looked_at
from npu_lsp.lsp.projects import Workspace
from npu_lsp.lsp.protocol import Protocol
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.lsp.uris import from_path, key, to_path
from npu_lsp.text.bilingual import Language, remark
from npu_lsp.text.dependencies import look

_log = logging.getLogger(__name__)

SECTION = "npuLsp"
_WATCHED = "**/*.{toml,ini,cfg,conf,json}"
"""Configurations, additions to the catalog, and the files that options take."""


class Configuration:
    """Keeps the session's settings as the client and the files have them."""

    def __init__(self, session: Session, publisher: Publisher, protocol: Protocol) -> None:
        self._session = session
        self._publisher = publisher
        self._protocol = protocol
        self._watching = False
        self._loop = asyncio.get_running_loop()
        self.on_change: Callable[[], None] = lambda: None
        """Called when other settings hold, and when the first ones are known."""
        self._told: set[str] = set()
        session.projects.on_problem = self._problem
        self._asked = 0
        self._sent = _section(session.client.options)
        """What the client told without being asked; it holds everywhere."""
        self._answered: dict[str, Mapping[str, Any]] = {}
        """What it answered, by URI of the folder; what holds outside of all folders is under no URI."""
        session.projects.language = session.client.language
        self._lay_out()
        debounce = self._sent.get("debounce")
        if isinstance(debounce, (int, float)):
            publisher.debounce = max(0, min(debounce, 10_000)) / 1000

    async def follow(self) -> None:
        """Fetch the client's settings, and look at open documents again under them."""
        await self._fetch()
        self.on_change()

    def watch(self, view: DocumentView) -> None:
        """Ask to be told of changes of files, once a document rests on some."""
        if self._watching or not self._session.client.registers_watchers:
            return
        config = view.project.config
        if config.path is not None or config.catalog or looked_at(view.document):
            self._watching = True
            self._protocol.background(self._protocol.watch("npu-lsp-files", _WATCHED))

    async def settings_changed(self, params: Any) -> None:
        """Take new settings: the client sends them, or says that they are to be fetched."""
        if self._session.client.configuration:
            await self._fetch()
            return
        sent = params.get("settings") if isinstance(params, dict) else None
        if isinstance(sent, dict):
            self._sent = {**_section(self._session.client.options), **_section(sent.get(SECTION, sent))}
            self._take()

    async def folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """Take another set of folders, and what is set in those that are new."""
        gone = {key(folder.uri) for folder in params.event.removed}
        added = tuple(Folder(folder.uri, folder.name) for folder in params.event.added)
        kept = tuple(f for f in self._session.client.folders if key(f.uri) not in gone)
        self._session.client = self._session.client._replace(folders=(*kept, *added))
        if added and self._session.client.configuration:
            await self._fetch()  # before that, nobody knows what holds in the new ones
        else:
            self._take()

    def files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Look anew at what the files concern."""
        if any(self._session.projects.concerns(to_path(change.uri)) for change in params.changes):
            self._reload()
        else:
            self._check_surroundings()

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """Take back what was said of a configuration that is opened: from now on its text speaks for itself."""
        uri = params.text_document.uri
        if self._session.client.pulls and key(uri) in map(key, self._told):
            self._notify(uri, [])

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """Say again what is wrong with a configuration that is closed."""
        if key(params.text_document.uri) in map(key, self._told):
            self._problem()

    def saved(self, _params: types.DidSaveTextDocumentParams) -> None:
        """Look anew at what has changed on the disk; many clients watch no files."""
        if self._session.projects.changed():
            self._reload()
        else:
            self._check_surroundings()

    def look_anew(self, units: list[Unit]) -> None:
        """Have the client get what there is to say about documents whose text is the same as before."""
        client = self._session.client
        if not client.pulls:
            for unit in units:
                self._publisher.changed(unit)
        elif client.refreshes_diagnostics and units:
            self._protocol.background(self._protocol.ask(types.WORKSPACE_DIAGNOSTIC_REFRESH, None))

    # -- inside -----------------------------------------------------------------------------------------

    async def _fetch(self) -> None:
        if not self._session.client.configuration:
            return
        self._asked += 1
        question, scopes = self._asked, [folder.uri for folder in self._session.client.folders]
        items = [types.ConfigurationItem(scope_uri=scope, section=SECTION) for scope in [*scopes, None]]
        try:
            answer = await self._protocol.ask(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items))
        except JsonRpcException as error:
            _log.info("the client has no settings: %s", error.message)
            answer = None
        if question != self._asked:
            return  # asked again in the meantime: this is how things were
        told = zip([*scopes, ""], answer if isinstance(answer, list) else (), strict=False)
        self._answered |= {scope: _section(each) for scope, each in told if isinstance(each, dict)}
        self._take()

    def _take(self) -> None:
        if self._lay_out():
            self._reload()

    def _lay_out(self) -> bool:
        """Say which folders there are and what is set in each; tell whether that is anything new."""
        projects = self._session.projects
        before = (projects.workspaces, projects.elsewhere)
        folders = [(to_path(folder.uri), folder.uri) for folder in self._session.client.folders]
        projects.workspaces = tuple(Workspace(Path(path), self._settings(uri)) for path, uri in folders if path)
        first = projects.workspaces[0].folder if projects.workspaces else projects.elsewhere.folder
        projects.elsewhere = Workspace(first, self._settings(""))
        return before != (projects.workspaces, projects.elsewhere)

    def _settings(self, scope: str) -> Mapping[str, Any]:
        return {**self._sent, **self._answered.get(scope, {})}

    def _check_surroundings(self) -> None:
        """Look anew at the documents whose findings rest on files that are not what they were."""
        units = self._session.documents.units()
        for unit in units:
            self._session.project(unit).look_around()
        concerned = [u for u in units if any(look(p) != seen for p, seen in looked_at(u.document).items())]
        for unit in concerned:
            forget_findings(unit.document)
        self.look_anew(concerned)

    def _problem(self) -> None:
        # Problems come by the handful, from a file that is being read in the middle of something else.
        self._loop.call_soon_threadsafe(self._tell_problems)

    def _tell_problems(self) -> None:
        """Show in each configuration file what is wrong with it, also to clients that ask for diagnostics of texts.

        One that is open has diagnostics of its text, which need not be saved yet.
        """
        told, self._told = self._told, set()
        language = self._session.projects.language
        for source, problems in self._session.projects.problems.items():
            if isinstance(source, Path):
                uri = from_path(source)
                self._told.add(uri)
                self._publish(uri, [_diagnostic(problem, language) for problem in problems])
        for uri in told - self._told:
            self._publish(uri, [])

    def _publish(self, uri: str, found: list[dict[str, Any]]) -> None:
        if self._session.documents.find(uri) is None:
            self._notify(uri, found)

    def _notify(self, uri: str, found: list[dict[str, Any]]) -> None:
        self._protocol.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, {"uri": uri, "diagnostics": found})

    def _reload(self) -> None:
        self._session.projects.forget()
        self._session.inventory.forget()
        if self._told:
            self._problem()
        self.look_anew(self._session.documents.units())
        self.on_change()


def _diagnostic(problem: ConfigProblem, language: Language) -> dict[str, Any]:
    line = max((problem.line or 1) - 1, 0)
    message = remark("", problem.message, problem.suggestion, language)
    whole = {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}
    return {"range": whole, "severity": 1, "source": SOURCE, "message": message}


def _section(options: object) -> Mapping[str, Any]:
    """Return the settings in what a client sends: with or without the section's name around them."""
    if not isinstance(options, dict):
        return {}
    inner = options.get(SECTION)
    return inner if isinstance(inner, dict) else options
