"""What is looked at beside a file is noted for that file, and for no other one."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

from npu_lsp.text.dependencies import Look, look, recording


def test_who_asked_first_is_told_last(tmp_path: Path) -> None:
    with recording() as outer:
        with recording() as inner:
            pass
        look(tmp_path / "a")
    assert inner == {}
    assert outer == {str(tmp_path / "a"): None}


def test_another_thread_looks_for_itself(tmp_path: Path) -> None:
    begun, done = Event(), Event()
    found: list[dict[str, Look]] = []

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
