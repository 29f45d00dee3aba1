"""`npu-lsp settings`: lists every setting that files make."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence

from npu_lsp.checking import stderr
from npu_lsp.checking.checked import Settings
from npu_lsp.checking.inventory import Row
from npu_lsp.checking.progress import Progress
from npu_lsp.checking.run import Plan, processors
from npu_lsp.checking.run import run as run_plan
from npu_lsp.commands.arguments import (
    add_configuration,
    add_files,
    add_logging,
    add_surface,
    complain,
    count,
    discovery,
)
from npu_lsp.commands.language import chosen, told
from npu_lsp.commands.output import write_out
from npu_lsp.config.errors import ConfigError
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import cells, shown, shown_path

_EPILOG = Text(
    """\
examples:
  npu-lsp settings train.py                        what does this script set?
  npu-lsp settings --surface atc --format json .   every ATC flag of a repository, for other programs
""",
    """\
示例：
  npu-lsp settings train.py                        该脚本设置了哪些配置项？
  npu-lsp settings --surface atc --format json .   以 JSON 输出仓库中的所有 ATC 参数
""",
)
_PROBLEM = Text(en="{path}: {said}", zh="{path}：{said}")
_MISSING = Text(en="{path}: there is nothing of that name", zh="{path}：没有匹配的文件或目录")
_WIDEST = 60
"""Cells of a value in the table."""
_FORMATS = ("table", "json", "html", "csv", "markdown")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Lists every setting that is found, right or wrong: where, what, and the value if it is known.",
        "列出找到的所有配置，无论正确与否：位置、配置项，以及可以确定的取值。",
    )
    parser.epilog = _EPILOG.to(chosen())
    paths = told("files, folders or globs; default: .", "文件、目录或通配模式；默认为 .")
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths)
    form = told("default: table", "默认为 table")
    parser.add_argument("--format", choices=_FORMATS, default="table", help=form)
    add_surface(parser)
    jobs = told("processes; default: one for each processor", "进程数；默认与处理器数相同")
    parser.add_argument("-j", "--jobs", type=count, metavar="N", help=jobs)
    add_logging(parser)
    add_configuration(parser)
    add_files(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the settings; 0 also when there are none, 2 when something went wrong."""
    stderr.start(verbose=arguments.verbose, language=chosen())
    here = os.getcwd()
    plan = Plan(
        arguments.paths or ["."],
        here,
        Settings(language=chosen(), inventory=True),
        jobs=arguments.jobs or processors(),
        cache=False,
    )
    progress = Progress(sys.stderr if sys.stderr.isatty() else None)
    try:
        outcome = run_plan(plan, discovery(arguments), progress)
    except ConfigError as error:
        complain(error, arguments)
        return 2
    finally:
        progress.end()
    for entry in outcome.entries:
        stderr.warn(_PROBLEM, path=entry.path, said=entry.message)
    for path in outcome.missing:
        stderr.warn(_MISSING, path=path)
    rows = sorted(outcome.rows, key=lambda row: (row.path, *row[1:5], row.block))
    if arguments.surface:
        rows = [row for row in rows if row.surface in arguments.surface]
    write_out(_written(rows, arguments.format))
    return 2 if outcome.failed or outcome.entries or outcome.missing else 0


def _written(rows: Sequence[Row], form: str) -> Iterator[str]:
    if form == "json":
        return _json(rows)
    if form == "table":
        return _table(rows)
    from npu_lsp.reports import table
    from npu_lsp.reports.settings_table import table as table_of

    write = {"html": table.html, "csv": table.spreadsheet, "markdown": table.markdown}[form]
    return write(table_of(rows), chosen())


def _json(rows: Sequence[Row]) -> Iterator[str]:
    content = {"version": 1, "settings": [row._asdict() for row in rows]}
    yield json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _table(rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        return
    table = [("place", "surface", "option", "slot", "value", "block")]
    table += [
        (
            f"{shown_path(row.path)}:{row.line}:{row.column}",
            row.surface,
            shown(row.option),
            row.slot or "",
            _short(json.dumps(row.value, ensure_ascii=False)) if row.known else "unknown",
            str(row.block),
        )
        for row in rows
    ]
    widths = [max(cells(line[column]) for line in table) for column in range(len(table[0]))]
    for line in table:
        padded = [text + " " * (width - cells(text)) for text, width in zip(line, widths, strict=True)]
        yield "  ".join(padded).rstrip() + "\n"


def _short(text: str) -> str:
    text = shown(text)
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
