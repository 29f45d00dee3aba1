"""A client without manners: it sends whatever it is told to, byte for byte, and keeps what comes back."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from tests import forks
from tests.patience import PATIENCE

RULES = ("NPU101", "NPU102", "NPU104", "NPU203", "NPU301", "NPU810")
"""The rules that these tests are about: a new one must not change what they see."""
SERVE = (sys.executable, "-m", "npu_lsp", "serve")
"""Starts a server as a client does: for tests that are about its start, its end, or its memory."""


class Wire:
    """A server process and the pipe to it. Without a `command` it is one that needn't be loaded anew."""

    def __init__(self, command: Sequence[str] | None = None, folder: Path | None = None, **environment: str) -> None:
        everything = {**os.environ, **environment}
        self.process: subprocess.Popen[bytes] | forks.Process
        if command is None and forks.possible(everything):
            self.process = forks.Process(["serve"], folder or Path.cwd(), everything)
        else:
            self.process = subprocess.Popen(
                command or SERVE,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=everything,
            )
        self.seen: list[dict[str, Any]] = []
        """Every message, in the order in which it came."""
        self.errors: list[bytes] = []
        self.settings: Any = None
        """What is answered when the server asks for settings."""
        self.settings_in: dict[str, Any] = {}
        """The same for single folders, by URI."""
        self.answers = True
        """Whether what the server asks for is answered."""
        self._inbox: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._number = 0
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def __enter__(self) -> Wire:  # noqa: PYI034 - nobody inherits from it
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()

    # -- out --------------------------------------------------------------------------------------------

    def raw(self, data: bytes) -> None:
        """Send bytes."""
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def body(self, data: bytes) -> None:
        """Send bytes with a right header."""
        self.raw(b"Content-Length: %d\r\n\r\n" % len(data) + data)

    def send(self, message: Any) -> None:
        """Send anything that is JSON."""
        self.body(json.dumps(message).encode())

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method: str, params: Any = None) -> int:
        """Send a request and return its id."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def request(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request and return the answer, be it an error."""
        return self.answer(self.begin(method, params))

    def initialize(self, capabilities: dict[str, Any] | None = None, **params: Any) -> dict[str, Any]:
        """Begin a session."""
        params = {"processId": None, "capabilities": capabilities or {}, **params}
        options = params.setdefault("initializationOptions", {})
        if isinstance(options, dict):
            options.get("npuLsp", options).setdefault("select", list(RULES))
        answer = self.request("initialize", params)
        self.notify("initialized", {})
        return answer

    def open(self, uri: str, text: str, language: str = "python", version: int = 1) -> None:
        """Open a document."""
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        """Change a document."""
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    # -- in ---------------------------------------------------------------------------------------------

    def answer(self, identity: Any, seconds: float = PATIENCE) -> dict[str, Any]:
        """Return the answer to a request."""
        return self.until(lambda m: "method" not in m and m.get("id") == identity, seconds)

    def diagnostics(self, uri: str, version: int | None = None, seconds: float = PATIENCE) -> list[dict[str, Any]]:
        """Return the diagnostics of a document that were sent for a version."""

        def wanted(message: dict[str, Any]) -> bool:
            params = message.get("params") or {}
            return (
                message.get("method") == "textDocument/publishDiagnostics"
                and params.get("uri") == uri
                and (version is None or params.get("version") == version)
            )

        found: list[dict[str, Any]] = self.until(wanted, seconds)["params"]["diagnostics"]
        return found

    def status(self, uri: str | None = None) -> dict[str, Any]:
        """Return what the server says of itself."""
        answer = self.request("npu-lsp/status", {"textDocument": {"uri": uri}} if uri else None)
        found: dict[str, Any] = answer["result"]
        return found

    def until(self, wanted: Callable[[dict[str, Any]], bool], seconds: float = PATIENCE) -> dict[str, Any]:
        """Return the first message from now on that is wanted; what the server asks for is answered."""
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            message = self._inbox.get(timeout=max(left, 0.001))
            if message is None:
                raise EOFError(f"the server ended: {b''.join(self.errors).decode()}")
            self.seen.append(message)
            if self.answers and "method" in message and "id" in message:
                items = (message.get("params") or {}).get("items", [])
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": [self._settings(i) for i in items]})
            if wanted(message):
                return message

    def _settings(self, item: dict[str, Any]) -> Any:
        return self.settings_in.get(item.get("scopeUri", ""), self.settings)

    def messages(self, method: str) -> list[dict[str, Any]]:
        """Return what came by that name so far."""
        return [m for m in self.seen if m.get("method") == method]

    def leave(self) -> int:
        """End the session as it should be ended, and return the exit code."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE)

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream
        while True:
            length = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                assert name.lower() in (b"content-length", b"content-type"), line
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                self._inbox.put(None)
                return
            self._inbox.put(json.loads(stream.read(length)))

    def _read_errors(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.errors.append(line)
