"""`npu-lsp help`: what `-h` behind a command says, too."""

from __future__ import annotations

import argparse

from npu_lsp.commands.language import CommandError, add_language, told
from npu_lsp.commands.main import command_names, command_parser, operands, program_parser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told("Explains a command, or lists them all.", "显示某个命令的帮助，或列出所有命令。")
    about = told("one of the commands", "命令名称")
    parser.add_argument("command", nargs="?", metavar="COMMAND", choices=command_names(), help=about)
    word = told("a word of that command, such as show", "该命令的子命令，例如 show")
    parser.add_argument("word", nargs="?", metavar="WORD", help=word)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the help."""
    parser = command_parser(arguments.command) if arguments.command else program_parser()
    if arguments.word is not None and arguments.word not in _words(arguments.command):
        known = f"{arguments.command} {arguments.word}"
        raise CommandError(f"there is no command `npu-lsp {known}`", f"没有命令 `npu-lsp {known}`")
    parser.print_help()
    return 0


def _words(command: str) -> list[str]:
    return [str(choice) for action in operands(command) for choice in action.choices or ()]
