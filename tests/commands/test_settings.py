"""`npu-lsp settings`: what files set, whether right or wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from npu_lsp.catalog.surfaces import Surface
from tests.case_files import CASES, case_files
from tests.checking.command import npu_lsp


def settings(folder: Path, *arguments: str | Path) -> list[dict[str, Any]]:
    ran = npu_lsp("settings", "--format", "json", *arguments, cwd=folder)
    assert (ran.code, ran.err) == (0, "")
    content = json.loads(ran.out)
    assert content["version"] == 1
    found: list[dict[str, Any]] = content["settings"]
    return found


def test_each_has_its_place_and_value(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "# 中文 😀\n"
        'op.parameter_map["precison_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n'
        'op.parameter_map["iterations_per_loop"].i = FLAGS.steps\n'
        'os.environ["ASCEND_DEVICE_ID"] = "3"\n',
        encoding="utf-8",
    )
    assert settings(tmp_path, "train.py") == [
        {
            "path": "train.py",
            "line": 2,
            "column": 19,
            "end_line": 2,
            "end_column": 32,
            "surface": "session",
            "option": "precison_mode",
            "slot": "s",
            "value": "allow_mix_precision",
            "known": True,
            "block": 0,
        },
        {
            "path": "train.py",
            "line": 3,
            "column": 19,
            "end_line": 3,
            "end_column": 38,
            "surface": "session",
            "option": "iterations_per_loop",
            "slot": "i",
            "value": None,
            "known": False,
            "block": 0,
        },
        {
            "path": "train.py",
            "line": 4,
            "column": 13,
            "end_line": 4,
            "end_column": 29,
            "surface": "env",
            "option": "ASCEND_DEVICE_ID",
            "slot": None,
            "value": "3",
            "known": True,
            "block": 1,
        },
    ]


def test_the_range_is_that_of_the_key(tmp_path: Path) -> None:
    files = (*case_files("clean", "broken", suffix=".py"), *case_files("clean", "broken", suffix=".sh"))
    rows = settings(tmp_path, *files)
    assert len(rows) > len(files)
    for row in rows:
        line = Path(row["path"]).read_text(encoding="utf-8").splitlines()[row["line"] - 1]
        written = line[row["column"] - 1 : row["end_column"] - 1]
        assert row["line"] == row["end_line"]
        # An argument without a keyword is its own place.
        named = written.lstrip("-").replace("-", "_").rpartition(".")[2] in row["option"].replace("-", "_")
        assert named or (
            Surface(row["surface"]).row.arguments and (not row["known"] or written.strip("\"'") == str(row["value"]))
        )


def test_a_flag_has_its_full_name(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("atc --soc_v=Ascend310P3 --out-nodes=x\n")
    assert [row["option"] for row in settings(tmp_path)] == ["soc_version", "out_nodes"]


def test_surfaces_can_be_chosen(tmp_path: Path) -> None:
    surfaces = {row["surface"] for row in settings(tmp_path, CASES, "--surface", "atc", "--surface", "env")}
    assert surfaces <= {"atc", "env"}
    assert "atc" in surfaces


def test_the_table_is_aligned(tmp_path: Path) -> None:
    (tmp_path / "训练.py").write_text(
        'op.parameter_map["dump_path"].s = tf.compat.as_bytes("/数据")\nop.parameter_map["use_off_line"].b = x\n'
    )
    ran = npu_lsp("settings", cwd=tmp_path)
    assert ran.out.splitlines() == [
        "place         surface  option        slot  value    block",
        '训练.py:1:19  session  dump_path     s     "/数据"  0',
        "训练.py:2:19  session  use_off_line  b     unknown  0",
    ]


def test_nothing_found_is_fine_and_a_missing_file_is_not(tmp_path: Path) -> None:
    assert settings(tmp_path) == []
    assert npu_lsp("settings", cwd=tmp_path).out == ""
    ran = npu_lsp("settings", "nosuch.py", cwd=tmp_path)
    assert ran.code == 2
    assert "nosuch.py" in ran.err


def test_launches_are_listed(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(
        "export ASCEND_RT_VISIBLE_DEVICES=0,1\ntorchrun --nproc_per_node 8 a.py &\nvllm serve m -tp $TP\n"
    )
    ran = npu_lsp("settings", "--launches", cwd=tmp_path)
    assert ran.out.splitlines() == [
        "place       program   what                      devices  ports",
        "run.sh:2:1  torchrun  8 processes on 2 devices  0,1      29500",
        "run.sh:3:1  vLLM      devices 0,1               0,1      8000",
    ]
    found = json.loads(npu_lsp("settings", "--launches", "--format", "json", cwd=tmp_path).out)["launches"]
    assert found[0] == {
        "path": "run.sh",
        "line": 2,
        "column": 1,
        "program": "torchrun",
        "processes": 8,
        "total": 8,
        "nodes": 1,
        "devices": [0, 1],
        "sizes": {},
        "ports": [29500],
        "summary": "8 processes on 2 devices",
    }
    assert found[1]["processes"] is None
    assert "8 processes on 2 devices" in npu_lsp("settings", "--launches", "--format", "markdown", cwd=tmp_path).out
    (tmp_path / "run.sh").write_text("echo\n")
    assert npu_lsp("settings", "--launches", cwd=tmp_path).out == ""


def _served(folder: Path) -> None:
    (folder / "Dockerfile").write_text(
        'FROM a\n\nENV HCCL_BUFFSIZE=512\nCMD ["bash", "/app/serve.sh"]\n', encoding="utf-8"
    )
    (folder / "env.sh").write_text("export HCCL_BUFFSIZE=200\n", encoding="utf-8")
    (folder / "serve.sh").write_text(
        "source env.sh\nif [ $A ]; then export HCCL_EXEC_TIMEOUT=9; fi\nvllm serve m --max-model-len 9\n",
        encoding="utf-8",
    )


def test_what_a_launch_gets(tmp_path: Path) -> None:
    _served(tmp_path)
    ran = npu_lsp("settings", "--of", "serve.sh:3", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert [line.split(None, 1) for line in ran.out.splitlines()[1:]] == [
        ["HCCL_BUFFSIZE", "200, from env.sh:1; overrides 512 in Dockerfile:3"],
        ["HCCL_EXEC_TIMEOUT", "perhaps 9, from serve.sh:2: a branch decides"],
    ]
    ran = npu_lsp("settings", "--format", "json", "--of", "serve.sh:3", cwd=tmp_path)
    size, timeout = json.loads(ran.out)["variables"]
    assert (size["value"], timeout["value"]) == ("200", None)
    assert size["found"] == [{"path": "env.sh", "line": 1, "value": "200", "why": "export", "certain": True}]
    assert [(each["path"], each["why"]) for each in size["overridden"]] == [("Dockerfile", "image")]


def test_a_place_that_is_not_there(tmp_path: Path) -> None:
    _served(tmp_path)
    for place in ("serve.sh", "serve.sh:99", "gone.sh:1", "serve.sh:x"):
        ran = npu_lsp("settings", "--of", place, cwd=tmp_path)
        assert (ran.code, ran.out) == (2, "")
        assert place in ran.err


def test_files_that_may_start_one(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text('import os\nx = os.environ["HCCL_BUFFSIZE"]\n', encoding="utf-8")
    (tmp_path / "run.sh").write_text("export HCCL_BUFFSIZE=7\npython train.py\n", encoding="utf-8")
    assert npu_lsp("settings", "--of", "train.py:2", cwd=tmp_path).out == ""
    assert "7, from run.sh:1" in npu_lsp("settings", "--of", "train.py:2", "run.sh", cwd=tmp_path).out
