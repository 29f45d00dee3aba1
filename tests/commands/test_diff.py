"""`npu-lsp diff`: the settings that differ between two files, folders or commits."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.checking.command import Ran, npu_lsp

HERE = "export HCCL_CONNECT_TIMEOUT=120\nexport HCCL_EXEC_TIMEOUT=1800\nexport TASK_QUEUE_ENABLE=2\n"
THERE = "# 另一台机器\nexport HCCL_EXEC_TIMEOUT=1800\nexport HCCL_CONNECT_TIMEOUT=1200\n"
BOTH = [("HCCL_CONNECT_TIMEOUT", "120", "1200"), ("TASK_QUEUE_ENABLE", "2", None)]


def found(ran: Ran) -> list[tuple[str, Any, Any]]:
    assert ran.err == ""
    return [
        (each["option"], *((each[side] or {}).get("value") for side in ("left", "right")))
        for each in json.loads(ran.out)["differences"]
    ]


def diff(folder: Path, *arguments: str) -> Ran:
    return npu_lsp("diff", *arguments, cwd=folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("here", HERE), ("there", THERE)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.sh").write_text(text, encoding="utf-8")
        (tmp_path / name / "same.sh").write_text(HERE)
    return tmp_path


def test_two_files(folder: Path) -> None:
    ran = diff(folder, "here/run.sh", "there/run.sh", "--format", "json")
    assert (ran.code, found(ran)) == (1, BOTH)
    same = diff(folder, "here/same.sh", "here/run.sh")
    assert (same.code, same.out) == (0, "")


def test_two_folders_are_compared_file_by_file(folder: Path) -> None:
    (folder / "there" / "more.sh").write_text("export HCCL_BUFFSIZE=400\n")
    ran = diff(folder, "here", "there", "--format", "json")
    assert found(ran) == [("HCCL_BUFFSIZE", None, "400"), *BOTH]
    assert [each["path"] for each in json.loads(ran.out)["differences"]] == ["more.sh", "run.sh", "run.sh"]


def test_people_read_defaults_and_what_the_difference_does(folder: Path) -> None:
    ran = diff(folder, "here", "there")
    assert "run.sh\n  env HCCL_CONNECT_TIMEOUT\n    - 120   (line 1)\n    + 1200   (line 3)\n" in ran.out
    assert "    - 2   (line 3)\n    + not set (default: 1)\n" in ran.out
    assert "      2: Workspace work goes there too.\n" in ran.out
    chinese = diff(folder, "here", "there", "--lang", "zh")
    assert "未配置（默认值：1）" in chinese.out
    page = diff(folder, "here", "there", "--format", "html")
    assert page.out.replace("<wbr>", "").count("<td class=code>run.sh</td>") == 2
    assert '<th scope="col">here</th>' in page.out


def test_an_option_that_is_set_several_times_is_compared_in_order(folder: Path) -> None:
    (folder / "a.sh").write_text("TASK_QUEUE_ENABLE=1 python a.py\nTASK_QUEUE_ENABLE=0 python a.py\n")
    (folder / "b.sh").write_text("TASK_QUEUE_ENABLE=0 python a.py\nTASK_QUEUE_ENABLE=2 python a.py\n")
    ran = diff(folder, "a.sh", "b.sh", "--format", "json")
    assert found(ran) == [("TASK_QUEUE_ENABLE", "1", "2")]


def test_two_commits(folder: Path) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)

    git("init", "-q")
    (folder / "run.sh").write_text(HERE)
    (folder / "link.sh").symlink_to("/etc/hostname")
    git("add", "-A")
    git("commit", "-qm", "one")
    (folder / "run.sh").write_text(THERE, encoding="utf-8")
    git("commit", "-qam", "two")
    (folder / "run.sh").write_text("# not committed\n")
    assert found(diff(folder, "HEAD~1", "HEAD", "--format", "json")) == BOTH
    assert found(diff(folder, "HEAD~1", "HEAD", "here", "--format", "json")) == []
    assert (folder / "run.sh").read_text() == "# not committed\n"
    missing = diff(folder, "HEAD~1", "HEAD", "nowhere")
    assert (missing.code, missing.out) == (2, "")


@pytest.mark.parametrize("name", ["nothing", "--output=x", "HEAD"])
def test_what_is_neither_file_nor_commit_is_told(folder: Path, name: str) -> None:
    ran = diff(folder, "here", "--", name) if name.startswith("-") else diff(folder, "here", name)
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err
    assert "neither a file nor a folder nor a commit" in ran.err


def test_a_value_that_is_the_default_is_told_as_that(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("export HCCL_CONNECT_TIMEOUT=120\nexport HCCL_DETERMINISTIC=True\n")
    (tmp_path / "b.sh").write_text("export HCCL_EXEC_TIMEOUT=1800\nexport HCCL_OP_EXPANSION_MODE=AIV\n")
    ran = diff(tmp_path, "a.sh", "b.sh")
    assert "    - 120   (line 1)\n    + not set (default: 120)\n" in ran.out
    assert "      No difference: that is the default.\n" in ran.out
    # The tool takes it in any case, and its meaning is told.
    assert "      True: " in ran.out
    # No one default: which one it is depends on the product.
    assert "    - not set (the default differs by product or use)\n    + AIV   (line 2)\n" in ran.out
    assert "无差异：该取值即为默认值。" in diff(tmp_path, "a.sh", "b.sh", "--lang", "zh").out
