"""A file that differs shows what differs, and how to renew it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import RENEW, agrees


def test_a_difference_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(RENEW, raising=False)
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\r\ntwo\n")
    agrees(path, "one\r\ntwo\n")
    with pytest.raises(pytest.fail.Exception) as failed:
        agrees(path, "one\ntwo\n")
    told = str(failed.value)
    assert r"-one\r\n" in told
    assert r"+one\n" in told
    assert f"{RENEW}=1 python -m pytest 'tests/test_golden.py::test_a_difference_is_shown'" in told
    monkeypatch.setenv(RENEW, "1")
    agrees(path, "one\ntwo\n")
    assert path.read_bytes() == b"one\ntwo\n"


def test_a_file_that_is_not_there_differs_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(RENEW, raising=False)
    with pytest.raises(pytest.fail.Exception):
        agrees(tmp_path / "a.txt", "")
