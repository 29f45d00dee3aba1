"""What the server does when nobody asks: it warms up, and it tidies up."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import textwrap
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from typing import cast

import pytest
from lsprotocol.types import TextDocumentItem

from npu_lsp.lsp import endpoint, warm_up
from npu_lsp.lsp.documents import OpenDocument
from npu_lsp.lsp.features import synchronization
from npu_lsp.lsp.project import Project
from npu_lsp.lsp.session import Work
from tests.lsp.wire import Wire
from tests.patience import PATIENCE

LATER = {
    "npu_lsp.docs.markdown", "npu_lsp.text.toml_shape", "npu_lsp.docs.render", "npu_lsp.checking.checker", "npu_lsp.config.apply",
    "npu_lsp.config.keys", "npu_lsp.lsp.features.code_actions", "npu_lsp.lsp.features.completion", "npu_lsp.lsp.features.definition",
    "npu_lsp.lsp.features.document_links", "npu_lsp.lsp.features.workspace_symbols", "npu_lsp.lsp.features.hover", "npu_lsp.lsp.features.status",
    "npu_lsp.lsp.features.targets", "npu_lsp.rules.fixes.op_precision_file", "npu_lsp.languages.hosts", "npu_lsp.languages.python.dataflow.texts",
    "npu_lsp.languages.python.completing.fragment", "npu_lsp.languages.shell.commands", "npu_lsp.reports", "npu_lsp.languages.python.writer", "tree_sitter",
    "difflib", "hashlib", "ssl",
}  # fmt: skip
"""What the first file must not wait for."""


def _run(pending: Callable[[], bool], done: Callable[[], bool]) -> None:
    """Warm up until that is `done`."""

    async def serve() -> None:
        warm_up.WarmUp(pending).start()
        while not done():
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(serve(), PATIENCE))


def _is_threshold(wanted: tuple[int, int, int]) -> bool:
    return gc.get_threshold() == wanted


def test_the_client_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []

    def pieces() -> Iterator[None]:
        for number in range(3):
            done.append(number)
            yield

    monkeypatch.setattr(warm_up, "_pieces", pieces)
    asked: list[int] = []

    def busy() -> bool:
        asked.append(len(done))
        return True

    _run(busy, lambda: len(asked) >= 3)
    assert done == []
    _run(lambda: False, lambda: len(done) == 3)
    assert done == [0, 1, 2]


def test_a_text_that_is_analysed_goes_first_too() -> None:
    gate = threading.Event()
    project = SimpleNamespace(findings=lambda *_, **__: gate.wait(60))
    unit = OpenDocument(TextDocumentItem("untitled:a.py", "python", 1, ""), "utf-16").unit

    async def serve() -> list[bool]:
        work = Work()
        preparing = asyncio.ensure_future(work.prepare(unit, cast(Project, project)))
        await asyncio.sleep(0)
        busy = [work.busy]
        gate.set()
        await preparing
        await asyncio.sleep(0)
        return [*busy, work.busy]

    assert asyncio.run(serve()) == [True, False]


def test_what_fails_while_warming_up_is_logged_and_left(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def pieces() -> Iterator[None]:
        yield
        raise ImportError("gone")

    monkeypatch.setattr(warm_up, "_pieces", pieces)
    _run(lambda: False, lambda: bool(caplog.records))
    assert [record.message for record in caplog.records] == ["warming up failed"]


def test_all_of_it_works() -> None:
    frozen = gc.get_freeze_count()
    for _ in warm_up._pieces():
        pass
    assert gc.get_freeze_count() > frozen
    gc.unfreeze()


def test_the_collector_looks_as_often_as_before_when_all_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    before = gc.get_threshold()
    try:
        for pieces in (lambda: iter(()), lambda: (1 / 0 for _ in "once")):
            warm_up.calm_collector()
            calm = gc.get_threshold()
            monkeypatch.setattr(warm_up, "_pieces", pieces)
            _run(lambda: False, partial(_is_threshold, calm))
            assert gc.get_threshold() == calm
    finally:
        gc.set_threshold(*before)


def test_the_first_diagnostics_wait_for_nothing_that_they_do_not_need() -> None:
    program = """
        import sys
        from npu_lsp.commands.serve import _leave_out_tls
        _leave_out_tls()
        from npu_lsp.lsp import warm_up
        from npu_lsp.lsp.protocol import Protocol
        warm_up._pieces = lambda: iter(())
        before = Protocol.notify
        def notify(self, method, params=None):
            if method == "textDocument/publishDiagnostics":
                before(self, "loaded", sorted(sys.modules))
            before(self, method, params)
        Protocol.notify = notify
        from npu_lsp.commands.main import main
        sys.exit(main(["serve"]))
    """
    with Wire((sys.executable, "-c", textwrap.dedent(program))) as wire:
        # As VS Code sends what nobody has changed.
        settings = {
            "language": "auto",
            "select": [],
            "target": {"cann": "", "products": []},
            "trace": {"lsp.server": "off"},
        }
        options = {"npuLsp": settings}
        wire.request("initialize", {"processId": None, "capabilities": {}, "initializationOptions": options})
        wire.notify("initialized", {})
        wire.open("untitled:a.py", 'custom_op.parameter_map["use_off_line"].b = True\n')
        wire.diagnostics("untitled:a.py")
        loaded = set(wire.messages("loaded")[0]["params"])
    assert {"npu_lsp.languages.python.parsing", "npu_lsp.rules.unknown_option"} <= loaded
    assert loaded & LATER == set()


def test_closed_documents_leave_nothing() -> None:
    class Cycle:
        def __init__(self) -> None:
            self.itself = self

    tasks: list[Callable[[], None]] = []
    leftovers = synchronization.Leftovers(tasks.append)
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


def test_a_parent_that_is_gone_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "PAUSE", 0.01)
    mine = os.getppid()

    async def ended(claimed: object) -> bool:
        over = asyncio.Event()
        endpoint.watch_parent(claimed, over.set)
        await asyncio.sleep(0.03)
        assert not over.is_set()
        monkeypatch.setattr(os, "getppid", lambda: 1)
        with suppress(asyncio.TimeoutError):
            # What never comes isn't waited for: to be too soon, it had to come at once.
            await asyncio.wait_for(over.wait(), PATIENCE if claimed == mine else 0.1)
        monkeypatch.setattr(os, "getppid", lambda: mine)
        return over.is_set()

    assert asyncio.run(ended(mine))
    # What a client behind a shell says means nothing here.
    assert not asyncio.run(ended(mine + 1))
    assert not asyncio.run(ended(None))
