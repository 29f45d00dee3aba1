"""Where a finding can be mended in several ways, one is chosen, once: the report, the command and the editor all mean that one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.checking.command import npu_lsp
from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

CASES = {
    # A replacement comes before a removal; it is for those who look at what comes out.
    "unsafe.sh": "export SLOG_PRINT_TO_STDOUT=1\n",
    "removed.sh": "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --op_select_implmode=high_performance\n",
    "value.py": 'op.parameter_map["use_off_line"].b = "True"\n',
    "inside.sh": "export PYTORCH_NPU_ALLOC_CONF=expandable_segment:True\n",
    "joined.sh": "atc --model=a.onnx --framework=5 --output=a\n    --soc_version=Ascend310P3\n",
}
"""Texts with one finding each, by the names of files."""
CONFIGURATION = 'select = ["NPU1", "NPU3", "NPU7"]\n'


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """Return a text with the edits of a JSON report: lines and columns from 1, in code points."""
    lines = text.splitlines(keepends=True)

    def offset(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + column - 1

    for edit in sorted(edits, key=lambda each: (each["line"], each["column"]), reverse=True):
        start, end = offset(edit["line"], edit["column"]), offset(edit["end_line"], edit["end_column"])
        text = text[:start] + edit["text"] + text[end:]
    return text


@pytest.mark.parametrize(("name", "text"), CASES.items(), ids=CASES)
async def test_report_command_and_editor_choose_alike(editor: Editor, name: str, text: str, tmp_path: Path) -> None:
    safe = name != "unsafe.sh"
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    (tmp_path / "npu-lsp.toml").write_text(CONFIGURATION, encoding="utf-8")
    (finding,) = npu_lsp("check", "--output-format=json", cwd=tmp_path).findings
    shown = finding["fixes"][0]
    assert shown["safe"] is safe
    assert f"help: {shown['title']}" in npu_lsp("check", cwd=tmp_path).out
    how = ["--fix"] if safe else ["--fix", "--unsafe-fixes"]
    diff = npu_lsp("check", *how, "--diff", cwd=tmp_path).out
    assert path.read_text(encoding="utf-8") == text
    npu_lsp("check", *how, cwd=tmp_path)
    fixed = path.read_text(encoding="utf-8")
    assert fixed != text
    assert applied(text, shown["edits"]) == fixed
    assert [line[1:] for line in diff.splitlines()[2:] if line[0] in " +"] == fixed.splitlines()
    buffer = await editor.open_file(path, text)
    (diagnostic,) = await buffer.diagnostics()
    actions = await buffer.actions(diagnostic.range, only=["quickfix"])
    assert await buffer.applied(actions[0]) == fixed
    if editor.says("textDocument.codeAction.isPreferredSupport"):
        assert [action.title for action in actions if action.is_preferred] == ([shown["title"]] if safe else [])
    everything = await buffer.actions(only=["source.fixAll"])
    assert [await buffer.applied(action) for action in everything] == ([fixed] if safe else [])
