"""The language server: each message of the client is wired here, once, to the feature that answers it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from npu_lsp import __version__
from npu_lsp.features import completion, diagnostics, hover, status
from npu_lsp.features.capabilities import capabilities
from npu_lsp.features.code_actions import code_actions
from npu_lsp.features.code_actions import resolve as resolve_action
from npu_lsp.features.configuration import Configuration
from npu_lsp.features.definition import definition
from npu_lsp.features.document_links import document_links
from npu_lsp.features.document_symbols import document_symbols
from npu_lsp.features.publishing import Publisher
from npu_lsp.features.synchronization import Synchronization
from npu_lsp.lsp.client import Client
from npu_lsp.lsp.converter import tolerant_converter
from npu_lsp.lsp.inbox import Inbox
from npu_lsp.lsp.protocol import Protocol
from npu_lsp.lsp.reporting import ClientHandler, hand_over
from npu_lsp.lsp.session import Session, View
from npu_lsp.lsp.streams import Connection
from npu_lsp.lsp.warming import warm

_log = logging.getLogger(__name__)

Feature = Callable[[View, Any], Any]


class Server(LanguageServer):
    """Serves one client."""

    protocol: Protocol

    def __init__(self, early_log: logging.Handler | None = None) -> None:
        """`early_log` is where the log goes until there is a client."""
        super().__init__("npu-lsp", __version__, protocol_cls=Protocol, converter_factory=tolerant_converter)
        self.session = Session()
        self._early_log = early_log
        self._inbox: Inbox | None = None
        publisher = Publisher(self.session, self.protocol.notify, self._more_to_come)
        self._configuration = Configuration(self.session, publisher, self.protocol)
        self._wire(Synchronization(self.session, publisher), self._configuration)

    # -- which message goes where -----------------------------------------------------------------------

    def _wire(self, texts: Synchronization, settings: Configuration) -> None:
        on = self._on
        on(types.INITIALIZE, self._initialize)
        on(types.INITIALIZED, self._initialized)
        on(types.SHUTDOWN, lambda _: None)
        on(types.SET_TRACE, self._set_trace)

        on(types.TEXT_DOCUMENT_DID_OPEN, texts.opened)
        on(types.TEXT_DOCUMENT_DID_CHANGE, texts.changed)
        on(types.TEXT_DOCUMENT_DID_SAVE, settings.saved)
        on(types.TEXT_DOCUMENT_DID_CLOSE, texts.closed)
        on(types.NOTEBOOK_DOCUMENT_DID_OPEN, texts.notebook_opened)
        on(types.NOTEBOOK_DOCUMENT_DID_CHANGE, texts.notebook_changed)
        on(types.NOTEBOOK_DOCUMENT_DID_CLOSE, texts.notebook_closed)

        on(types.WORKSPACE_DID_CHANGE_CONFIGURATION, settings.settings_changed)
        on(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, settings.files_changed)
        on(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, settings.folders_changed)

        self._answer(types.TEXT_DOCUMENT_COMPLETION, completion.completion, whole=False)
        self._answer(types.TEXT_DOCUMENT_HOVER, hover.hover)
        self._answer(types.TEXT_DOCUMENT_CODE_ACTION, code_actions)
        self._answer(types.TEXT_DOCUMENT_DIAGNOSTIC, diagnostics.pull, empty=diagnostics.EMPTY)
        self._answer(types.TEXT_DOCUMENT_DOCUMENT_LINK, document_links)
        self._answer(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, document_symbols)
        self._answer(types.TEXT_DOCUMENT_DEFINITION, definition)
        on(
            types.COMPLETION_ITEM_RESOLVE,
            lambda item: self._guarded(completion.resolve, self.session, item, empty=item),
        )
        on(types.CODE_ACTION_RESOLVE, lambda item: self._guarded(resolve_action, self.session, item, empty=item))

        on(status.REQUEST, self._status)
        on(types.WORKSPACE_EXECUTE_COMMAND, self._execute)

    def _on(self, method: str, handler: Callable[[Any], Any]) -> None:
        # A function of its own: pygls marks what it registers, and a method can't be marked.
        def handle(params: Any) -> Any:
            return handler(params)

        self.feature(method)(handle)

    def _answer(self, method: str, feature: Feature, *, empty: Any = None, whole: bool = True) -> None:
        """Wire a request about a document. `whole`: the feature needs all of the document to be read."""

        def handle(params: Any) -> Any:
            source = self.session.documents.find(params.text_document.uri)
            if source is None:
                return empty
            view = self.session.view(source)
            if view.too_large:
                return empty
            if whole and not self.session.work.ready(view.document, view.project):
                return self._later(feature, view, params, empty)
            return self._guarded(feature, view, params, empty=empty)

        self.feature(method)(handle)

    async def _later(self, feature: Feature, view: View, params: Any, empty: Any) -> Any:
        await self.session.work.prepare(view.source.unit, view.project)
        return self._guarded(feature, view, params, empty=empty)

    def _guarded(self, feature: Callable[..., Any], *arguments: Any, empty: Any) -> Any:
        """Ask a feature; one that fails is logged, once, and answers nothing."""
        try:
            return feature(*arguments)
        except JsonRpcException:
            raise
        except Exception:
            _log.exception("%s failed", feature.__name__)
            return empty

    # -- the session ------------------------------------------------------------------------------------

    def _initialize(self, params: Any) -> types.InitializeResult:
        client = self.session.client = Client.read(params)
        self.session.documents.encoding = client.encoding
        self._configuration.start(client)
        self.protocol.trace = next(
            (each for each in types.TraceValue if each.value == client.trace), types.TraceValue.Off
        )
        return types.InitializeResult(capabilities(client), types.ServerInfo("npu-lsp", __version__))

    def _initialized(self, _params: Any) -> Awaitable[None]:
        client = self.session.client
        _log.info("npu-lsp %s serves %s %s", __version__, client.name or "a client", client.version)
        self.session.work.later(warm)
        return self._configuration.follow()

    def _set_trace(self, params: Any) -> None:
        value = params.value
        self.protocol.trace = value if isinstance(value, types.TraceValue) else types.TraceValue.Off

    def _status(self, params: Any) -> Any:
        document = params.get("textDocument") if isinstance(params, dict) else None
        uri = document.get("uri") if isinstance(document, dict) else None
        return status.status(self.session, uri if isinstance(uri, str) else None)

    def _execute(self, params: types.ExecuteCommandParams) -> Any:
        if params.command != status.COMMAND:
            raise JsonRpcException(f"there is no command {params.command}", -32602)
        first = params.arguments[0] if params.arguments else None
        return self._status({"textDocument": {"uri": first}} if isinstance(first, str) else first)

    # -- the process ------------------------------------------------------------------------------------

    def serve(self, connection: Connection) -> int:
        """Serve the client at the other end until it leaves; return the exit code of the process."""
        return asyncio.run(self._serve(connection))

    async def _serve(self, connection: Connection) -> int:
        loop = asyncio.get_running_loop()
        over: asyncio.Future[int] = loop.create_future()

        def end(code: int) -> None:
            if not over.done():
                over.set_result(code)

        protocol = self.protocol
        protocol.on_exit = end
        protocol.connect(connection.write)
        if self._early_log is not None:
            hand_over(self._early_log, ClientHandler(protocol.notify, loop))
        inbox = self._inbox = Inbox(loop, protocol.receive, lambda: end(protocol.code_at_end))
        protocol.cancelled = inbox.cancelled
        inbox.start(connection.read)
        return await over

    def _more_to_come(self) -> bool:
        return self._inbox is not None and self._inbox.pending

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error; pygls would show it in the editor."""
        _log.error("%s: %s", source, error)
