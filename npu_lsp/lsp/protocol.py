"""Messages in, answers out: every request gets exactly one answer, whatever it is and whenever it comes.

pygls leaves some requests without one (parameters that don't parse, anything after `shutdown`), shows a pop-up for
each failed notification, and can't cancel what hasn't begun; so the dispatch is our own. The registry of features,
the types and the helpers for sending stay those of pygls.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol

from npu_lsp.lsp.converter import params_type, reasons
from npu_lsp.lsp.inbox import Unreadable

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

_log = logging.getLogger(__name__)

MessageId = int | str

_RAW = frozenset(
    {
        types.INITIALIZE,
        types.WORKSPACE_DID_CHANGE_CONFIGURATION,
        types.COMPLETION_ITEM_RESOLVE,
        types.CODE_ACTION_RESOLVE,
        types.CODE_LENS_RESOLVE,
    }
)
"""Methods whose handlers take the JSON as it came: what they get back must keep fields that nobody here knows."""


class Encoded(str):
    """A result that is JSON already."""

    __slots__ = ()


class Protocol(LanguageServerProtocol):
    """One session with one client."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self._state = "new"
        self._running: dict[MessageId, asyncio.Task[Any]] = {}
        self._asked: dict[MessageId, asyncio.Future[Any]] = {}
        self._background: set[asyncio.Future[Any]] = set()
        self._number = 0
        self._write: Callable[[bytes], None] | None = None
        self.cancelled: set[Any] = set()
        """Ids of requests that were cancelled before their turn."""
        self.on_exit: Callable[[int], None] = lambda _code: None
        """Called with the process's exit code when the session is over."""

    def _register_builtin_features(self) -> None:
        # The text of documents is kept by ourselves, and no second time by pygls.
        return

    def connect(self, write: Callable[[bytes], None]) -> None:
        """Send everything through `write` from now on."""
        self._write = write

    @property
    def code_at_end(self) -> int:
        """The exit code of the process when the client goes now: 0 only after `shutdown`."""
        return 0 if self._state == "shutdown" else 1

    # -- in ---------------------------------------------------------------------------------------------

    def receive(self, message: object) -> None:
        """Handle one message. Never raises."""
        if isinstance(message, Unreadable):
            _log.error("a message is not JSON: %s", message.reason)
            self._refuse(None, JsonRpcParseError(f"not JSON: {message.reason}"))
        elif not isinstance(message, dict):
            self._refuse(None, JsonRpcInvalidRequest("a message is an object"))
        elif "method" not in message:
            self._answered(message)
        elif "id" in message:
            self._requested(message["id"], message["method"], message)
        else:
            self._notified(message["method"], message)

    def _requested(self, identity: Any, method: Any, message: dict[str, Any]) -> None:
        if not isinstance(identity, (int, str)):
            self._refuse(None, JsonRpcInvalidRequest("an id is a number or a string"))
            return
        self._log_trace("request", method, identity)
        try:
            self._check_state(method, message)
            if identity in self.cancelled:
                raise JsonRpcRequestCancelled("cancelled")
            handler = self._handler(method)
            if handler is None:
                raise JsonRpcMethodNotFound(f"there is no method {method}")
            result = handler(self._params(method, message.get("params")))
        except JsonRpcException as error:
            self._refuse(identity, error)
            return
        except Exception as error:
            _log.exception("%s failed", method)
            self._refuse(identity, JsonRpcInternalError(f"{method} failed: {error}"))
            return
        if method == types.INITIALIZE:
            self._state = "running"
        elif method == types.SHUTDOWN:
            self._shut_down()
        if inspect.isawaitable(result):
            self._await(identity, method, result)
        else:
            self._respond(identity, result)

    def _notified(self, method: Any, message: dict[str, Any]) -> None:
        params = message.get("params")
        if method == types.EXIT:
            self.on_exit(self.code_at_end)
            return
        if method == types.CANCEL_REQUEST:
            self._cancel(params)
            return
        if self._state != "running":
            _log.info("%s came before initialize or after shutdown", method)
            return
        self._log_trace("notification", method, None)
        handler = self._handler(method) if isinstance(method, str) else None
        if handler is None:
            _log.debug("nothing to do for %s", method)
            return
        try:
            result = handler(self._params(method, params))
            if inspect.isawaitable(result):
                self.background(result)
        except JsonRpcException as error:
            _log.error("%s: %s", method, error.message)
        except Exception:
            _log.exception("%s failed", method)

    def _handler(self, method: str) -> Callable[[Any], Any] | None:
        handler: Callable[[Any], Any] | None = self.fm.features.get(method)
        return handler

    def _answered(self, message: dict[str, Any]) -> None:
        identity = message.get("id")
        future = self._asked.pop(identity, None) if isinstance(identity, (int, str)) else None
        if future is None or future.done():
            _log.debug("an answer to nothing: %s", identity)
            return
        error = message.get("error")
        if isinstance(error, dict):
            code = error.get("code")
            future.set_exception(
                JsonRpcException(str(error.get("message", "")), code if isinstance(code, int) else None)
            )
        else:
            future.set_result(message.get("result"))

    def _check_state(self, method: Any, message: dict[str, Any]) -> None:
        if message.get("jsonrpc") != self.VERSION or not isinstance(method, str):
            raise JsonRpcInvalidRequest("not a request of JSON-RPC 2.0")
        if self._state == "shutdown":
            raise JsonRpcInvalidRequest("the server is shutting down")
        if (method == types.INITIALIZE) == (self._state == "new"):
            return
        if self._state == "new":
            raise JsonRpcServerNotInitialized("the first request must be initialize")
        raise JsonRpcInvalidRequest("the server is initialized already")

    def _params(self, method: str, params: Any) -> Any:
        kind = None if method in _RAW else params_type(method)
        if kind is None:
            return params
        try:
            return self._converter.structure(params, kind)
        except Exception as error:  # whatever a converter raises, the parameters are wrong
            raise JsonRpcInvalidParams(f"{method}: {reasons(error)}") from error

    def _await(self, identity: MessageId, method: str, result: Awaitable[Any]) -> None:
        task = asyncio.ensure_future(result)
        self._running[identity] = task
        task.add_done_callback(lambda done: self._finished(identity, method, done))

    def _finished(self, identity: MessageId, method: str, task: asyncio.Future[Any]) -> None:
        if self._running.get(identity) is task:
            del self._running[identity]
        if task.cancelled():
            self._refuse(identity, JsonRpcRequestCancelled("cancelled"))
            return
        error = task.exception()
        if error is None:
            self._respond(identity, task.result())
        elif isinstance(error, JsonRpcException):
            self._refuse(identity, error)
        else:
            _log.error("%s failed", method, exc_info=error)
            self._refuse(identity, JsonRpcInternalError(f"{method} failed: {error}"))

    def _cancel(self, params: Any) -> None:
        identity = params.get("id") if isinstance(params, dict) else None
        if not isinstance(identity, (int, str)):
            return
        self.cancelled.discard(identity)
        task = self._running.get(identity)
        if task is not None:
            task.cancel()

    def _shut_down(self) -> None:
        self._state = "shutdown"
        for task in list(self._running.values()):
            task.cancel()

    def background(self, work: Awaitable[Any]) -> None:
        """Let `work` go on while nobody waits for it; what goes wrong is logged."""
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._done)

    async def end(self) -> None:
        """Leave off what goes on in the background, and wait until it has ended."""
        background = [*self._background]
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)

    def _done(self, task: asyncio.Future[Any]) -> None:
        self._background.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            level = logging.INFO if isinstance(error, JsonRpcException) else logging.ERROR
            _log.log(
                level, "work in the background failed: %s", error, exc_info=error if level > logging.INFO else None
            )

    # -- out --------------------------------------------------------------------------------------------

    async def ask(self, method: str, params: Any) -> Any:
        """Send a request and return the client's answer as plain JSON; raise `JsonRpcException` when it refuses."""
        self._number += 1
        identity = f"npu-lsp-{self._number}"
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked[identity] = future
        self._send({"jsonrpc": self.VERSION, "id": identity, "method": method, "params": params})
        return await future

    async def watch(self, name: str, pattern: str) -> None:
        """Have the client tell of changes to files; `name` is that of the registration."""
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(pattern)])
        registration = types.Registration(name, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await self.ask(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams([registration]))

    def notify(self, method: str, params: Any | None = None) -> None:
        """Send a notification."""
        self._send({"jsonrpc": self.VERSION, "method": method, "params": params})

    def _respond(self, identity: MessageId, result: Any) -> None:
        if isinstance(result, Encoded):
            self._put(f'{{"jsonrpc":"2.0","id":{json.dumps(identity)},"result":{result}}}')
            return
        try:
            self._send({"jsonrpc": self.VERSION, "id": identity, "result": result})
        except (TypeError, ValueError) as error:
            _log.exception("an answer can't be written")
            self._refuse(identity, JsonRpcInternalError(str(error)))

    def _refuse(self, identity: MessageId | None, error: JsonRpcException) -> None:
        _log.debug("request %r: %s", identity, error.message)
        answer = {"code": error.code, "message": error.message}
        self._send({"jsonrpc": self.VERSION, "id": identity, "error": answer})

    def _send(self, message: dict[str, Any]) -> None:
        # Plain ASCII: a lone surrogate of the client's goes through, where UTF-8 has no form for it.
        # What a client sent as 1e999 is no number any more; it must not come back as what is no JSON.
        self._put(json.dumps(message, default=self._plain, separators=(",", ":"), allow_nan=False))

    def _plain(self, value: Any) -> Any:
        return self._converter.unstructure(value)

    def _put(self, body: str) -> None:
        if self._write is None:
            return
        try:
            self._write(f"Content-Length: {len(body)}\r\n\r\n{body}".encode("ascii"))
        except OSError:
            # The client is gone; there is nobody left to tell.
            self._write = None
            self.on_exit(1)

    def _log_trace(self, what: str, method: Any, identity: Any) -> None:
        if self.trace is not types.TraceValue.Off:
            text = f"Received {what} {method}" + (f" ({identity})" if identity is not None else "")
            self.notify(types.LOG_TRACE, {"message": text})
