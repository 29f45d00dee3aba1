"""How help is laid out: as argparse does it, but in two languages."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable

from npu_lsp.commands.language import chosen, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import cells

_TITLES = {
    "positional arguments": "位置参数",
    "options": "选项",
    "show this help message and exit": "显示本帮助并退出",
}
_USAGE = Text("usage: ", "usage:")
"""What the usage begins with; the Chinese one is as wide as what takes its place, since argparse counts signs and not cells."""


_COLUMNS = re.compile(r"(?P<left> +\S.*?)(?P<gap> {2,})(?P<right>\S.*)")
_NARROWEST = 24
"""Cells that a second column needs at least."""


def laid(text: str, width: int) -> list[str]:
    """Return the lines of a text that fit into `width` cells: paragraphs laid anew, indented lines broken below what they say."""
    lines: list[str] = []
    paragraph = ""
    for line in [*text.splitlines(), ""]:
        if line and not line.startswith(" "):
            # Lines of Chinese are joined without a blank.
            paragraph += line if not paragraph or not paragraph[-1].isascii() else f" {line}"
            continue
        lines += wrapped(paragraph, width) if paragraph else []
        paragraph = ""
        lines += _hung(line, width)
    return lines[:-1]


def _hung(line: str, width: int) -> list[str]:
    """Return an indented line, its second column below itself where it has one, and below the first where that takes too much."""
    columns = _COLUMNS.fullmatch(line)
    if columns is None or cells(line) <= width:
        return [line]
    indent = len(columns["left"] + columns["gap"])
    if indent > width - _NARROWEST:
        return [columns["left"], *(f"      {piece}" for piece in wrapped(columns["right"], width - 6))]
    first, *others = wrapped(columns["right"], width - indent)
    return [columns["left"] + columns["gap"] + first, *(" " * indent + piece for piece in others)]


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a text in which one may break at blanks and behind every wide character, and in no name."""
    lines = [""]
    for piece in re.findall(r" *（?(?:[\x21-\x7e]+|.)[，。；：、）]*", text):
        if lines[-1] and cells(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return lines


class Help(argparse.RawDescriptionHelpFormatter):
    """As argparse's, but asks for the terminal's width without importing what costs 5 ms for each argument list."""

    def __init__(self, prog: str) -> None:
        try:
            width = int(os.environ.get("COLUMNS") or os.get_terminal_size().columns)
        except (OSError, ValueError):
            width = 100
        super().__init__(prog, max_help_position=34, width=max(60, min(width, 120) - 2))

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, _USAGE.to(chosen()) if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(_in_language(heading) if heading else heading)

    def format_help(self) -> str:
        text = super().format_help()
        if chosen() != "zh":
            return text
        return re.sub(r"^(\S.*):$", r"\1：", text, flags=re.MULTILINE).replace(_USAGE.zh, "用法：", 1)

    def _expand_help(self, action: argparse.Action) -> str:
        return _in_language(super()._expand_help(action))

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(laid(text, width))


def _in_language(text: str) -> str:
    return told(text, _TITLES.get(text, text))
