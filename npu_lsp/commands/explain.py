"""`npu-lsp explain`: tells what an error of CANN, torch_npu or what runs on them means, and which line may have caused it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence

from npu_lsp.catalog.error_codes import SHAPE, ErrorCode
from npu_lsp.catalog.load import Catalog, load
from npu_lsp.checking import stderr
from npu_lsp.checking.causes import Evidence
from npu_lsp.checking.checked import FixMode, Request
from npu_lsp.checking.diagnosis import Diagnosis, diagnosed, named
from npu_lsp.checking.logs.reader import Log, LogReader
from npu_lsp.checking.logs.sources import ERRORS, below, opened
from npu_lsp.checking.progress import Progress
from npu_lsp.checking.written import WrittenTexts
from npu_lsp.commands.arguments import add_colour, add_configuration, add_diff, add_format, add_logging
from npu_lsp.commands.found import style_for
from npu_lsp.commands.language import CommandError, chosen, told
from npu_lsp.commands.output import write_out
from npu_lsp.reports.explanation import markdown, nothing, page, render, whole
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import shown

_EPILOG = Text(
    """\
examples:
  npu-lsp explain E10001                   what does this code mean?
  npu-lsp explain train.log .              which lines here may have caused the errors of a log?
  npu-lsp explain ~/ascend/log .           the same for a folder of logs: which rank was the first to fail?
  atc ... 2>&1 | npu-lsp explain - .       the same for what a command prints
  npu-lsp explain train.log . --fix        write the values that the log asks for
""",
    """\
示例：
  npu-lsp explain E10001                   该错误码的含义是什么？
  npu-lsp explain train.log .              当前目录中哪些配置可能导致日志中的错误？
  npu-lsp explain ~/ascend/log .           分析日志目录：哪个进程最先报错？
  atc ... 2>&1 | npu-lsp explain - .       分析命令的输出
  npu-lsp explain train.log . --fix        写入日志要求的取值
""",
)

_DIGITS = 6
"""Of what functions of AscendCL return."""
_LOG_AND_FOLDER = 2
_SET = Text("Set {count} value{s}.", "已修改 {count} 项取值。")
_WOULD_SET = Text("Would set {count} value{s}.", "可修改 {count} 项取值。")
_REVIEW = Text(
    "{count} more to review: `--unsafe-fixes` sets them, too.",
    "另有 {count} 项需审阅：加上 `--unsafe-fixes` 可一并修改。",
)
_BROKEN = Text("{path}: can't be read: {why}", "{path}：无法读取：{why}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Explains errors of CANN and torch_npu, and points at the settings that may have caused them.",
        "解释 CANN 和 torch_npu 的错误，并指出可能导致错误的配置。",
    )
    parser.epilog = _EPILOG.to(chosen())
    what = told(
        "a code such as E10001, a log file, a folder of logs, or - for stdin",
        "错误码（如 E10001）、日志文件、日志目录，或 - 表示标准输入",
    )
    parser.add_argument("what", metavar="CODE|LOG", help=what)
    paths = told("more codes, or files and folders to look for the cause in", "更多错误码，或用于查找原因的文件和目录")
    parser.add_argument("paths", nargs="*", metavar="PATH", default=[], help=paths)
    fix = told("write the values that the log asks for, where that is certain", "写入日志要求的取值（仅限确定的位置）")
    parser.add_argument("--fix", action="store_true", help=fix)
    add_diff(parser)
    unsafe = told("with --fix or --diff: those to review, too", "与 --fix 或 --diff 一起使用：也包括需审阅的修改")
    parser.add_argument("--unsafe-fixes", action="store_true", help=unsafe)
    add_format(parser, "text", "json", "markdown", "html")
    add_colour(parser)
    add_logging(parser)
    add_configuration(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what the errors mean; 2 for a code that nobody knows, and for a log or a path that can't be read."""
    catalog = load()
    codes, paths = _sorted([arguments.what, *arguments.paths], catalog)
    if (arguments.fix or arguments.diff) and (codes or len(paths) < _LOG_AND_FOLDER):
        raise CommandError(
            "name a log, and the files or folders whose values are to be set", "请指定日志，以及要修改的文件或目录"
        )
    log = None if codes else _read(paths.pop(0), catalog)
    missing = 0
    evidence = None
    if paths:
        from npu_lsp.commands.runs import BOTH, ran, tell_missing

        outcome = ran(paths, arguments, BOTH)
        missing = tell_missing(outcome)
        entries = [entry for entry in outcome.entries if not entry.silenced]
        evidence = Evidence(outcome.rows, entries, catalog, WrittenTexts(outcome.configs))
    if log is not None:
        diagnosis = diagnosed(log, catalog, evidence)
    else:
        diagnosis = Diagnosis([named(code, evidence) for code in _of_codes(codes, catalog)])
    if arguments.diff:
        return max(missing, _mended(diagnosis, arguments))
    _print(diagnosis, log, arguments)
    return max(missing, _mended(diagnosis, arguments) if arguments.fix else 0)


def _mended(diagnosis: Diagnosis, arguments: argparse.Namespace) -> int:
    """Write the values that a log asks for, or show the change on stdout; return the exit code: 1 for a change that is shown only."""
    from npu_lsp.checking.wishes import strictest
    from npu_lsp.commands.runs import ran

    every = strictest(cause.wish for each in diagnosis.errors for cause in each.causes if cause.wish is not None)
    done = left = 0
    if every:
        wishes = tuple(wish._replace(path=os.path.abspath(wish.path)) for wish in every)
        mode = FixMode.ALL if arguments.unsafe_fixes else FixMode.SAFE
        request = Request(mending=mode, write=not arguments.diff, wishes=wishes)
        outcome = ran(list(dict.fromkeys(wish.path for wish in every)), arguments, request)
        write_out(diff for _, diff in outcome.diffs)
        done = outcome.fixed.total()
        left = sum(not fix.safe for entry in outcome.entries for fix in entry.reported_fixes)
    stderr.tell((_WOULD_SET if arguments.diff else _SET).many(done, chosen()))
    if left and not arguments.unsafe_fixes:
        stderr.tell(_REVIEW.many(left, chosen()))
    return 1 if arguments.diff and done else 0


def _sorted(words: Sequence[str], catalog: Catalog) -> tuple[list[str], list[str]]:
    """Return which words are codes, and which are paths: what is there under that name is a path."""
    shaped = {word for word in words if SHAPE.fullmatch(word.upper()) or (len(word) == _DIGITS and word.isdecimal())}
    known = {word for word in words if word in shaped or catalog.error_codes.find(word) is not None}
    codes = [word for word in words if word in known and not os.path.exists(word)]
    return codes, [word for word in words if word not in codes]


def _of_codes(codes: Sequence[str], catalog: Catalog) -> Iterator[ErrorCode]:
    """Yield what is known of codes; raise `CommandError` for one that nobody knows."""
    for word in codes:
        code = catalog.error_codes.find(word)
        if code is None:
            raise CommandError(f"no component is known to print {word!r}", f"没有已知组件使用错误码 {word!r}")
        yield code


def _read(path: str, catalog: Catalog) -> Log:
    """Return what logs hold; raise `CommandError` where that is nothing, and `OSError`."""
    reader = LogReader(catalog)
    name = shown(path) if path != "-" else told("stdin", "标准输入")
    texts = 0
    if path == "-":
        texts += reader.read(sys.stdin.buffer)
    else:
        progress = Progress(sys.stderr if sys.stderr.isatty() else None, "MB")
        files = list(below(path))
        # A packed one has more than its size says; the bar is full before its end then.
        progress.total = sum(map(_size, files)) >> 20
        for each in files:
            texts += _file(each, path, reader, progress)
        progress.end()
    log = reader.log()
    if not texts and not os.path.isdir(path):
        raise CommandError(f"{name}: not a text", f"{name}：不是文本文件")
    if not log.lines:
        raise CommandError(f"{name}: empty", f"{name}：内容为空")
    return log


def _size(path: str) -> int:
    """Return the size of a log; nothing of one that is gone by now: those of what runs are rotated."""
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def _file(path: str, start: str, reader: LogReader, progress: Progress) -> bool:
    """Read one log; of a folder, one that can't be read is passed over with a word. Raises `OSError`."""
    try:
        with opened(path) as stream:
            return reader.read(stream, os.path.relpath(path, start) if path != start else "", progress.step)
    except ERRORS as error:
        if path == start and isinstance(error, OSError):
            raise
        stderr.wrong(_BROKEN, path=shown(path), why=str(error))
        return path != start


def _print(diagnosis: Diagnosis, log: Log | None, arguments: argparse.Namespace) -> None:
    if arguments.format == "json":
        write_out(whole(diagnosis))
    elif arguments.format == "html":
        write_out(page(diagnosis, chosen()))
    elif log is not None and not diagnosis.errors and not diagnosis.findings:
        write_out([nothing(log.lines, chosen())])
    elif arguments.format == "markdown":
        write_out(markdown(diagnosis, chosen()))
    else:
        write_out(render(diagnosis, chosen(), style_for(arguments.color, sys.stdout)))
