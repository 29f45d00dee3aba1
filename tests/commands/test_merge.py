"""Reports of several repositories in one: `npu-lsp merge NAME=REPORT ...`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checking.command import check, npu_lsp

TYPO = "export HCCL_BUFSIZE=1\n"


@pytest.fixture
def repositories(tmp_path: Path) -> Path:
    """Return a folder with the reports `one.json` and `two.json`, and in SARIF, of repositories that have the same file."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run 1.sh").write_text(TYPO)
        (tmp_path / f"{name}.json").write_text(check("--exit-zero", cwd=tmp_path / name).out)
        ran = npu_lsp("check", "--exit-zero", "--output-format", "sarif", cwd=tmp_path / name)
        (tmp_path / f"{name}.sarif").write_text(ran.out)
    return tmp_path


def paths(*reports: str, cwd: Path) -> list[str]:
    ran = npu_lsp("merge", "--output-format", "json", *reports, cwd=cwd)
    assert ran.code == 1
    return [finding["path"] for finding in ran.findings]


def test_the_same_file_of_two_repositories(repositories: Path) -> None:
    assert paths("one.json", "two.json", cwd=repositories) == ["run 1.sh"]
    assert paths("a=one.json", "b/c=two.json", cwd=repositories) == ["a/run 1.sh", "b/c/run 1.sh"]


def test_in_sarif(repositories: Path) -> None:
    log = json.loads(npu_lsp("merge", "a=one.sarif", "b c=two.sarif", cwd=repositories).out)
    places = [result["locations"][0]["physicalLocation"] for result in log["runs"][0]["results"]]
    assert [place["artifactLocation"]["uri"] for place in places] == ["a/run%201.sh", "b%20c/run%201.sh"]
    # The files that fixes change are the same ones.
    changed = [result["fixes"][0]["artifactChanges"][0] for result in log["runs"][0]["results"]]
    assert [each["artifactLocation"]["uri"] for each in changed] == ["a/run%201.sh", "b%20c/run%201.sh"]


def test_paths_from_the_root_stay(repositories: Path) -> None:
    report = json.loads((repositories / "one.json").read_text())
    for number, path in enumerate(["/x/run.sh", "C:/x/run.sh"]):
        report["findings"][0]["path"] = path
        (repositories / f"{number}.json").write_text(json.dumps(report))
        assert paths(f"a={number}.json", cwd=repositories) == [path]


def test_a_log_that_is_nested_deeply(repositories: Path) -> None:
    log = json.loads((repositories / "one.sarif").read_text())
    deep: dict[str, object] = {}
    for _ in range(600):
        deep = {"a": deep}
    log["runs"][0]["properties"] = deep
    (repositories / "deep.sarif").write_text(json.dumps(log))
    ran = npu_lsp("merge", "a=deep.sarif", cwd=repositories)
    assert (ran.code, ran.err) == (1, "")


def test_a_file_may_have_that_name(repositories: Path) -> None:
    (repositories / "a=b.json").write_text((repositories / "one.json").read_text())
    assert paths("a=b.json", cwd=repositories) == ["run 1.sh"]
    missing = npu_lsp("merge", "a=none.json", cwd=repositories)
    assert (missing.code, "none.json" in missing.err) == (2, True)
