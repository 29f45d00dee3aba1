"""Baselines: what was there before is not reported, what is new is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.checking.command import Ran, npu_lsp

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
OTHER = 'op.parameter_map["use_off_line"].b = "True"\n'
NAME = "npu-lsp-baseline.json"


def check(folder: Path, *arguments: str, ci: str = "") -> Ran:
    return npu_lsp("check", "--output-format", "json", *arguments, cwd=folder, env={"CI": ci})


def baseline(folder: Path) -> Any:
    return json.loads((folder / NAME).read_text())["findings"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with known findings."""
    (tmp_path / "npu-lsp.toml").write_text(f'baseline = "{NAME}"\nselect = ["NPU101", "NPU103"]\n')
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "train.py").write_text(WRONG + WRONG + OTHER)
    (tmp_path / "b.py").write_text(OTHER)
    ran = npu_lsp("check", "--write-baseline", cwd=tmp_path)
    assert (ran.code, ran.out) == (0, "")
    assert "4" in ran.err
    return tmp_path


def test_it_counts_by_path_and_code(project: Path) -> None:
    assert baseline(project) == {"a/train.py": {"NPU101": 2, "NPU103": 1}, "b.py": {"NPU103": 1}}


def test_known_findings_are_suppressed(project: Path) -> None:
    ran = check(project)
    assert ran.code == 0
    assert [finding["suppressed"] for finding in ran.findings] == [True] * 4
    assert npu_lsp("check", "--output-format", "concise", "-q", cwd=project).out == ""
    # From wherever it runs.
    assert npu_lsp("check", "train.py", cwd=project / "a").code == 0


def test_code_may_move(project: Path) -> None:
    (project / "a" / "train.py").write_text("import os\n\n\n" + OTHER + "x = 1\n" + WRONG + WRONG)
    assert check(project).code == 0


def test_new_findings_are_told(project: Path) -> None:
    (project / "b.py").write_text(OTHER + WRONG)
    assert check(project).codes == ["NPU101"]
    (project / "b.py").write_text(OTHER * 3)
    assert check(project).codes == ["NPU103"] * 2
    (project / "c.py").write_text(WRONG)
    assert check(project).codes == ["NPU103"] * 2 + ["NPU101"]


def test_it_shrinks_by_itself(project: Path) -> None:
    (project / "a" / "train.py").write_text(WRONG)
    (project / "b.py").unlink()
    ran = check(project)
    assert ran.code == 0
    assert NAME in ran.err
    assert baseline(project) == {"a/train.py": {"NPU101": 1}}
    (project / "a" / "train.py").write_text(WRONG * 2)
    assert check(project).codes == ["NPU101"]


def test_it_is_locked_in_ci(project: Path) -> None:
    assert check(project, ci="true").code == 0
    before = (project / NAME).read_text()
    (project / "b.py").write_text("x = 1\n")
    ran = check(project, ci="true")
    assert ran.code == 1
    assert NAME in ran.err
    assert "--baseline-mode keep" in ran.err
    assert (project / NAME).read_text() == before
    assert check(project, "--baseline-mode", "lock").code == 1
    assert check(project, "--exit-zero", ci="true").code == 0
    assert check(project, "b.py", ci="true").code == 1
    assert check(project, "a", ci="true").code == 0
    assert check(project, "--baseline-mode", "keep", ci="true").code == 0
    assert (project / NAME).read_text() == before
    assert check(project, "--baseline-mode", "shrink", ci="true").code == 0
    assert (project / NAME).read_text() != before


@pytest.mark.parametrize(
    "arguments",
    [
        ["--select", "NPU103"],
        ["--ignore", "NPU101"],
        ["b.py"],
        ["--shard", "1/2"],
        ["--diff"],
        ["--target", "cann=5.0"],
    ],
)
def test_a_run_that_sees_less_takes_nothing_away(project: Path, arguments: list[str]) -> None:
    (project / "a" / "train.py").write_text("x = 1\n")
    before = baseline(project)
    check(project, *arguments)
    assert baseline(project)["a/train.py"] == before["a/train.py"]


def test_fixing_shrinks_it(project: Path) -> None:
    assert npu_lsp("check", "--fix", cwd=project, env={"CI": ""}).code == 0
    assert baseline(project) == {"a/train.py": {"NPU101": 2}}


def test_writing_one_says_how_to_use_it(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(WRONG)
    said = npu_lsp("check", "--write-baseline", cwd=tmp_path).err
    assert f'npu-lsp.toml has the line: baseline = "{NAME}"' in said
    (tmp_path / "pyproject.toml").write_text("[tool.npu-lsp]\n")
    said = npu_lsp("check", "--write-baseline", cwd=tmp_path).err
    assert "pyproject.toml, [tool.npu-lsp] has the line" in said
    (tmp_path / "pyproject.toml").write_text(f'[tool.npu-lsp]\nbaseline = "{NAME}"\n')
    said = npu_lsp("check", "--write-baseline", cwd=tmp_path).err
    assert "1 known" in said
    assert "has the line" not in said


def test_files_of_any_name_are_in_it(tmp_path: Path) -> None:
    for name in (b"\xff.py", b"a\nb.py", "训练 %.py".encode(), b"-x.py"):
        (tmp_path / os.fsdecode(name)).write_text(WRONG)
    (tmp_path / "npu-lsp.toml").write_text(f'baseline = "{NAME}"\nselect = ["NPU101"]\n')
    assert npu_lsp("check", "--write-baseline", cwd=tmp_path).code == 0
    ran = check(tmp_path, ci="true")
    assert (ran.code, len(ran.findings), ran.codes) == (0, 4, [])


def test_what_a_comment_silences_is_not_in_it(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(WRONG.rstrip("\n") + "  # npu-lsp: ignore[NPU101]\n")
    npu_lsp("check", "--write-baseline", "--baseline", "known.json", cwd=tmp_path)
    assert json.loads((tmp_path / "known.json").read_text()) == {"version": 1, "findings": {}}


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"version": 2, "findings": {}}', '{"version": 1, "findings": {"a": 1}}']
)
def test_a_broken_one_is_an_error_that_says_what_to_do(project: Path, content: str) -> None:
    (project / NAME).write_text(content)
    ran = check(project)
    assert (ran.code, ran.out) == (2, "")
    assert NAME in ran.err
    assert "--write-baseline" in ran.err


def test_a_missing_one_is_an_error_that_says_what_to_do(project: Path) -> None:
    (project / NAME).unlink()
    ran = check(project)
    assert ran.code == 2
    assert "--write-baseline" in ran.err
    assert npu_lsp("check", "--write-baseline", cwd=project).code == 0
    assert check(project).code == 0


def test_sarif_marks_what_is_known(project: Path) -> None:
    log = json.loads(npu_lsp("check", "--output-format", "sarif", cwd=project).out)
    assert {result["suppressions"][0]["kind"] for result in log["runs"][0]["results"]} == {"external"}
