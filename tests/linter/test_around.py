"""What stands around a place: tests, what is meant to fail, and TF Adapter's own code."""

from __future__ import annotations

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

WRONG = "import os\n{}    os.environ['RANK_ID'] = '-1'\n"
MISTYPED = "import os\n{}    os.environ['HCCL_CONECT_TIMEOUT'] = '600'\n"


def _codes(text: str, path: str = "/a/b.py") -> list[str]:
    analyzer = Analyzer(Config(), all_rules)
    return [finding.code for finding in analyzer.findings(Document(text, kind=Kind.PYTHON, path=path))]


@pytest.mark.parametrize("header", ["def set_up():\n", "class A:\n  def run(self):\n", "with open('a') as f:\n"])
def test_values_elsewhere_are_told(header: str) -> None:
    """A test is known by its name, and what is meant to fail by its call."""
    assert _codes(WRONG.format(header)) == ["NPU106"]


@pytest.mark.parametrize("header", ["def test_rank():\n", "class A:\n  async def test_rank(self):\n"])
def test_values_in_tests_are_not(header: str) -> None:
    """They may be what is tried; a name that nothing reads is a slip there, too."""
    assert _codes(WRONG.format(header)) == []
    assert _codes(MISTYPED.format(header)) == ["NPU101"]


@pytest.mark.parametrize(
    "header", ["with pytest.raises(ValueError):\n", "with self.assertRaisesRegex(KeyError, 'a') as e:\n"]
)
def test_nothing_is_said_of_what_is_meant_to_fail(header: str) -> None:
    """Whatever it is."""
    assert _codes(WRONG.format(header)) == []
    assert _codes(MISTYPED.format(header)) == []


def test_the_own_code_of_the_adapter_sets_what_its_version_reads() -> None:
    """It hands on options whose values come from elsewhere."""
    text = "custom_op.parameter_map['fp_point'].s = config.fp_point\n"
    assert _codes(text) == ["NPU302"]
    assert _codes(text, "/src/npu_bridge/estimator/npu_estimator.py") == []
