"""What a command does when nobody reads what it says, or nothing more can be written: its own answer, and no complaint of Python's."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest

from npu_lsp.commands.main import command_names
from tests import forks
from tests.patience import PATIENCE

WRONG = "export ASCEND_RT_VISIBLE_DEVICE=0\n"
EACH = (
    (1, "check", "."),
    (0, "settings", "."),
    (0, "options"),
    (1, "profile", "determinism", "."),
    (1, "diff", "a.sh", "b.sh"),
    (0, "upgrade", "--from", "cann=8.0", "--to", "cann=8.0", "."),
    (0, "rule", "NPU101"),
    (0, "explain", "E10001"),
    (0, "config"),
    (0, "schema", "acl_json"),
    (0, "snapshot"),
    (0, "merge", "1.json"),
    (0, "clean"),
    (0, "doctor"),
    (0, "completion", "bash"),
    (0, "help", "check"),
    (0, "--version"),
    (0, "--help"),
    (1, "check", "--diff", "."),
)
"""The exit code of each command, and its arguments."""
named = pytest.mark.parametrize(("code", "arguments"), [(each[0], each[1:]) for each in EACH])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.sh").write_text(WRONG)
    (tmp_path / "train.py").write_text('op.parameter_map["use_off_line"].b = "True"\n')
    (tmp_path / "b.sh").write_text(WRONG.replace("=0", "=1"))
    (tmp_path / "1.json").write_text('{"version": 1, "findings": []}')
    return tmp_path


def run(
    folder: Path, arguments: tuple[str, ...], stdout: int, variables: dict[str, str] | None = None
) -> tuple[int, str]:
    """Return the exit code, and what is said on stderr."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environment |= {"NPU_LSP_NO_CACHE": "1", "LC_ALL": "C.UTF-8", **(variables or {})}
    if forks.possible(environment):
        process = forks.Process(arguments, folder, environment, stdout)
        said = process.communicate(b"", PATIENCE)[1].decode("utf-8")
        return process.wait(), said
    done = subprocess.run(
        [sys.executable, "-m", "npu_lsp", *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stderr


@contextmanager
def unread() -> Iterator[int]:
    """Give a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        yield writer
    finally:
        os.close(writer)


def test_each_command_is_tried() -> None:
    assert {each[1] for each in EACH} >= {*command_names()} - {"serve", "mcp"}


@named
def test_a_reader_that_is_gone_changes_nothing_else(folder: Path, code: int, arguments: tuple[str, ...]) -> None:
    with unread() as pipe:
        ended, said = run(folder, arguments, pipe)
    assert ended == code
    assert "Error" not in said


@named
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is full")
def test_no_room_is_told_in_a_line(folder: Path, code: int, arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb", buffering=0) as full:
        ended, said = run(folder, arguments, full.fileno())
    if arguments == ("clean",):  # nothing is to be said
        assert (ended, said) == (code, "")
    else:
        assert (ended, said.splitlines()[-1]) == (2, f"npu-lsp: {os.strerror(errno.ENOSPC)}")


CHINESE = pytest.mark.parametrize(
    "arguments",
    [("rule", "NPU101"), ("options", "--format", "html"), ("help", "check"), ("check", "--exit-zero", ".")],
    ids=" ".join,
)


@CHINESE
def test_a_terminal_that_has_no_sign_for_something_gets_it_escaped(folder: Path, arguments: tuple[str, ...]) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    said: list[bytes] = []

    def read() -> None:
        with suppress(OSError):  # Linux says so that nobody writes any more
            while piece := os.read(ours, 1 << 16):
                said.append(piece)

    reader = Thread(target=read)
    reader.start()
    ended = run(folder, (*arguments, "--lang", "zh"), theirs, {"PYTHONIOENCODING": "ascii"})
    os.close(theirs)
    reader.join(PATIENCE)
    os.close(ours)
    assert ended == (0, "")
    assert b"".join(said).isascii()
    assert rb"\u" in b"".join(said)


@CHINESE
def test_a_file_is_utf_8_whatever_the_locale(folder: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with (tmp_path / "said").open("wb") as file:
        assert run(folder, (*arguments, "--lang", "zh"), file.fileno(), {"PYTHONIOENCODING": "gbk"}) == (0, "")
    assert re.search("[\u4e00-\u9fff]", (tmp_path / "said").read_text(encoding="utf-8"))
