"""`npu-lsp config`, and the configuration on command lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from npu_lsp.config.keys import KEYS
from npu_lsp.text.toml import parse
from tests.checking.command import check, npu_lsp
from tests.together import together

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'


def test_it_shows_values_and_where_they_come_from(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text('\nknown = ["my_*"]\n[target]\ncann = "8.0"\n[severity]\nNPU101 = "info"\n')
    ran = npu_lsp("config", "--ignore", "NPU301", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert f'known = ["my_*"]  # {tmp_path / "npu-lsp.toml"}:2' in lines
    assert 'ignore = ["NPU301"]  # command line' in lines
    assert 'language = "auto"  # default' in lines
    table = parse(ran.out)
    assert (table["target"], table["severity"]) == ({"cann": "8.0"}, {"NPU101": "info"})


def test_what_it_shows_is_a_configuration_that_gives_the_same(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text('known = ["a"]\n[per-file-ignores]\n"a b/*.py" = ["NPU1"]\n')
    first = npu_lsp("config", "--format", "json", cwd=tmp_path).out
    (tmp_path / "npu-lsp.toml").write_text(npu_lsp("config", cwd=tmp_path).out)
    second = npu_lsp("config", "--format", "json", cwd=tmp_path).out
    assert json.loads(first)["values"] == json.loads(second)["values"]


def test_every_key_can_be_explained(tmp_path: Path) -> None:
    for language, word in (("en", "folders"), ("zh", "目录")):
        ran = npu_lsp("config", "--keys", "--lang", language, cwd=tmp_path)
        assert all(f"{key.name}\n" in ran.out for key in KEYS)
        assert word in ran.out


def test_a_file_has_its_own(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "npu-lsp.toml").write_text('known = ["inner"]\n')
    ran = npu_lsp("config", "a/train.py", "--format", "json", cwd=tmp_path)
    assert json.loads(ran.out)["values"]["known"] == ["inner"]


def test_what_can_not_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text('ignore = ["NPU999"]\n')
    ran = npu_lsp("config", cwd=tmp_path)
    assert ran.code == 2
    assert f"{tmp_path / 'npu-lsp.toml'}:1" in ran.err
    (tmp_path / "train.py").write_text("x = 1\n")
    ran = check(cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "NPU999" in ran.err


@together(
    ("arguments", "code"),
    [
        ([], 1),
        (["--ignore", "NPU101"], 0),
        (["--ignore", "NPU1"], 0),
        (["--ignore", "NPU1", "--select", "NPU101"], 1),
        (["--select", "NPU3,NPU2"], 0),
        (["--select", "NPU3", "--extend-select", "unknown-option"], 1),
        (["--config", 'ignore = ["NPU101"]'], 0),
        (["--config", 'known = ["preci*"]'], 0),
        (["--per-file-ignores", "train.py:NPU101"], 0),
        (["--per-file-ignores", "*.sh:NPU101"], 1),
        (["--per-file-ignores", "a/**:NPU101"], 1),
        (["--per-file-ignores", "!other.py:NPU101"], 0),
        (["--select", "ALL", "--ignore", "unknown-option"], 0),
    ],
)
def test_the_command_line_selects(tmp_path: Path, arguments: list[str], code: int) -> None:
    (tmp_path / "train.py").write_text(WRONG)
    assert check(*arguments, cwd=tmp_path).code == code


@together(
    "arguments",
    [
        ["--ignore", "NPU999"],
        ["--select", "unknown-optoin"],
        ["--config", "nosuch = 1"],
        ["--config", "known = ["],
        ["--target", "cann"],
        ["--target", "cann=x"],
        ["--target", "vlm-ascend=0.23"],
        ["--per-file-ignores", "NPU101"],
        ["--catalog", "nosuch.toml"],
    ],
)
def test_a_command_line_that_can_not_be_used(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "train.py").write_text(WRONG)
    ran = check(*arguments, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("npu-lsp: ")
    assert "Traceback" not in ran.err


def test_per_file_ignores_are_relative_to_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text('[per-file-ignores]\n"a/*.py" = ["NPU101"]\n"old/" = ["ALL"]\n')
    for name in ("a/train.py", "b/train.py", "old/deep/train.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(WRONG)
    assert [f["path"] for f in check(cwd=tmp_path).findings] == ["b/train.py"]
    assert check("train.py", cwd=tmp_path / "a").code == 0
    assert check(str(tmp_path / "a" / "train.py"), cwd=tmp_path / "b").code == 0


def test_the_format_and_the_severity_can_be_configured(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WRONG)
    (tmp_path / "npu-lsp.toml").write_text(
        'output-format = "json"\nfail-on = "error"\n[severity]\nunknown-option = "warning"\n'
    )
    ran = npu_lsp("check", cwd=tmp_path)
    assert (ran.code, ran.findings[0]["severity"]) == (0, "warning")


@together(
    ("text", "line"),
    [
        ('known = ["a"]\nignore = "x\n', 2),
        ('known = ["a"]\nignore = ["x"\n\n', 2),
        ('ignore = [\n  "x",\n', 2),
        ("cache = true\ncache = false\n", 2),
        ("cache = true\n[target\n", 2),
        ("cache = true\nmax-file-size = 0xffffffffffffffffffff\n", 2),
        ("cache = true\n[target]\nproducts = [1, 0xffffffffffffffffffff]\n", 3),
        ("cache = true\n[a]\nb = " + "[" * 20000 + "\n", 3),
        ("= 1\n", 1),
        ('cache = true\n"""', 2),
    ],
)
def test_a_broken_file_names_its_line(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "npu-lsp.toml").write_text(text)
    (tmp_path / "train.py").write_text("x = 1\n")
    for command in ("check", "config"):
        ran = npu_lsp(command, cwd=tmp_path)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"npu-lsp: {tmp_path / 'npu-lsp.toml'}:{line}: ")
    assert "TOML 语法错误" in npu_lsp("check", "--lang", "zh", cwd=tmp_path).err


@pytest.mark.parametrize(
    ("language", "begins"),
    [
        ("en", "npu-lsp: warning: command line: target: cann: 99.0 is newer than"),
        ("zh", "npu-lsp: 警告: 命令行：target：cann：99.0 比当前"),
    ],
)
def test_a_version_that_is_too_new_is_a_warning_in_the_language_of_the_rest(
    tmp_path: Path, language: str, begins: str
) -> None:
    (tmp_path / "train.py").write_text("x = 1\n")
    for paths, text in ((("train.py",), ""), (("-",), "x = 1\n")):
        ran = check("--target", "cann=99.0", "--lang", language, *paths, cwd=tmp_path, stdin=text)
        assert ran.code == 0
        assert ran.err.startswith(begins), ran.err
