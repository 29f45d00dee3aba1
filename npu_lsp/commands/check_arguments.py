"""The arguments of `npu-lsp check`."""

from __future__ import annotations

import argparse

from npu_lsp.checking.shards import Shard
from npu_lsp.commands.arguments import add_configuration, add_files, add_logging, add_rules
from npu_lsp.linter.severity import Severity
from npu_lsp.reports import FORMATS

_EPILOG = """\
exit codes:
  0   nothing found, or everything fixed
  1   something found that is at least as bad as --fail-on
  2   wrong usage, a configuration that can't be used, or an error of npu-lsp itself

examples:
  npu-lsp check                                     everything below the current folder
  npu-lsp check train.py scripts/                   a file and a folder
  npu-lsp check --fix                               mend what is safe to mend
  npu-lsp check --diff                              show what --fix would change, and change nothing
  npu-lsp check --target cann=9.0                   what breaks with CANN 9.0?
  npu-lsp check --target vllm-ascend=0.23           and with vLLM-Ascend 0.23?
  npu-lsp check --statistics --group-by option      what is there to do?
  npu-lsp check --write-baseline                    take today's findings as known
  npu-lsp check --output-format sarif --output-file npu-lsp.sarif
  cat train.py | npu-lsp check - --stdin-filename train.py

`npu-lsp rule NPU101` explains a finding. `# npu-lsp: ignore[NPU101]` in a comment silences it on its line, or on
the whole next statement when the comment has a line of its own.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Checks the Ascend NPU configuration in Python and shell files, notebooks, Markdown, Dockerfiles, YAML and "
        "Makefiles."
    )
    parser.usage = "npu-lsp check [OPTIONS] [PATH ...]"
    parser.epilog = _EPILOG
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, folders, globs, or - for stdin; default: .")
    parser.add_argument("--stdin-filename", metavar="NAME", help="what the text on stdin is called")
    add_logging(parser)
    fixes = parser.add_argument_group("fixes")
    fixes.add_argument("--fix", action="store_true", help="make the safe fixes")
    fixes.add_argument("--unsafe-fixes", action="store_true", help="with --fix or --diff: make the unsafe ones too")
    fixes.add_argument("--diff", action="store_true", help="show what --fix would change, and exit with 1 if it would")
    report = parser.add_argument_group("report")
    report.add_argument(
        "--output-format",
        "--format",
        choices=FORMATS,
        metavar="FORMAT",
        help=f"one of {', '.join(FORMATS)}; default: full",
    )
    report.add_argument("-o", "--output-file", metavar="FILE", help="write the report there instead of stdout")
    report.add_argument("--statistics", action="store_true", help="count the findings instead of listing them")
    report.add_argument("--group-by", choices=("rule", "file", "option"), default="rule", help="what to count by")
    report.add_argument("-q", "--quiet", action="store_true", help="findings only, no summary")
    report.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="default: auto")
    report.add_argument(
        "--fail-on",
        choices=[each.value for each in Severity],
        help="exit with 1 from this severity on; default: warning",
    )
    report.add_argument("--exit-zero", action="store_true", help="exit with 0 also when something was found")
    add_rules(parser)
    add_configuration(parser)
    add_files(parser)
    baseline = parser.add_argument_group("baseline")
    baseline.add_argument("--baseline", metavar="FILE", help="don't report the findings that this file knows")
    baseline.add_argument("--write-baseline", action="store_true", help="take all findings of this run as known")
    baseline.add_argument(
        "--baseline-mode",
        choices=("auto", "shrink", "keep", "lock"),
        default="auto",
        help="what becomes of known findings that are gone: shrink the file, keep it, or lock it and fail until it is "
        "brought up to date; default: lock where the variable CI is set, shrink elsewhere",
    )
    speed = parser.add_argument_group("speed")
    speed.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")
    speed.add_argument("--cache-dir", metavar="DIR", help="default: .npu-lsp-cache beside the configuration")
    speed.add_argument("-j", "--jobs", type=_count, metavar="N", help="processes; default: one for each processor")
    speed.add_argument("--shard", type=_shard, metavar="I/N", help="check only the Ith of N parts; see `npu-lsp merge`")


def _count(text: str) -> int:
    count = int(text)
    if not 1 <= count <= 1024:
        raise argparse.ArgumentTypeError("must be from 1 to 1024")
    return count


def _shard(text: str) -> Shard:
    try:
        return Shard.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
