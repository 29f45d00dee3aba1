"""`html`: a page with a table that is searched and filtered where it is opened, without a network."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.report import Result
from npu_lsp.reports import table
from npu_lsp.reports.findings_table import table as table_of
from npu_lsp.reports.style import Style


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield the page."""
    return table.html(table_of(result), result.language)
