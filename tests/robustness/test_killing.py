"""Clients that do what no client should, each in one way: the server goes on, or ends, and never hangs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.lsp.uris import to_path
from tests.lsp.wire import SERVE, Wire
from tests.patience import PATIENCE

VERSIONS = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
TYPO = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
URI = "untitled:a.py"
START = {"line": 0, "character": 0}


@pytest.fixture(scope="module")
def running() -> Iterator[Wire]:
    """Return a server that outlives what is done to it in several tests."""
    with Wire() as wire:
        wire.initialize(VERSIONS)
        yield wire


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
def test_uris(running: Wire, uri: str) -> None:
    running.open(uri, TYPO)
    running.change(uri, 2, {"text": TYPO * 2})
    about = {"textDocument": {"uri": uri}}
    running.request("textDocument/hover", {**about, "position": START})
    running.notify("textDocument/didSave", about)
    running.notify("textDocument/didClose", about)
    _is_well(running)


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


def test_cells_in_several_places_or_in_none() -> None:
    def opened(wire: Wire, notebook: str, *cells: str) -> None:
        items = [{"uri": uri, "languageId": "python", "version": 1, "text": TYPO} for uri in cells]
        order = [{"kind": 2, "document": uri} for uri in cells]
        document = {"uri": notebook, "notebookType": "jupyter", "version": 1, "cells": order}
        wire.notify("notebookDocument/didOpen", {"notebookDocument": document, "cellTextDocuments": items})

    def changed(wire: Wire, notebook: str, count: int, **more: Any) -> None:
        structure = {"array": {"start": 0, "deleteCount": count}}
        change = {"cells": {"structure": structure, **more}}
        wire.notify(
            "notebookDocument/didChange", {"notebookDocument": {"uri": notebook, "version": 2}, "change": change}
        )

    def ask(wire: Wire, *cells: str) -> None:
        for uri in cells:
            about = {"textDocument": {"uri": uri}}
            assert wire.request("textDocument/hover", {**about, "position": {"line": 0, "character": 30}})["result"]
            assert len(wire.request("textDocument/diagnostic", about)["result"]["items"]) == 1

    with Wire() as wire:
        wire.initialize(VERSIONS)
        opened(wire, "file:///a.ipynb", "nb:1", "nb:2", "nb:1")
        ask(wire, "nb:1", "nb:2")
        opened(wire, "file:///b.ipynb", "nb:1", "nb:3")
        ask(wire, "nb:1", "nb:2", "nb:3")
        changed(wire, "file:///b.ipynb", 1)  # without a word that the cell is closed
        ask(wire, "nb:1", "nb:2", "nb:3")
        wire.change("nb:3", 2, {"text": TYPO})
        changed(wire, "file:///b.ipynb", 1)
        wire.change("nb:1", 2, {"text": TYPO})
        ask(wire, "nb:1", "nb:2", "nb:3")
        _is_well(wire)


def test_all_of_a_long_text_is_selected() -> None:
    with Wire() as wire:
        wire.initialize({"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}})
        wire.open(URI, TYPO * 600)
        whole = {"start": START, "end": {"line": 600, "character": 0}}
        params = {"textDocument": {"uri": URI}, "range": whole, "context": {"diagnostics": wire.diagnostics(URI)}}
        actions = wire.request("textDocument/codeAction", params)["result"]
        # A client that takes no edit later gets those of the first ones: each is proven before it leaves.
        assert len([a for a in actions if a["title"].startswith("Ignore")]) == 30
        assert len([a for a in actions if a.get("diagnostics") and not a["title"].startswith("Ignore")]) == 30
        _is_well(wire)


def test_everything_is_not_fixed_at_each_place_of_a_long_text() -> None:
    with Wire() as wire:
        wire.initialize(
            {"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}},
            initializationOptions={"select": ["NPU103"]},
        )
        for count, uri in ((10, "untitled:short.py"), (900, "untitled:long.py")):
            wire.open(uri, 'op.parameter_map["use_off_line"].b = "True"\n' * count)
            assert len(wire.diagnostics(uri)) == count
            params = {"textDocument": {"uri": uri}, "range": {"start": START, "end": START}}
            for only, offered in ([], count == 10), (["source.fixAll"], True):
                asked = {**params, "context": {"diagnostics": [], **({"only": only} if only else {})}}
                found = wire.request("textDocument/codeAction", asked)["result"]
                assert any(action["kind"].startswith("source.fixAll") for action in found) is offered


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
        for version, make in enumerate(_NO_CONFIGURATIONS, 2):
            config.unlink()
            make(config)
            wire.notify("workspace/didChangeWatchedFiles", event)
            wire.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
            wire.change(uri, version, {"text": TYPO})
            assert [d["code"] for d in wire.diagnostics(uri, version)] == ["NPU101"]
            if config.is_dir() and not config.is_symlink():
                config.rmdir()
                config.touch()
        shutil.rmtree(folder)
        wire.notify("workspace/didChangeWatchedFiles", event)
        wire.change(uri, 99, {"text": TYPO})
        assert [d["code"] for d in wire.diagnostics(uri, 99)] == ["NPU101"]
        _is_well(wire)


_NO_CONFIGURATIONS: tuple[Callable[[Path], object], ...] = (
    lambda path: path.mkdir(),
    os.mkfifo,
    lambda path: path.symlink_to(path.name),
    lambda path: path.symlink_to("/dev/zero"),
    lambda path: path.symlink_to("/proc/kmsg"),
    lambda path: path.write_bytes(b"\xff"),
    lambda path: path.write_bytes(b"#" * 2_000_000),
    lambda path: path.write_text('catalog = ["~nobody-of-that-name/a", "/dev/zero", "\\u0000"]'),
    lambda path: path.write_text(f'exclude = ["{"*a" * 300}b"]'),
    lambda path: path.write_text('extend = "npu-lsp.toml"'),
)


def test_ids_of_any_kind() -> None:
    with Wire() as wire:
        wire.initialize(VERSIONS)
        for identity in (0, -1, 10**400, "", "x" * 100_000, "\ud800", True):
            wire.send({"jsonrpc": "2.0", "id": identity, "method": "npu-lsp/status"})
            assert "result" in wire.answer(identity)
        for identity in ("1.5", "1e999", "NaN", "9" * 5000, "{}", "null"):
            wire.body(b'{"jsonrpc":"2.0","id":%s,"method":"npu-lsp/status"}' % identity.encode())
            assert "error" in wire.answer(None)
        # No cancellation, which knows no answer; and a request that nobody has cancelled.
        wire.send({"jsonrpc": "2.0", "id": 900, "method": "$/cancelRequest", "params": {"id": 901}})
        wire.send({"jsonrpc": "2.0", "id": 901, "method": "npu-lsp/status"})
        assert "result" in wire.answer(901)
        _is_well(wire)


def test_a_number_that_is_none_comes_back_as_an_error() -> None:
    with Wire() as wire:
        wire.initialize(VERSIONS)
        wire.body(b'{"jsonrpc":"2.0","id":"n","method":"completionItem/resolve","params":{"label":"x","n":1e999}}')
        assert "error" in wire.answer("n")
        assert wire.status()["version"]


def test_settings_that_are_all_wrong() -> None:
    from npu_lsp.config.keys import KEYS

    values: list[Any] = [
        10**400,
        "\0",
        "\ud800",
        ["/dev/zero", "~nobody-of-that-name/a"],
        [[]],
        {"\ud800": 1},
        None,
        True,
    ]
    with Wire() as wire:
        wrong = dict.fromkeys((key.name for key in KEYS), 10**400)
        wire.initialize(VERSIONS, initializationOptions={"debounce": -(10**400), **wrong})
        wire.open(URI, TYPO)
        for value in values:
            wire.notify("workspace/didChangeConfiguration", {"settings": {"npuLsp": value}})
            for key in KEYS:
                wire.notify("workspace/didChangeConfiguration", {"settings": {"npuLsp": {key.name: value}}})
        deep = b"[" * 900 + b"]" * 900
        wire.body(
            b'{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"select":%s}}}' % deep
        )
        wire.notify("workspace/didChangeConfiguration", {"settings": {"npuLsp": {"select": ["NPU101"]}}})
        wire.change(URI, 2, {"text": TYPO})
        assert [d["code"] for d in wire.diagnostics(URI, 2)] == ["NPU101"]
        _is_well(wire)


def test_a_client_that_never_answers() -> None:
    asks = {"configuration": True, "didChangeWatchedFiles": {"dynamicRegistration": True}}
    with Wire() as wire:
        wire.answers = False
        wire.initialize({**VERSIONS, "workspace": {**asks, "diagnostics": {"refreshSupport": True}}})
        wire.open(URI, TYPO)
        assert len(wire.diagnostics(URI, 1)) == 1
        for _ in range(500):
            wire.notify("workspace/didChangeConfiguration", {"settings": None})
        wire.change(URI, 2, {"text": TYPO * 2})
        assert len(wire.diagnostics(URI, 2)) == 2
        assert wire.messages("workspace/configuration")
        _is_well(wire)
        assert wire.leave() == 0


def test_a_folder_that_was_removed_before_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    command = f"cd '{folder}' && rmdir '{folder}' && exec {' '.join(SERVE)}"
    with Wire(("sh", "-c", command), PYTHONPATH=str(Path(__file__).parents[2])) as wire:
        wire.initialize(VERSIONS)
        wire.open(URI, TYPO)
        assert [d["code"] for d in wire.diagnostics(URI, 1)] == ["NPU101"]
        _is_well(wire)


def test_features_that_can_not_be_loaded() -> None:
    """As after an update under a running server: what is missing answers nothing or an error, and the rest works."""
    features = ("hover", "completion", "code_actions", "document_symbols", "definition", "targets")
    missing = {f"npu_lsp.lsp.features.{name}": None for name in features}
    code = (
        f"import sys; sys.modules.update({missing}); from npu_lsp.commands.main import main; sys.exit(main(['serve']))"
    )
    about = {"textDocument": {"uri": URI}, "position": START, "range": {"start": START, "end": START}}
    with Wire((sys.executable, "-c", code)) as wire:
        wire.initialize(VERSIONS)
        wire.open(URI, TYPO)
        assert [d["code"] for d in wire.diagnostics(URI, 1)] == ["NPU101"]
        for method in ("hover", "completion", "codeAction", "documentSymbol", "definition"):
            params = {**about, "context": {"diagnostics": [], "triggerKind": 1}}
            assert wire.request(f"textDocument/{method}", params)["result"] is None, method
        assert wire.request("completionItem/resolve", {"label": "x"})["result"] == {"label": "x"}
        assert "npu_lsp.lsp.features.targets" in wire.request("npu-lsp/targets")["error"]["message"]
        assert wire.request("textDocument/documentLink", about)["result"] == []
        wire.change(URI, 2, {"text": TYPO * 2})
        assert len(wire.diagnostics(URI, 2)) == 2
        assert wire.leave() == 0


def test_a_path_that_no_file_can_have() -> None:
    assert to_path("file:///a.py") == "/a.py"
    assert to_path("file:///" + "a/" * 50_000) == ""
    assert to_path("file:///%00.py") == ""


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
def test_bytes_that_are_no_message(running: Wire, data: bytes) -> None:
    running.raw(data)
    _is_well(running)


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
    with Wire(SERVE) as wire:
        wire.initialize(VERSIONS)
        wire.open(URI, TYPO)
        wire.diagnostics(URI, 1)
        leave(wire)
        assert wire.process.wait(PATIENCE) == code


_PARSING = """
import sys
from pathlib import Path
import libcst
from npu_lsp.lsp import session as work

def parse(*_):
    Path(sys.argv[1]).touch()
    while True:
        libcst.parse_expression("+".join(["a"] * 1000))

work._analyse = parse
work._is_cheap = lambda _: False
from npu_lsp.commands.main import main
sys.exit(main(["serve"]))
"""
"""A server whose thread is always in libcst's parser."""


def test_leaving_amid_parsing_is_no_crash(tmp_path: Path) -> None:
    """An interpreter that ends stops its threads; a parser written in Rust is not to be stopped (SIGABRT)."""
    begun = tmp_path / "begun"
    with Wire((sys.executable, "-c", _PARSING, str(begun))) as wire:
        wire.initialize()
        wire.open(URI, TYPO)
        while not begun.exists():
            wire.request("npu-lsp/status")
        assert wire.leave() == 0


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
        # The first answer shows that it is up; from then on nobody reads.
        assert process.stdout
        assert process.stdout.read(1) == b"C"
        process.stdin.close()
        assert process.wait(PATIENCE) == 1
    finally:
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()
