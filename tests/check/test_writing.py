"""Files are replaced at once, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from npu_lsp.checking import writing
from npu_lsp.checking.loading import state_of
from tests.check.command import names


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("old")
    seen = state_of(path.stat())
    path.write_text("someone else's")
    with pytest.raises(writing.ChangedError):
        writing.replace(os.fspath(path), b"new", seen)
    assert path.read_text() == "someone else's"
    assert names(tmp_path) == ["a.py"]


def test_a_file_that_may_not_be_written_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.py"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError):
        writing.replace(os.fspath(path), b"new", None)
    assert path.read_text() == "old"


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.py"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        writing.replace(os.fspath(path), b"new", None)
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.py"]


def test_creating_never_replaces(tmp_path: Path) -> None:
    path = tmp_path / "a.ini"
    writing.create(os.fspath(path), b"one")
    writing.create(os.fspath(path), b"one")
    with pytest.raises(FileExistsError):
        writing.create(os.fspath(path), b"other")
    assert path.read_bytes() == b"one"
    assert names(tmp_path) == ["a.ini"]
