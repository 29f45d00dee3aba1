"""The README and the page on CI tell the truth: their commands run, on any file and on the examples."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from npu_lsp.reports import FORMATS
from tests.checking.command import npu_lsp
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CHINESE = (ROOT / "README.zh.md").read_text(encoding="utf-8")

_FENCE = re.compile(r"(?P<before>[^\n]*)\n```sh\n(?P<body>.*?)```", re.DOTALL)
COMMANDS = sorted(
    {
        line.split("#")[0].strip()
        for text in (README, *((ROOT / "docs" / name).read_text("utf-8") for name in ("ci.md", "ci.zh.md")))
        for fence in _FENCE.finditer(text)
        if "<!-- command:" not in fence["before"]
        for line in fence["body"].splitlines()
        if line.startswith("npu-lsp ")
    }
)


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("command", COMMANDS)
def test_command_runs(command: str, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n', encoding="utf-8"
    )
    (tmp_path / "convert.sh").write_text("atc --model=a.onnx --framework=5 --output=a\n", encoding="utf-8")
    for name in ("1.json", "2.json"):  # what the shards of an example leave for the next one
        (tmp_path / name).write_text('{"version": 1, "findings": []}', encoding="utf-8")
    for name in ("serve-a2.sh", "serve-a3.sh"):
        (tmp_path / name).write_text("export HCCL_BUFFSIZE=200\n", encoding="utf-8")
    arguments = shlex.split(command.partition(" > ")[0])[1:]
    done = subprocess.run(
        [sys.executable, "-m", "npu_lsp", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("text", [README, CHINESE], ids=["en", "zh"])
def test_every_form_of_report_is_named(text: str) -> None:
    (line,) = (line for line in text.splitlines() if line.startswith("npu-lsp check --output-format "))
    assert set(re.findall(r"[a-z]+(?:-[a-z]+)*", line.partition("--output-format")[2])) - {"also"} == set(FORMATS)


@pytest.mark.parametrize("name", ["try", "test"])
def test_set_up_commands_make_their_own_environment(name: str) -> None:
    command = re.search(rf"<!-- command: {name} -->\n```sh\n(.+)\n```", README)
    assert command
    assert command[1].startswith("python3 -m venv .venv && .venv/bin/pip install ")
    assert command[1] in CHINESE


@pytest.mark.parametrize(("text", "language"), [(README, "en"), (CHINESE, "zh")], ids=["en", "zh"])
def test_the_first_command_prints_what_stands_below_it(text: str, language: str) -> None:
    command = re.search(r"```sh\n.* && \S+/npu-lsp (.+)\n```", text)
    printed = re.search(r"<!-- made: report(?:-zh)? -->\n```text\n(.*?)```", text, re.DOTALL)
    assert command
    assert printed
    ran = npu_lsp(*shlex.split(command[1]), "--isolated", "--lang", language, cwd=ROOT)
    assert (ran.code, ran.out) == (0, printed[1])
