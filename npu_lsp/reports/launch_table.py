"""Launches as a table."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.checking.launch_rows import LaunchRow
from npu_lsp.reports.table import Column, Table
from npu_lsp.text.bilingual import Text

_TITLE = Text("npu-lsp: launches", "npu-lsp：启动清单")
_COLUMNS = (
    Column(Text("program", "程序"), filter=True),
    Column(Text("what", "概要")),
    Column(Text("devices", "设备"), code=True),
    Column(Text("ports", "端口"), code=True),
    Column(Text("file", "文件"), code=True),
    Column(Text("line", "行")),
)


def table(rows: Sequence[LaunchRow]) -> Table:
    """Return the launches, a row each; what is empty isn't known."""
    return Table(
        _TITLE,
        _COLUMNS,
        [
            (
                row.program,
                row.summary,
                ",".join(map(str, row.devices or ())),
                ",".join(map(str, row.ports)),
                row.path.replace("\\", "/"),
                str(row.line),
            )
            for row in rows
        ],
    )
