"""The page of all rules: a table, and the page of each below."""

from __future__ import annotations

import re

from npu_lsp.linter.page import page, table
from npu_lsp.rules import all_rules
from npu_lsp.text.bilingual import Language, Text

_HEAD = Text(
    en="# Rules\n\nMade by `python -m tests.pages`. `npu-lsp rule CODE` prints the same page of one rule in a terminal.\n",
    zh="# 规则\n\n由 `python -m tests.pages` 生成。在终端中执行 `npu-lsp rule 编码` 可显示某条规则的同一说明。\n",
)
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def whole(language: Language) -> str:
    """Return the page in one language."""
    rules = all_rules()
    rows = re.sub(r"^\| (NPU\d+) \|", r"| [\1](#\1) |", table(rules, language), flags=re.MULTILINE)
    parts = [f'<a id="{rule.code}"></a>\n\n{_lowered(page(rule, language))}' for rule in rules]
    return "\n".join([_HEAD.to(language), rows, *parts])


def _lowered(text: str) -> str:
    """Return a page with its headings one level down, but for what stands in code."""
    pieces = _FENCE.split(text)
    pieces[::2] = [re.sub(r"^#", "##", piece, flags=re.MULTILINE) for piece in pieces[::2]]
    return "".join(pieces)
