"""`npu-lsp help`: what `-h` behind a command says, too."""

from __future__ import annotations

import argparse

from npu_lsp.commands.language import add_language, told
from npu_lsp.commands.main import command_names, command_parser, program_parser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told("Explains a command, or lists them all.", "显示某个命令的帮助，或列出所有命令。")
    about = told("one of the commands", "命令名称")
    parser.add_argument("command", nargs="?", metavar="COMMAND", choices=command_names(), help=about)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the help."""
    parser = command_parser(arguments.command) if arguments.command else program_parser()
    parser.print_help()
    return 0
