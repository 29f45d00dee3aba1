"""`npu-lsp merge`: joins the reports of several shards or repositories into one."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from npu_lsp.checking import stderr
from npu_lsp.checking.report import ReportedFinding, Result
from npu_lsp.commands.arguments import add_colour, add_exit_zero, add_report
from npu_lsp.commands.check_arguments import add_statistics
from npu_lsp.commands.check_misuse import miscounted
from npu_lsp.commands.found import style_for
from npu_lsp.commands.language import add_language, chosen, told
from npu_lsp.commands.output import write_file, write_out
from npu_lsp.linter.severity import Severity
from npu_lsp.reports import FOR_PEOPLE, merging, needs_rules, renderer
from npu_lsp.reports.summary import Done, summary
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import as_json

_EPILOG = Text(
    """\
The reports must all be JSON (`check --output-format json` or `json-lines`) or all be SARIF. From JSON any other format
can be made, without source lines, which JSON doesn't have.

exit codes:
  0   no finding that is at least as bad as --fail-on
  1   such a finding
  2   a report that can't be read

examples:
  npu-lsp check --shard 1/4 --exit-zero --output-format sarif -o 1.sarif   on the first machine of four
  npu-lsp merge *.sarif -o all.sarif                                       where the reports come together
  npu-lsp merge *.json --statistics --group-by option                      what is there to do, in all of them?
  npu-lsp merge a=a.json b=b.json --format html -o all.html                several repositories on one page
""",
    """\
各报告必须都是 JSON（`check --output-format json` 或 `json-lines`）或都是 SARIF。由 JSON 可生成其他任意格式，
但不含源码行，因为 JSON 中没有。

退出码：
  0   没有不低于 --fail-on 级别的问题
  1   有这样的问题
  2   报告无法读取

示例：
  npu-lsp check --shard 1/4 --exit-zero --output-format sarif -o 1.sarif   在四台机器中的第一台上
  npu-lsp merge *.sarif -o all.sarif                                       在汇总报告的机器上
  npu-lsp merge *.json --statistics --group-by option                      统计所有报告中的问题
  npu-lsp merge a=a.json b=b.json --format html -o all.html                多个仓库合并为一页
""",
)

_LONGEST = 1 << 29
"""Characters of a report: a million findings. A device has no end."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Joins the reports of several runs, such as `npu-lsp check --shard I/N` makes, into one.",
        "将多次运行（如 `npu-lsp check --shard I/N`）的报告合并为一份。",
    )
    parser.epilog = _EPILOG.to(chosen())
    reports = told(
        "JSON or SARIF reports of npu-lsp; NAME=REPORT puts its paths below NAME",
        "npu-lsp 的 JSON 或 SARIF 报告；NAME=REPORT 将其中的路径放到 NAME 之下",
    )
    parser.add_argument("reports", nargs="+", metavar="[NAME=]REPORT", help=reports)
    add_report(parser, "that of the reports", "与输入报告相同")
    add_statistics(parser)
    add_colour(parser)
    parser.add_argument(
        "--fail-on",
        choices=[each.value for each in Severity],
        default="warning",
        help=told("exit with 1 from this severity on; default: warning", "达到该级别时返回 1；默认为 warning"),
    )
    add_exit_zero(parser)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the joined report: 0 clean, 1 findings, 2 a report that can't be used."""
    wrong = miscounted(arguments)
    if wrong is not None:
        stderr.tell(f"npu-lsp merge: {told('error: ', '错误：')}{wrong}")
        return 2
    try:
        reports = [_report(word) for word in arguments.reports]
        limit = Severity(arguments.fail_on).rank
        if all(isinstance(report, dict) for report in reports):
            found = _merge_sarif(arguments, [report for report in reports if isinstance(report, dict)], limit)
        elif all(isinstance(report, tuple) for report in reports):
            found = _merge_json(arguments, reports, limit)
        else:
            raise merging.ReportError(
                "some of the reports are SARIF and some are JSON; join one sort at a time",
                "报告中既有 SARIF 又有 JSON，请分别合并",
            )
    except UnicodeDecodeError as error:
        return _complain(told(f"a report is not UTF-8: {error}", f"报告不是 UTF-8 编码：{error}"))
    except merging.ReportError as error:
        return _complain(error.what.to(chosen()))
    except OSError as error:
        return _complain(stderr.told(error))
    return 1 if found and not arguments.exit_zero else 0


def _complain(message: str) -> int:
    stderr.tell(f"npu-lsp: {message}")
    return 2


def _report(word: str) -> dict[str, Any] | tuple[ReportedFinding, ...]:
    """Return a report, with its paths below NAME where the word is `NAME=REPORT`. Raises `OSError`."""
    folder, sign, name = word.partition("=")
    if not sign or os.path.exists(word):
        return merging.read(word, _text(word))
    return merging.read(name, _text(name), folder)


def _text(name: str) -> str:
    with Path(name).open(encoding="utf-8-sig") as file:
        text = file.read(_LONGEST + 1)
    if len(text) > _LONGEST:
        raise merging.ReportError(f"{name}: longer than any report", f"{name}：文件过大，不是报告")
    return text


def _merge_sarif(arguments: argparse.Namespace, reports: list[dict[str, Any]], limit: int) -> bool:
    wanted = "--statistics" if arguments.statistics else arguments.output_format
    if wanted not in (None, "sarif"):
        raise merging.ReportError(
            f"{wanted} can't be made from SARIF; let the shards write JSON",
            f"无法由 SARIF 生成 {wanted}，请让各分片输出 JSON",
        )
    log = merging.sarif(reports)
    found = merging.has_level(log, limit)
    _write(arguments, [as_json(log)])
    return found


def _merge_json(arguments: argparse.Namespace, reports: list[Any], limit: int) -> bool:
    entries = merging.entries(reports)
    output_format = arguments.output_format or ("full" if arguments.statistics else "json")
    rules = {}
    if needs_rules(output_format) or arguments.statistics:
        from npu_lsp.reports.rules import rule_facts

        rules = rule_facts({entry.code for entry in entries}, chosen())
    here = os.getcwd()
    result = Result(entries, language=chosen(), rules=rules, here=here, root=here)
    style = style_for(arguments.color, sys.stdout, file=bool(arguments.output_file))
    if arguments.statistics:
        from npu_lsp.reports.statistics import counted

        _write(arguments, list(counted(result, arguments.group_by or "rule", output_format, style)))
    else:
        pieces = list(renderer(output_format)(result, style))
        if output_format in FOR_PEOPLE:
            pieces += (f"{line}\n" for line in summary(result, Done(), style))
        _write(arguments, pieces)
    return any(entry.severity.rank <= limit for entry in result.open)


def _write(arguments: argparse.Namespace, pieces: list[str]) -> None:
    if arguments.output_file:
        write_file(arguments.output_file, pieces)
    else:
        write_out(pieces)
