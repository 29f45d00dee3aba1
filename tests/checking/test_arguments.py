"""Arguments of `npu-lsp check` that go together, and those that don't."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.checking.command import check, names, npu_lsp
from tests.patience import PATIENCE
from tests.together import together

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
SAFE = 'op.parameter_map["use_off_line"].b = "True"\n'


@together(
    ("arguments", "told"),
    [
        (["--statistics", "--format", "sarif"], "--output-format sarif can't show --statistics; these can: full,"),
        (["--statistics", "--format", "json-lines"], "can't show --statistics"),
        (["--group-by", "file"], "--group-by goes with --statistics"),
        (["--show-fixes"], "--show-fixes goes with --fix"),
        (["--exit-non-zero-on-fix", "--diff"], "--exit-non-zero-on-fix goes with --fix"),
        (["--add-ignores", "--fix"], "--add-ignores doesn't go with --fix"),
        (["--watch", "-"], "--watch doesn't go with -"),
        (["--show-files", "--watch"], "--watch doesn't go with --show-files"),
        (["--show-files", "--fix"], "--show-files doesn't go with --fix"),
        (["--show-files", "--add-ignores"], "--show-files doesn't go with --add-ignores"),
        (["--show-files", "--statistics"], "--show-files doesn't go with --statistics"),
        (["--show-files", "--write-baseline"], "--show-files doesn't go with --write-baseline"),
        (["--show-files", "-o", "files.txt"], "--show-files doesn't go with --output-file"),
        (["--diff", "--statistics"], "--diff doesn't go with --statistics"),
        (["--diff", "--write-baseline"], "--diff doesn't go with --write-baseline"),
        (["--write-baseline", "-o", "report.txt"], "--write-baseline doesn't go with --output-file"),
        (["--write-baseline", "--statistics"], "--write-baseline doesn't go with --statistics"),
        (["--stdin-filename", "b.py", "a.py"], "--stdin-filename goes with -"),
        (["-j", "many"], "must be from 1 to 1024"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SAFE)
    ran = npu_lsp("check", *arguments, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert (tmp_path / "a.py").read_text() == SAFE


def test_counts_are_shown_whatever_format_the_configuration_has(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text('output-format = "sarif"\n')
    (tmp_path / "a.py").write_text(WRONG)
    ran = npu_lsp("check", "--statistics", cwd=tmp_path)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("1  [ ]  NPU101  unknown-option")


@pytest.mark.parametrize("report", ["full", "concise", "sarif"])
def test_a_report_in_a_file_leaves_stdout_empty(report: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(WRONG)
    ran = npu_lsp("check", "--format", report, "-o", "report.txt", cwd=tmp_path)
    assert (ran.code, ran.out) == (1, "")
    assert "NPU101" in (tmp_path / "report.txt").read_text()
    assert ("Found 1 error in 1 file." in ran.err) is (report != "sarif")


def test_a_diff_goes_into_a_file_too(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SAFE)
    shown = npu_lsp("check", "--diff", cwd=tmp_path)
    ran = npu_lsp("check", "--diff", "-o", "fixes.diff", cwd=tmp_path)
    assert (ran.code, ran.out, ran.err) == (1, "", shown.err)
    assert (tmp_path / "fixes.diff").read_text() == shown.out != ""


def test_what_is_left_for_unsafe_fixes_is_told_after_fixing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SAFE + WRONG)
    ran = npu_lsp("check", "--fix", "--format", "concise", cwd=tmp_path)
    assert ran.out.splitlines()[1:] == [
        "Fixed 1 finding.",
        "Found 1 error in 1 file.",
        "No fixes available without `--unsafe-fixes`, which has 1.",
    ]
    assert "unsafe" not in npu_lsp("check", "--diff", cwd=tmp_path).err
    assert "unsafe" not in npu_lsp("check", "--fix", "--unsafe-fixes", cwd=tmp_path).out
    (tmp_path / "a.py").write_text(WRONG)
    assert "unsafe" not in npu_lsp("check", "--add-ignores", cwd=tmp_path).out


def test_fixes_can_be_listed_and_fail_the_run(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(SAFE + SAFE.replace("use_off_line", "mix_compile_mode"))
    shown = npu_lsp("check", "--diff", "--show-fixes", cwd=tmp_path)
    assert shown.err == "Would fix 4 findings in 2 files.\n  a.py: NPU103×2\n  b.py: NPU103×2\n"
    shown = npu_lsp("check", "--diff", "--show-fixes", "--quiet", cwd=tmp_path)
    assert shown.err == "  a.py: NPU103×2\n  b.py: NPU103×2\n"
    ran = npu_lsp("check", "--fix", "--show-fixes", "--exit-non-zero-on-fix", cwd=tmp_path)
    assert ran.code == 1
    assert ran.out == "Fixed 4 findings.\n  a.py: NPU103×2\n  b.py: NPU103×2\nAll checks passed!\n"
    assert npu_lsp("check", "--fix", "--exit-non-zero-on-fix", cwd=tmp_path).code == 0
    (tmp_path / "a.py").write_text(SAFE)
    ran = npu_lsp("check", "--fix", "--show-fixes", "--format", "json", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "Fixed 1 finding.\n  a.py: NPU103\n")


def test_the_files_of_a_run_can_be_listed(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("sub/b.sh", "a.py", "notes.txt", "LICENSE", "Dockerfile"):
        (tmp_path / name).write_text("x\n")
    (tmp_path / "script").write_text("#!/bin/bash\n")
    (tmp_path / "npu-lsp.toml").write_text('extend-exclude = ["Docker*"]\n')
    ran = npu_lsp("check", "--show-files", cwd=tmp_path)
    assert (ran.code, ran.out, ran.err) == (0, "a.py\nscript\nsub/b.sh\n", "")
    assert npu_lsp("check", "--show-files", "*.nosuch", cwd=tmp_path).code == 2
    shards = [npu_lsp("check", "--show-files", "--shard", f"{n}/2", cwd=tmp_path).out for n in (1, 2)]
    assert sorted("".join(shards).splitlines()) == ["a.py", "script", "sub/b.sh"]


def test_a_file_may_hold_the_arguments(tmp_path: Path) -> None:
    (tmp_path / "a b.py").write_text(WRONG)
    (tmp_path / "@odd.py").write_text(SAFE)
    (tmp_path / "arguments").write_text("--output-format\njson\n\n--select=NPU101\na b.py\n")
    assert npu_lsp("check", "@arguments", cwd=tmp_path).codes == ["NPU101"]
    # A file of that name is a path, and so is anything behind the sign that ends options.
    assert check("@odd.py", cwd=tmp_path).codes == ["NPU103"]
    assert npu_lsp("check", "--", "@arguments", cwd=tmp_path).code == 2
    ran = npu_lsp("check", "@nosuch", cwd=tmp_path)
    assert (ran.code, ran.err) == (2, "npu-lsp: nosuch: No such file or directory\n")
    # The command may be the first of them.
    (tmp_path / "all").write_text("check\n--output-format=json\n")
    assert npu_lsp("@all", "--select", "NPU101", "a b.py", cwd=tmp_path).codes == ["NPU101"]
    ran = npu_lsp("@nosuch", cwd=tmp_path)
    assert (ran.code, ran.err) == (2, "npu-lsp: nosuch: No such file or directory\n")


def test_a_folder_is_watched(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(WRONG)
    environment = {**os.environ, "NPU_LSP_NO_CACHE": "1", "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
    with (tmp_path / "out.log").open("w") as out, (tmp_path / "err.log").open("w") as err:
        command = [sys.executable, "-m", "npu_lsp", "check", "--watch", "--format", "concise"]
        process = subprocess.Popen(command, cwd=tmp_path, stdout=out, stderr=err, env=environment)

    def told(name: str, word: str, times: int) -> Callable[[], bool]:
        return lambda: (tmp_path / name).read_text().count(word) >= times

    try:
        wait_until(told("err.log", "Watching for changes", 1))
        assert "a.py:1:19:" in (tmp_path / "out.log").read_text()
        path.write_text("x = 1\n")
        wait_until(told("out.log", "All checks passed!", 1))
        (tmp_path / "b.py").write_text(WRONG)
        wait_until(told("out.log", "b.py:1:19:", 1))
        # A configuration counts from when it is there, and one that can't be used ends nothing.
        (tmp_path / "npu-lsp.toml").write_text('ignore = ["NPU1')
        wait_until(told("err.log", "npu-lsp.toml:1:", 1))
        (tmp_path / "npu-lsp.toml").write_text('ignore = ["NPU101"]\n')
        wait_until(told("out.log", "All checks passed!", 2))
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    finally:
        process.kill()
        process.wait()
    assert "\x1b" not in (tmp_path / "out.log").read_text()


def wait_until(done: Callable[[], bool]) -> None:
    """Wait for what is meant; nothing depends on how long that takes."""
    latest = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < latest, "it never came"
        time.sleep(0.05)


def test_the_cache_can_be_removed(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for folder in (tmp_path, tmp_path / "sub"):
        (folder / "a.py").write_text(WRONG)
        (folder / "npu-lsp.toml").write_text("")
    assert npu_lsp("check", cwd=tmp_path, env={"NPU_LSP_NO_CACHE": ""}).code == 1
    caches = [tmp_path / ".npu-lsp-cache", tmp_path / "sub" / ".npu-lsp-cache"]
    assert all(cache.is_dir() for cache in caches)
    ran = npu_lsp("clean", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [f"removed {cache}" for cache in caches]
    assert names(tmp_path) == ["a.py", "npu-lsp.toml", "sub"]
    ran = npu_lsp("clean", cwd=tmp_path)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    for path in ("nosuch", "a.py"):
        ran = npu_lsp("clean", path, cwd=tmp_path)
        assert (ran.code, ran.out, ran.err) == (2, "", f"npu-lsp: error: {path}: there is no folder of that name\n")


def test_nothing_else_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "mine.txt").write_text("x")
    ran = npu_lsp("clean", "--cache-dir", "data", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "mine.txt" in ran.err
    assert names(folder) == ["mine.txt"]
    (tmp_path / ".npu-lsp-cache").symlink_to(folder)
    assert npu_lsp("clean", cwd=tmp_path).code == 2
    assert names(folder) == ["mine.txt"]
