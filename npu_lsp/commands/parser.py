"""The parser of a command line: as argparse's, but in two languages, and it says what a mistyped argument was meant to be."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from npu_lsp.commands.help_text import Help
from npu_lsp.commands.language import chosen, told
from npu_lsp.commands.output import write_out
from npu_lsp.text.terminal import shown

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
