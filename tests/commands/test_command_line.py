"""What all commands have in common: help, versions, exit codes."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from html import escape
from pathlib import Path

import pytest

from npu_lsp import __version__
from npu_lsp.commands.main import command_names, command_parser, command_summary
from npu_lsp.rules import all_rules
from npu_lsp.text.terminal import cells
from tests.checking.command import npu_lsp
from tests.together import together


def test_help_tells_the_commands(tmp_path: Path) -> None:
    ran = npu_lsp("--help", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    for command in command_names():
        assert f"{command} " in ran.out
        assert command_summary(command) in ran.out


@together("command", command_names())
def test_every_command_explains_itself(command: str, tmp_path: Path) -> None:
    ran = npu_lsp(command, "-h", cwd=tmp_path, env={"COLUMNS": "100"})
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: npu-lsp {command}")
    assert max(map(len, ran.out.splitlines())) <= 120


def test_no_command_shows_help_and_is_wrong_usage(tmp_path: Path) -> None:
    ran = npu_lsp(cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "check" in ran.err
    assert npu_lsp("chekc", cwd=tmp_path).code == 2
    assert npu_lsp("--frobnicate", cwd=tmp_path).code == 2


@together(
    ("arguments", "meant"),
    [
        (["chekc"], "check"),
        (["check", "--targt", "cann=8.0"], "--target"),
        (["check", "--output-format", "sarf"], "sarif"),
        (["options", "--product-line", "a2"], None),
        (["rule", "--frobnicate"], None),
        (["check", "--output-format", "jsn"], "json"),
        (["check", "--statistics", "--group-by", "rle"], "rule"),
        (["check", "--fail-on", "eror"], "error"),
        (["check", "--lang", "fr"], None),
        (["completion", "powershell"], None),
    ],
)
def test_a_mistyped_argument_gets_the_intended_one(arguments: list[str], meant: str | None, tmp_path: Path) -> None:
    ran = npu_lsp(*arguments, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.partition("did you mean ")[2] == (f"{meant}?\n" if meant else "")


@together(
    ("arguments", "meant"),
    [
        (["a.sh"], "npu-lsp check a.sh"),
        (["sub dir/", "x"], "npu-lsp check 'sub dir/' x"),
        (["--fix", "."], "npu-lsp check --fix ."),
        (["NPU101"], "npu-lsp rule NPU101"),
        (["unknown-option"], "npu-lsp rule unknown-option"),
        (["precision_mode"], "npu-lsp options show precision_mode"),
        (["options", "precision_mode"], "npu-lsp options show precision_mode"),
        (["options", "soc_verison"], "npu-lsp options show soc_version"),
        (["options", "--precision_mode"], "npu-lsp options show precision_mode"),
        (["options", "show", "--precision_mode"], "npu-lsp options show precision_mode"),
        (["options", "show", "--soc_verison=Ascend310P3"], "npu-lsp options show soc_version"),
        (["options", "HCCL_ALGO"], "npu-lsp options show HCCL_ALGO"),
    ],
)
def test_a_forgotten_command_is_told(arguments: list[str], meant: str, tmp_path: Path) -> None:
    ran = npu_lsp(*arguments, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(f"did you mean `{meant}`?\n")


@together("command", command_names())
def test_help_is_a_command_too(command: str, tmp_path: Path) -> None:
    for language in ("en", "zh"):
        ran = npu_lsp("help", command, "--lang", language, cwd=tmp_path, env={"COLUMNS": "100"})
        assert (ran.code, ran.err) == (0, "")
        locale = f"{language}.UTF-8"
        assert npu_lsp(command, "-h", cwd=tmp_path, env={"COLUMNS": "100", "LC_ALL": locale}).out == ran.out


def test_help_takes_a_word_of_the_command(tmp_path: Path) -> None:
    assert npu_lsp("help", "options", "show", cwd=tmp_path).out == npu_lsp("help", "options", cwd=tmp_path).out
    ran = npu_lsp("help", "options", "burn", cwd=tmp_path, env={"LC_ALL": "C"})
    assert (ran.code, ran.out) == (2, "")
    assert "there is no command `npu-lsp options burn`" in ran.err


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("command", command_names())
def test_the_examples_of_help_are_commands(command: str, language: str, tmp_path: Path) -> None:
    """What stands behind two blanks says what the command is for, and what stands around it is the shell's."""
    said = npu_lsp("help", command, "--lang", language, cwd=tmp_path, env={"COLUMNS": "120"}).out
    for line in re.split(r"^(?:examples:|示例：)\n", said, flags=re.MULTILINE)[1:2]:
        for example in re.findall(r"^  (?! )(.*?npu-lsp .*?)(?:  |$)", line, re.MULTILINE):
            called = re.split(r"npu-lsp ", example, maxsplit=1)[1]
            name, *words = shlex.split(re.split(r" >>? ", called)[0])
            try:
                command_parser(name).parse_args(words)
            except SystemExit:
                pytest.fail(example)


def test_help_without_a_command_lists_them(tmp_path: Path) -> None:
    assert npu_lsp("help", cwd=tmp_path).out == npu_lsp("--help", cwd=tmp_path).out


# `--of` is a flag, and no word.
ENGLISH = re.compile(r"(?<!--)\b(?:the|and|of|this|that|what|default:|with)\b")


@together("command", ["", *command_names()])
def test_help_in_chinese_is_chinese(command: str, tmp_path: Path) -> None:
    ran = npu_lsp(
        "help", *([command] if command else []), cwd=tmp_path, env={"LC_ALL": "zh_CN.UTF-8", "COLUMNS": "100"}
    )
    assert (ran.code, ran.err) == (0, "")
    assert not [line for line in ran.out.splitlines() if ENGLISH.search(line)]
    assert max(cells(line) for line in ran.out.splitlines()) <= 120


@together(
    "arguments",
    [
        ["chekc"],
        ["a.sh"],
        ["check", "--targt"],
        ["check", "--lang"],
        ["check", "--format", "sarf"],
        ["check", "-j", "0"],
        ["check", "--group-by", "file"],
        ["check", "nosuch.py"],
        ["check", "--shard", "3/2"],
        ["options", "show", "precison_mode"],
        ["options", "precision_mode"],
        ["rule", "NPU999"],
        ["rule"],
        ["merge"],
        ["settings", "nosuch.py"],
    ],
)
def test_what_is_wrong_is_told_in_chinese(arguments: list[str], tmp_path: Path) -> None:
    ran = npu_lsp(*arguments, cwd=tmp_path, env={"LC_ALL": "zh_CN.UTF-8"})
    said = ran.err.splitlines()[-1]
    assert ran.code == 2
    assert re.search("[\u4e00-\u9fff]", said)
    assert not re.search(r"\b(?:error|warning|invalid|is|no|there|must|unrecognized|expected|required)\b", said)


@pytest.mark.parametrize("path", ["nosuch", "nosuch.sh", "*.nosuch"])
def test_what_a_command_is_to_look_at_must_be_there(path: str, tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("export HCCL_BUFFSIZE=200\n")
    for command in (
        ["settings"],
        ["profile", "determinism"],
        ["upgrade", "--to", "cann=9.0"],
        ["explain", "E10001"],
    ):
        ran = npu_lsp(*command, path, "a.sh", cwd=tmp_path)
        assert (ran.code, ran.err) == (2, f"npu-lsp: error: {path}: there is nothing of that name\n"), command
        assert ran.out, command


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "a.sh", "--isolated", "b.sh"],
        ["check", "a.sh", "--output-format", "json", "b.sh", "--isolated"],
        ["settings", "a.sh", "--format=json", "b.sh"],
        ["explain", "E10001", "--isolated", "a.sh"],
        ["profile", "determinism", "--format", "json", "a.sh", "b.sh"],
    ],
)
def test_options_stand_where_people_write_them(arguments: list[str], tmp_path: Path) -> None:
    for name in ("a.sh", "b.sh"):
        (tmp_path / name).write_text("export HCCL_BUFFSIZE=200\n")
    among = npu_lsp(*arguments, cwd=tmp_path)
    options = [each for each in arguments if each.startswith("-") or each == "json"]
    before = npu_lsp(arguments[0], *options, *(each for each in arguments[1:] if each not in options), cwd=tmp_path)
    assert (among.code, among.out, among.err) == (before.code, before.out, before.err)
    assert before.code < 2


def test_behind_two_dashes_all_is_a_path(tmp_path: Path) -> None:
    (tmp_path / "--isolated").write_text("export HCCL_BUFFSIZE=a\n")
    ran = npu_lsp("settings", "--format", "json", "--", "--isolated", cwd=tmp_path)
    assert json.loads(ran.out)["settings"]


_RINGS = "import gc, sys; from npu_lsp.commands.main import program; program(); print(gc.isenabled(), gc.get_freeze_count() > 0)"


@pytest.mark.parametrize(("files", "looks"), [(2, False), (40, True)])
def test_one_check_looks_for_no_rings(files: int, looks: bool, tmp_path: Path) -> None:
    for number in range(files):
        (tmp_path / f"{number}.sh").write_text("export HCCL_CONNECT_TIMEOUT=1200\n", encoding="utf-8")
    command = [sys.executable, "-c", _RINGS, "check", "--no-cache", "."]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == f"{looks} True"


def test_the_version_tells_the_catalogs_date(tmp_path: Path) -> None:
    for flag in ("--version", "-V"):
        words = npu_lsp(flag, cwd=tmp_path).out.split()
        assert words[:2] == ["npu-lsp", __version__]
        assert len(words[-1].strip("()")) == len("2026-01-01")


def test_the_doctor_tells_what_a_report_needs(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text('known = ["x"]\n[target]\ncann = "8.0"\n')
    ran = npu_lsp("doctor", "--format", "json", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    facts = json.loads(ran.out)
    assert facts["npu-lsp"]["version"] == __version__
    assert facts["configuration"]["target"] == {"cann": "8.0"}
    assert facts["configuration"]["set"]["known"] == f"{tmp_path / 'npu-lsp.toml'}:1"
    assert facts["catalog"]["options"]["atc"] > 50
    assert facts["problems"] == []
    text = npu_lsp("doctor", cwd=tmp_path)
    assert "catalog:" in text.out


def test_the_doctor_tells_what_is_broken(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text("slect = 1\n")
    ran = npu_lsp("doctor", cwd=tmp_path)
    assert ran.code == 2
    assert "slect" in ran.out


def test_the_rules_are_a_page_to_search(tmp_path: Path) -> None:
    done = npu_lsp("rule", "--list", "--format", "html", "--lang", "zh", cwd=tmp_path)
    assert '<html lang="zh-CN">' in done.out
    for rule in all_rules():
        assert f"<td class=code>{rule.code}</td><td class=code>{rule.name}</td>" in done.out.replace("<wbr>", "")
        assert escape(rule.title.zh) in done.out
    assert "<td></td>" not in done.out


def test_headings_of_chinese_help_end_as_chinese_does(tmp_path: Path) -> None:
    for command in ("", "check", "upgrade"):
        ran = npu_lsp(*command.split(), "--help", cwd=tmp_path, env={"LANG": "zh_CN.UTF-8", "LC_ALL": "zh_CN.UTF-8"})
        assert "用法：" in ran.out
        assert "选项：\n" in ran.out
        assert not re.search(r"^\S.*:$", ran.out, re.MULTILINE)
