"""A small LSP client over stdio that measures: it adds as little as it can to what it times."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

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

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self.folder = folder
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder
        )
        self._id = 0
        self._version = 0

    def initialize(self) -> float:
        """Return the time from the start of the process to the answer."""
        uri = self.folder.as_uri()
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": uri,
                "capabilities": CAPABILITIES,
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
        """Return the resident memory of the process in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))

    def stop(self) -> None:
        """End the server, by force where it doesn't end by itself."""
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired, EOFError):
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
                answer = [{} for _ in items] if message["method"] == "workspace/configuration" else None
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": answer})

    def _receive(self) -> dict[str, Any]:
        assert self.process.stdout
        length = 0
        while (line := self.process.stdout.readline()) not in (b"\r\n", b"\n"):
            if not line:
                raise EOFError("the server ended")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return message


def _diagnostics_of(uri: str, version: int | None = None) -> Callable[[dict[str, Any]], bool]:
    def wanted(message: dict[str, Any]) -> bool:
        params = message.get("params") or {}
        return (
            message.get("method") == "textDocument/publishDiagnostics"
            and params.get("uri") == uri
            and (version is None or params.get("version") in (None, version))
        )

    return wanted
