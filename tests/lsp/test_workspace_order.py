"""How far a scan of the workspace is, and that it can be stopped: what changes afterwards is looked at alone."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from npu_lsp.lsp.client import Client
from npu_lsp.lsp.features import workspace_diagnostics
from npu_lsp.lsp.features.workspace_diagnostics import WorkspaceDiagnostics
from npu_lsp.lsp.projects import Workspace
from npu_lsp.lsp.session import Session

WRONG = "export HCCL_BUFFSIZ=200\n"
COUNT = 600


class _Wire:
    """What the client is told, and asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []
        self.work: list[asyncio.Future[Any]] = []

    def background(self, work: Coroutine[Any, Any, Any]) -> None:
        self.work.append(asyncio.ensure_future(work))

    async def ask(self, method: str, params: Any) -> None:
        self.asked.append((method, params))

    def notify(self, method: str, params: Any) -> None:
        pass


@pytest.mark.parametrize("stopped", [False, True])
async def test_progress_is_shown_and_can_be_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped: bool
) -> None:
    monkeypatch.setattr(workspace_diagnostics, "_SOON", 0)
    for number in range(COUNT):
        (tmp_path / f"{number}.sh").write_text(WRONG, encoding="utf-8")
        os.utime(tmp_path / f"{number}.sh", (1_700_000_000, 1_700_000_000))
    told: list[dict[str, Any]] = []
    session = Session(Client(shows_progress=True, pulls=True), lambda _, params: told.append(params))
    session.projects.workspaces = (Workspace(tmp_path, {"diagnosticMode": "workspace"}),)
    wire: Any = _Wire()
    diagnostics = WorkspaceDiagnostics(session, wire)
    diagnostics.renew()
    while not told or (stopped and not diagnostics._found):
        await asyncio.sleep(0)
    if stopped:
        diagnostics.cancelled(types.WorkDoneProgressCancelParams(told[0]["token"]))
    await asyncio.gather(*wire.work)
    assert wire.asked == [(types.WINDOW_WORK_DONE_PROGRESS_CREATE, {"token": told[0]["token"]})]
    kinds = [each["value"]["kind"] for each in told]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    found = await diagnostics.pull(types.WorkspaceDiagnosticParams([]))
    assert (len(found["items"]) == COUNT) is not stopped
    if stopped:
        # What changes is looked at, and nothing else.
        before, new = len(found["items"]), tmp_path / "new.sh"
        new.write_text(WRONG, encoding="utf-8")
        diagnostics.files_changed(
            types.DidChangeWatchedFilesParams([types.FileEvent(new.as_uri(), types.FileChangeType.Created)])
        )
        diagnostics._take_changes()
        await asyncio.gather(*wire.work)
        found = await diagnostics.pull(types.WorkspaceDiagnosticParams([]))
        assert len(found["items"]) == before + 1
        # Asked for anew, all is.
        diagnostics.renew()
        await asyncio.gather(*wire.work)
        found = await diagnostics.pull(types.WorkspaceDiagnosticParams([]))
        assert len(found["items"]) == COUNT + 1


async def test_a_scan_that_is_begun_anew_says_nothing_of_the_old_configuration(tmp_path: Path) -> None:
    for number in range(COUNT):
        (tmp_path / f"{number}.sh").write_text(WRONG, encoding="utf-8")
    session = Session(Client(pulls=True))
    session.projects.workspaces = (Workspace(tmp_path, {"diagnosticMode": "workspace"}),)
    wire: Any = _Wire()
    diagnostics = WorkspaceDiagnostics(session, wire)
    diagnostics.renew()
    while not diagnostics._found:
        await asyncio.sleep(0)
    (tmp_path / "npu-lsp.toml").write_text('ignore = ["NPU101"]\n', encoding="utf-8")
    session.projects.forget()
    diagnostics.renew()
    await asyncio.gather(*wire.work)
    assert (await diagnostics.pull(types.WorkspaceDiagnosticParams([])))["items"] == []


async def test_changes_that_change_nothing_are_looked_at_less_and_less(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(WRONG, encoding="utf-8")
    log = tmp_path / "steps.yaml"
    session = Session(Client(pulls=True))
    session.projects.workspaces = (Workspace(tmp_path, {"diagnosticMode": "workspace"}),)
    wire: Any = _Wire()
    diagnostics = WorkspaceDiagnostics(session, wire)
    diagnostics.renew()
    await asyncio.gather(*wire.work)
    calm = [diagnostics._calm]
    for path, text in ((log, "a: 1\n"), (log, "a: 2\n"), (tmp_path / "a.sh", "x=1\n")):
        path.write_text(text, encoding="utf-8")
        event = types.FileEvent(path.as_uri(), types.FileChangeType.Changed)
        diagnostics.files_changed(types.DidChangeWatchedFilesParams([event]))
        diagnostics._take_changes()
        await asyncio.gather(*wire.work)
        calm.append(diagnostics._calm)
    assert calm[0] < calm[1] < calm[2]
    assert calm[3] == calm[0]
    assert not diagnostics._found
