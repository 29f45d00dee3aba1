"""What is looked at beside a file is noted for that file, and for no other one."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

from npu_lsp.text.dependencies import Fingerprint, Memory, exists, look, once, recording


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
