"""A small LSP client over stdio that measures: it adds as little as it can to what it times."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.peers import ENVIRONMENT

CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "synchronization": {"didSave": True},
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True, "tagSupport": {"valueSet": [1, 2]}},
    },
    "workspace": {"configuration": True, "workspaceFolders": True},
}


class Client:
    """One server process. Times are seconds of the wall clock."""

    def __init__(self, command: Sequence[str], folder: Path, patience: float = 30) -> None:
        """Start a server in `folder`; it is given up when it says nothing for `patience` seconds."""
        self.folder = folder
        self.patience = patience
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=ENVIRONMENT,
        )
        self._id = 0
        self._version = 0
        self._buffer = b""

    def initialize(self, options: dict[str, Any] | None = None) -> float:
        """Return the time from the start of the process to the answer; `options` are those of the session."""
        uri = self.folder.as_uri()
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": uri,
                "capabilities": CAPABILITIES,
                "initializationOptions": options,
                "workspaceFolders": [{"uri": uri, "name": "benchmark"}],
            },
        )
        spent = time.perf_counter() - self.started
        self.notify("initialized", {})
        return spent

    def open(self, path: Path, language: str, text: str) -> float:
        """Return the time from opening a document to its first diagnostics."""
        self._version += 1
        start = time.perf_counter()
        document = {"uri": path.as_uri(), "languageId": language, "version": self._version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        self._until(_diagnostics_of(path.as_uri()))
        return time.perf_counter() - start

    def change(self, path: Path, line: int, start: int, end: int, text: str) -> float:
        """Return the time from a change within one 0-based line (UTF-16 columns) to the diagnostics of that version."""
        self._version += 1
        begun = time.perf_counter()
        span = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        document = {"uri": path.as_uri(), "version": self._version}
        self.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [{"range": span, "text": text}]}
        )
        self._until(_diagnostics_of(path.as_uri(), self._version))
        return time.perf_counter() - begun

    def at(self, method: str, path: Path, line: int, column: int) -> tuple[float, Any]:
        """Return the time of a request about a place, and its answer."""
        start = time.perf_counter()
        answer = self.request(
            method, {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}
        )
        return time.perf_counter() - start, answer

    def memory(self) -> float:
        """Return the resident memory of the process and of those that it started in MB."""
        return sum(resident(pid) for pid in _family(self.process.pid))

    def work(self) -> float:
        """Return the seconds of processors that the process has taken: other programs disturb them less than those of the wall."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9

    def stop(self) -> None:
        """End the server, by force where it doesn't end by itself."""
        self.patience = min(self.patience, 5)
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired, EOFError, TimeoutError):
            self.process.kill()
            self.process.wait()

    def request(self, method: str, params: Any) -> Any:
        """Return the answer to a request; what the server asks meanwhile is answered with nothing."""
        self._id += 1
        number = self._id
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return self._until(lambda m: m.get("id") == number and "method" not in m).get("result")

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            message = self._receive()
            if wanted(message):
                return message
            if "method" in message and "id" in message:
                items = (message.get("params") or {}).get("items", [])
                answer: Any = [{} for _ in items] if message["method"] == "workspace/configuration" else None
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": answer})

    def _receive(self) -> dict[str, Any]:
        header, _, rest = self._read(lambda: b"\r\n\r\n" in self._buffer).partition(b"\r\n\r\n")
        length = next(int(line[15:]) for line in header.split(b"\r\n") if line[:15].lower() == b"content-length:")
        self._buffer = rest
        body = self._read(lambda: len(self._buffer) >= length)
        self._buffer = body[length:]
        message: dict[str, Any] = json.loads(body[:length])
        return message

    def _read(self, enough: Callable[[], bool]) -> bytes:
        """Return what came once it is enough. Raises `TimeoutError`, and `EOFError` when the server has ended."""
        assert self.process.stdout
        source = self.process.stdout.fileno()
        while not enough():
            if not select.select([source], [], [], self.patience)[0]:
                raise TimeoutError(f"nothing came for {self.patience} s")
            data = os.read(source, 1 << 18)
            if not data:
                raise EOFError("the server ended")
            self._buffer += data
        return self._buffer


def _diagnostics_of(uri: str, version: int | None = None) -> Callable[[dict[str, Any]], bool]:
    def wanted(message: dict[str, Any]) -> bool:
        params = message.get("params") or {}
        return (
            message.get("method") == "textDocument/publishDiagnostics"
            and params.get("uri") == uri
            and (version is None or params.get("version") in (None, version))
        )

    return wanted


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [pid, *(each for child in children for each in _family(int(child)))]


def resident(pid: int) -> float:
    """Return the resident memory of one process in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0)
