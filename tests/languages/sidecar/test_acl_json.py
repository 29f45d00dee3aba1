"""The file that `aclInit` reads: its `dump`, and nothing else of it."""

from __future__ import annotations

import pytest

from npu_lsp.languages import read
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

WHOLE = """{"dump": {"dump_path": "/home/output", "dump_mode": "output", "dump_op_switch": "off", "dump_data": "tensor",
  "dump_list": [{"model_name": "ResNet-101"}, {"model_name": "ResNet-50", "layer": ["conv1", "pool1"]}]},
 "profiler": {"switch": "on", "output": "/home"}, "max_opqueue_num": "10000"}
"""


def told(text: str) -> list[tuple[str, str]]:
    """Return the code and the underlined text of each finding."""
    found = Analyzer(Config(), all_rules).findings(Document(text, kind=Kind.ACL_JSON))
    return [(f.code, text[f.span.start : f.span.end]) for f in found]


def test_a_whole_file_has_nothing_wrong() -> None:
    names = [setting.name for block in read(Document(WHOLE, kind=Kind.ACL_JSON)).blocks for setting in block.settings]
    assert names.count("dump.dump_list.model_name") == 2
    assert not [name for name in names if not name.startswith("dump")]
    assert told(WHOLE) == []


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ('"dump_mode": "output"', '"dump_mode": "out"', [("NPU104", "out")]),
        ('"dump_op_switch": "off"', '"dump_op_switch": false', [("NPU103", "false")]),
        ('"dump_op_switch"', '"dump_op_swich"', [("NPU101", "dump_op_swich")]),
        ('["conv1", "pool1"]', '"conv1"', [("NPU103", '"conv1"')]),
    ],
)
def test_told(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    assert WHOLE.count(before) == 1
    assert told(WHOLE.replace(before, after)) == expected


@pytest.mark.parametrize("text", ['{"dump": {"path": "/a"}}', '{"dump": []}', '{"dump_path": 1}', "{", "[]"])
def test_other_files_are_left_alone(text: str) -> None:
    assert not read(Document(text, kind=Kind.ACL_JSON)).blocks
