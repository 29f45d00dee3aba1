"""Settings as a table."""

from __future__ import annotations

import json
from collections.abc import Sequence

from npu_lsp.checking.inventory import Row
from npu_lsp.checking.launch_rows import LaunchRow
from npu_lsp.reports.table import Column, Table
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import one_line

_TITLE = Text("npu-lsp: settings", "npu-lsp：配置清单")
_COLUMNS = (
    Column(Text("surface", "入口"), filter=True),
    Column(Text("option", "配置项"), code=True),
    Column(Text("field", "字段")),
    Column(Text("value", "取值"), code=True),
    Column(Text("file", "文件"), code=True),
    Column(Text("line", "行")),
)


def table(rows: Sequence[Row]) -> Table:
    """Return the settings, a row each; an empty value is one that isn't known."""
    return Table(
        _TITLE,
        _COLUMNS,
        [
            (row.surface, one_line(row.option), row.slot or "", value(row), row.path.replace("\\", "/"), str(row.line))
            for row in rows
        ],
    )


def value(row: Row) -> str:
    """Return a value as one line; nothing where it isn't known."""
    if not row.known:
        return ""
    return one_line(row.value if isinstance(row.value, str) else json.dumps(row.value, ensure_ascii=False))


_LAUNCHES = Text("npu-lsp: launches", "npu-lsp：启动清单")
_LAUNCH_COLUMNS = (
    Column(Text("program", "程序"), filter=True),
    Column(Text("what", "概要")),
    Column(Text("devices", "设备"), code=True),
    Column(Text("ports", "端口"), code=True),
    Column(Text("file", "文件"), code=True),
    Column(Text("line", "行")),
)


def launch_table(rows: Sequence[LaunchRow]) -> Table:
    """Return the launches, a row each; what is empty isn't known."""
    return Table(
        _LAUNCHES,
        _LAUNCH_COLUMNS,
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
