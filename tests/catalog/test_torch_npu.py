"""What is read of torch_npu's release branches, and that the catalog holds no other facts than these show."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.target import Target
from tests.authoring.releases import Releases
from tests.authoring.torch_npu import facts, first_of_each_line, main
from tests.together import together

TABLE = """
| package | branch | PyTorch |
|--|--|--|
| 2.1.0 | v2.1.0-1.0 | 2.1.0 |
| 2.1.0.post2 | v2.1.0-2.0 | 2.1.0 |
| 2.3.1（beta） | v2.3.1-1.0 | 2.3.1 |
| 2.6.0 | v2.6.0-2.0 | 2.6.0 |
"""
OLD = {
    "npu/npu_config.py": """
class Config:
    def __setattr__(cls, name, value):
        if name == "allow_internal_format":
            pass
def set_aoe(dump_path): pass
""",
    "npu/__init__.py": "config = npu_config.Config()\n",
    "profiler/experimental_config.py": """
class ExportType:
    Text = "text"
class _ExperimentalConfig:
    def __init__(self, profiler_level=0, old=1): pass
""",
}
NEW = {
    **OLD,
    "csrc/OptionsManager.cpp": 'getenv("OOM_SNAPSHOT_ENABLE"); getenv("OOM_SNAPSHOT_PATH_OF_OTHERS");',
    "profiler/experimental_config.py": """
class ExportType:
    Text = "text"
    Db = "db"
class _ExperimentalConfig:
    def __init__(self, profiler_level=0, *, mstx=False): pass
""",
}
EVERY = ["1.11.0", "1.11.0.post1", "2.1.0", "2.1.0.post2", "2.3.1", "2.6.0", "2.6.0.post1", "2.7.1"]


@together(
    ("having", "told"),
    [
        (EVERY, "1.11.0"),
        (EVERY[1:], "1.11.0.post1"),
        (["2.1.0.post2", "2.6.0.post1", "2.7.1"], "2.1.0.post2, 2.6.0.post1"),
        (["2.1.0.post2", "2.6.0", "2.6.0.post1", "2.7.1"], "2.1.0.post2, 2.6.0"),
        (["2.3.1", "2.6.0", "2.6.0.post1", "2.7.1"], "2.3.1"),
        (["2.7.1"], "2.7.1"),
    ],
)
def test_the_releases_that_are_named_tell_of_each_whether_it_has_it(having: list[str], told: str) -> None:
    assert first_of_each_line(having, EVERY) == told
    for each in EVERY:
        target = Target.parse({"torch-npu": each})
        assert target.at_least(told, "torch-npu") is (each in having), each


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    """A repository with a branch for each release of its table."""

    def git(*arguments: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True, capture_output=True)

    git("init")
    (tmp_path / "COMPATIBILITY.md").write_text(TABLE, encoding="utf-8")
    for branch, files in (("v2.1.0-1.0", OLD), ("v2.3.1-1.0", OLD), ("v2.1.0-2.0", NEW), ("v2.6.0-2.0", NEW)):
        for name, text in files.items():
            path = tmp_path / "torch_npu" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        git("add", "-A")
        git("commit", "--allow-empty", "-m", branch)
        git("branch", branch)
    return tmp_path


def test_each_name_is_dated_by_the_release_branches(releases: Path) -> None:
    dates = {(fact.surface, fact.name): (fact.since, fact.until) for fact in facts(Releases(releases))}
    assert dates == {
        (Surface.NPU_ATTRIBUTES, "config.allow_internal_format"): (None, None),
        (Surface.NPU_CALLS, "set_aoe.dump_path"): (None, None),
        (Surface.PROFILER, "_ExperimentalConfig.profiler_level"): (None, None),
        (Surface.PROFILER, "_ExperimentalConfig.old"): ("2.1.0, 2.3.1", "2.1.0.post2, 2.6.0"),
        (Surface.PROFILER, "_ExperimentalConfig.mstx"): ("2.1.0.post2, 2.6.0", None),
        (Surface.ENV, "OOM_SNAPSHOT_ENABLE"): ("2.1.0.post2, 2.6.0", None),
        (Surface.PROFILER, "=ExportType.Text"): (None, None),
        (Surface.PROFILER, "=ExportType.Db"): ("2.1.0.post2, 2.6.0", None),
    }


def test_what_the_catalog_says_otherwise_is_told(releases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(releases)]) == 1
    told = capsys.readouterr().out
    assert "profiler _ExperimentalConfig.old: since 2.1.0, 2.3.1 until 2.1.0.post2, 2.6.0: not in the catalog" in told
    assert "ExportType.Db: since 2.1.0.post2, 2.6.0, the catalog has 1.11.0.post11, 2.1.0.post4" in told
    assert main([str(releases), "--all"]) == 0
