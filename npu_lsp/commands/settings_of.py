"""`npu-lsp settings --of FILE:LINE`: which value each variable has there, and where it comes from."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence

from npu_lsp.checking import stderr
from npu_lsp.checking.origin_rows import OriginPlace, OriginRow, origin_rows
from npu_lsp.commands.found import write_found
from npu_lsp.commands.language import chosen, told
from npu_lsp.reports.origin_table import table as origin_table
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import aligned, shown

_FORM = Text("--of takes FILE:LINE, not {given}", "--of 的格式为 FILE:LINE，而不是 {given}")
_NO_PLACE = Text("{given}: there is no such file, or it has no such line", "{given}：文件不存在，或没有该行")


def write(arguments: argparse.Namespace) -> int:
    """Print what is in force at the place that `--of` names; 2 where there is no such place, else 0."""
    path, _, line = arguments.of.rpartition(":")
    if not path or not line.isdecimal() or len(line) > 9:
        stderr.wrong(_FORM, given=arguments.of)
        return 2
    here = os.getcwd()
    whole = os.path.abspath(path)
    root = here if whole.startswith(here.rstrip(os.sep) + os.sep) else os.path.dirname(whole)
    rows = origin_rows(path, int(line), root, here, chosen(), arguments.paths)
    if rows is None:
        stderr.wrong(_NO_PLACE, given=arguments.of)
        return 2
    write_found(
        arguments,
        content=lambda: {"variables": [_plain(row) for row in rows]},
        table=lambda: origin_table(rows),
        text=lambda _: _lines(rows),
    )
    return 0


def _plain(row: OriginRow) -> dict[str, object]:
    def places(found: Sequence[OriginPlace]) -> list[dict[str, object]]:
        return [place._asdict() for place in found]

    return {**row._asdict(), "found": places(row.found), "overridden": places(row.overridden)}


def _lines(rows: Sequence[OriginRow]) -> Iterator[str]:
    if rows:
        yield from aligned(
            [(told("variable", "变量"), told("value", "取值")), *((r.name, shown(r.summary)) for r in rows)]
        )
