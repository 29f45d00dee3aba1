"""The rules as a table: what each finds, and why that is one."""

from __future__ import annotations

from collections.abc import Iterable

from npu_lsp.docs.markdown import bare
from npu_lsp.linter.page import FIXES, page, sections
from npu_lsp.linter.rule import Rule
from npu_lsp.reports.table import Column, Table
from npu_lsp.text.bilingual import Language, Text

_COLUMNS = (
    Column(Text("code", "编码"), code=True),
    Column(Text("name", "名称"), code=True),
    Column(Text("severity", "级别"), filter=True),
    Column(Text("fix", "修复"), filter=True),
    Column(Text("what it finds", "说明")),
    Column(Text("why that is bad", "有什么影响")),
)
_WHY = ("Why is this bad?", "有什么影响")


def table(rules: Iterable[Rule], language: Language) -> Table:
    """Return a row for each of the rules."""
    rows = [
        (
            rule.code,
            rule.name,
            rule.severity.value,
            FIXES[rule.fixable].to(language),
            rule.title.to(language),
            " ".join(bare(body) for heading, body in sections(page(rule, language)) if heading in _WHY),
        )
        for rule in rules
    ]
    return Table(Text("npu-lsp: rules", "npu-lsp：规则"), _COLUMNS, rows)
