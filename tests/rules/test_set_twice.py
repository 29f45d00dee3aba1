"""Where an option that is set twice is told, by what stands around and between the two."""

from __future__ import annotations

import json

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.together import together


def found(text: str, kind: Kind = Kind.SHELL) -> tuple[Finding, ...]:
    return Analyzer(Config(select=("NPU207",)), all_rules).findings(Document(text, kind=kind))


@together(
    "text",
    [
        # Something else in the script is broken ...
        "atc --model=a.onnx --output=a --output=b\nfi )\n",
        # ... and a function that trains, which no command line of another tool waits for.
        'A="--output=a"\ntrain() {\n  python train.py\n}\natc --model=a.onnx $A --output=b\n',
        # One statement gives both.
        "export TASK_QUEUE_ENABLE=1 TASK_QUEUE_ENABLE=2\npython a.py\n",
        "TASK_QUEUE_ENABLE=1 TASK_QUEUE_ENABLE=2 python a.py\n",
    ],
)
def test_the_first_value_is_lost(text: str) -> None:
    (only,) = found(text)
    (fix,) = only.fixes
    assert not found(apply_edits(text, fix.edits))


def test_a_command_in_a_notebook() -> None:
    cell = {"cell_type": "code", "source": ["!atc --model=a.onnx --output=a --output=b"]}
    assert len(found(json.dumps({"cells": [cell], "nbformat": 4}), Kind.NOTEBOOK)) == 1


def test_what_two_settings_share_is_not_taken_out() -> None:
    told = found('A="--output=a --log=info"\natc --model=a.onnx $A $A\n')
    assert [(each.severity.value, each.fixes) for each in told] == [("hint", ()), ("hint", ())]


def test_another_field_with_the_same_number() -> None:
    (only,) = found('op.parameter_map["graph_run_mode"].f = 1\nop.parameter_map["graph_run_mode"].i = 1\n', Kind.PYTHON)
    assert only.severity.value == "warning"
    assert [fix.safety.value for fix in only.fixes] == ["safe"]
