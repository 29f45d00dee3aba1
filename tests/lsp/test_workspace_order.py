"""How soon the first finding of a folder comes: counted in files that are read before."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from npu_lsp.checking.checked import SourceText
from npu_lsp.checking.checker import Checker
from npu_lsp.checking.walking import Candidate
from npu_lsp.lsp.client import Client
from npu_lsp.lsp.features import workspace_diagnostics
from npu_lsp.lsp.features.workspace_scan import Scan, likely
from npu_lsp.lsp.projects import Workspace
from npu_lsp.lsp.session import Session

WRONG = "export HCCL_BUFFSIZ=200\n"


def _scan(folder: Path, before: Scan | None = None) -> Scan:
    session = before._session if before is not None else Session(Client())
    workspace = Workspace(folder)
    session.projects.workspaces = (workspace,)
    return Scan(session, workspace, lambda: False, before)


def _all(scan: Scan, *changed: str) -> dict[str, list[str]]:
    """Return the codes of all files with findings, by their names."""
    found: dict[str, list[str]] = {}
    done = False
    while not done:
        piece, done = scan.piece(changed)
        found |= {Path(each.path).name: [d["code"] for d in each.diagnostics] for each in piece if each.diagnostics}
        changed = ()
    return found


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read, in order."""
    paths: list[str] = []
    sift = Checker.sift

    def noted(self: Checker, candidate: Candidate) -> SourceText | object:
        paths.append(os.path.basename(candidate.absolute))  # noqa: PTH119
        return sift(self, candidate)

    monkeypatch.setattr(Checker, "sift", noted)
    return paths


@pytest.mark.parametrize("name", ["z/serve_npu.sh", "scripts/train/run.sh", "z/docker-compose.yml", "z/.env"])
def test_the_first_finding_comes_before_most_files_are_read(tmp_path: Path, read: list[str], name: str) -> None:
    for number in range(5000):
        folder = tmp_path / f"m{number % 50}"
        folder.mkdir(exist_ok=True)
        (folder / f"module{number}.py").write_text("import os\nx = os.environ\n", encoding="utf-8")
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    text = "services:\n  a:\n    environment:\n      HCCL_BUFFSIZ: 200\n" if name.endswith(".yml") else WRONG
    path.write_text(text, encoding="utf-8")
    scan = _scan(tmp_path)
    done = False
    found: list[str] = []
    while not (done or found):
        piece, done = scan.piece()
        found += [each.path for each in piece if each.diagnostics]
    assert found == [os.fspath(path)]
    assert read.index(path.name) < 10


def test_every_file_is_read_once(tmp_path: Path, read: list[str]) -> None:
    names = [f"{number}.{suffix}" for number in range(100) for suffix in ("py", "sh", "yaml", "md")]
    for name in names:
        (tmp_path / name).write_text(WRONG, encoding="utf-8")
    scan, done = _scan(tmp_path), False
    while not done:
        _, done = scan.piece()
    assert sorted(read) == sorted(names)


def test_what_is_as_it_was_is_not_read_again(tmp_path: Path, read: list[str]) -> None:
    for name in ("a.sh", "b.sh", "plain.py"):
        (tmp_path / name).write_text(WRONG if name.endswith("sh") else "x = 1\n", encoding="utf-8")
    (tmp_path / "c.sh").write_text("atc --model=a.onnx --framework=5 --op_precision_mode=any.name\n", encoding="utf-8")
    first = _scan(tmp_path)
    before = _all(first)
    assert {"a.sh", "b.sh", "c.sh"} <= before.keys()
    read.clear()
    assert _all(_scan(tmp_path, first)) == before
    assert read == []
    # One is another text, one is new, and a file that a setting names is there now.
    (tmp_path / "b.sh").write_text("export HCCL_BUFFSIZE=200\n", encoding="utf-8")
    (tmp_path / "new.sh").write_text(WRONG, encoding="utf-8")
    (tmp_path / "any.name").write_text("[ByOpType]\nSoftmax=high_precison\n", encoding="utf-8")
    after = _all(_scan(tmp_path, first))
    assert sorted(read) == ["any.name", "b.sh", "c.sh", "new.sh"]
    assert after == _all(_scan(tmp_path))
    assert "b.sh" not in after
    assert "any.name" in after


def test_another_configuration_has_all_read_again(tmp_path: Path, read: list[str]) -> None:
    (tmp_path / "a.sh").write_text(WRONG, encoding="utf-8")
    first = _scan(tmp_path)
    assert "a.sh" in _all(first)
    (tmp_path / "npu-lsp.toml").write_text('ignore = ["NPU101"]\n', encoding="utf-8")
    first._session.projects.forget()
    read.clear()
    assert _all(_scan(tmp_path, first)) == {}
    assert "a.sh" in read


def test_one_that_is_stopped_looks_at_what_changes(tmp_path: Path, read: list[str]) -> None:
    for number in range(20):
        (tmp_path / f"{number}.sh").write_text(WRONG, encoding="utf-8")
    scan = _scan(tmp_path)
    while scan._walking:
        scan.piece()
    scan.stopped = True
    assert _all(scan) == {}
    assert _all(scan, str(tmp_path / "7.sh")).keys() == {"7.sh"}
    assert read == ["7.sh"]


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
    for number in range(200):
        (tmp_path / f"{number}.sh").write_text(WRONG, encoding="utf-8")
    told: list[dict[str, Any]] = []
    session = Session(Client(shows_progress=True, pulls=True), lambda _, params: told.append(params))
    session.projects.workspaces = (Workspace(tmp_path, {"diagnosticMode": "workspace"}),)
    wire: Any = _Wire()
    diagnostics = workspace_diagnostics.WorkspaceDiagnostics(session, wire, lambda: False, lambda: 10.0)
    diagnostics.renew()
    while not told:
        await asyncio.sleep(0)
    if stopped:
        diagnostics.cancelled(types.WorkDoneProgressCancelParams(told[0]["token"]))
    await asyncio.gather(*wire.work)
    assert wire.asked == [(types.WINDOW_WORK_DONE_PROGRESS_CREATE, {"token": told[0]["token"]})]
    kinds = [each["value"]["kind"] for each in told]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    found = await diagnostics.pull(types.WorkspaceDiagnosticParams([]))
    assert (len(found["items"]) == 200) is not stopped


def test_what_starts_something_comes_first() -> None:
    paths = ["/w/readme.md", "/w/util.py", "/w/tool.sh", "/w/train.py", "/w/serve.sh", "/w/npu/notes.md"]
    files = [Candidate(path, path, None, 0, explicit=False) for path in paths]
    expected = ["/w/serve.sh", "/w/train.py", "/w/npu/notes.md", "/w/tool.sh", "/w/util.py", "/w/readme.md"]
    assert [each.path for each in sorted(files, key=likely)] == expected
