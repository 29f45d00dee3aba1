"""What the server does when nobody asks: it warms up, and it tidies up."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable, Iterator

import pytest

from npu_lsp.lsp import memory, warming


def _run(pending: Callable[[], bool], seconds: float) -> None:
    async def serve() -> None:
        warming.Warming(pending).start()
        await asyncio.sleep(seconds)

    asyncio.run(serve())


def test_the_client_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []

    def pieces() -> Iterator[None]:
        for number in range(3):
            done.append(number)
            yield

    monkeypatch.setattr(warming, "_pieces", pieces)
    _run(lambda: True, 0.1)
    assert done == []
    _run(lambda: False, 0.1)
    assert done == [0, 1, 2]


def test_what_fails_while_warming_up_is_logged_and_left(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def pieces() -> Iterator[None]:
        yield
        raise ImportError("gone")

    monkeypatch.setattr(warming, "_pieces", pieces)
    _run(lambda: False, 0.05)
    assert [record.message for record in caplog.records] == ["warming up failed"]


def test_all_of_it_works() -> None:
    frozen = gc.get_freeze_count()
    for _ in warming._pieces():
        pass
    assert gc.get_freeze_count() > frozen
    gc.unfreeze()


def test_closed_documents_leave_nothing() -> None:
    class Cycle:
        def __init__(self) -> None:
            self.itself = self

    tasks: list[Callable[[], None]] = []
    leftovers = memory.Leftovers(tasks.append)
    gc.disable()
    try:
        kept = weakref.ref(Cycle())
        for _ in range(49):
            leftovers.closed()
        assert tasks == []
        leftovers.closed()
        assert len(tasks) == 1
        assert kept() is not None
        tasks.pop()()
        assert kept() is None
    finally:
        gc.enable()
