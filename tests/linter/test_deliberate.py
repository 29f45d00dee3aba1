"""What stands around a place: tests, what is meant to fail, and TF Adapter's own code."""

from __future__ import annotations

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

WRONG = "import os, torch_npu\n{}    os.environ['RANK_ID'] = '-1'\n"
MISTYPED = "import os\n{}    os.environ['HCCL_CONECT_TIMEOUT'] = '600'\n"


def _codes(text: str, path: str = "/a/b.py", kind: Kind = Kind.PYTHON) -> list[str]:
    analyzer = Analyzer(Config(), all_rules)
    return [finding.code for finding in analyzer.findings(Document(text, kind=kind, path=path))]


@pytest.mark.parametrize("header", ["def set_up():\n", "class A:\n  def run(self):\n", "with open('a') as f:\n"])
def test_values_elsewhere_are_told(header: str) -> None:
    """A test is known by its name, and what is meant to fail by its call."""
    assert _codes(WRONG.format(header)) == ["NPU106"]


@pytest.mark.parametrize(("name", "said"), [("test_rank", []), ("run", ["NPU106"])])
def test_a_decorator_belongs_to_the_test(name: str, said: list[str]) -> None:
    start = "import torch_npu\n@patch('a')\n@patch.dict('os.environ', {'RANK_ID': '-1'})\n@patch('b')\n"
    text = f"{start}def {name}():\n    pass\n\ndef test_other():\n    pass\n"
    assert _codes(text) == said


@pytest.mark.parametrize(
    "header",
    [
        "def test_rank():\n",
        "class A:\n  async def test_rank(self):\n",
        "class A:\n  def test_rank(\n    self, mocker\n  ):\n    if mocker:\n      pass\n",
    ],
)
def test_values_in_tests_are_not(header: str) -> None:
    """They may be what is tried; a name that nothing reads is a slip there, too."""
    assert _codes(WRONG.format(header)) == []
    assert _codes(MISTYPED.format(header)) == ["NPU101"]


def test_what_is_old_is_information_in_a_test() -> None:
    """It may be tried there, and what is started may take it."""
    text = '# vllm-ascend==0.12.0rc1\ndef {}():\n    LLM("m", additional_config={{"torchair_graph_config": {{"enabled": True}}}})\n'
    found = [
        finding.severity.value
        for name in ("serve", "test_graph")
        for finding in Analyzer(Config(), all_rules).findings(Document(text.format(name), kind=Kind.PYTHON))
    ]
    assert found == ["warning", "info"]


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


@together(
    ("path", "said"),
    [
        ("/src/image/aipp/tests/ut/op_host/aipp.cfg", []),
        ("/src/unit_tests/aipp.cfg", []),
        ("/src/ut.cfg", ["NPU104"]),
        ("/src/model/aipp.cfg", ["NPU104"]),
    ],
)
def test_files_of_unit_tests_may_be_wrong(path: str, said: list[str]) -> None:
    assert _codes("aipp_op {\n  aipp_mode: NA\n}\n", path, Kind.AIPP) == said


@together(
    ("path", "said"),
    [
        ("/home/me/Ascend/nnal/atb/8.1.RC1/atb/set_env.sh", []),
        ("/usr/local/Ascend/nnal/atb/set_env.sh", []),
        ("/usr/local/Ascend/ascend-toolkit/set_env.sh", []),
        ("/home/me/nnal/run.sh", ["NPU302"]),
        ("/home/me/project/set_env.sh", ["NPU302"]),
    ],
)
def test_scripts_of_an_installation_are_right_for_it(path: str, said: list[str]) -> None:
    assert _codes("export ASDOPS_LOG_LEVEL=ERROR\n", path, Kind.SHELL) == said
