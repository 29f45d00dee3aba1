"""`check -`: a text from stdin."""

from __future__ import annotations

from pathlib import Path

from tests.check.command import check, npu_lsp

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'


def test_the_name_tells_the_kind_and_the_configuration(tmp_path: Path) -> None:
    ran = check("-", "--stdin-filename", "a/train.py", cwd=tmp_path, stdin=WRONG)
    assert [(f["path"], f["code"]) for f in ran.findings] == [("a/train.py", "NPU101")]
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "npu-lsp.toml").write_text('ignore = ["NPU101"]\n')
    assert check("-", "--stdin-filename", "a/train.py", cwd=tmp_path, stdin=WRONG).code == 0


def test_without_a_name_the_first_line_tells(tmp_path: Path) -> None:
    assert check("-", cwd=tmp_path, stdin=f"#!/usr/bin/env python\n{WRONG}").codes == ["NPU101"]
    ran = check("-", cwd=tmp_path, stdin=WRONG)
    assert (ran.code, ran.findings) == (0, [])
    assert "kind" in ran.err or "what it is" in ran.err


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
