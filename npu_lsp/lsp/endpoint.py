"""The server's side of a session: how it begins and ends."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from npu_lsp import __version__
from npu_lsp.lsp.client import Client
from npu_lsp.lsp.converter import tolerant_converter
from npu_lsp.lsp.features.registrations import REGISTRATIONS
from npu_lsp.lsp.inbox import Inbox
from npu_lsp.lsp.protocol import Protocol
from npu_lsp.lsp.reporting import ClientHandler, hand_over
from npu_lsp.lsp.streams import Connection

_log = logging.getLogger(__name__)


PAUSE = 5.0
"""Seconds between two looks."""


def watch_parent(claimed: object, gone: Callable[[], None]) -> None:
    """Have `gone` called soon after the process that started this one has ended, if the client says that it is that one.

    `claimed` is the client's `processId`. A client behind a shell or outside of a container has a number that means nothing
    here; whether it lives can't be told, and nothing is done.
    """
    if os.name != "posix" or claimed != os.getppid():
        return
    loop = asyncio.get_running_loop()

    def look() -> None:
        if os.getppid() != claimed:
            gone()
        else:
            loop.call_later(PAUSE, look)

    loop.call_later(PAUSE, look)


_INCREMENTAL = 2
_CELLS = [{"language": "python"}, {"language": "shellscript"}]


def capabilities(client: Client) -> dict[str, Any]:
    """Return what is offered to `client`, no more than it takes."""
    told = ((offer.capability, offer.tells(client)) for offer in REGISTRATIONS if offer.capability)
    offered: dict[str, Any] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": {"includeText": False}},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        **{capability: about for capability, about in told if about},
    }
    if client.pulls:
        offered["diagnosticProvider"] = {
            "identifier": "npu-lsp",
            "interFileDependencies": False,
            "workspaceDiagnostics": True,
        }
    if client.notebooks:
        offered["notebookDocumentSync"] = {"notebookSelector": [{"notebook": "*", "cells": _CELLS}]}
    return offered


class Endpoint(LanguageServer):
    """Serves one client."""

    protocol: Protocol

    def __init__(self, wire: Callable[[Endpoint], Callable[[], Awaitable[None]]], early_log: logging.Handler) -> None:
        """`wire` registers the features and returns what is to be done once the client is ready for requests.

        `early_log` is where the log goes until there is a client.
        """
        super().__init__("npu-lsp", __version__, protocol_cls=Protocol, converter_factory=tolerant_converter)
        self.client = Client()
        self._wire = wire
        self._begin: Callable[[], Awaitable[None]] | None = None
        self._early_log = early_log
        self._inbox: Inbox | None = None
        self._gone: Callable[[], None] = lambda: None
        """Ends the session without its client."""
        self.on(types.INITIALIZE, self._initialize)
        self.on(types.INITIALIZED, self._initialized)
        self.on(types.SHUTDOWN, lambda _: None)
        self.on(types.SET_TRACE, self._set_trace)

    def on(self, method: str, handler: Callable[[Any], Any]) -> None:
        """Have `handler` answer `method`; it may return an awaitable."""

        # A function of its own: pygls marks what it registers, and a method can't be marked.
        def handle(params: Any) -> Any:
            return handler(params)

        self.feature(method)(handle)

    def more_to_come(self) -> bool:
        """Return whether messages of the client wait to be handled."""
        return self._inbox is not None and self._inbox.pending

    def serve(self, connection: Connection) -> int:
        """Serve the client at the other end until it leaves; return the exit code of the process."""
        return asyncio.run(self._serve(connection))

    async def _serve(self, connection: Connection) -> int:
        loop = asyncio.get_running_loop()
        over: asyncio.Future[int] = loop.create_future()

        def end(code: int) -> None:
            if not over.done():
                over.set_result(code)

        def gone() -> None:
            end(protocol.code_at_end)
            # What is cancelled now would be told to a client that may read no more, and wait for that for ever.
            protocol.connect(lambda _data: None)

        protocol = self.protocol
        protocol.on_exit = end
        protocol.connect(connection.write)
        inbox = self._inbox = Inbox(loop, protocol.receive, gone)
        protocol.cancelled = inbox.cancelled
        self._gone = gone
        inbox.start(connection.read)
        try:
            return await over
        finally:
            # Before the loop cancels all that is left: a process whose start it takes the parts of away is waited for in vain.
            await protocol.end()

    def _initialize(self, params: Any) -> dict[str, Any]:
        client = self.client = Client.read(params)
        self.protocol.trace = next((t for t in types.TraceValue if t.value == client.trace), types.TraceValue.Off)
        hand_over(self._early_log, ClientHandler(self.protocol.notify, asyncio.get_running_loop()))
        self._begin = self._wire(self)
        watch_parent(params.get("processId") if isinstance(params, dict) else None, self._gone)
        return {"capabilities": capabilities(client), "serverInfo": {"name": "npu-lsp", "version": __version__}}

    def _initialized(self, _params: Any) -> Awaitable[None] | None:
        client = self.client
        _log.info("npu-lsp %s serves %s %s", __version__, client.name or "a client", client.version)
        # A client that says so twice begins nothing twice.
        begin, self._begin = self._begin, None
        return begin() if begin is not None else None

    def _set_trace(self, params: types.SetTraceParams) -> None:
        known = isinstance(params.value, types.TraceValue)
        self.protocol.trace = params.value if known else types.TraceValue.Off
