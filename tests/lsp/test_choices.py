"""What a person may choose besides a finding's own fix: values, the same fix everywhere, the end of a rule, a layout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from npu_lsp.config.retarget import switched_off
from npu_lsp.languages import read
from npu_lsp.languages.shell.layout import in_array, one_a_line
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.lsp.editor import MARK, Editor
from tests.lsp.wire import Wire
from tests.together import together

with_each_client = pytest.mark.asyncio(loop_scope="module")


async def _action(editor: Editor, text: str, title: str, name: str = "choose.sh") -> str:
    buffer = editor.open(text, name)
    (action,) = [each for each in await buffer.actions() if each.title == title]
    return await buffer.applied(action)


@with_each_client
async def test_each_value_where_a_wrong_one_stands(editor: Editor) -> None:
    text = f"echo 昇腾😀; atc --model=a --log=le{MARK}vel7\n"
    buffer = editor.open(text, "value.sh")
    titles = [each.title for each in await buffer.actions() if each.title.startswith("Change to")]
    assert titles == [f"Change to {value}" for value in ("debug", "info", "warning", "error", "null")]
    assert await _action(editor, text, "Change to info") == "echo 昇腾😀; atc --model=a --log=info\n"
    python = f'op.parameter_map["op_debug_level"].i = 1{MARK}7\n'
    assert await _action(editor, python, "Change to 2", "value.py") == 'op.parameter_map["op_debug_level"].i = 2\n'


@with_each_client
async def test_what_is_right_or_has_many_values_has_no_choices(editor: Editor) -> None:
    for text in (f"atc --model=a --log=in{MARK}fo --no_such=1\n", f"atc --soc_version=Ascend{MARK}999\n"):
        titles = [each.title for each in await editor.open(text, "right.sh").actions()]
        assert not [title for title in titles if title.startswith("Change to")]


@with_each_client
async def test_the_same_fix_everywhere(editor: Editor) -> None:
    text = f"atc --soc_ver{MARK}ison=Ascend310P3\natc --soc_verison=Ascend310P3 --op_select_implmode=high_performance\n"
    mended = await _action(editor, text, "Fix all NPU101 in this file")
    assert mended.count("--soc_version=") == 2
    assert "--op_select_implmode=high_performance" in mended
    once = editor.open(f"atc --soc_ver{MARK}ison=Ascend310P3\n", "once.sh")
    assert not [each for each in await once.actions() if each.title.startswith("Fix all NPU101")]


def _off(folder: Path, client: dict[str, Any], opened: str | None = None) -> Any:
    """Return the edit that turns NPU101 off, for a script in `folder`."""
    uri = (folder / "run.sh").as_uri()
    with Wire() as wire:
        texts: dict[str, Any] = {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}
        folders = [{"uri": folder.as_uri(), "name": "x"}]
        wire.initialize({"textDocument": texts, "workspace": {"workspaceEdit": client}}, workspaceFolders=folders)
        if opened is not None:
            wire.open((folder / "npu-lsp.toml").as_uri(), opened, "toml", version=5)
        wire.open(uri, "atc --soc_verison=Ascend310P3\n", "shellscript")
        where = {"start": {"line": 0, "character": 8}, "end": {"line": 0, "character": 8}}
        params = {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}}
        actions: Any = wire.request("textDocument/codeAction", params)["result"]
    found = [each for each in actions if each["title"] == "Turn NPU101 off in the configuration"]
    return found[0]["edit"] if found else None


def test_a_rule_is_turned_off_in_the_configuration_that_holds(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text('# ours\nignore = ["NPU301"]\n', encoding="utf-8")
    uri = (tmp_path / "npu-lsp.toml").as_uri()
    (made,) = _off(tmp_path, {})["changes"][uri]
    assert (made["newText"], made["range"]["start"]) == (', "NPU101"', {"line": 1, "character": 18})
    (change,) = _off(tmp_path, {"documentChanges": True}, opened='ignore = [ "NPU301", ]\n')["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 5}
    assert change["edits"][0]["newText"] == ' "NPU101"'


def test_a_configuration_is_made_where_there_is_none(tmp_path: Path) -> None:
    assert _off(tmp_path, {"documentChanges": True}) is None
    created, change = _off(tmp_path, {"documentChanges": True, "resourceOperations": ["create"]})["documentChanges"]
    assert created == {"kind": "create", "uri": (tmp_path / "npu-lsp.toml").as_uri()}
    assert change["edits"][0]["newText"] == 'ignore = ["NPU101"]\n'


@together(
    ("text", "section", "expected"),
    [
        ("", (), 'ignore = ["NPU101"]\n'),
        ("# a\n[target]\ncann = '8.0'\n", (), "# a\nignore = [\"NPU101\"]\n[target]\ncann = '8.0'\n"),
        ("ignore = []\r\n", (), 'ignore = ["NPU101"]\r\n'),
        ('ignore = [\n  "NPU301",\n]\n', (), 'ignore = [\n  "NPU301", "NPU101"\n]\n'),
        ("ignore = 1\n", (), "ignore = 1\n"),
        ('ignore = ["NPU101"]\n', (), 'ignore = ["NPU101"]\n'),
        ("[broken\n", (), "[broken\n"),
        ("[tool.x]\n", ("tool", "npu-lsp"), '[tool.x]\n\n[tool.npu-lsp]\nignore = ["NPU101"]\n'),
        (
            "[tool.npu-lsp]\nknown = []\n",
            ("tool", "npu-lsp"),
            '[tool.npu-lsp]\nignore = ["NPU101"]\nknown = []\n',
        ),
    ],
)
def test_the_rest_of_a_configuration_stays(text: str, section: tuple[str, ...], expected: str) -> None:
    assert apply_edits(text, switched_off(text, section, "NPU101")) == expected


@with_each_client
async def test_layouts_of_a_command(editor: Editor) -> None:
    text = f"if x; then\n  atc --model=a --input_shape='a b:1,2' --out{MARK}put $OUT || exit\nfi\n"
    assert await _action(editor, text, "One flag per line") == (
        "if x; then\n  atc \\\n    --model=a \\\n    --input_shape='a b:1,2' \\\n    --output $OUT || exit\nfi\n"
    )
    assert await _action(editor, text, "Flags into an array") == (
        "if x; then\n  atc_args=(\n    --model=a\n    --input_shape='a b:1,2'\n    --output $OUT\n  )\n"
        '  atc "${atc_args[@]}" || exit\nfi\n'
    )


@together(
    ("text", "lines", "array"),
    [
        ("atc --model=a\n", False, False),
        ("atc --model=a $MORE --output=b\n", False, False),
        ("atc stray --model=a --output=b\n", False, False),
        ('atc --model=a --output=b "$@"\n', False, False),
        ("x && \\\n  atc --model=a --output=b\n", True, False),
        ("x &&\n  atc --model=a --output=b\n", True, False),
        ("sudo atc --model=a --output=b\n", True, False),
        ("#!/bin/sh\natc --model=a --output=b\n", True, False),
        ("atc \\\n  --model=a \\\n  --output=b\n", False, True),
        ("atc_args=1\natc --model=a --output=b\r\n", True, True),
    ],
)
def test_layouts_are_offered_where_what_runs_stays_the_same(text: str, lines: bool, array: bool) -> None:
    document = Document(text, kind=Kind.SHELL)
    (block,) = [each for each in read(document).blocks if each.command is not None]
    assert bool(one_a_line(document, block)) == lines
    assert bool(in_array(document, block)) == array
    before = [(setting.name, setting.value.data) for setting in block.settings]
    for edits in (one_a_line(document, block), in_array(document, block)):
        after = Document(apply_edits(text, edits), kind=Kind.SHELL)
        (again,) = [each for each in read(after).blocks if each.command is not None]
        assert [(setting.name, setting.value.data) for setting in again.settings] == before, json.dumps(after.text)


@with_each_client
async def test_layouts_are_refactorings(editor: Editor) -> None:
    buffer = editor.open(f"atc --model=a --out{MARK}put=b\n", "kind.sh")
    offered = await buffer.actions(only=["refactor"])
    assert {each.kind for each in offered} == {types.CodeActionKind.RefactorRewrite}
    assert len(offered) == 2


@with_each_client
async def test_a_profile_is_completed(editor: Editor) -> None:
    text = f"echo 昇腾😀\n  export HCCL_DETER{MARK}MINISTIC=true\nexport ATB_MATMUL_SHUFFLE_K_ENABLE=1\n"
    title = "Complete the profile “Deterministic run” (LCCL_DETERMINISTIC, ATB_LLM_LCOC_ENABLE)"
    assert await _action(editor, text, title, "profile.sh") == (
        "echo 昇腾😀\n  export HCCL_DETERMINISTIC=true\n  export LCCL_DETERMINISTIC=1\n  export ATB_LLM_LCOC_ENABLE=0\n"
        "export ATB_MATMUL_SHUFFLE_K_ENABLE=1\n"
    )
    crlf = await _action(editor, text.replace("\n", "\r\n"), title, "crlf.sh")
    assert crlf.count("\r\n") == crlf.count("\n") == 5
    for other in (f"export HCCL_DETER{MARK}MINISTIC=true\n", f"HCCL_DETER{MARK}MINISTIC=true python a.py\n"):
        assert not [each for each in await editor.open(other, "other.sh").actions() if "profile" in each.title]
