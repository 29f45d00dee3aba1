"""A list of operators that moves to a file of its own: safe where a script runs, and not where a manual shows commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.languages.detection import detect
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document

_COMMAND = (
    "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --op_select_implmode=high_precision "
    "--optypelist_for_implmode=Conv2D\n"
)


@pytest.mark.parametrize(("name", "safety"), [("a.sh", "safe"), ("a.md", "unsafe")])
def test_a_new_file_is_safe_beside_a_script(tmp_path: Path, name: str, safety: str) -> None:
    text = _COMMAND if name == "a.sh" else f"```bash\n{_COMMAND}```\n"
    document = Document(text, path=str(tmp_path / name), kind=detect(name, text))
    found = Analyzer(Config(), all_rules).findings(document)
    fixes = [fix for finding in found for fix in finding.fixes if fix.files]
    assert fixes
    assert {fix.safety.value for fix in fixes} == {safety}
