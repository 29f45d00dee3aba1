"""The command line: finds the command and hands over. Each command is imported when it is called."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NoReturn

from npu_lsp import __version__

_COMMANDS = {
    "check": "report and fix what is wrong in files",
    "serve": "run the language server",
    "settings": "list every setting that files make",
    "options": "show what is known about options",
    "rule": "explain a rule",
    "config": "show the configuration that is in force",
    "merge": "join the reports of several shards",
    "doctor": "print what a bug report needs",
    "completion": "print a completion script for a shell",
}
"""Each is a module of `npu_lsp.commands` with `add_arguments(parser)` and `run(arguments) -> exit code`."""

_EPILOG = """\
examples:
  npu-lsp check train.py convert.sh     check two files
  npu-lsp check --fix .                 check a folder and mend what is safe to mend
  npu-lsp options show precision_mode   what is known about an option
  npu-lsp rule NPU101                   what a finding means

`npu-lsp COMMAND -h` tells more about a command.
"""

USAGE_ERROR = 2
INTERRUPTED = 130
"""128 and the number of SIGINT, as shells have it."""


class _Help(argparse.RawDescriptionHelpFormatter):
    """As argparse's, but asks for the terminal's width without importing what costs 5 ms for each argument list."""

    def __init__(self, prog: str) -> None:
        try:
            width = int(os.environ.get("COLUMNS") or os.get_terminal_size().columns)
        except (OSError, ValueError):
            width = 100
        super().__init__(prog, max_help_position=34, width=max(60, min(width, 120) - 2))


class _Parser(argparse.ArgumentParser):
    """As argparse's, but says which argument a mistyped one was meant to be."""

    def error(self, message: str) -> NoReturn:
        # In place: they are compiled for those who mistype, and for nobody else.
        wrong = re.search(
            r"unrecognized arguments: (?P<option>--[\w-]+)|invalid choice: '(?P<choice>[^']+)' \(choose from (?P<choices>.+)",
            message,
        )
        if wrong is not None:
            from npu_lsp.catalog.near import nearest

            known = re.findall(r"[\w-]+", wrong["choices"]) if wrong["choices"] else self._option_string_actions
            near = nearest(wrong["choice"] or wrong["option"], known)
            if near is not None:
                message = f"{message}; did you mean {near}?"
        super().error(message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 clean, 1 findings, 2 usage, configuration or internal error."""
    _prepare_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    command = arguments[0] if arguments else ""
    if command in _COMMANDS:
        return _guarded(lambda: _run(command, arguments[1:]))
    parser = _parser()
    if command in ("-V", "--version"):
        return _guarded(_version)
    if not arguments:
        parser.print_help(sys.stderr)
        return USAGE_ERROR
    parser.parse_args(arguments)
    return 0


def command_parser(command: str) -> argparse.ArgumentParser:
    """Return the parser of one command, with its arguments."""
    parser = _Parser(prog=f"npu-lsp {command}", formatter_class=_Help)
    import_module(f"npu_lsp.commands.{command}").add_arguments(parser)
    return parser


def command_names() -> tuple[str, ...]:
    """Return the names of all commands."""
    return tuple(_COMMANDS)


def command_summary(command: str) -> str:
    """Return in a few words what a command is for."""
    return _COMMANDS[command]


def _run(command: str, arguments: Sequence[str]) -> int:
    parsed = command_parser(command).parse_args(arguments)
    code: int = import_module(f"npu_lsp.commands.{command}").run(parsed)
    return code


def _guarded(run: Callable[[], int]) -> int:
    try:
        return run()
    except BrokenPipeError:
        # The reader of our output went away (`| head`): not an error, but nothing more can be said.
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        # What the system refuses: room on the disk, a folder that is gone.
        named = f"{error.filename}: " if isinstance(error.filename, str) else ""
        sys.stderr.write(f"npu-lsp: {named}{error.strerror or error}\n")
        return USAGE_ERROR
    except Exception:
        # An uncaught exception would exit with 1, which means findings.
        import traceback

        traceback.print_exc()
        sys.stderr.write("npu-lsp: this is an error of npu-lsp; please report it with what `npu-lsp doctor` prints\n")
        return USAGE_ERROR


def _prepare_streams() -> None:
    """Put nothing in the place of a stream that was closed before we were started (`>&-`); escape what one can't show."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - no pathlib; open as long as we are
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _version() -> int:
    from npu_lsp.catalog.load import load

    sys.stdout.write(f"npu-lsp {__version__} (catalog {load().date})\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    listed = "\n".join(f"  {name:<12}{what}" for name, what in _COMMANDS.items())
    parser = _Parser(
        prog="npu-lsp",
        usage="npu-lsp COMMAND [ARGUMENTS]",
        description=f"Checks Ascend NPU configuration in Python and shell.\n\ncommands:\n{listed}",
        epilog=_EPILOG,
        formatter_class=_Help,
    )
    parser.add_argument("-V", "--version", action="store_true", help="print the version and the catalog's date")
    parser.add_argument("command", choices=list(_COMMANDS), metavar="COMMAND", help=argparse.SUPPRESS)
    return parser
