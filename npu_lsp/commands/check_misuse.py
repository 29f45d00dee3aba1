"""Which arguments of `npu-lsp check` go together."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from npu_lsp.commands.language import told

COUNTED = ("full", "concise", "json")
"""The formats that can show counts."""
_ALONE = {
    "--environment": ("-", "--add-ignores", "--diff", "--fix", "--show-files", "--watch", "--write-baseline"),
    # One would be done, and the other passed over without a word.
    "--watch": ("-", "--write-baseline", "--show-files"),
    "--add-ignores": ("--fix", "--write-baseline"),
    "--show-files": ("-", "--fix", "--diff", "--add-ignores", "--statistics", "--write-baseline", "--output-file"),
    "--interactive": ("-", "--diff", "--watch"),
    "--diff": ("--statistics", "--write-baseline"),
    "--write-baseline": ("--statistics", "--output-file"),
}


def misused(arguments: argparse.Namespace) -> str | None:
    """Return what is wrong with how arguments are combined."""
    fixing = arguments.fix or arguments.diff or arguments.add_ignores
    alone = {
        "--show-fixes": (arguments.show_fixes and not fixing, "--fix / --diff"),
        "--exit-non-zero-on-fix": (arguments.exit_non_zero_on_fix and not arguments.fix, "--fix"),
        "--interactive": (arguments.interactive and not arguments.fix, "--fix"),
        "--pid": (arguments.pid is not None and not arguments.environment, "--environment"),
        "--stdin-filename": (arguments.stdin_filename and arguments.paths and "-" not in arguments.paths, "-"),
    }
    for name, (wrong, needed) in alone.items():
        if wrong:
            return told(f"{name} goes with {needed}", f"{name} 需要与 {needed} 一起使用")
    given = {
        "--environment": arguments.environment,
        "--add-ignores": arguments.add_ignores,
        "--diff": arguments.diff,
        "--fix": arguments.fix,
        "--interactive": arguments.interactive,
        "--output-file": arguments.output_file,
        "--show-files": arguments.show_files,
        "--statistics": arguments.statistics,
        "--watch": arguments.watch,
        "--write-baseline": arguments.write_baseline,
        "-": "-" in arguments.paths or arguments.stdin_filename,
    }
    return _together(given) or _too_many(arguments) or miscounted(arguments)


def _together(given: Mapping[str, object]) -> str | None:
    for one, others in _ALONE.items():
        for other in others:
            if given[one] and given[other]:
                return told(f"{one} doesn't go with {other}", f"{one} 不能与 {other} 一起使用")
    return None


def _too_many(arguments: argparse.Namespace) -> str | None:
    if arguments.environment and len(arguments.paths) > 1:
        return told("--environment goes with one script at most", "--environment 最多指定一个脚本")
    return None


def miscounted(arguments: argparse.Namespace) -> str | None:
    """Return what is wrong with how counts are asked for."""
    if arguments.group_by and not arguments.statistics:
        return told("--group-by goes with --statistics", "--group-by 需要与 --statistics 一起使用")
    if arguments.statistics and arguments.output_format not in (None, *COUNTED):
        formats = ", ".join(COUNTED)
        return told(
            f"--output-format {arguments.output_format} can't show --statistics; these can: {formats}",
            f"--output-format {arguments.output_format} 不支持 --statistics；支持的格式：{formats}",
        )
    return None
