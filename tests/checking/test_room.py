"""No room on the disk, nowhere to write: what is there stays whole, and the reason is told in a line."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.checking.command import names
from tests.patience import PATIENCE

SAFE = "#" * 5000 + '\nop.parameter_map["use_off_line"].b = "True"\n'


def run(*arguments: str, cwd: Path, before: Callable[[], None] | None = None, **more: int) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "npu_lsp", *arguments],
        cwd=cwd,
        env={**os.environ, "NPU_LSP_NO_CACHE": "", "CI": ""},
        preexec_fn=before,
        check=False,
        timeout=PATIENCE,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more},  # type: ignore[call-overload]
    )
    return done.returncode, (done.stdout or b"").decode(), (done.stderr or b"").decode()


def no_room() -> None:
    """Let this process write no file beyond 1,000 bytes, as on a disk with so much left."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(SAFE)
    return tmp_path


def test_a_fix_that_finds_no_room_changes_nothing(folder: Path) -> None:
    code, out, err = run("check", "--fix", "--no-cache", cwd=folder, before=no_room)
    assert (code, "NPU103" in out) == (1, True)
    assert err == "npu-lsp: warning: train.py: can't be written (File too large); nothing was fixed\n"
    assert (folder / "train.py").read_text() == SAFE
    assert names(folder) == ["train.py"]


def test_a_report_that_finds_no_room_leaves_the_old_one(folder: Path) -> None:
    (folder / "report.sarif").write_text("old")
    arguments = ("check", "--no-cache", "--output-format", "sarif", "-o", "report.sarif")
    assert run(*arguments, cwd=folder, before=no_room) == (2, "", "npu-lsp: report.sarif: File too large\n")
    assert (folder / "report.sarif").read_text() == "old"
    assert names(folder) == ["report.sarif", "train.py"]


def test_a_baseline_that_finds_no_room_leaves_the_old_one(folder: Path) -> None:
    for number in range(40):
        (folder / f"train{number}.py").write_text(SAFE)
    (folder / "npu-lsp-baseline.json").write_text("old")
    assert run("check", "--no-cache", "--write-baseline", cwd=folder, before=no_room)[0] == 2
    assert (folder / "npu-lsp-baseline.json").read_text() == "old"


def test_a_cache_that_finds_no_room_is_none(folder: Path) -> None:
    for number in range(40):
        (folder / f"train{number}.py").write_text(SAFE)
    first = run("check", "--output-format", "concise", cwd=folder, before=no_room)
    assert (first[0], first[2]) == (1, "")
    assert run("check", "--output-format", "concise", cwd=folder) == first


@pytest.mark.parametrize(
    "arguments", [("check", "--no-cache"), ("rule", "--all"), ("options",), ("settings",), ("--version",)]
)
def test_a_stdout_without_room(arguments: tuple[str, ...], folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        code, _, err = run(*arguments, cwd=folder, stdout=full.fileno())
    assert (code, err) == (2, "npu-lsp: No space left on device\n")


@pytest.mark.parametrize("arguments", ["check", "check -", "config", "settings", "options", "doctor"])
def test_a_folder_that_is_gone(arguments: str, folder: Path) -> None:
    gone = folder / "gone"
    gone.mkdir()
    command = f"rmdir '{gone}' && exec '{sys.executable}' -m npu_lsp {arguments} < /dev/null"
    done = subprocess.run(["sh", "-c", command], cwd=gone, capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, b"Traceback" in done.stderr, b"No such file" in done.stdout + done.stderr) == (
        2,
        False,
        True,
    )


@pytest.mark.parametrize("stream", [1, 2])
def test_a_stream_that_is_closed(stream: int, folder: Path) -> None:
    code, _, err = run("check", "--no-cache", cwd=folder, before=lambda: os.close(stream))
    assert (code, err) == (1, "")
