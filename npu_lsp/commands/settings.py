"""`npu-lsp settings`: lists every setting that files make."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from npu_lsp.checking import stderr
from npu_lsp.checking.inventory import Row
from npu_lsp.checking.launch_rows import OriginPlace, OriginRow, origin_rows
from npu_lsp.checking.progress import Progress
from npu_lsp.commands.arguments import (
    add_configuration,
    add_files,
    add_format,
    add_jobs,
    add_logging,
    add_paths,
    add_surface,
)
from npu_lsp.commands.found import write_found
from npu_lsp.commands.language import chosen, told
from npu_lsp.commands.runs import LAUNCHED, LISTED, ran, tell_missing
from npu_lsp.reports.origin_table import table as origin_table
from npu_lsp.reports.settings_table import table as table_of
from npu_lsp.reports.table import FORMS
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import aligned, shown, shown_path

if TYPE_CHECKING:
    from npu_lsp.checking.launch_rows import LaunchRow

_EPILOG = Text(
    """\
examples:
  npu-lsp settings train.py                        what does this script set?
  npu-lsp settings --surface atc --format json .   every ATC flag of a repository, for other programs
  npu-lsp settings --launches .                    what is started there: processes, devices, parallel sizes, ports
  npu-lsp settings --of serve.sh:12                which value each variable has there, and which file gives it
""",
    """\
示例：
  npu-lsp settings train.py                        该脚本设置了哪些配置项？
  npu-lsp settings --surface atc --format json .   以 JSON 输出仓库中的所有 ATC 参数
  npu-lsp settings --launches .                    启动了哪些程序：进程数、设备、并行度、端口
  npu-lsp settings --of serve.sh:12                该处各环境变量的取值及其来源文件
""",
)
_PROBLEM = Text(en="{path}: {said}", zh="{path}：{said}")
_WIDEST = 60
"""Cells of a value in the table."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Lists every setting that is found, right or wrong: where, what, and the value if it is known.",
        "列出找到的所有配置，无论正确与否：位置、配置项，以及可以确定的取值。",
    )
    parser.epilog = _EPILOG.to(chosen())
    add_paths(parser)
    add_format(parser, "table", "json", *FORMS)
    add_surface(parser)
    parser.add_argument(
        "--launches",
        action="store_true",
        help=told(
            "list what commands and calls start: processes, devices, parallel sizes and ports, as far as they are known",
            "列出命令与调用所启动的程序：可以确定的进程数、设备、并行度和端口",
        ),
    )
    parser.add_argument(
        "--of",
        metavar="FILE:LINE",
        help=told(
            "which value each variable has at a line, for a launch what it gets, and where it comes from: scripts that are sourced, exports, "
            "the Dockerfile, env files, Compose, Kubernetes, the command itself; PATH: files that may start this one",
            "某一行各环境变量的取值及其来源（启动命令则为其所得）：source 的脚本、export、Dockerfile、env 文件、Compose、Kubernetes 及命令自身；"
            "PATH 为可能启动该文件的文件",
        ),
    )
    add_jobs(parser)
    add_logging(parser)
    add_configuration(parser)
    add_files(parser)


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


def run(arguments: argparse.Namespace) -> int:
    """Print the settings; 0 also when there are none, 2 when something went wrong."""
    if arguments.of:
        return write(arguments)
    progress = Progress(sys.stderr if sys.stderr.isatty() else None)
    try:
        outcome = ran(
            arguments.paths or ["."], arguments, LAUNCHED if arguments.launches else LISTED, progress=progress
        )
    finally:
        progress.end()
    for entry in outcome.entries:
        stderr.warn(_PROBLEM, path=entry.path, said=entry.message)
    missing = tell_missing(outcome)
    if arguments.launches:
        _write_launches(arguments, sorted(outcome.launches, key=lambda row: row[:3]))
        return 2 if outcome.failed or outcome.entries else missing
    rows = sorted(outcome.rows, key=lambda row: (row.path, *row[1:5], row.block))
    if arguments.surface:
        rows = [row for row in rows if row.surface in arguments.surface]
    write_found(
        arguments,
        content=lambda: {"settings": [row._asdict() for row in rows]},
        table=lambda: table_of(rows),
        text=lambda _: _table(rows),
    )
    return 2 if outcome.failed or outcome.entries else missing


def _table(rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        return
    table = [("place", "surface", "option", "slot", "value", "block")]
    table += [
        (
            f"{shown_path(row.path)}:{row.line}:{row.column}",
            row.surface,
            row.option,
            row.slot or "",
            _short(json.dumps(row.value, ensure_ascii=False)) if row.known else "unknown",
            str(row.block),
        )
        for row in rows
    ]
    yield from aligned(table)


def _write_launches(arguments: argparse.Namespace, rows: Sequence[LaunchRow]) -> None:
    from npu_lsp.reports.settings_table import launch_table as launch_table

    write_found(
        arguments,
        content=lambda: {"launches": [row._asdict() for row in rows]},
        table=lambda: launch_table(rows),
        text=lambda _: _launches(rows),
    )


def _launches(rows: Sequence[LaunchRow]) -> Iterator[str]:
    if not rows:
        return
    table = [("place", "program", "what", "devices", "ports")]
    table += [
        (
            f"{shown_path(row.path)}:{row.line}:{row.column}",
            row.program,
            row.summary or "unknown",
            _listed(row.devices or ()),
            _listed(row.ports),
        )
        for row in rows
    ]
    yield from aligned(table)


def _listed(numbers: Sequence[int]) -> str:
    return _short(",".join(map(str, numbers)))


def _short(text: str) -> str:
    text = shown(text)
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
