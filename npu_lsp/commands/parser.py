"""The parser of a command line: as argparse's, but in two languages, and it says what a mistyped argument was meant to be."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from npu_lsp.commands.language import chosen, told
from npu_lsp.commands.output import write_out
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import cells, shown

_TITLES = {
    "positional arguments": "位置参数",
    "options": "选项",
    "show this help message and exit": "显示本帮助并退出",
}
_USAGE = Text("usage: ", "usage:")
"""What the usage begins with; the Chinese one is as wide as what takes its place, since argparse counts signs and not cells."""
_USAGE_SHOWN = "用法："


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
        return re.sub(r"^(\S.*):$", r"\1：", text, flags=re.MULTILINE).replace(_USAGE.zh, _USAGE_SHOWN, 1)

    def _expand_help(self, action: argparse.Action) -> str:
        return _in_language(super()._expand_help(action))

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(laid(text, width))


def _in_language(text: str) -> str:
    return told(text, _TITLES.get(text, text))


_ERRORS = (
    # In place of argparse's own words: its message, and ours.
    (r"argument ([^:]+): expected one argument", r"参数 \1：缺少取值"),
    (r"argument ([^:]+): expected at least one argument", r"参数 \1：至少需要一个取值"),
    (r"argument ([^:]+): ignored explicit argument (.+)", r"参数 \1：不接受取值 \2"),
    (r"argument ([^:]+): invalid choice: (.+?) \(choose from (.+)\)", r"参数 \1：取值 \2 无效（可选：\3）"),
    (r"argument ([^:]+): invalid (?:int|_count) value: (.+)", r"参数 \1：\2 不是有效的整数"),
    (r"argument ([^:]+): (.+)", r"参数 \1：\2"),
    (r"unrecognized arguments: (.+)", r"无法识别的参数：\1"),
    (r"the following arguments are required: (.+)", r"缺少参数：\1"),
    (r"ambiguous option: (.+?) could match (.+)", r"选项 \1 不明确，可能是 \2"),
)


class Parser(argparse.ArgumentParser):
    """As argparse's, but says which argument a mistyped one was meant to be."""

    def __init__(self, prog: str, usage: str | None = None, description: str = "", epilog: str = "") -> None:
        super().__init__(prog, usage, description, epilog, formatter_class=Help)
        self.color = False  # Python 3.14 would colour what the versions before it don't.
        self.guess: Callable[[str], str | None] = lambda _: None
        """What else an unknown argument may be meant for, besides one of ours."""

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return what arguments say; options may stand between paths, too, where no `--` ends them: `explain train.log --fix .`."""
        if "--" in arguments:
            return self.parse_args(arguments)
        if self.usage is None:
            # As argparse does here, which knows what the usage begins with in English alone.
            begins = told(_USAGE.en, _USAGE_SHOWN)
            self.usage = self.format_usage().removeprefix(begins).replace("%", "%%")
        return self.parse_intermixed_args(arguments)

    def _print_message(self, message: str, file: Any = None) -> None:
        # As all that the command says; argparse would lose what can't be written and call it well.
        if message:
            write_out([message], file or sys.stderr)

    def error(self, message: str) -> NoReturn:
        hint = self._meant(message)
        if chosen() == "zh":
            message = _in_chinese(message)
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {told('error: ', '错误：')}{shown(f'{message}{hint}')}\n")

    def _meant(self, message: str) -> str:
        # In place: they are compiled for those who mistype, and for nobody else.
        wrong = re.search(
            r"unrecognized arguments: (?P<option>--[\w.=-]+)|invalid choice: '(?P<choice>[^']+)' \(choose from (?P<choices>.+)",
            message,
        )
        if wrong is None:
            return ""
        from difflib import get_close_matches

        known = re.findall(r"[\w-]+", wrong["choices"]) if wrong["choices"] else self._option_string_actions
        # Words are few here, and many are short: a slip in four letters is clear.
        (near,) = get_close_matches((wrong["choice"] or wrong["option"]).partition("=")[0], known, 1, 0.75) or (None,)
        if near is None and wrong["option"]:
            near = self.guess(wrong["option"])
        return did_you_mean(near) if near is not None else ""


def did_you_mean(meant: str) -> str:
    """Return what goes behind a complaint when it is clear what was meant."""
    return told(f"; did you mean {meant}?", f"；是否应为 {meant}？")


def _in_chinese(message: str) -> str:
    for pattern, chinese in _ERRORS:
        if re.fullmatch(pattern, message, re.DOTALL):
            return re.sub(pattern, chinese, message, flags=re.DOTALL)
    return message
