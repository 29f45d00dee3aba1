"""The file that `aclInit` reads: the parts that are its own, and nothing of other programs."""

from __future__ import annotations

from functools import partial

from npu_lsp.languages import read
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.languages.told import told as of_text
from tests.together import together

WHOLE = """{"dump": {"dump_path": "/home/output", "dump_mode": "output", "dump_op_switch": "off", "dump_data": "tensor",
  "dump_list": [{"model_name": "ResNet-101"}, {"model_name": "ResNet-50", "layer": ["conv1", "pool1"]}]},
 "profiler": {"switch": "on", "output": "/home"}, "max_opqueue_num": "10000"}
"""
told = partial(of_text, kind=Kind.ACL_JSON)


def test_a_whole_file_has_nothing_wrong() -> None:
    names = [setting.name for block in read(Document(WHOLE, kind=Kind.ACL_JSON)).blocks for setting in block.settings]
    assert names.count("dump.dump_list.model_name") == 2
    assert {"profiler.switch", "profiler.output", "max_opqueue_num"} < {*names}
    assert told(WHOLE) == []


@together(
    ("before", "after", "expected"),
    [
        ('"dump_mode": "output"', '"dump_mode": "out"', [("NPU104", "out")]),
        ('"dump_op_switch": "off"', '"dump_op_switch": false', [("NPU103", "false")]),
        ('"dump_op_switch"', '"dump_op_swich"', [("NPU101", "dump_op_swich")]),
        ('["conv1", "pool1"]', '"conv1"', [("NPU103", '"conv1"')]),
        ('"switch": "on"', '"switch": "yes"', [("NPU104", "yes")]),
        ('"switch": "on"', '"switch": "on", "sys_cpu_freq": 51', [("NPU106", "51")]),
        ('"switch": "on"', '"switch": "on", "aic_metric": "Memory"', [("NPU101", "aic_metric")]),
        ('"max_opqueue_num": "10000"', '"err_msg_mode": 1', [("NPU103", "1")]),
        ('"max_opqueue_num": "10000"', '"defaultDevice": {"default_device": 0}', [("NPU103", "0")]),
        ('"max_opqueue_num": "10000"', '"other": {"switch": 1}', []),
    ],
)
def test_told(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    assert WHOLE.count(before) == 1
    assert told(WHOLE.replace(before, after)) == expected


@together(
    "text", ['{"dump": {"path": "/a"}}', '{"profiler": {"on": 1}}', '{"dump": []}', '{"dump_path": 1}', "{", "[]"]
)
def test_other_files_are_left_alone(text: str) -> None:
    assert not read(Document(text, kind=Kind.ACL_JSON)).blocks
