"""`csv`: a row for each finding, for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.report import Result
from npu_lsp.reports import table
from npu_lsp.reports.findings_table import table as table_of
from npu_lsp.reports.style import Style


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield the rows, their titles first."""
    return table.spreadsheet(table_of(result), result.language)
