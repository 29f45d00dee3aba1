"""Variables with where their values come from, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.checking.launch_rows import OriginRow
from npu_lsp.reports.table import Column, Table
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import one_line

_TITLE = Text("npu-lsp: variables", "npu-lsp：环境变量")
_COLUMNS = (
    Column(Text("variable", "变量"), code=True),
    Column(Text("value", "取值"), code=True),
    Column(Text("from", "来源")),
)


def table(rows: Sequence[OriginRow]) -> Table:
    """Return the variables, a row each; an empty value is one that isn't known."""
    return Table(_TITLE, _COLUMNS, [(row.name, one_line(row.value or ""), one_line(row.summary)) for row in rows])
