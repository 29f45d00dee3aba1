"""What every fix promises, on every example that has one: comments stay, it is final, and it brings no new error."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Invalid, Rule
from npu_lsp.rules import all_rules
from npu_lsp.text.kinds import Kind
from tests.rules.trial import all_findings, findings, fixed, write_files
from tests.together import together

FIXED = [
    pytest.param(r, e, id=f"{r.code}-{i}") for r in all_rules() for i, e in enumerate(r.invalid) if e.fixed is not None
]
COMMENTED = [p for p in FIXED if p.values[1].kind in (Kind.PYTHON, Kind.SHELL)]  # type: ignore[union-attr]
PYTHON = [p for p in FIXED if p.values[1].kind is Kind.PYTHON]  # type: ignore[union-attr]
_CONTINUED = ("\\", "(", ",", "[", "{")
_MISSING = "NPU208"
"""Only when a command or a file can be read again is it known what it lacks."""


@together(("rule", "example"), COMMENTED)
def test_text_around_it_stays(rule: Rule, example: Invalid, tmp_path: Path) -> None:
    write_files(tmp_path, {**example.files, **example.creates})
    before, after = "# 说明 😀\n\n", "\n#  end\n"
    text = before + example.text + after
    mended, _ = fixed(text, findings(rule, example, tmp_path, text))
    assert before.strip() in mended
    assert mended.endswith(after)
    assert findings(rule, example, tmp_path, mended) == []


@together(("rule", "example"), PYTHON)
def test_comments_behind_lines_do_no_harm(rule: Rule, example: Invalid, tmp_path: Path) -> None:
    write_files(tmp_path, {**example.files, **example.creates})
    lines = example.text.split("\n")
    text = "\n".join(line if not line.strip() or line.endswith(_CONTINUED) else f"{line}  # 注" for line in lines)
    found = findings(rule, example, tmp_path, text)
    mended, _ = fixed(text, found)
    assert len(found) == len(example.marks)
    assert findings(rule, example, tmp_path, mended) == []


@together(("rule", "example"), FIXED)
def test_it_brings_no_new_error(rule: Rule, example: Invalid, tmp_path: Path) -> None:
    write_files(tmp_path, {**example.files, **example.creates})
    assert example.fixed is not None
    assert _errors(example.fixed, example, tmp_path) <= _errors(example.text, example, tmp_path)


def _errors(text: str, example: Invalid, folder: Path) -> Counter[tuple[str, str | None]]:
    found = all_findings(("ALL",), example, folder, text)
    return Counter((f.code, f.option) for f in found if f.severity is Severity.ERROR and f.code != _MISSING)
