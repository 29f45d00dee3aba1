"""What becomes of a scan of the workspace whose process fails, whose server goes, or whose folder changes meanwhile."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from npu_lsp.lsp.client import Client
from npu_lsp.lsp.features import workspace_scan
from npu_lsp.lsp.features.workspace_diagnostics import WorkspaceDiagnostics
from npu_lsp.lsp.features.workspace_scan import FileDiagnostics, Scan
from npu_lsp.lsp.projects import Workspace
from npu_lsp.lsp.session import Session
from tests.lsp.test_workspace_order import WRONG, _Wire
from tests.lsp.wire import SERVE, Wire
from tests.patience import PATIENCE

WHOLE = {"diagnosticMode": "workspace"}
BROKEN = """
import os, sys
sys.stdin.buffer.read()
sys.stderr.write("no more memory\\n")
print("words of a library")
print('["found", "/w/a.sh", []]')
print(5)
sys.stdout.write('["found", "/w/b.sh", [')
sys.stdout.flush()
os._exit(3)
"""


def _session(*folders: Path) -> Session:
    session = Session(Client(pulls=True))
    session.projects.workspaces = tuple(Workspace(folder, WHOLE) for folder in folders)
    return session


def _diagnostics(session: Session) -> tuple[WorkspaceDiagnostics, list[asyncio.Future[Any]]]:
    wire: Any = _Wire()
    return WorkspaceDiagnostics(session, wire), wire.work


def _event(path: Path, kind: types.FileChangeType) -> types.DidChangeWatchedFilesParams:
    return types.DidChangeWatchedFilesParams([types.FileEvent(path.as_uri(), kind)])


async def test_what_a_run_said_before_it_died_counts_and_its_end_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workspace_scan, "_BEGIN", BROKEN)
    session, said = _session(tmp_path), set[str]()
    logging.getLogger("npu_lsp").propagate = True
    for _ in range(2):
        scan = Scan(session, session.projects.workspaces[0], "", said=said)
        assert [each.path async for each in scan.found()] == ["/w/a.sh"]
        assert not scan.ended
    told = [(each.levelname, each.getMessage()) for each in caplog.records if each.name == workspace_scan.__name__]
    assert told == [
        ("WARNING", "no more memory"),
        ("ERROR", f"the check of {tmp_path} ended before its time, with exit code 3"),
    ]


async def test_a_run_that_is_stopped_tells_of_no_failure(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(100):
        (tmp_path / f"{number}.sh").write_text(WRONG, encoding="utf-8")
    session = _session(tmp_path)
    logging.getLogger("npu_lsp").propagate = True
    scan = Scan(session, session.projects.workspaces[0], os.fspath(tmp_path / "spare"))
    async for _ in scan.found():
        scan.stop()
    assert not [each for each in caplog.records if each.name == workspace_scan.__name__]


async def test_a_folder_that_fails_holds_up_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        (folder / "run.sh").write_text(WRONG, encoding="utf-8")
    found = Scan.found

    def failing(self: Scan) -> Any:
        if self._question.folder == os.fspath(folders[0]):
            raise ValueError
        return found(self)

    monkeypatch.setattr(Scan, "found", failing)
    diagnostics, work = _diagnostics(_session(*folders))
    diagnostics.renew()
    await asyncio.gather(*work, return_exceptions=True)
    assert [told.uri for told in diagnostics._found.values()] == [(folders[1] / "run.sh").as_uri()]


async def test_modules_in_the_folder_are_not_those_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that was started as `python -m npu_lsp` has the folder that it was started in before all others."""
    (tmp_path / "pickle.py").write_text("raise SystemExit(9)\n", encoding="utf-8")
    (tmp_path / "run.sh").write_text(WRONG, encoding="utf-8")
    monkeypatch.syspath_prepend(os.fspath(tmp_path))
    session = _session(tmp_path)
    scan = Scan(session, session.projects.workspaces[0], os.fspath(tmp_path.with_name("spare")))
    assert [os.path.basename(each.path) async for each in scan.found() if each.diagnostics] == ["run.sh"]  # noqa: PTH119
    assert scan.ended


async def test_what_a_scan_read_before_a_change_is_not_said_of_the_closed_document(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text(WRONG, encoding="utf-8")
    session = _session(tmp_path)
    diagnostics, _ = _diagnostics(session)
    diagnostics._scans = 1
    session.documents.open(types.TextDocumentItem(path.as_uri(), "shellscript", 1, "x=1\n"))
    diagnostics.files_changed(_event(path, types.FileChangeType.Changed))
    # The scan at hand had read the file before.
    diagnostics._take(FileDiagnostics(os.fspath(path), path.as_uri(), [{"message": "old"}]))
    session.documents.close(path.as_uri())
    diagnostics.closed(path.as_uri())
    assert not diagnostics._found
    assert [[*paths] for paths in diagnostics._changed.values()] == [[os.fspath(path)]]


@pytest.mark.parametrize("what", ["folder", "file"])
async def test_after_a_stop_what_is_gone_or_as_it_was_is_forgotten(tmp_path: Path, what: str) -> None:
    path = tmp_path / "sub" / "run.sh"
    path.parent.mkdir()
    path.write_text("x=1\n", encoding="utf-8")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    diagnostics, work = _diagnostics(_session(tmp_path))
    diagnostics.renew()
    await asyncio.gather(*work)
    other = tmp_path / "sub" / "other.sh"
    other.write_text(WRONG, encoding="utf-8")
    diagnostics.files_changed(_event(other, types.FileChangeType.Created))
    diagnostics._take_changes()
    await asyncio.gather(*work)
    assert [told.uri for told in diagnostics._found.values()] == [other.as_uri()]
    diagnostics._stopped = True
    if what == "folder":
        shutil.rmtree(path.parent)
        diagnostics.files_changed(_event(path.parent, types.FileChangeType.Deleted))
    else:
        os.replace(path, other)  # noqa: PTH105 - a text that is known to hold nothing
        diagnostics.files_changed(_event(other, types.FileChangeType.Changed))
    diagnostics._take_changes()
    await asyncio.gather(*work)
    assert not diagnostics._found


async def test_no_change_is_lost_while_others_wait(tmp_path: Path) -> None:
    session = _session(tmp_path, tmp_path / "b")
    diagnostics, _ = _diagnostics(session)
    first, second = session.projects.workspaces
    diagnostics._working = True
    diagnostics._waiting = {second: {}}
    for name in ("a.sh", "b.sh"):
        diagnostics._change(first, name)
        diagnostics._take_changes()
    diagnostics._token = "scan"
    diagnostics.cancelled(types.WorkDoneProgressCancelParams("scan"))
    assert diagnostics._waiting == {first: {"a.sh": None, "b.sh": None}}


def _children(pid: int) -> set[int]:
    listed = [each.read_text() for each in Path(f"/proc/{pid}/task").glob("*/children")]
    found = {int(each) for text in listed for each in text.split()}
    return found.union(*map(_children, found))


def _is_alive(pid: int) -> bool:
    try:
        return Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux which processes there are")
@pytest.mark.parametrize("how", ["killed", "client gone"])
def test_a_scan_ends_with_its_server(tmp_path: Path, how: str) -> None:
    for number in range(3000):
        folder = tmp_path / str(number % 100)
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.sh").write_text(WRONG, encoding="utf-8")
    with Wire(SERVE) as wire:
        wire.initialize({}, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "p"}], initializationOptions=WHOLE)
        deadline = time.monotonic() + PATIENCE
        while not (children := _children(wire.process.pid)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert children
        if how == "killed":
            os.kill(wire.process.pid, signal.SIGKILL)
        else:
            assert wire.process.stdin
            wire.process.stdin.close()
        while any(map(_is_alive, children)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not [*filter(_is_alive, children)]


@pytest.mark.parametrize(("cache", "left"), [("true", 0), ("false", 1)])
def test_a_killed_server_leaves_no_folder_that_it_had_no_need_of(tmp_path: Path, cache: str, left: int) -> None:
    space, folder = tmp_path / "space", tmp_path / "p"
    space.mkdir()
    folder.mkdir()
    (folder / "a.sh").write_text(WRONG, encoding="utf-8")
    (folder / "npu-lsp.toml").write_text(f"cache = {cache}\n", encoding="utf-8")
    with Wire(SERVE, TMPDIR=os.fspath(space)) as wire:
        wire.initialize({}, workspaceFolders=[{"uri": folder.as_uri(), "name": "p"}], initializationOptions=WHOLE)
        assert wire.diagnostics((folder / "a.sh").as_uri())
        os.kill(wire.process.pid, signal.SIGKILL)
    found = [*space.glob("npu-lsp-*")]
    assert len(found) == left
    assert all(each.stat().st_mode & 0o077 == 0 for each in found)


@pytest.mark.parametrize("between", [0, 2, 4])
def test_who_leaves_as_a_scan_starts_leaves_no_server(tmp_path: Path, between: int) -> None:
    """All that a client says comes at once, so that it leaves some steps after the start of the process was begun."""
    options: dict[str, Any] = {
        "workspaceFolders": [{"uri": tmp_path.as_uri(), "name": "p"}],
        "initializationOptions": WHOLE,
    }
    said: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}, **options}},
        {"method": "initialized", "params": {}},
        *[{"method": "$/setTrace", "params": {"value": "off"}}] * between,
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **each}).encode() for each in said]
    with Wire() as wire:
        wire.raw(b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies))
        assert wire.process.wait(PATIENCE) == 0
