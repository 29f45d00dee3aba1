"""What somebody meant whose command line begins with no command."""

from __future__ import annotations

import os
import shlex
from argparse import ArgumentParser
from collections.abc import Callable, Sequence


def meant(arguments: Sequence[str], parser_of: Callable[[str], ArgumentParser]) -> str | None:
    """Return the command line that was meant, `None` where that isn't clear; `parser_of` returns what reads those of a command."""
    first = arguments[0]
    command = _command(first, parser_of)
    return " ".join(["npu-lsp", *command, *map(shlex.quote, arguments)]) if command else None


def _command(first: str, parser_of: Callable[[str], ArgumentParser]) -> tuple[str, ...]:
    if first.startswith("-"):
        checks = first.partition("=")[0] in parser_of("check")._option_string_actions  # noqa: SLF001 - argparse has no public list
        return ("check",) if checks else ()
    if _is_path(first):
        return ("check",)
    from npu_lsp.rules import rule_for

    if rule_for(first) is not None:
        return ("rule",)
    from npu_lsp.catalog.load import load

    return ("options", "show") if load().topic(first) else ()


def _is_path(word: str) -> bool:
    from npu_lsp.languages.detection import detect
    from npu_lsp.text.kinds import Kind

    return os.path.lexists(word) or "/" in word or os.sep in word or "*" in word or detect(word, "") is not Kind.OTHER
