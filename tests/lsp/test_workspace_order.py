"""How soon the first finding of a folder comes: counted in files that are read before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from npu_lsp.checking.checked import Text
from npu_lsp.checking.checker import Checker
from npu_lsp.checking.walking import Candidate
from npu_lsp.lsp.client import Client
from npu_lsp.lsp.features.likely import likely
from npu_lsp.lsp.features.workspace_scan import Scan
from npu_lsp.lsp.projects import Workspace
from npu_lsp.lsp.session import Session

WRONG = "export HCCL_BUFFSIZ=200\n"


def _scan(folder: Path) -> Scan:
    session = Session(Client())
    workspace = Workspace(folder)
    session.projects.workspaces = (workspace,)
    return Scan(session, workspace, lambda: False)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read, in order."""
    paths: list[str] = []
    sift = Checker.sift

    def noted(self: Checker, candidate: Candidate) -> Text | object:
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


def test_what_starts_something_comes_first() -> None:
    paths = ["/w/readme.md", "/w/util.py", "/w/tool.sh", "/w/train.py", "/w/serve.sh", "/w/npu/notes.md"]
    files = [Candidate(path, path, None, 0, explicit=False) for path in paths]
    expected = ["/w/serve.sh", "/w/train.py", "/w/npu/notes.md", "/w/tool.sh", "/w/util.py", "/w/readme.md"]
    assert [each.path for each in sorted(files, key=likely)] == expected
