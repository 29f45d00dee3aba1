"""Files are replaced at once, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from npu_lsp.checking import writing
from npu_lsp.checking.loading import state_of
from tests.checking.command import names


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


def test_what_a_file_has_besides_its_content_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("old")
    path.chmod(0o2750)
    marks = {"user.comment": b"mine", "user.empty": b""}
    for name, value in marks.items():
        os.setxattr(path, name, value)
    before = path.stat()
    writing.replace(os.fspath(path), b"new", state_of(before))
    after = path.stat()
    assert path.read_bytes() == b"new"
    assert {name: os.getxattr(path, name) for name in os.listxattr(path)} == marks
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_a_file_that_would_lose_an_attribute_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.py"
    path.write_text("old")
    os.setxattr(path, "user.comment", b"mine")

    def refuse(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "setxattr", refuse)
    with pytest.raises(writing.KeptError, match=r"user\.comment"):
        writing.replace(os.fspath(path), b"new", None)
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.py"]


def test_an_owner_that_may_not_be_set_takes_what_acts_for_him_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.py"
    path.write_text("old")
    path.chmod(0o6755)
    status = path.stat()
    other = os.stat_result((*status[:4], status.st_uid + 1, *status[5:]))
    handle = os.open(path, os.O_RDONLY)

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", refuse)
    writing.take_over(os.fspath(path), other, handle)
    os.close(handle)
    assert path.stat().st_mode & 0o7777 == 0o755


def test_a_file_with_more_than_one_name_is_left_alone(tmp_path: Path) -> None:
    path, other = tmp_path / "a.py", tmp_path / "b.txt"
    path.write_text("old")
    other.hardlink_to(path)
    with pytest.raises(writing.KeptError):
        writing.replace(os.fspath(path), b"new", None)
    assert (path.read_text(), path.stat().st_nlink) == ("old", 2)
    assert names(tmp_path) == ["a.py", "b.txt"]


def test_a_link_is_replaced_only_where_it_was_named(tmp_path: Path) -> None:
    path, link = tmp_path / "a.py", tmp_path / "link.py"
    path.write_text("old")
    link.symlink_to("a.py")
    with pytest.raises(writing.ChangedError):
        writing.replace(os.fspath(link), b"new", None)
    assert path.read_text() == "old"
    writing.replace(os.fspath(link), b"new", state_of(path.stat()), links=True)
    assert (path.read_text(), link.is_symlink()) == ("new", True)
