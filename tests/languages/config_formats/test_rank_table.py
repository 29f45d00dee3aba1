"""Rank tables: which files are some, and what is told of them."""

from __future__ import annotations

from functools import partial

from npu_lsp.languages import read
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.languages.told import told as of_text
from tests.together import together

SERVER = """{"server_id": "10.0.0.%d", "device": [
  {"device_id": "0", "device_ip": "192.168.0.1", "rank_id": "%d"},
  {"device_id": "1", "device_ip": "192.168.1.1", "rank_id": "%d"}]}"""
WHOLE = (
    f'{{"version": "1.0", "server_count": "2", "server_list": [{SERVER % (1, 0, 1)}, {SERVER % (2, 2, 3)}],'
    ' "status": "completed"}\n'
)
OLD = """{"board_id": "0x0000", "chip_info": "910", "deploy_mode": "lab", "group_count": "1", "group_list": [
  {"device_num": "1", "server_num": "1", "group_name": "", "instance_count": "2", "instance_list": [
    {"devices": [{"device_id": "0", "device_ip": "192.168.0.1"}], "rank_id": "0", "server_id": "10.0.0.1"}]}],
 "status": "completed"}
"""
told = partial(of_text, kind=Kind.RANK_TABLE)


def test_a_whole_table_has_nothing_wrong() -> None:
    names = [setting.name for block in read(Document(WHOLE, kind=Kind.RANK_TABLE)).blocks for setting in block.settings]
    assert names.count("server_list.device.rank_id") == 4
    assert told(WHOLE) == []


@together(
    ("text", "expected"),
    [
        (WHOLE.replace('"server_count": "2"', '"server_count": "3"'), [("NPU214", "3")]),
        (WHOLE.replace("10.0.0.2", "10.0.0.1"), [("NPU214", "10.0.0.1")]),
        (WHOLE.replace('"rank_id": "3"', '"rank_id": "4"'), [("NPU214", "4")]),
        (OLD, [("NPU214", "2")]),
    ],
)
def test_told(text: str, expected: list[tuple[str, str]]) -> None:
    assert told(text) == expected


@together(
    "text",
    [
        '{"server_count": {count}, "server_list": [{"server_id": "a", "device": [{devices}]}]}',
        '{"server_count": "$N", "server_list": [{"server_id": "a", "device": [$DEVICES]}]}',
        '{"server_list": [{"name": "db", "host": "10.0.0.1"}], "server_count": "4"}',
        '{"version": "1.0", "server_group_list": [{"group_id": "0", "server_count": "3", "server_list": []}]}',
    ],
)
def test_templates_and_other_tables_are_left_alone(text: str) -> None:
    assert told(text) == []
