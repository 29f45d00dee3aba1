"""`check --fix`, `--unsafe-fixes` and `--diff`: what they change and what they leave alone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from npu_lsp.checking import fixing
from npu_lsp.linter.findings import NewFile
from tests.checking.command import check, names, npu_lsp
from tests.together import together

SAFE = 'op.parameter_map["use_off_line"].b = "True"\n'
FIXED = 'op.parameter_map["use_off_line"].b = True\n'
UNSAFE = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
RENAMED = UNSAFE.replace("precison", "precision")


def test_safe_fixes_are_made_and_what_is_left_is_told(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(SAFE + UNSAFE)
    ran = npu_lsp("check", "--fix", "--output-format", "concise", cwd=tmp_path)
    assert path.read_text() == FIXED + UNSAFE
    assert ran.code == 1
    assert "train.py:2:" in ran.out
    assert "Fixed 1 finding." in ran.out
    ran = npu_lsp("check", "--fix", "--unsafe-fixes", cwd=tmp_path)
    assert path.read_text() == FIXED + RENAMED
    assert ran.code == 0
    assert ran.err == ""


def test_a_fixed_file_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(SAFE)
    assert npu_lsp("check", "--fix", cwd=tmp_path).code == 0
    before = path.stat()
    assert npu_lsp("check", "--fix", cwd=tmp_path).code == 0
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


@together(
    ("encoding", "newline"),
    [("utf-8", "\n"), ("utf-8", "\r\n"), ("utf-8", "\r"), ("utf-8-sig", "\r\n"), ("utf-16", "\n"), ("gbk", "\n")],
)
def test_encoding_and_line_ends_stay(tmp_path: Path, encoding: str, newline: str) -> None:
    def data(text: str) -> bytes:
        return ("# 中文\n" + text + "x = 1").replace("\n", newline).encode(encoding)

    path = tmp_path / "train.py"
    path.write_bytes(data(SAFE))
    npu_lsp("check", "--fix", cwd=tmp_path)
    assert path.read_bytes() == data(FIXED)


def test_mode_and_link_stay(tmp_path: Path) -> None:
    path = tmp_path / "real" / "train.py"
    path.parent.mkdir()
    path.write_text(SAFE)
    path.chmod(0o754)
    link = tmp_path / "link.py"
    link.symlink_to(path)
    assert npu_lsp("check", "--fix", "link.py", cwd=tmp_path).code == 0
    assert link.is_symlink()
    assert path.read_text() == FIXED
    assert stat.S_IMODE(path.stat().st_mode) == 0o754
    assert names(path.parent) == ["train.py"]


def test_diff_shows_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text("x = 1\n" + SAFE.rstrip("\n"))
    ran = npu_lsp("check", "--diff", cwd=tmp_path)
    assert ran.code == 1
    assert ran.out == (
        "--- train.py\n+++ train.py\n@@ -1,2 +1,2 @@\n x = 1\n"
        f"-{SAFE}\\ No newline at end of file\n+{FIXED}\\ No newline at end of file\n"
    )
    assert path.read_text().endswith('"True"')
    path.write_text(UNSAFE)
    ran = npu_lsp("check", "--diff", cwd=tmp_path)
    assert (ran.code, ran.out) == (0, "")


def test_a_fix_that_needs_a_file_makes_it(tmp_path: Path) -> None:
    script = tmp_path / "convert.sh"
    script.write_text(
        "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 \\\n"
        "    --op_select_implmode=high_precision --optypelist_for_implmode=Gelu,Softmax\n"
    )
    ran = npu_lsp("check", "--diff", cwd=tmp_path)
    assert "+Gelu=high_precision" in ran.out
    assert names(tmp_path) == ["convert.sh"]
    npu_lsp("check", "--fix", cwd=tmp_path)
    assert names(tmp_path) == ["convert.sh", "op_precision.ini"]
    assert (tmp_path / "op_precision.ini").read_text() == "[ByOpType]\nGelu=high_precision\nSoftmax=high_precision\n"
    assert "op_precision_mode" in script.read_text()
    assert check(cwd=tmp_path).codes == []


def test_many_files_that_need_one_of_the_same_name(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"convert{number}.sh").write_text(
            "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 "
            f"--op_select_implmode=high_precision --optypelist_for_implmode=Gelu{number}\n"
        )
    npu_lsp("check", "--fix", "-j", "4", cwd=tmp_path)
    for number in range(40):
        text = (tmp_path / f"convert{number}.sh").read_text()
        files = [path for path in tmp_path.glob("*.ini") if f"/{path.name}" in text]
        if files:
            assert files[0].read_text() == f"[ByOpType]\nGelu{number}=high_precision\n"
        else:
            # Another one was quicker with the name: the script is as it was.
            assert "op_select_implmode" in text


def test_what_is_suppressed_is_not_fixed(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(SAFE.rstrip("\n") + "  # npu-lsp: ignore[NPU103]\n")
    before = path.read_text()
    assert npu_lsp("check", "--fix", cwd=tmp_path).code == 0
    assert path.read_text() == before


def test_stdin_comes_back_fixed(tmp_path: Path) -> None:
    ran = npu_lsp("check", "--fix", "-", "--stdin-filename", "train.py", cwd=tmp_path, stdin=SAFE + UNSAFE)
    assert ran.out == FIXED + UNSAFE
    assert ran.code == 1
    assert "NPU101" in ran.err
    ran = npu_lsp("check", "--fix", "-", "--stdin-filename", "x.py", cwd=tmp_path, stdin=b"x = 1\r\n")
    assert (ran.out, ran.code) == ("x = 1\r\n", 0)


def test_stdin_diff(tmp_path: Path) -> None:
    ran = npu_lsp("check", "--diff", "-", "--stdin-filename", "train.py", cwd=tmp_path, stdin=SAFE)
    assert ran.code == 1
    assert f"+{FIXED}" in ran.out


@pytest.mark.parametrize(
    "flag",
    ["--op_select_implmode=high_precision", "--framework=3"],
)
def test_what_other_commands_take_from_a_variable_stays(tmp_path: Path, flag: str) -> None:
    path = tmp_path / "convert.sh"
    script = (
        f'COMMON="--model=a.onnx --output=a --soc_version=Ascend310P3 {flag}"\n'
        "atc $COMMON --framework=5 --op_precision_mode=p.ini\n"
        "atc $COMMON --framework=5 --log=error\n"
        "atc $COMMON\n"
    )
    path.write_text(script)
    npu_lsp("check", "--fix", cwd=tmp_path)
    assert path.read_text() == script


@together(
    ("path", "may"),
    [("a.ini", True), ("b/a.ini", True), ("../a.ini", False), ("/a.ini", False), ("", False), ("b/../../a.ini", False)],
)
def test_a_fix_makes_no_file_elsewhere(tmp_path: Path, path: str, *, may: bool) -> None:
    assert fixing._may_create(str(tmp_path), NewFile(path, "x")) == may
