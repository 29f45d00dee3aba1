"""`npu-lsp check`: reports and fixes what is wrong in files."""

from __future__ import annotations

import argparse
import logging
import os
import sys

from npu_lsp.checking.checker import Settings
from npu_lsp.checking.run import Outcome
from npu_lsp.checking.run import run as run_checks
from npu_lsp.config.discover import Discovery
from npu_lsp.config.errors import ConfigError
from npu_lsp.reports import FORMATS, renderer
from npu_lsp.reports.model import Result
from npu_lsp.reports.style import Style, wants_colour

_FINDINGS = 1
_BROKEN = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = "Checks Ascend NPU configuration in Python and shell files."
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files and folders; default: .")
    parser.add_argument("--output-format", "--format", choices=FORMATS, help="format of the report; default: full")


def run(arguments: argparse.Namespace) -> int:
    """Check what was named: 0 clean, 1 findings, 2 usage, configuration or internal error."""
    logging.basicConfig(format="npu-lsp: %(message)s", stream=sys.stderr, level=logging.WARNING)
    try:
        outcome = run_checks(arguments.paths, Discovery(), Settings())
    except ConfigError as error:
        print(f"npu-lsp: {error}", file=sys.stderr)
        return _BROKEN
    style = Style(wants_colour("auto", sys.stdout.isatty(), os.environ))
    render = renderer(arguments.output_format or outcome.config.output_format)
    for piece in render(Result(outcome.entries, outcome.files), style):
        sys.stdout.write(piece)
    return _exit_code(outcome)


def _exit_code(outcome: Outcome) -> int:
    if outcome.failed:
        return _BROKEN
    limit = outcome.config.fail_on.rank
    return _FINDINGS if any(not e.silenced and e.severity.rank <= limit for e in outcome.entries) else 0
