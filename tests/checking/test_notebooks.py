"""Where a finding in a notebook is: in its file for programs, in its cells for people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.checking.command import check, npu_lsp

CELLS: list[dict[str, Any]] = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# 说明\n"]},
    {"cell_type": "code", "metadata": {}, "source": ["import os\n"]},
    {"cell_type": "raw", "metadata": {}, "source": "nothing"},
    {
        "cell_type": "code",
        "metadata": {},
        "source": ['x = "😀\\n"\n', 'y = 1; op.parameter_map["precison_mode"].s = b""\n'],
    },
]
NOTEBOOK = {"cells": CELLS, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
PLACE = {"cell": 4, "line": 2, "column": 26}


def test_people_see_the_cell(tmp_path: Path) -> None:
    (tmp_path / "one.ipynb").write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    cache = tmp_path / "cache"
    environment = {"NPU_LSP_NO_CACHE": "", "NPU_LSP_CACHE_DIR": str(cache)}
    for _ in range(2):  # as it is found, and as it is remembered
        told = npu_lsp("check", "one.ipynb", "--select", "NPU101", cwd=tmp_path, env=environment).out.splitlines()
        assert told[1].endswith(" (cell 4, line 2)")
    zh = npu_lsp("check", "one.ipynb", "--select", "NPU101", "--lang", "zh", cwd=tmp_path).out.splitlines()
    assert zh[1].endswith("（第 4 个单元格第 2 行）")


def test_programs_learn_both_places(tmp_path: Path) -> None:
    (tmp_path / "one.ipynb").write_text(json.dumps(NOTEBOOK, indent=1), encoding="utf-8")
    (tmp_path / "two.py").write_text(CELLS[3]["source"][1], encoding="utf-8")
    ran = check(".", "--select", "NPU101", cwd=tmp_path)
    assert [finding.get("in_cell") for finding in ran.findings] == [PLACE, None]
    lines = (tmp_path / "one.ipynb").read_text("utf-8").split("\n")
    place = ran.findings[0]
    assert lines[place["line"] - 1][place["column"] - 1 : place["end_column"] - 1] == "precison_mode"
    (tmp_path / "report.json").write_text(ran.out, encoding="utf-8")
    merged = npu_lsp("merge", "report.json", cwd=tmp_path).out
    assert "one.ipynb" in merged
    again = npu_lsp("merge", "report.json", "--output-format", "json", cwd=tmp_path)
    assert json.loads(again.out)["findings"][0]["in_cell"] == PLACE
