"""Findings as a table."""

from __future__ import annotations

from npu_lsp.checking.report import Result
from npu_lsp.reports.identity import project_path
from npu_lsp.reports.summary import found
from npu_lsp.reports.table import Column, Table
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import one_line

_TITLE = Text("npu-lsp: findings", "npu-lsp：检查结果")
_COLUMNS = (
    Column(Text("severity", "级别"), filter=True),
    Column(Text("rule", "规则"), filter=True),
    Column(Text("option", "配置项"), code=True),
    Column(Text("file", "文件"), code=True),
    Column(Text("line", "行")),
    Column(Text("message", "说明")),
    Column(Text("fix", "修复")),
)


def table(result: Result) -> Table:
    """Return the findings that nothing silences, a row each."""
    rows = [
        (
            entry.severity.value,
            f"{entry.code} {entry.name}",
            entry.option or "",
            project_path(entry.path, result),
            str(entry.place.line),
            one_line(entry.message),
            one_line(entry.remedies[0].title) if entry.remedies else "",
        )
        for entry in result.open
    ]
    return Table(_TITLE, _COLUMNS, rows, (found(result),))
