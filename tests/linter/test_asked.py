"""Fixes that somebody agrees to, one by one, and whose safety the configuration decides."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Safety
from npu_lsp.linter.fixing.asked import FixAnswer, Proposed, asked
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

TEXT = "export HCCL_BUFFSIZ=1\nexport HCCL_CONNECT_TIMEOU=130\nexport HCCL_EXEC_TIMEOU=130\n"


def _asked(answers: Iterable[FixAnswer]) -> tuple[str, list[str]]:
    """Return the text that is left, and the lines that were asked about."""
    analyzer = Analyzer(Config(), all_rules)
    document = Document(TEXT, path="/a.sh", kind=Kind.SHELL)
    told = iter(answers)
    about: list[str] = []

    def ask(proposed: Proposed) -> FixAnswer:
        about.append(proposed.before.line_text(proposed.before.line_of(proposed.finding.span.start)))
        return next(told)

    return asked(document, analyzer.findings, ask, lambda _: True).document.text, about


def test_each_is_asked_about_once() -> None:
    y, n, q = FixAnswer.YES, FixAnswer.NO, FixAnswer.QUIT
    lines = TEXT.splitlines()
    right = ["export HCCL_BUFFSIZE=1", "export HCCL_CONNECT_TIMEOUT=130", "export HCCL_EXEC_TIMEOUT=130"]
    assert _asked([y, y, y]) == ("\n".join([*right, ""]), lines)
    assert _asked([n, n, n]) == (TEXT, lines)
    assert _asked([n, y, n]) == ("\n".join([lines[0], right[1], lines[2], ""]), lines)
    assert _asked([y, q]) == ("\n".join([right[0], *lines[1:], ""]), lines[:2])


@pytest.mark.parametrize(
    ("safe", "unsafe", "expected"),
    [
        (("NPU101",), (), Safety.SAFE),
        (("unknown-option",), ("NPU",), Safety.SAFE),
        (("NPU1",), ("NPU1",), Safety.UNSAFE),
        (("ALL",), ("NPU101",), Safety.UNSAFE),
        (("NPU6",), (), Safety.UNSAFE),
    ],
)
def test_the_more_exact_word_says_how_safe_a_fix_is(
    safe: tuple[str, ...], unsafe: tuple[str, ...], expected: Safety
) -> None:
    analyzer = Analyzer(Config(extend_safe_fixes=safe, extend_unsafe_fixes=unsafe), all_rules)
    found = analyzer.findings(Document(TEXT, path="/a.sh", kind=Kind.SHELL))
    assert {fix.safety for finding in found for fix in finding.fixes} == {expected}
