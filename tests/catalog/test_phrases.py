"""Texts say things plainly: what the list refuses stands in no message, page, help or guide either."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from npu_lsp.linter.page import page
from npu_lsp.rules import all_rules
from tests.authoring.phrases import problems, refused, unfinished
from tests.together import together

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "npu_lsp"
GUIDES = [
    *(ROOT.glob("*.md")),
    *(ROOT / "editors").glob("*.md"),
    *(ROOT / "editors").glob("*/README*.md"),
]
BUNDLES = [*(ROOT / "editors" / "vscode").glob("package.nls*.json"), *(ROOT / "editors").glob("*/l10n/*.json")]


def said(path: Path) -> Iterator[tuple[str, str, int]]:
    """Yield (language, text, line) of each `Text(en=..., zh=...)` and each `help=...` of a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        texts = {"en": named.get("help")}
        if name == "Text":
            texts = {"en": named.get("en"), "zh": named.get("zh")}
            if len(node.args) == 2:
                texts = dict(zip(("en", "zh"), node.args, strict=True))
        for language, value in texts.items():
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield language, value.value, value.lineno


@together(
    ("language", "text", "count"),
    [
        ("en", "The setting is skipped without a word.", 1),
        ("en", "GE isn't asked; the loop is sunk.", 2),
        ("en", "`without a word` is code, and so is\n```\nas ever\n```\n", 0),
        ("en", "Collects Python's garbage, at hand or not.", 1),
        ("en", "A walkthrough of the sinkhole.", 0),
        ("zh", "适配层会校验槽位，图引擎报错终止。", 4),
        ("zh", "超过阈值时终止训练；kernelCache 槽位数为 5。", 0),
        ("zh", "TF Adapter会下发 2。", 1),
        ("zh", "TF Adapter 会下发 2，打开 Adapter 的日志。", 1),
    ],
)
def test_what_is_refused(language: str, text: str, count: int) -> None:
    assert len(list(refused(text, language))) == count


def test_a_line_that_stops_in_the_middle_is_refused() -> None:
    assert len(list(unfinished("One,\ntwo: a;\nthree.\n一、\n二。"))) == 3
    assert [problem.at for problem in problems({"a": [{"text": {"en": "One:\ntwo.", "zh": "一。"}}]})] == [
        "a[0].text.en"
    ]


def test_messages_and_help() -> None:
    found = [
        (f"{path.relative_to(PACKAGE)}:{line}", word)
        for path in sorted(PACKAGE.rglob("*.py"))
        for language, text, line in said(path)
        for word in refused(text, language)
    ]
    assert found == []


def test_pages() -> None:
    found = [
        (rule.code, language, word)
        for rule in all_rules()
        for language in ("en", "zh")
        for word in refused(page(rule, language), language)
    ]
    assert found == []


@together("path", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_guides(path: Path) -> None:
    language = "zh" if ".zh" in path.name else "en"
    assert list(refused(path.read_text(encoding="utf-8"), language)) == []


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: path.name)
def test_what_an_editor_shows(path: Path) -> None:
    texts = json.loads(path.read_text(encoding="utf-8")).values()
    language = "zh" if "zh" in path.name else "en"
    assert [word for text in texts for word in refused(text, language)] == []
