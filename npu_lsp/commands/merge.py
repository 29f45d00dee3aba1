"""`npu-lsp merge`: joins the reports of several shards into one."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from npu_lsp.checking import saying
from npu_lsp.checking.report import Result
from npu_lsp.commands.output import style_for, write_file, write_out
from npu_lsp.linter.severity import Severity
from npu_lsp.reports import FORMATS, merging, renderer

_EPILOG = """\
The reports must all be JSON (`check --output-format json` or `json-lines`) or all be SARIF. From JSON any other format
can be made, without source lines and fixes, which JSON doesn't have.

exit codes:
  0   no finding that is at least as bad as --fail-on
  1   such a finding
  2   a report that can't be read

examples:
  npu-lsp check --shard 1/4 --exit-zero --output-format sarif -o 1.sarif   on the first machine of four
  npu-lsp merge *.sarif -o all.sarif                                       where the reports come together
"""

_LONGEST = 1 << 29
"""Characters of a report: a million findings. A device has no end."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = "Joins the reports of several runs, such as `npu-lsp check --shard I/N` makes, into one."
    parser.epilog = _EPILOG
    parser.add_argument("reports", nargs="+", metavar="REPORT", help="JSON or SARIF reports of npu-lsp")
    parser.add_argument("-o", "--output-file", metavar="FILE", help="write the report there instead of stdout")
    parser.add_argument(
        "--output-format",
        "--format",
        choices=FORMATS,
        metavar="FORMAT",
        help=f"one of {', '.join(FORMATS)}; default: that of the reports",
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="default: auto")
    parser.add_argument(
        "--fail-on",
        choices=[each.value for each in Severity],
        default="warning",
        help="exit with 1 from this severity on; default: warning",
    )
    parser.add_argument("--exit-zero", action="store_true", help="exit with 0 also when something was found")


def run(arguments: argparse.Namespace) -> int:
    """Write the joined report: 0 clean, 1 findings, 2 a report that can't be used."""
    try:
        reports = [merging.read(name, _text(name)) for name in arguments.reports]
        limit = Severity(arguments.fail_on).rank
        if all(isinstance(report, dict) for report in reports):
            found = _merge_sarif(arguments, [report for report in reports if isinstance(report, dict)], limit)
        elif all(isinstance(report, tuple) for report in reports):
            found = _merge_json(arguments, reports, limit)
        else:
            raise merging.ReportError("some of the reports are SARIF and some are JSON; join one sort at a time")
    except UnicodeDecodeError as error:
        print(f"npu-lsp: a report is not UTF-8: {error}", file=sys.stderr)
        return 2
    except (merging.ReportError, OSError) as error:
        print(f"npu-lsp: {saying.told(error) if isinstance(error, OSError) else error}", file=sys.stderr)
        return 2
    return 1 if found and not arguments.exit_zero else 0


def _text(name: str) -> str:
    with Path(name).open(encoding="utf-8-sig") as file:
        text = file.read(_LONGEST + 1)
    if len(text) > _LONGEST:
        raise merging.ReportError(f"{name}: longer than any report")
    return text


def _merge_sarif(arguments: argparse.Namespace, reports: list[dict[str, Any]], limit: int) -> bool:
    if arguments.output_format not in (None, "sarif"):
        raise merging.ReportError(f"{arguments.output_format} can't be made from SARIF; let the shards write JSON")
    log = merging.sarif(reports)
    found = merging.has_level(log, limit)
    _write(arguments, [json.dumps(log, ensure_ascii=False, indent=2) + "\n"])
    return found


def _merge_json(arguments: argparse.Namespace, reports: list[Any], limit: int) -> bool:
    entries = merging.entries(reports)
    output_format = arguments.output_format or "json"
    rules = {}
    if output_format == "sarif":
        from npu_lsp.reports.rules import rule_facts

        rules = rule_facts({entry.code for entry in entries}, "en")
    here = os.getcwd()
    result = Result(entries, rules=rules, here=here, root=here)
    style = style_for(arguments.color, sys.stdout, file=bool(arguments.output_file))
    _write(arguments, list(renderer(output_format)(result, style)))
    return any(entry.severity.rank <= limit for entry in result.open)


def _write(arguments: argparse.Namespace, pieces: list[str]) -> None:
    if arguments.output_file:
        write_file(arguments.output_file, pieces)
    else:
        write_out(pieces)
