"""Clients that do what no client should, each in one way: the server goes on, or ends, and never hangs."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.wire import SERVE, Wire

VERSIONS = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
TYPO = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
URI = "untitled:a.py"
START = {"line": 0, "character": 0}


def _is_well(wire: Wire) -> None:
    assert "result" in wire.request("npu-lsp/status")
    logged = [m["params"]["message"] for m in wire.messages("window/logMessage")]
    assert [text for text in logged if "Traceback" in text] == []
    assert [line for line in wire.errors if b"Traceback" in line] == []


def test_versions_of_any_size() -> None:
    with Wire() as wire:
        wire.initialize(VERSIONS)
        wire.open(URI, TYPO)
        for version in (2**31 - 1, 2**53, 10**30, -5):
            wire.change(URI, version, {"text": TYPO})
        _is_well(wire)


def test_a_length_that_is_not_that_of_the_range() -> None:
    with Wire() as wire:
        wire.initialize(VERSIONS)
        wire.open(URI, TYPO)
        span = {"start": START, "end": {"line": 0, "character": 1}}
        wire.change(URI, 2, {"range": span, "rangeLength": 10**9, "text": ""})
        assert wire.status(URI)["document"]["characters"] == len(TYPO) - 1


@pytest.mark.parametrize(
    "uri",
    ["", "file:", "file:///%", "file:///%00.py", "file:///%2e%2e/%2F/a.py", "file://[::1", "FILE:///C%3A/a.py", "http://x/a.py", "://", "file://///a.py",
     "vscode-notebook-cell:/a#X", "untitled:", "a" * 100_000, "file:///" + "d/" * 5000 + "a.py", "file:///a.py?x=1#f", "file://host/share/a.py", "untitled:\ud800.py"],
    ids=lambda uri: ascii(uri[:30]),
)  # fmt: skip
def test_uris(uri: str) -> None:
    with Wire() as wire:
        wire.initialize(VERSIONS)
        wire.open(uri, TYPO)
        wire.change(uri, 2, {"text": TYPO * 2})
        about = {"textDocument": {"uri": uri}}
        wire.request("textDocument/hover", {**about, "position": START})
        wire.notify("textDocument/didSave", about)
        wire.notify("textDocument/didClose", about)
        _is_well(wire)


def test_cells_that_nobody_has_opened() -> None:
    notebook = {"uri": "file:///x.ipynb", "version": 3}
    change = {
        "structure": {"array": {"start": 50, "deleteCount": 9, "cells": [{"kind": 2, "document": "nb:9"}]}},
        "textContent": [{"document": {"uri": "nb:77", "version": 4}, "changes": [{"text": "x"}]}],
    }
    with Wire() as wire:
        wire.initialize(VERSIONS)
        said = {"notebookDocument": notebook, "change": {"cells": change}}
        wire.notify("notebookDocument/didChange", said)
        opened = {**notebook, "notebookType": "jupyter", "cells": [{"kind": 2, "document": "nb:1"}]}
        item = {"uri": "nb:1", "languageId": "python", "version": 1, "text": TYPO}
        wire.notify("notebookDocument/didOpen", {"notebookDocument": opened, "cellTextDocuments": [item]})
        wire.notify("notebookDocument/didChange", said)
        for _ in range(2):
            wire.notify("notebookDocument/didClose", {"notebookDocument": notebook, "cellTextDocuments": []})
        wire.change("nb:1", 9, {"text": TYPO})
        _is_well(wire)


def test_a_folder_that_comes_goes_and_vanishes(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    config = folder / "npu-lsp.toml"
    uri = (folder / "a.py").as_uri()
    event = {"changes": [{"uri": config.as_uri(), "type": 2}]}
    named = {"uri": folder.as_uri(), "name": "project"}
    with Wire() as wire:
        wire.initialize(VERSIONS)
        for added, removed in (([named, named], []), ([], [named, named]), ([named], [])):
            wire.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": removed}})
        config.write_text('select = ["NPU101"]\n', encoding="utf-8")
        wire.open(uri, TYPO)
        wire.diagnostics(uri, 1)
        config.unlink()
        config.mkdir()
        wire.notify("workspace/didChangeWatchedFiles", event)
        wire.change(uri, 2, {"text": TYPO})
        wire.diagnostics(uri, 2)
        shutil.rmtree(folder)
        wire.notify("workspace/didChangeWatchedFiles", event)
        wire.change(uri, 3, {"text": TYPO})
        assert [d["code"] for d in wire.diagnostics(uri, 3)] == ["NPU101"]
        _is_well(wire)


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Length: 1000000000000\r\n\r\n{}",
        b"Content-Length: 99999999999999999999\r\n\r\n" + b"\0" * 20_000,
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Length: 0\r\n\r\n",
        b"Content-Length: 4\r\n\r\nnull",
        b"Content-Length: 1\r\n\r\n{}",
        b"Content-Length: 4\r\n\r\n\xff\xfe{}",
        b'Content-Length: 40\r\n\r\n{"jsonrpc":"2.0","id":NaN,"method":"xyz"}',
    ],
)
def test_bytes_that_are_no_message(data: bytes) -> None:
    with Wire() as wire:
        wire.initialize(VERSIONS)
        wire.status()
        wire.raw(data)
        _is_well(wire)


@pytest.mark.parametrize(
    ("leave", "code"),
    [
        (lambda wire: (wire.raw(b"Content-Le"), wire.process.stdin.close()), 1),
        (lambda wire: wire.process.stdin.close(), 1),
        (lambda wire: wire.notify("exit"), 1),
        (lambda wire: wire.process.terminate(), -signal.SIGTERM),
        (lambda wire: wire.process.send_signal(signal.SIGINT), 130),
    ],
    ids=["half a header", "end of input", "exit alone", "SIGTERM", "SIGINT"],
)
def test_ways_to_leave(leave: Callable[[Wire], object], code: int) -> None:
    with Wire() as wire:
        wire.initialize(VERSIONS)
        wire.open(URI, TYPO)
        wire.diagnostics(URI, 1)
        leave(wire)
        assert wire.process.wait(60) == code


def test_a_client_that_reads_no_more_and_goes() -> None:
    """The server writes and writes, and waits; that must not be for ever."""
    process = subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdin
        about = {"uri": URI, "languageId": "python", "version": 1, "text": TYPO * 200}
        messages: list[dict[str, Any]] = [
            {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
            {"method": "initialized", "params": {}},
            {"method": "textDocument/didOpen", "params": {"textDocument": about}},
            *(
                {"id": n, "method": "textDocument/diagnostic", "params": {"textDocument": {"uri": URI}}}
                for n in range(2, 40)
            ),
        ]
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        process.stdin.flush()
        time.sleep(1)
        process.stdin.close()
        assert process.wait(60) == 1
    finally:
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()
