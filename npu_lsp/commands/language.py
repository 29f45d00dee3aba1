"""The language of help, and of what is wrong with a command line: that of `--lang`, else that of the locale."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from npu_lsp.text.bilingual import LANGUAGE_CHOICES, Language, Text

_chosen: list[Language] = ["en"]


def language_of(choice: str) -> Language:
    """Return the language that a configuration chooses; `auto` goes by the locale's environment variables."""
    if choice == "auto":
        locale = next((v for k in ("LC_ALL", "LC_MESSAGES", "LANG") if (v := os.environ.get(k))), "")
        return "zh" if locale.lower().startswith("zh") else "en"
    return "zh" if choice == "zh" else "en"


def choose(arguments: Sequence[str]) -> None:
    """Speak the language that `arguments`, which nobody has looked at yet, ask for."""
    choice = "auto"
    for word, following in zip(arguments, [*arguments, ""][1:], strict=True):
        name, sign, value = word.partition("=")
        if name == "--lang":
            choice = value if sign else following
    _chosen[0] = language_of(choice if choice in ("en", "zh") else "auto")


def chosen() -> Language:
    """Return the language of help."""
    return _chosen[0]


def told(en: str, zh: str) -> str:
    """Return the one of two texts that is in the language of help."""
    return Text(en, zh).to(_chosen[0])


class CommandError(Exception):
    """What was asked for can't be done: says why, and the command ends with 2."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(told(en, zh))


def add_language(parser: argparse.ArgumentParser) -> None:
    """Declare the language of what is printed."""
    about = told("language; default: that of the locale", "语言；默认跟随系统区域设置")
    parser.add_argument("--lang", choices=LANGUAGE_CHOICES, default="auto", help=about)
