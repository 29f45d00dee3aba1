"""Which files `check` looks at, and what it says of those that it can't read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from npu_lsp.checking.loading import TooLargeError, load
from npu_lsp.checking.walking import Walk
from npu_lsp.config.discover import Discovery
from tests.checking.command import check, npu_lsp
from tests.together import together

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
WRONG_SHELL = "atc --model=a.onnx --framework=5 --output=a --soc_verison=Ascend310P3\n"


def tree(folder: Path, *names: str, text: str = WRONG) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def found(folder: Path, *arguments: str) -> list[str]:
    ran = check(*arguments, cwd=folder)
    assert ran.code in (0, 1), ran.err
    return sorted({finding["path"] for finding in ran.findings})


def test_gitignore_excluded_folders_and_links_are_passed_over(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "b/c.py", "ignored.py", "deep/ignored.py", ".venv/x.py", "node_modules/x.py", "built/x.py")
    (tmp_path / ".gitignore").write_text("ignored.py\n/built/\n")
    (tmp_path / "b" / ".gitignore").write_text("!ignored.py\n")
    tree(tmp_path, "b/ignored.py")
    (tmp_path / "link.py").symlink_to("a.py")
    (tmp_path / "loop").symlink_to(".", target_is_directory=True)
    assert found(tmp_path) == ["a.py", "b/c.py", "b/ignored.py"]
    assert found(tmp_path, "--no-respect-gitignore") == [
        "a.py", "b/c.py", "b/ignored.py", "built/x.py", "deep/ignored.py", "ignored.py",
    ]  # fmt: skip
    assert found(tmp_path, "link.py", "ignored.py") == ["ignored.py", "link.py"]


def test_copies_that_editors_keep_are_passed_over(tmp_path: Path) -> None:
    copies = (".history", ".ipynb_checkpoints", ".lh", ".local-history", ".virtual_documents", ".Trash-1000/files")
    tree(tmp_path, "a.py", *(f"b/{folder}/a.py" for folder in copies), "history/a.py")
    assert found(tmp_path) == ["a.py", "history/a.py"]


def test_gitignore_of_the_repository_holds_in_its_folders(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    tree(tmp_path, "a/b/x.py", "a/b/y.py", "a/b/z.py")
    (tmp_path / ".gitignore").write_text("a/b/x.py\n")
    (tmp_path / ".git" / "info" / "exclude").write_text("y.py\n")
    assert found(tmp_path / "a", "b") == ["b/z.py"]


def test_exclude_and_include(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "b/c.py", "b/d.py", "venv/x.py")
    tree(tmp_path, "run.sh.in", text=WRONG_SHELL)
    assert found(tmp_path, "--extend-exclude", "b/d.py") == ["a.py", "b/c.py"]
    assert found(tmp_path, "--exclude", "b") == ["a.py", "venv/x.py"]
    assert found(tmp_path, "--include", "*.in,*.txt") == ["a.py", "b/c.py", "b/d.py", "run.sh.in"]
    # What is named is checked, unless a hook says otherwise.
    assert found(tmp_path, "--exclude", "b", "b/c.py") == ["b/c.py"]
    assert found(tmp_path, "--exclude", "b", "--force-exclude", "b/c.py", "a.py") == ["a.py"]


def test_first_line_tells_what_a_script_without_suffix_is(tmp_path: Path) -> None:
    tree(tmp_path, "convert", text=f"#!/usr/bin/env bash\n{WRONG_SHELL}")
    tree(tmp_path, "train", text=f"#!/usr/bin/python3\n{WRONG}")
    tree(tmp_path, "notes", "LICENSE", text=WRONG_SHELL)
    assert found(tmp_path) == ["convert", "train"]


def test_each_file_comes_once(tmp_path: Path) -> None:
    tree(tmp_path, "a/b.py")
    ran = check("a/b.py", "a", ".", "./a/b.py", cwd=tmp_path)
    assert [finding["path"] for finding in ran.findings] == ["a/b.py"]


def test_globs_are_expanded_where_the_shell_did_not(tmp_path: Path) -> None:
    tree(tmp_path, "a/x.py", "b/y.py", "b/z.txt")
    assert found(tmp_path, "*/*.py") == ["a/x.py", "b/y.py"]
    assert found(tmp_path, "**/y.*") == ["b/y.py"]
    ran = check("*.nosuch", cwd=tmp_path)
    assert ran.code == 2
    assert "there is nothing of that name" in ran.err


def test_a_name_with_glob_signs_is_a_name_first(tmp_path: Path) -> None:
    tree(tmp_path, "a[1].py")
    assert found(tmp_path, "a[1].py") == ["a[1].py"]


def test_odd_names(tmp_path: Path) -> None:
    names = ["with space.py", "中文 训练.py", "-dash.py", "new\nline.py", "%41.py", "a:b.py"]
    tree(tmp_path, *names)
    assert found(tmp_path) == sorted(names)


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.py")).write_text(WRONG)
    for report in ("json", "full", "concise", "sarif", "github", "gitlab", "junit"):
        ran = npu_lsp("check", "--output-format", report, cwd=tmp_path)
        assert (ran.code, ran.err) == (1, ""), report


@together(
    ("data", "code"),
    [
        (b"", []),
        (b"\0\1\2" * 100, ["NPU002"]),
        (bytes(range(1, 256)) * 4, ["NPU002"]),
        (WRONG.encode("utf-8-sig"), ["NPU101"]),
        (WRONG.encode("utf-16"), ["NPU101"]),
        (("# 中文\n" + WRONG).encode("gbk"), ["NPU101"]),
        (("# -*- coding: gb18030 -*-\n# 中文\n" + WRONG).encode("gb18030"), ["NPU101"]),
        (("# café\n" + WRONG).encode("latin-1"), ["NPU101"]),
        (("# -*- coding: rot13 -*-\n" + WRONG).encode(), ["NPU101"]),
        (("# -*- coding: nosuch -*-\n" + WRONG).encode(), ["NPU101"]),
        (WRONG.replace("\n", "\r").encode(), ["NPU101"]),
        (("x = 1\r\n" + WRONG.replace("\n", "\r\n")).encode(), ["NPU101"]),
        (("[" * 5000 + "\n" + WRONG).encode(), None),
        (("x = '" + "a" * 3_000_000 + "'\n" + WRONG).encode(), ["NPU003"]),
    ],
)
def test_bad_input_is_one_finding_and_never_a_crash(tmp_path: Path, data: bytes, code: list[str] | None) -> None:
    (tmp_path / "train.py").write_bytes(data)
    ran = check("train.py", cwd=tmp_path)
    assert ran.err == ""
    if code is not None:
        assert ran.codes == code


def test_binary_files_below_a_folder_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "data.py").write_bytes(b"\0" + WRONG.encode())
    assert found(tmp_path) == []


def test_a_large_file_below_a_folder_is_told_when_it_may_hold_something(tmp_path: Path) -> None:
    (tmp_path / "data.py").write_text("x = 1\n" * 500_000)
    (tmp_path / "train.py").write_text(WRONG + "x = 1\n" * 500_000)
    ran = check(cwd=tmp_path)
    assert [(f["path"], f["code"]) for f in ran.findings] == [("train.py", "NPU003")]
    assert check("--config", "max-file-size=9_000_000", cwd=tmp_path).codes == ["NPU101"]


def test_a_notebook_with_pictures_is_read(tmp_path: Path) -> None:
    shown = {"output_type": "display_data", "metadata": {}, "data": {"image/png": "iVBO" * 1_000_000}}
    cell = {"cell_type": "code", "metadata": {}, "source": WRONG, "outputs": [shown], "execution_count": 1}
    text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    (tmp_path / "train.ipynb").write_text(text)
    assert check(cwd=tmp_path).codes == ["NPU101"]
    assert check("-", "--stdin-filename", "train.ipynb", cwd=tmp_path, stdin=text).codes == ["NPU101"]
    assert check("--config", "max-file-size=400_000", cwd=tmp_path).codes == ["NPU003"]


def test_pipes_devices_and_folders_that_go_on_for_ever(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    tree(tmp_path, "a.py")
    assert found(tmp_path) == ["a.py"]
    ran = check("pipe.py", "/dev/zero", cwd=tmp_path)
    assert ran.codes == ["NPU001", "NPU001"]
    deep = tmp_path
    for _ in range(60):
        deep = deep / ("d" * 60)
        try:
            deep.mkdir()
        except OSError:
            break
    assert found(tmp_path) == ["a.py"]


def test_a_folder_that_vanishes_keeps_no_other_from_being_looked_at(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "b/b.py", "c/c.py", "d/d.py")
    files = Walk(Discovery(here=tmp_path), str(tmp_path)).files(["."])
    found = [next(files).path]
    shutil.rmtree(tmp_path / "c")
    found += [file.path for file in files]
    assert sorted(found) == ["a.py", "b/b.py", "d/d.py"]


def test_a_file_that_is_larger_than_it_says() -> None:
    """As one is that grows; those of the system say that they are empty."""
    assert load("/proc/self/status", 1_000_000)[0].startswith(b"Name:")
    with pytest.raises(TooLargeError):
        load("/proc/self/status", 10)


def test_a_link_to_nothing_is_a_finding_when_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "gone.py").symlink_to("nosuch.py")
    (tmp_path / "round.py").symlink_to("round.py")
    assert check("gone.py", "round.py", cwd=tmp_path).codes == ["NPU001", "NPU001"]
    assert check(cwd=tmp_path).codes == []


def test_a_file_of_unknown_kind_is_told_when_it_is_named(tmp_path: Path) -> None:
    tree(tmp_path, "notes.xyz")
    ran = check("notes.xyz", cwd=tmp_path)
    assert (ran.code, ran.findings) == (0, [])
    assert "notes.xyz" in ran.err


def test_problems_of_files_are_rules_like_others(tmp_path: Path) -> None:
    (tmp_path / "gone.py").symlink_to("nosuch.py")
    assert check("gone.py", "--ignore", "NPU001", cwd=tmp_path).code == 0
    ran = check("gone.py", "--config", 'severity = {"NPU001" = "info"}', cwd=tmp_path)
    assert (ran.code, ran.findings[0]["severity"]) == (0, "info")
