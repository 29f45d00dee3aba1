"""How help is laid out: as argparse does it, but in two languages."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable

from npu_lsp.commands.language import chosen, told
from npu_lsp.commands.layout import laid, wrapped
from npu_lsp.text.bilingual import Text

_TITLES = {
    "positional arguments": "位置参数",
    "options": "选项",
    "show this help message and exit": "显示本帮助并退出",
}
_USAGE = Text("usage: ", "usage:")
"""What the usage begins with; the Chinese one is as wide as what takes its place, since argparse counts signs and not cells."""


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
