"""Since when a repository reads the environment variables that it is the source of."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from tests.authoring import documented
from tests.authoring.releases import Releases
from tests.authoring.variables import Fact, facts, main
from tests.together import together

OLD, NEW, GONE = "ASCEND_TRANSFER_TIMEOUT", "ASCEND_USE_ASYNC_TRANSFER", "ASCEND_BASE_PORT"
READ = {"v0.3.6": (OLD, GONE), "v0.3.8-beta.1": (OLD, NEW), "v0.3.8": (OLD, NEW), "v0.3.9": (OLD, NEW)}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@x", "-c", "init.defaultBranch=main")
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True, capture_output=True)

    git("init")
    for tag, names in READ.items():
        (tmp_path / "a.cpp").write_text("".join(f'getenv("{name}");\n' for name in names))
        (tmp_path / "README.md").write_text(f"{NEW}\n")
        git("add", "-A")
        git("commit", "--allow-empty", "-m", tag)
        git("tag", tag)
    return tmp_path


def test_what_a_release_brought_is_dated_by_it(checkout: Path) -> None:
    found = {fact.name: fact.since for fact in facts(Releases(checkout), "mooncake")}
    assert found[NEW] == "0.3.8"
    assert (found[OLD], found[GONE], found["ASCEND_RDMA_SL"]) == (None, None, None)


def test_what_the_catalog_says_otherwise_is_told(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(checkout), "mooncake"]) == 0
    assert capsys.readouterr().out == ""
    assert main([str(checkout), "mooncake", "--all"]) == 0
    assert f"{NEW}: since 0.3.8, seen 0.3.6; the catalog has since 0.3.8\n" in capsys.readouterr().out
    subprocess.run(
        ["git", "-C", str(checkout), "tag", "-d", "v0.3.8-beta.1", "v0.3.8"], check=True, capture_output=True
    )
    assert main([str(checkout), "mooncake"]) == 1
    assert capsys.readouterr().out == f"{NEW}: since 0.3.9, seen 0.3.6; the catalog has since 0.3.8\n"


def test_one_that_no_release_dates_was_seen_in_the_oldest_branch_that_has_it(checkout: Path) -> None:
    subprocess.run(["git", "-C", str(checkout), "branch", "r0.2.0", "v0.3.6"], check=True, capture_output=True)
    found = {fact.name: fact.seen for fact in facts(Releases(checkout), "mooncake")}
    # Documentation counts where it isn't told which release brought the code.
    assert (found[OLD], found[NEW], found["ASCEND_RDMA_SL"]) == ("0.2.0", "0.2.0", None)


@together(
    ("since", "known", "seen", "known_seen", "agrees"),
    [
        ("0.3.8", "0.3.8", "0.3.8", None, True),
        ("0.3.9", "0.3.8", "0.3.9", None, False),
        (None, None, "0.3.8", None, False),
        (None, None, "0.3.8", "0.3.9", False),
        ("0.3.9", None, "0.3.8", "0.3.6", True),
        (None, None, None, None, True),
    ],
)
def test_what_is_seen_agrees_with_anything_older(
    since: str | None, known: str | None, seen: str | None, known_seen: str | None, agrees: bool
) -> None:
    assert Fact("X", since, seen, known, known_seen).agrees is agrees


def test_what_pages_show_stands_in_the_catalog() -> None:
    assert list(documented.differences(documented.pages())) == []


def test_a_page_that_the_catalog_contradicts_is_told() -> None:
    old = documented.Page("https://old", "5.0.2", ("HCCL_ALGO",))
    assert list(documented.differences([old])) == ["HCCL_ALGO: seen in 5.0.2 (https://old), the catalog has 8.0.RC1"]
    lists = [each for each in documented.pages() if each.version != "8.0.RC1"]
    assert "HCCL_DETERMINISTIC: not on the page of None, the catalog has 8.0.RC1" in list(documented.differences(lists))


@pytest.mark.parametrize(
    ("source", "component"), [("mooncake", "mooncake"), ("sglang", "sglang"), ("sgl-kernel-npu", "sgl-kernel-npu")]
)
def test_a_variable_belongs_to_the_component_that_reads_it(source: str, component: str) -> None:
    own = [each for each in load().options(Surface.ENV) if each.sources and each.sources[0].startswith(f"{source}:")]
    assert len(own) > 5
    assert {each.component for each in own} == {component}
