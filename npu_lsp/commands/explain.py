"""`npu-lsp explain`: tells what an error of CANN or torch_npu means, and which line may have caused it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from npu_lsp.catalog.error_codes import SHAPE
from npu_lsp.catalog.load import Catalog, load
from npu_lsp.checking.causes import Evidence
from npu_lsp.checking.log import Log, LogReader
from npu_lsp.commands.arguments import add_colour, add_configuration, add_format, add_logging
from npu_lsp.commands.found import style_for
from npu_lsp.commands.language import CommandError, chosen, told
from npu_lsp.commands.output import write_out
from npu_lsp.reports.explanation import Explained, markdown, render, whole
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import shown

_EPILOG = Text(
    """\
examples:
  npu-lsp explain E10001                   what does this code mean?
  npu-lsp explain train.log .              which lines here may have caused the errors of a log?
  atc ... 2>&1 | npu-lsp explain - .       the same for what a command prints
""",
    """\
示例：
  npu-lsp explain E10001                   该错误码的含义是什么？
  npu-lsp explain train.log .              当前目录中哪些配置可能导致日志中的错误？
  atc ... 2>&1 | npu-lsp explain - .       分析命令的输出
""",
)

_NO_CODE = Text("No known code of an error in {count} line{s}.", "{count} 行日志中没有已知的错误码。")
_DIGITS = 6
"""Of what functions of AscendCL return."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Explains errors of CANN and torch_npu, and points at the settings that may have caused them.",
        "解释 CANN 和 torch_npu 的错误，并指出可能导致错误的配置。",
    )
    parser.epilog = _EPILOG.to(chosen())
    what = told("a code such as E10001, a log file, or - for stdin", "错误码（如 E10001）、日志文件，或 - 表示标准输入")
    parser.add_argument("what", metavar="CODE|LOG", help=what)
    paths = told("more codes, or files and folders to look for the cause in", "更多错误码，或用于查找原因的文件和目录")
    parser.add_argument("paths", nargs="*", metavar="PATH", default=[], help=paths)
    add_format(parser, "text", "json", "markdown")
    add_colour(parser)
    add_logging(parser)
    add_configuration(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what the errors mean; 2 for a code that nobody knows, and for a log or a path that can't be read."""
    catalog = load()
    codes, paths = _sorted([arguments.what, *arguments.paths], catalog)
    log = None
    if codes:
        found = _of_codes(codes, catalog)
    else:
        log = _read(paths.pop(0), catalog)
        found = _of_log(log, catalog)
    missing = 0
    if paths and found:
        from npu_lsp.commands.runs import BOTH, ran, tell_missing

        outcome = ran(paths, arguments, BOTH)
        missing = tell_missing(outcome)
        evidence = Evidence(outcome.rows, [entry for entry in outcome.entries if not entry.silenced], catalog)
        found = [each._replace(causes=evidence.causes(each.code, each.mention)) for each in found]
    _print(found, log, arguments)
    return missing


def _sorted(words: Sequence[str], catalog: Catalog) -> tuple[list[str], list[str]]:
    """Return which words are codes, and which are paths: what is there under that name is a path."""
    messages = catalog.error_codes.messages
    is_code = {word: _is_code(word) or word.lower() in messages for word in words}
    codes = [word for word in words if is_code[word] and not os.path.exists(word)]
    return codes, [word for word in words if word not in codes]


def _is_code(word: str) -> bool:
    return bool(SHAPE.fullmatch(word.upper())) or (len(word) == _DIGITS and word.isdecimal())


def _of_log(log: Log, catalog: Catalog) -> list[Explained]:
    return [Explained(code, each) for each in log.mentions if (code := catalog.error_codes.find(each.code)) is not None]


def _of_codes(codes: Sequence[str], catalog: Catalog) -> list[Explained]:
    """Return what is known of codes; raise `CommandError` for one that nobody knows."""
    found = []
    for word in codes:
        code = catalog.error_codes.find(word)
        if code is None:
            raise CommandError(f"no component is known to print {word!r}", f"没有已知组件使用错误码 {word!r}")
        found.append(Explained(code, None))
    return found


def _read(path: str, catalog: Catalog) -> Log:
    """Return what a log holds; raise `CommandError` where that is nothing, and `OSError`."""
    reader = LogReader(catalog)
    if path == "-":
        log = reader.read(sys.stdin.buffer)
    else:
        with open(path, "rb") as stream:
            log = reader.read(stream)
    name = shown(path) if path != "-" else told("stdin", "标准输入")
    if log.binary:
        raise CommandError(f"{name}: not a text", f"{name}：不是文本文件")
    if not log.lines:
        raise CommandError(f"{name}: empty", f"{name}：内容为空")
    return log


def _print(found: Sequence[Explained], log: Log | None, arguments: argparse.Namespace) -> None:
    if arguments.format == "json":
        write_out(whole(found))
    elif not found and log is not None:
        write_out([_NO_CODE.many(log.lines, chosen()) + "\n"])
    elif arguments.format == "markdown":
        write_out(markdown(found, chosen()))
    else:
        write_out(render(found, chosen(), style_for(arguments.color, sys.stdout)))
