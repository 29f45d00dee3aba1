"""Options that move to another name or to a file of their own: what is offered is what the message says."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.languages.detection import detect
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits

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


def test_who_is_told_another_name_is_offered_it_first() -> None:
    analyzer = Analyzer(Config(), all_rules)
    told = set()
    for option in load().options(Surface.ENV):
        gone = option.removed
        if gone is None or gone.replacement is None or gone.replacement.startswith("--"):
            continue  # A flag stands on another line, and perhaps in another file.
        other = load().option(Surface.ENV, gone.replacement)
        value = other.values[0].value if other is not None and other.values and not other.open else 1
        text = f"export {option.name}={value}\n"
        for finding in analyzer.findings(Document(text, kind=Kind.SHELL)):
            if f'Use "{gone.replacement}" instead' in finding.message:
                told.add(option.name)
                assert apply_edits(text, finding.fixes[0].edits) == f"export {gone.replacement}={value}\n", option.name
    assert len(told) > 10
