"""`check -`: a text from stdin."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checking.command import check, npu_lsp
from tests.patience import PATIENCE

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'


def test_the_name_tells_the_kind_and_the_configuration(tmp_path: Path) -> None:
    ran = check("-", "--stdin-filename", "a/train.py", cwd=tmp_path, stdin=WRONG)
    assert [(f["path"], f["code"]) for f in ran.findings] == [("a/train.py", "NPU101")]
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "npu-lsp.toml").write_text('ignore = ["NPU101"]\n')
    assert check("-", "--stdin-filename", "a/train.py", cwd=tmp_path, stdin=WRONG).code == 0


def test_without_a_name_the_first_line_tells(tmp_path: Path) -> None:
    assert check("-", cwd=tmp_path, stdin=f"#!/usr/bin/env python\n{WRONG}").codes == ["NPU101"]
    # Without one it is Python, as for other linters, unless it can only be a script for a shell.
    assert check("-", cwd=tmp_path, stdin=WRONG).codes == ["NPU101"]
    assert check("-", cwd=tmp_path, stdin=f"if:\n{WRONG}").codes == ["NPU101"]
    flags = "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --fusion_swich_file=a.cfg"
    assert check("-", cwd=tmp_path, stdin=f"{flags}\n").codes == ["NPU101"]
    assert check("-", cwd=tmp_path, stdin=f"# {flags}\nprint('atc --modle=a')\n").codes == []


def test_excluded_text_passes_untouched(tmp_path: Path) -> None:
    arguments = ("check", "-", "--stdin-filename", "a.py", "--exclude", "a.py", "--force-exclude")
    assert npu_lsp(*arguments, cwd=tmp_path, stdin=WRONG).code == 0
    assert npu_lsp(*arguments, "--fix", "--unsafe-fixes", cwd=tmp_path, stdin=WRONG).out == WRONG


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    ran = check("-", "--stdin-filename", "a.py", cwd=tmp_path, stdin=b"\0\1")
    assert ran.codes == ["NPU002"]
    ran = npu_lsp("check", "-", "--stdin-filename", "a.py", "--fix", cwd=tmp_path, stdin=b"\0\1")
    assert ran.out == "\0\1"


def test_stdin_goes_with_no_other_path(tmp_path: Path) -> None:
    assert npu_lsp("check", "-", "a.py", cwd=tmp_path, stdin="").code == 2


def test_a_name_for_it_means_stdin(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(WRONG * 2)
    assert check("--stdin-filename", "train.py", cwd=tmp_path, stdin=WRONG).codes == ["NPU101"]


@pytest.mark.parametrize("fix", [False, True])
def test_a_text_that_is_too_long_is_told_and_passes_untouched(tmp_path: Path, *, fix: bool) -> None:
    text = WRONG + "x = 1\n" * 1_000_000
    arguments = ("--stdin-filename", "a.py", "--fix") if fix else ("--stdin-filename", "a.py")
    ran = npu_lsp("check", "-", *arguments, "--output-format", "json", cwd=tmp_path, stdin=text)
    assert (ran.code, ran.out == text) == (1, fix)
    assert [f["code"] for f in json.loads(ran.err if fix else ran.out)["findings"]] == ["NPU003"]


@pytest.mark.parametrize("arguments", [("check", "-"), ("check", "--fix", "-"), ("serve",)])
def test_a_stdin_that_is_closed(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "npu_lsp", *arguments],
        cwd=tmp_path, preexec_fn=lambda: os.close(0), capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, b"Traceback" in done.stderr) == (int(arguments == ("serve",)), False)


def test_a_stdin_that_never_ends(tmp_path: Path) -> None:
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [sys.executable, "-m", "npu_lsp", "check", "-"], cwd=tmp_path, stdin=endless, capture_output=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert (done.returncode, b"NPU003" in done.stdout) == (1, True)
