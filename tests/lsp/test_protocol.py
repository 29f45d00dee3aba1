"""The server answers every request once, and survives every message. Each test is one way in which others don't."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.wire import SERVE, Wire
from tests.patience import PATIENCE

TYPO = 'custom_op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
VERSIONS = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}


@pytest.fixture(scope="module")
def running() -> Iterator[Wire]:
    """Return a server with a session that all tests of this module share."""
    with Wire() as wire:
        wire.initialize(VERSIONS)
        yield wire


def _error(answer: dict[str, Any]) -> int:
    assert "result" not in answer
    code: int = answer["error"]["code"]
    assert answer["error"]["message"]
    return code


# -- the life of a session --------------------------------------------------------------------------------


def test_nothing_but_initialize_at_first() -> None:
    with Wire() as wire:
        assert _error(wire.request("textDocument/hover", {})) == -32002
        assert _error(wire.request("shutdown")) == -32002
        wire.notify("textDocument/didOpen", {})
        wire.notify("initialized", {})
        assert "capabilities" in wire.initialize()["result"]
        assert _error(wire.request("initialize", {"capabilities": {}})) == -32600
        assert wire.status()["version"]
        assert wire.leave() == 0


def test_nothing_after_shutdown() -> None:
    with Wire(SERVE) as wire:
        wire.initialize()
        assert wire.request("shutdown")["result"] is None
        assert _error(wire.request("textDocument/hover", {})) == -32600
        assert _error(wire.request("shutdown")) == -32600
        wire.open("untitled:a", TYPO)
        wire.notify("exit")
        assert wire.process.wait(PATIENCE) == 0


def test_exit_without_shutdown_is_an_error() -> None:
    with Wire(SERVE) as wire:
        wire.initialize()
        wire.notify("exit")
        assert wire.process.wait(PATIENCE) == 1


def test_exit_before_initialize() -> None:
    with Wire(SERVE) as wire:
        wire.notify("exit")
        assert wire.process.wait(PATIENCE) == 1


def test_a_client_that_is_gone_takes_the_server_with_it() -> None:
    with Wire(SERVE) as wire:
        wire.initialize()
        assert wire.process.stdin
        wire.process.stdin.close()
        assert wire.process.wait(PATIENCE) == 1
        assert not wire.errors


def test_shutdown_in_the_middle_of_work() -> None:
    with Wire(SERVE) as wire:
        wire.initialize(VERSIONS)
        wire.open("untitled:big.py", TYPO * 900)
        identity = wire.begin("textDocument/hover", _place("untitled:big.py", 0, 30))
        wire.begin("shutdown")
        wire.notify("exit")
        assert wire.process.wait(PATIENCE) == 0
        answer = wire.answer(identity)
        assert "result" in answer or _error(answer) in (-32800, -32801)


# -- messages that are none ---------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [b"", b"{", b"nul", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000, b"1" * 10_000])
def test_what_is_no_json_is_refused(running: Wire, body: bytes) -> None:
    running.body(body)
    assert _error(running.answer(None)) in (-32700, -32600)
    assert running.status()["version"]


@pytest.mark.parametrize(
    "message",
    [
        [],
        [{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}],
        1,
        "x",
        None,
        {"jsonrpc": "2.0", "id": {}, "method": "x"},
    ],
)
def test_what_is_no_message_is_refused(running: Wire, message: Any) -> None:
    running.send(message)
    assert _error(running.answer(None)) == -32600
    assert running.status()["version"]


def test_odd_messages_of_all_kinds(running: Wire) -> None:
    no_names: tuple[object, ...] = (7, [], {}, None)
    for message in (
        {},
        {"jsonrpc": "2.0"},
        *({"jsonrpc": "2.0", "method": method} for method in no_names),
        {"jsonrpc": "2.0", "method": "no/such", "params": [1]},
        {"jsonrpc": "2.0", "method": "$/unknown"},
        {"jsonrpc": "2.0", "id": "never-asked", "result": 1},
        {"jsonrpc": "2.0", "id": [], "result": 1},
        {"jsonrpc": "2.0", "id": "npu-lsp-1", "error": "odd"},
        {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}},
        {"jsonrpc": "2.0", "method": "textDocument/didOpen"},
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": 3}}},
        {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": "x"}}},
        {"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration", "params": [[["x"]]]},
        {"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration"},
        {"jsonrpc": "2.0", "method": "$/cancelRequest"},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": {"a": 1}}},
        {"jsonrpc": "2.0", "method": "$/setTrace", "params": {"value": "loudest"}},
    ):
        running.send(message)
    assert running.status()["version"]
    assert [line for line in running.errors if b"Traceback" in line] == []


def test_headers_of_all_kinds(running: Wire) -> None:
    body = b'{"jsonrpc":"2.0","id":"%d","method":"npu-lsp/status"}'
    for number, header in enumerate(
        (
            b"content-length:%d\r\n\r\n",
            b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
            b"Content-Length:   %d  \r\nX-Other: 1\r\n\r\n",
            b"Content-Length: %d\n\n",
            b"garbage\r\n\r\nContent-Length: %d\r\n\r\n",
            b"Content-Length: nonsense\r\n\r\nContent-Length: %d\r\n\r\n",
            b"Content-Length: 99999999999\r\n\r\nContent-Length: %d\r\n\r\n",
        )
    ):
        message = body % number
        running.raw(header % len(message) + message)
        assert running.answer(str(number))["result"]["version"]


def test_a_message_in_pieces(running: Wire) -> None:
    data = b'Content-Length: 51\r\n\r\n{"jsonrpc":"2.0","id":"p","method":"npu-lsp/status"}'
    assert len(data.partition(b"\r\n\r\n")[2]) == 52
    data = data.replace(b"51", b"52")
    for index in range(len(data)):
        running.raw(data[index : index + 1])
    assert running.answer("p")["result"]["version"]


# -- requests ---------------------------------------------------------------------------------------------


def test_unknown_methods(running: Wire) -> None:
    assert _error(running.request("textDocument/moniker", {})) == -32601
    assert _error(running.request("$/anything", {})) == -32601
    assert _error(running.request("no/such/thing")) == -32601


@pytest.mark.parametrize(
    "method",
    [
        "textDocument/hover",
        "textDocument/completion",
        "textDocument/codeAction",
        "textDocument/documentSymbol",
        "textDocument/documentLink",
        "textDocument/definition",
        "textDocument/diagnostic",
        "completionItem/resolve",
        "codeAction/resolve",
        "workspace/executeCommand",
    ],
)
@pytest.mark.parametrize("params", [None, [], 1, {"textDocument": None}, {"textDocument": {"uri": 1}, "position": "x"}])
def test_parameters_that_are_none(running: Wire, method: str, params: Any) -> None:
    answer = running.request(method, params)
    if "error" in answer:
        assert _error(answer) == -32602
    elif method.endswith("/resolve"):
        assert answer["result"] == params  # an item that is nobody's comes back as it is
    else:
        assert not answer["result"] or not answer["result"]["items"]


def test_documents_that_are_not_open(running: Wire) -> None:
    document = {"textDocument": {"uri": "file:///nowhere.py"}}
    place = {**document, "position": {"line": 0, "character": 0}}
    spot = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    for method in ("hover", "completion", "definition"):
        assert running.request(f"textDocument/{method}", place)["result"] is None
    for method in ("documentSymbol", "documentLink"):
        assert running.request(f"textDocument/{method}", document)["result"] is None
    action = {**document, "range": spot, "context": {"diagnostics": []}}
    assert running.request("textDocument/codeAction", action)["result"] is None
    assert running.request("textDocument/diagnostic", document)["result"]["items"] == []
    running.notify("textDocument/didChange", {"textDocument": {"uri": "x", "version": 1}, "contentChanges": []})
    running.notify("textDocument/didClose", document)
    running.notify("textDocument/didSave", document)
    assert running.status()["version"]


def test_places_outside_of_the_text(running: Wire) -> None:
    running.open("untitled:out.py", TYPO)
    for line, column in ((0, 9999), (99, 0), (2**31 - 1, 2**31 - 1)):
        for method in ("hover", "completion", "definition"):
            assert "result" in running.request(f"textDocument/{method}", _place("untitled:out.py", line, column))


def test_a_command_that_is_not_ours(running: Wire) -> None:
    assert _error(running.request("workspace/executeCommand", {"command": "rm", "arguments": ["-rf"]})) == -32602


# -- enumerations and fields of a newer protocol ---------------------------------------------------------------


def test_values_that_no_enumeration_has_in_initialize() -> None:
    with Wire() as wire:
        answer = wire.initialize(
            {
                "general": {"positionEncodings": ["utf-64", "utf-8"]},
                "workspace": {
                    "workspaceEdit": {"failureHandling": "prayer", "resourceOperations": ["teleport", "create"]},
                    "symbol": {"symbolKind": {"valueSet": [1, 999]}},
                },
                "textDocument": {
                    "completion": {"completionItem": {"tagSupport": {"valueSet": [1, 77]}, "insertTextModeSupport": 5}},
                    "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["new.kind"]}}},
                    "foldingRange": {"foldingRangeKind": {"valueSet": [["odd"]]}},
                },
                "window": "yes",
                "future": {"of": ["things"]},
            },
            trace="everything",
            clientInfo={"name": 7},
            locale=["zh"],
            workspaceFolders=[{"uri": 5}, None, {"uri": "file:///tmp", "name": None}],
            initializationOptions=[1, 2],
        )
        assert answer["result"]["capabilities"]["positionEncoding"] == "utf-8"
        assert wire.leave() == 0


def test_values_that_no_enumeration_has_in_requests(running: Wire) -> None:
    running.open("untitled:enum.py", TYPO)
    spot = {"start": {"line": 0, "character": 25}, "end": {"line": 0, "character": 25}}
    shown = {"range": spot, "message": "m", "severity": 9, "tags": [55], "code": 3, "source": "other"}
    answer = running.request(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": "untitled:enum.py"},
            "range": spot,
            "context": {"diagnostics": [shown], "triggerKind": 42, "only": ["quickfix", "brand.new"]},
        },
    )
    assert answer["result"]
    place = _place("untitled:enum.py", 0, 30)
    answer = running.request("textDocument/completion", {**place, "context": {"triggerKind": 17}})
    assert answer["result"]["items"]


def test_fields_that_nobody_knows_come_back(running: Wire) -> None:
    item = {"label": "x", "data": {"project": 1, "surface": "nope", "option": "x"}, "kind": 999, "new": {"field": 1}}
    assert running.request("completionItem/resolve", item)["result"] == item
    action = {"title": "x", "data": {"uri": "untitled:enum.py", "version": -5}, "kind": "new", "future": 1}
    assert running.request("codeAction/resolve", action)["result"] == action


# -- noise ------------------------------------------------------------------------------------------------


def test_failed_notifications_pop_nothing_up(running: Wire) -> None:
    running.notify("textDocument/didOpen", {"nonsense": True})
    running.notify("textDocument/didChange", {"nonsense": True})
    running.notify("notebookDocument/didChange", {"nonsense": True})
    running.status()
    assert running.messages("window/showMessage") == []
    assert [m for m in running.messages("window/logMessage") if "didOpen" in m["params"]["message"]]


def test_what_is_printed_stays_out_of_the_protocol() -> None:
    program = """
        import os, sys
        import npu_lsp.lsp.features.status as feature
        before = feature.status
        def status(*arguments):
            print("a stray line")
            os.write(1, b"another one, from below\\n")
            sys.__stdout__.write("and one by the old name\\n")
            sys.__stdout__.flush()
            assert sys.stdin.read() == ""
            return before(*arguments)
        feature.status = status
        from npu_lsp.commands.main import main
        sys.exit(main(["serve"]))
    """
    with Wire((sys.executable, "-c", textwrap.dedent(program))) as wire:
        wire.initialize()
        for _ in range(3):
            assert wire.status()["version"]
        assert wire.leave() == 0
    assert b"a stray line" in b"".join(wire.errors)
    assert b"from below" in b"".join(wire.errors)


def test_a_feature_that_fails_answers_nothing_and_is_logged_once() -> None:
    program = """
        import sys
        import npu_lsp.lsp.features.hover as feature
        def hover(*arguments):
            raise RuntimeError("broken on purpose")
        feature.hover = hover
        from npu_lsp.commands.main import main
        sys.exit(main(["serve"]))
    """
    with Wire((sys.executable, "-c", textwrap.dedent(program))) as wire:
        wire.initialize()
        wire.open("untitled:a.py", TYPO)
        assert wire.request("textDocument/hover", _place("untitled:a.py", 0, 30))["result"] is None
        assert wire.request("textDocument/completion", _place("untitled:a.py", 0, 30))["result"]
        logged = [m for m in wire.messages("window/logMessage") if "broken on purpose" in m["params"]["message"]]
        assert len(logged) == 1
        assert logged[0]["params"]["type"] == 1
        assert wire.messages("window/showMessage") == []


def test_a_trace_on_request(running: Wire) -> None:
    running.notify("$/setTrace", {"value": "messages"})
    running.status()
    assert [m for m in running.messages("$/logTrace") if "npu-lsp/status" in m["params"]["message"]]
    running.notify("$/setTrace", {"value": "off"})
    running.status()
    before = len(running.messages("$/logTrace"))
    running.status()
    assert len(running.messages("$/logTrace")) == before


# -- cancelling ---------------------------------------------------------------------------------------------


def test_a_request_that_is_cancelled_before_its_turn_is_not_begun(running: Wire) -> None:
    messages: list[dict[str, Any]]
    messages = [{"jsonrpc": "2.0", "id": f"w{n}", "method": "npu-lsp/status"} for n in range(200)]
    messages.append({"jsonrpc": "2.0", "id": "late", "method": "npu-lsp/status"})
    messages.append({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "late"}})
    data = b""
    for message in messages:
        body = json.dumps(message).encode()
        data += b"Content-Length: %d\r\n\r\n" % len(body) + body
    running.raw(data)
    answer = running.answer("late")
    assert _error(answer) == -32800
    # The id is free again.
    running.send({"jsonrpc": "2.0", "id": "late", "method": "npu-lsp/status"})
    assert running.answer("late")["result"]


def test_a_request_that_waits_can_be_cancelled() -> None:
    with Wire() as wire:
        wire.initialize(VERSIONS)
        uri = "untitled:large.py"
        wire.open(uri, TYPO * 10_000)
        identity = wire.begin("textDocument/hover", _place(uri, 0, 30))
        # Another one is answered in between: this one has been begun.
        wire.status()
        wire.notify("$/cancelRequest", {"id": identity})
        assert _error(wire.answer(identity)) == -32800
        assert wire.request("textDocument/hover", _place(uri, 0, 30))["result"]


_LINES = 450
"""Commands of two options each: almost as many as are read of a file."""
HARD = "".join(f"atc --op_select_implmode=high_precision --optypelist_for_implmode=Op{n}\n" for n in range(_LINES))


def test_others_do_not_wait_for_the_fix_of_everything() -> None:
    with Wire() as wire:
        wire.initialize({"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}})
        uri = "file:///nowhere/hard.sh"
        wire.open(uri, "atc --model=a --op_select_implmode=high_performance\n" * _LINES, "shellscript")
        wire.diagnostics(uri)
        action = {"title": "Fix all", "kind": "source.fixAll.npu-lsp", "data": {"uri": uri, "version": 1, "do": "all"}}
        identity = wire.begin("codeAction/resolve", action)
        wire.status()  # What is asked later is answered before.
        assert not [message for message in wire.seen if message.get("id") == identity]
        assert wire.answer(identity)["result"]["edit"]["changes"]
        identity = wire.begin("codeAction/resolve", action)
        wire.change(uri, 2, {"text": "atc\n"})
        assert wire.answer(identity)["result"] == action


_HELD = """
import sys, time
from pathlib import Path
from npu_lsp.lsp import session as work
begun, held = map(Path, sys.argv[1:])
analyse = work._analyse
def slow(*what):
    begun.touch()
    while held.exists():
        time.sleep(0.01)
    analyse(*what)
work._analyse = slow
from npu_lsp.commands.main import main
sys.exit(main(["serve"]))
"""
"""A server that is as slow with a text as the test wants: for as long as a file is there."""


def test_others_do_not_wait_for_a_short_text_that_is_hard(tmp_path: Path) -> None:
    begun, held = tmp_path / "begun", tmp_path / "held"
    with Wire((sys.executable, "-c", _HELD, str(begun), str(held))) as wire:
        wire.initialize(VERSIONS)
        uri = "untitled:hard.sh"
        wire.open(uri, HARD, "shellscript")
        wire.diagnostics(uri, 1)
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": _LINES, "character": 0}}
        for version in (2, 3):
            begun.unlink()
            held.touch()
            wire.change(uri, version, {"range": everything, "text": HARD.replace("Op", f"Op{version}")})
            is_on = False
            while not is_on:
                is_on = begun.exists()
                wire.status()
                assert len(wire.messages("textDocument/publishDiagnostics")) == version - 1
            held.unlink()
            wire.diagnostics(uri, version)


def test_an_answer_about_an_old_text_is_withdrawn() -> None:
    with Wire() as wire:
        wire.initialize(VERSIONS)
        uri = "untitled:large.py"
        wire.open(uri, TYPO * 10_000)
        identity = wire.begin("textDocument/hover", _place(uri, 0, 30))
        wire.change(uri, 2, {"text": TYPO})
        answer = wire.answer(identity)
        assert _error(answer) == -32801
        # Which of both comes first is the server's own affair.
        if not wire.messages("textDocument/publishDiagnostics"):
            wire.diagnostics(uri, 2)
        shown = [m["params"] for m in wire.messages("textDocument/publishDiagnostics")]
        assert [(each.get("version"), [d["code"] for d in each["diagnostics"]]) for each in shown] == [(2, ["NPU101"])]


def _place(uri: str, line: int, column: int) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
