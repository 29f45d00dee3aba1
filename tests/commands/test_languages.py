"""What a command says of what is wrong is Chinese where Chinese is asked for, and its help fits into a terminal of 80 columns."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from npu_lsp.commands.main import command_names
from npu_lsp.text.terminal import cells
from tests.checking.command import npu_lsp

ENGLISH = re.compile(r"\b[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}\b")
"""A piece of an English sentence."""
WRONG = (
    ("chek",),
    ("convert.sh",),
    ("@nofile",),
    ("help", "chek"),
    ("check", "nosuch.sh"),
    ("check", "empty"),
    ("check", "--statistics", "--output-format", "sarif"),
    ("check", "--group-by", "rule"),
    ("check", "--output-format", "sarf"),
    ("check", "--jobs", "x"),
    ("check", "--shard", "3/2"),
    ("check", "--select", "NPU999"),
    ("check", "--target", "cnan=8.0"),
    ("check", "--target", "cann=99.0", "nosuch.sh"),
    ("check", "--target", "product=a9"),
    ("check", "--config", "nosuch.toml"),
    ("check", "--config", "empty"),
    ("check", "--catalog", "nosuch.toml"),
    ("check", "--catalog", "empty"),
    ("check", "--baseline", "nosuch.json"),
    ("check", "--baseline", "empty"),
    ("check", "-o", "nosuch/report"),
    ("check", "-o", "link"),
    ("check", "-", "convert.sh"),
    ("check", "--ouput-format", "json"),
    ("merge", "nosuch.json"),
    ("merge", "empty"),
    ("merge", "convert.sh"),
    ("explain", "NOPE"),
    ("explain", "binary"),
    ("profile", "nosuch", "."),
    ("diff", "a", "b"),
    ("upgrade", "--from", "cann=8.0", "."),
    ("upgrade", "--to", "sglang=1", "."),
    ("options", "precision_mode"),
    ("options", "show", "precison_mode"),
    ("options", "--cann", "x"),
    ("options", "--product", "x"),
    ("options", "--surface", "x"),
    ("rule", "NPU1011"),
    ("rule", "unknown-optoin"),
    ("rule",),
    ("completion", "nosh"),
    ("serve", "--tcp", "x"),
    ("serve", "--tcp", "192.0.2.1:1"),
    ("serve", "--log-file", "nosuch/log"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "convert.sh").write_text("atc --model=a.onnx --framework=5 --output=a\n")
    (tmp_path / "binary").write_bytes(b"\0" * 9)
    (tmp_path / "empty").mkdir()
    (tmp_path / "target").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    return tmp_path


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_what_is_wrong_is_told_in_chinese(folder: Path, arguments: tuple[str, ...]) -> None:
    ran = npu_lsp(*arguments, cwd=folder, env={"LC_ALL": "zh_CN.UTF-8"})
    assert (ran.code, ran.out) == (2, "")
    told = re.sub(r"^用法：.*(?:\n .*)*|`[^`]*`", "", ran.err, flags=re.MULTILINE)
    assert re.search("[\u4e00-\u9fff]", told), told
    assert not ENGLISH.search(told), told
    assert all(line.startswith("npu-lsp") for line in told.split("\n") if line), told


@pytest.mark.parametrize(
    ("name", "content"), [("a.sh", b"\0 export ASCEND_X=1\n"), ("b.sh", b"\xff\xfeA"), ("empty", b"")], ids=str
)
def test_why_a_file_is_not_checked_is_told_in_chinese(folder: Path, name: str, content: bytes) -> None:
    if content:
        (folder / name).write_bytes(content)
    ran = npu_lsp("check", "--lang", "zh", "--output-format", "concise", name, "convert.sh", cwd=folder)
    assert not ENGLISH.search(ran.out + ran.err)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("command", ["", *command_names()])
def test_help_fits_into_a_terminal(command: str, language: str, tmp_path: Path) -> None:
    words = [command] if command else []
    ran = npu_lsp("help", *words, "--lang", language, cwd=tmp_path, env={"COLUMNS": "80"})
    assert [line for line in ran.out.splitlines() if cells(line) > 80 or line != line.rstrip()] == []
    assert not re.search(r"\w-\n", ran.out), "a name is torn"


def test_nothing_to_check_is_no_success(tmp_path: Path) -> None:
    ran = npu_lsp("check", "--allow-empty", ".", cwd=tmp_path)
    assert (ran.code, ran.out) == (0, "No file to check.\n")


@pytest.mark.parametrize(("typed", "meant"), [("unknown-optoin", "unknown-option"), ("npu1010", "")])
def test_a_mistyped_rule(typed: str, meant: str, tmp_path: Path) -> None:
    ran = npu_lsp("rule", typed, cwd=tmp_path)
    assert ran.code == 2
    assert ("did you mean" in ran.err) == bool(meant)
    assert meant in ran.err
