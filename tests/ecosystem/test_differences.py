"""What the comparison of two states says: a finding that is gone, a fix that changed, a setting that came."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.ecosystem.differences import Told, compared, findings, settings, written

_FIX = {
    "title": "Use X",
    "safe": True,
    "edits": [{"line": 2, "column": 8, "end_line": 2, "end_column": 9, "text": "X"}],
}
_FINDING = {
    "path": "run.sh",
    "line": 2,
    "column": 8,
    "end_line": 2,
    "end_column": 9,
    "code": "NPU101",
    "name": "unknown-option",
    "severity": "warning",
    "message": "Unknown.",
    "fixes": [_FIX],
}
_SETTING = {"path": "run.sh", "line": 2, "surface": "env", "option": "X", "value": "1"}


def test_each_difference_is_told_by_its_group(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("#!/bin/sh\nexport Y=1\n")
    unsafe = {**_FINDING, "fixes": [{**_FIX, "safe": False}]}
    changes = compared(findings({"findings": [_FINDING]}), findings({"findings": [unsafe]}))
    assert [(sign, told.group) for sign, told in changes] == [
        ("-", "NPU101 unknown-option, safe fix"),
        ("+", "NPU101 unknown-option, unsafe fix"),
    ]
    lines = list(written("a/b", tmp_path, changes))
    assert lines[0] == "a/b: NPU101 unknown-option, safe fix: +0 -1"
    assert lines[2].strip() == "export Y=1"


def test_how_often_counts() -> None:
    twice = [*settings({"settings": [_SETTING, _SETTING]})]
    assert compared(twice, twice[:1]) == [("-", Told("setting of env", "run.sh", 2, "X = '1'"))]
    assert compared(twice, twice) == []


def _compared(clones: Path, tree: Path) -> tuple[int, str]:
    """Commit what is staged in `tree`, and compare this state with itself on the repositories below `clones`."""
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.com"]
    subprocess.run(["git", "-C", str(tree), *identity, "commit", "-q", "-m", "m"], check=True)
    command = [sys.executable, "-m", "tests.ecosystem", ".", ".", "--clones", str(clones)]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout


def _staged(tree: Path) -> None:
    """Make a repository with one script."""
    tree.mkdir()
    (tree / "run.sh").write_text("export ASCEND_RT_VISIBLE_DEVICE=0\n")
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", "-C", str(tree), *command], check=True)


def test_a_repository_is_compared(tmp_path: Path) -> None:
    tree = tmp_path / "owner+name"
    _staged(tree)
    assert _compared(tmp_path, tree) == (0, "owner/name: 0 differences\n0 differences on 1 repositories\n")


def test_a_file_that_cannot_be_written_is_left_out(tmp_path: Path) -> None:
    tree = tmp_path / "owner+name"
    _staged(tree)
    git = ["git", "-C", str(tree)]
    written = subprocess.run([*git, "hash-object", "run.sh"], stdout=subprocess.PIPE, text=True, check=True)
    staged = f"100644,{written.stdout.strip()},{'n' * 300}.sh"
    subprocess.run([*git, "update-index", "--add", "--cacheinfo", staged], check=True)
    code, said = _compared(tmp_path, tree)
    first, *rest = said.splitlines()
    assert first.startswith("owner/name: without some of its files: tar: nnn")
    assert (code, rest) == (0, ["owner/name: 0 differences", "0 differences on 1 repositories"])
