"""The READMEs tell the truth: what stands below a command is what it prints, and all forms of reports are named.

That the commands of all pages run is a matter of `test_printed`.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from npu_lsp.reports import FORMATS
from tests.checking.command import npu_lsp

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CHINESE = (ROOT / "README.zh.md").read_text(encoding="utf-8")


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
