"""The files that options point to, in an editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lsp.editor import MARK, Editor
from tests.lsp.wire import Wire

SWITCHES = '{"Switch": {"GraphFusion": {"%s": "off"}}}\n'
SCRIPT = "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --op_precision_mode=modes.txt\n"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_fusion_rule_explains_itself(editor: Editor) -> None:
    buffer = editor.open(SWITCHES % f"FusionVirtual{MARK}OpSetSwitch", "fusion_switch.cfg")
    assert "FusionVirtualOpSetSwitch" in (await buffer.hover_text()).splitlines()[0]
    assert len((await buffer.hover_text()).splitlines()) > 1


@pytest.mark.asyncio(loop_scope="module")
async def test_a_mode_explains_itself(editor: Editor) -> None:
    buffer = editor.open(f"[ByOpType]\nAdd=high_pre{MARK}cision\n", "op_precision.ini")
    assert "high_precision" in (await buffer.hover_text()).splitlines()[0]


def test_an_open_script_tells_what_a_file_is(tmp_path: Path) -> None:
    script, modes = tmp_path / "convert.sh", tmp_path / "modes.txt"
    with Wire() as wire:
        wire.initialize(initializationOptions={"select": ["NPU8"]})
        wire.open(script.as_uri(), SCRIPT, "shellscript")
        assert [found["code"] for found in wire.diagnostics(script.as_uri())] == ["NPU810"]
        wire.open(modes.as_uri(), "Add=high_percision\n", "plaintext")
        assert [found["code"] for found in wire.diagnostics(modes.as_uri())] == ["NPU801"]


@pytest.mark.parametrize("pulls", [False, True])
def test_an_option_that_comes_and_goes_tells_what_an_open_file_is(tmp_path: Path, pulls: bool) -> None:
    """And what it said holds when the script is closed: the file is still the same."""
    script, modes = (tmp_path / "convert.sh").as_uri(), (tmp_path / "modes.txt").as_uri()
    (tmp_path / "modes.txt").touch()
    whole = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}}
    refreshes = {"workspace": {"diagnostics": {"refreshSupport": True}}, "textDocument": {"diagnostic": {}}}
    with Wire() as wire:

        def codes() -> list[str]:
            if not pulls:
                return [found["code"] for found in wire.diagnostics(modes)]
            wire.until(lambda message: message.get("method") == "workspace/diagnostic/refresh")
            answer = wire.request("textDocument/diagnostic", {"textDocument": {"uri": modes}})
            return [found["code"] for found in answer["result"]["items"]]

        wire.initialize(refreshes if pulls else {}, initializationOptions={"select": ["NPU8"]})
        wire.open(modes, "Add=high_percision\n", "plaintext")
        assert pulls or codes() == []
        wire.open(script, SCRIPT, "shellscript")
        assert codes() == ["NPU801"]
        wire.change(script, 2, {**whole, "text": SCRIPT.replace("modes.txt", "other.txt")})
        assert codes() == []
        wire.change(script, 3, {**whole, "text": SCRIPT})
        assert codes() == ["NPU801"]
        wire.notify("textDocument/didClose", {"textDocument": {"uri": script}})
        assert wire.status(modes)["document"]["kind"] == "op_precision"


def test_what_a_text_is_follows_what_is_typed(tmp_path: Path) -> None:
    """Where the name tells nothing: an empty file becomes what it holds, and stops being it."""
    first = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}}
    command = "#!/bin/bash\natc --soc_verison=Ascend310P3\n"
    with Wire() as wire:
        wire.initialize(
            {"textDocument": {"publishDiagnostics": {"versionSupport": True}}},
            initializationOptions={"select": ["NPU8", "NPU101"]},
        )
        for name, text, code in (("my.cfg", "[ByOpType]\nAdd=high_percision\n", "NPU801"), ("run", command, "NPU101")):
            uri = (tmp_path / name).as_uri()
            wire.open(uri, "", "plaintext")
            assert wire.diagnostics(uri, 1) == []
            wire.change(uri, 2, {**first, "text": text})
            assert [found["code"] for found in wire.diagnostics(uri, 2)] == [code]
            wire.change(uri, 3, {"text": "nothing\n"})
            assert wire.diagnostics(uri, 3) == []
