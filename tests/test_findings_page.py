"""The page on the commonest findings: its scripts are as wrong, and as right, as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from npu_lsp.rules import rule_for
from tests.checking.command import npu_lsp

DOCS = Path(__file__).parents[1] / "docs"
SECTION = re.compile(r"^## (?P<code>NPU\d{3})[:：][^\n]*\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```(?P<kind>sh|python)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = ("findings.md", "findings.zh.md")


def shown(page: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the codes of a page, each with its scripts: their language and their text."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return [
        (section["code"], [(fence["kind"], fence["text"]) for fence in FENCE.finditer(section["body"])])
        for section in SECTION.finditer(text)
    ]


def test_both_pages_show_the_same() -> None:
    assert len(shown(PAGES[0])) == 10
    assert shown(PAGES[0]) == shown(PAGES[1])


def test_what_is_wrong_and_what_is_right(tmp_path: Path) -> None:
    for code, ((kind, wrong), (_, right)) in shown(PAGES[0]):
        suffix = {"sh": "sh", "python": "py"}[kind]
        (tmp_path / f"{code}-wrong.{suffix}").write_text(wrong, encoding="utf-8")
        (tmp_path / f"{code}-right.{suffix}").write_text(right, encoding="utf-8")
    (tmp_path / "modes.ini").write_text("[ByOpType]\nGelu=high_precision\n", encoding="utf-8")
    done = npu_lsp("check", "--isolated", "--no-cache", "--output-format", "json", ".", cwd=tmp_path)
    found = {(Path(each["path"]).stem, each["code"]) for each in done.findings}
    assert found == {(f"{code}-wrong", code) for code, _ in shown(PAGES[0])}


@pytest.mark.parametrize("page", PAGES)
def test_the_configuration_that_it_names_is_taken(page: str, tmp_path: Path) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    written = re.findall(r"`((?:known|target|severity) = [^`]+)`", text)
    assert len(written) >= 5
    (tmp_path / "a.sh").write_text("echo\n", encoding="utf-8")
    for line in written:
        (tmp_path / "npu-lsp.toml").write_text(f"{line}\n", encoding="utf-8")
        done = npu_lsp("check", "--no-cache", ".", cwd=tmp_path)
        assert (done.code, done.err) == (0, ""), line


@pytest.mark.parametrize("page", PAGES)
def test_titles_name_rules(page: str) -> None:
    assert all(rule_for(code) is not None for code, _ in shown(page))
