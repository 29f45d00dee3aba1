"""What is looked at beside a file is noted for that file, and for no other one."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import pytest

from npu_lsp.text.dependencies import Fingerprint, Memory, exists, look, names_below, once, recording


def test_who_asked_first_is_told_last(tmp_path: Path) -> None:
    with recording() as outer:
        with recording() as inner:
            pass
        look(tmp_path / "a")
    assert inner == {}
    assert outer == {str(tmp_path / "a"): None}


def test_another_thread_looks_for_itself(tmp_path: Path) -> None:
    begun, done = Event(), Event()
    found: list[dict[str, Fingerprint]] = []

    def work() -> None:
        with recording() as noted:
            begun.set()
            done.wait(10)
            look(tmp_path / "theirs")
        found.append(noted)

    thread = Thread(target=work)
    thread.start()
    begun.wait(10)
    with recording() as ours:
        look(tmp_path / "ours")
    done.set()
    thread.join()
    assert list(ours) == [str(tmp_path / "ours")]
    assert [list(each) for each in found] == [[str(tmp_path / "theirs")]]


def test_a_run_looks_once_and_each_of_its_files_has_the_look(tmp_path: Path) -> None:
    file = tmp_path / "requirements.txt"
    memory: Memory = {}
    with recording(memory) as first:
        assert not once(exists, file)
    file.write_text("torch-npu==2.7.1", encoding="utf-8")
    with recording(memory) as second:
        assert not once(exists, file)
    assert first == second == {str(file): None}
    with recording({}) as other:
        assert once(exists, file)
    assert other[str(file)] is not None
    with recording() as anew:
        assert once(exists, file)
    assert anew == other


def test_what_is_found_out_within_another_question_is_noted_for_both(tmp_path: Path) -> None:
    def outer(folder: Path) -> bool:
        return once(exists, folder / "a") or once(exists, folder / "b")

    memory: Memory = {}
    with recording(memory):
        once(exists, tmp_path / "b")
    for _ in range(2):
        with recording(memory) as noted:
            assert not once(outer, tmp_path)
        assert noted == {str(tmp_path / name): None for name in "ab"}


def test_a_folder_with_too_much_in_it_is_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / name).touch()
    assert names_below(tmp_path, "", 2) == {"a", "b"}
    assert names_below(tmp_path, "", 1) == frozenset()
    asked: list[int] = []

    def endless() -> Generator[SimpleNamespace, None, None]:
        for number in range(1_000_000):
            asked.append(number)
            yield SimpleNamespace(name=f"{number}.yaml")

    monkeypatch.setattr(os, "scandir", lambda _: closing(endless()))
    assert names_below(tmp_path, "", 50) == frozenset()
    assert len(asked) == 51
