"""Settings of the client, configuration files, and files that settings name: what changes is looked at anew."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from npu_lsp.config.errors import ConfigProblem
from npu_lsp.features.diagnostics import SOURCE
from npu_lsp.features.publishing import Publisher
from npu_lsp.lsp.client import Folder
from npu_lsp.lsp.documents import Unit
from npu_lsp.lsp.projects import forget_findings, looked_at
from npu_lsp.lsp.protocol import Protocol
from npu_lsp.lsp.session import Session, View
from npu_lsp.lsp.uris import from_path, key, to_path
from npu_lsp.surroundings import look

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
        self._told: set[str] = set()
        session.projects.on_problem = self._problem
        client, projects = session.client, session.projects
        projects.settings = _section(client.options)
        projects.language = client.language
        self._set_folder()
        debounce = projects.settings.get("debounce")
        if isinstance(debounce, (int, float)):
            publisher.debounce = max(0.0, min(float(debounce), 10_000.0)) / 1000

    async def follow(self) -> None:
        """Ask for the client's settings."""
        await self._fetch()

    def watch(self, view: View) -> None:
        """Ask to be told of changes of files, once a document rests on some."""
        if self._watching or not self._session.client.registers_watchers:
            return
        config = view.project.config
        if config.path is not None or config.catalog or looked_at(view.document):
            self._watching = True
            self._protocol.background(self._register())

    async def _register(self) -> None:
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(_WATCHED)])
        registration = types.Registration("npu-lsp-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await self._protocol.ask(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams([registration]))

    async def settings_changed(self, params: Any) -> None:
        """Take new settings: the client sends them, or says that they are to be fetched."""
        if self._session.client.configuration:
            await self._fetch()
            return
        sent = params.get("settings") if isinstance(params, dict) else None
        if isinstance(sent, dict):
            self._take(_section(sent.get(SECTION, sent)))

    def folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """Take another set of folders."""
        gone = {key(folder.uri) for folder in params.event.removed}
        added = tuple(Folder(folder.uri, folder.name) for folder in params.event.added)
        kept = tuple(f for f in self._session.client.folders if key(f.uri) not in gone)
        self._session.client = replace(self._session.client, folders=(*kept, *added))
        self._set_folder()
        self._reload()

    def files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Look anew at what the files concern."""
        if any(self._session.projects.concerns(to_path(change.uri)) for change in params.changes):
            self._reload()
        else:
            self._check_surroundings()

    def saved(self, _params: types.DidSaveTextDocumentParams) -> None:
        """Look anew at what has changed on the disk; many clients watch no files."""
        if self._session.projects.changed():
            self._reload()
        else:
            self._check_surroundings()

    # -- inside -----------------------------------------------------------------------------------------

    async def _fetch(self) -> None:
        if not self._session.client.configuration:
            return
        folders = self._session.client.folders
        item = types.ConfigurationItem(scope_uri=folders[0].uri if folders else None, section=SECTION)
        try:
            answer = await self._protocol.ask(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams([item]))
        except JsonRpcException as error:
            _log.info("the client has no settings: %s", error.message)
            return
        if isinstance(answer, list) and answer and isinstance(answer[0], dict):
            self._take(_section(answer[0]))

    def _take(self, told: Mapping[str, Any]) -> None:
        settings = {**_section(self._session.client.options), **told}
        if settings != self._session.projects.settings:
            self._session.projects.settings = settings
            self._reload()

    def _check_surroundings(self) -> None:
        """Look anew at the documents whose findings rest on files that are not what they were."""
        units = self._session.documents.units()
        concerned = [u for u in units if any(look(p) != seen for p, seen in looked_at(u.document).items())]
        for unit in concerned:
            forget_findings(unit.document)
        self._look_anew(concerned)

    def _problem(self) -> None:
        # Problems come by the handful, from a file that is being read in the middle of something else.
        asyncio.get_running_loop().call_soon(self._tell_problems)

    def _tell_problems(self) -> None:
        """Show in each configuration file what is wrong with it, also to clients that ask for diagnostics of texts."""
        told, self._told = self._told, set()
        for source, problems in self._session.projects.problems.items():
            if isinstance(source, Path):
                uri = from_path(source)
                self._told.add(uri)
                self._publish(uri, [_diagnostic(problem) for problem in problems])
        for uri in told - self._told:
            self._publish(uri, [])

    def _publish(self, uri: str, found: list[dict[str, Any]]) -> None:
        self._protocol.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, {"uri": uri, "diagnostics": found})

    def _reload(self) -> None:
        self._session.projects.forget()
        if self._told:
            self._problem()
        self._look_anew(self._session.documents.units())

    def _look_anew(self, units: list[Unit]) -> None:
        client = self._session.client
        if not client.pulls:
            for unit in units:
                self._publisher.changed(unit)
        elif client.refreshes_diagnostics and units:
            self._protocol.background(self._protocol.ask(types.WORKSPACE_DIAGNOSTIC_REFRESH, None))

    def _set_folder(self) -> None:
        paths = (to_path(folder.uri) for folder in self._session.client.folders)
        first = next((path for path in paths if path), None)
        if first is not None:
            self._session.projects.folder = Path(first)


def _diagnostic(problem: ConfigProblem) -> dict[str, Any]:
    line = max((problem.line or 1) - 1, 0)
    message = f"{problem.message} ({problem.suggestion})" if problem.suggestion else problem.message
    whole = {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}
    return {"range": whole, "severity": 1, "source": SOURCE, "message": message}


def _section(options: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the settings in what a client sends: with or without the section's name around them."""
    if options is None:
        return {}
    inner = options.get(SECTION)
    return inner if isinstance(inner, dict) else options
