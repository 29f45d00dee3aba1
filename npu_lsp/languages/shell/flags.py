"""A tool's arguments as settings.

ATC hands its arguments to `getopt_long` after two changes of its own (ge: `api/atc/cmd_flag_info.cc`, `FormatArgv`):
`-name` with two letters or more becomes `--name`, and in `--name` every `-` before `=` becomes `_`, from the third
character of the name on. AOE takes the same flags, and some with one letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.surfaces import where
from npu_lsp.languages.model import Form, Setting, Value, ValueKind
from npu_lsp.languages.shell import argparse_flags, overrides
from npu_lsp.languages.shell.env_passing import passing
from npu_lsp.languages.shell.flag_values import Flags, key_span, value_of
from npu_lsp.languages.shell.known import Argument, Lookup
from npu_lsp.languages.shell.words import PieceKind, ShellWord
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_FLAG = re.compile(r"(?P<dashes>--?)(?P<name>[^=]*)(?P<equals>=?)")
_NEGATIVE = re.compile(r"-\d+(?:\.\d+)?\Z")
"""What begins as a flag does, and is none: the value of the one before it."""
_FILES = (".yaml", ".yml", ".json")
_TWO_LETTERS = re.compile(r"[A-Za-z]{2}")


STARTING = where(lambda row: row.starts)
"""The surfaces of commands that start a program: their own words end there."""


def tool_name(flag: str, surface: Surface) -> str:
    """Return the name of an option as the tool gets it from a flag as it is written, dashes included."""
    if surface.row.folds and flag.startswith("--"):
        return flag[2:].replace("_", "-")
    if surface.row.beside and flag[1:2] != "-" and len(flag) > 2:
        return flag  # These have no name with one dash.
    if surface.row.flags != "folded":
        return flag.lstrip("-")  # `getopt` and `argparse` know a flag as it is written.
    if flag.startswith("--"):
        name = flag[2:]
    elif _TWO_LETTERS.match(flag, 1):
        name = flag[1:]
    else:
        return flag[1:]
    return name[:2] + name[2:].replace("-", "_") if _TWO_LETTERS.match(name) else name


@cache
def _alone(surface: Surface) -> frozenset[str]:
    """Return the flags that take no value, of a tool that starts a program: what follows may be the program."""
    from npu_lsp.catalog.load import load

    options = load().options(surface) if surface in STARTING else ()
    return frozenset(name for each in options if each.type == "none" for name in (each.name, *each.aliases))


def stands_alone(flag: str, surface: Surface) -> bool:
    """Return whether a flag as it is written takes no value, as far as that is known."""
    from npu_lsp.catalog.load import load

    name = tool_name(flag, surface)
    option = load().option(surface, name)
    return option is not None and (option.type == "none" or option.nargs == "0" or name.startswith("no-"))


def program_started(surface: Surface | None, words: Sequence[ShellWord], at: int) -> int | None:
    """Return the word that names the program which a tool is to start; other flags without `=` take the next word."""
    while surface in STARTING and surface is not None and at < len(words):
        lead = words[at].lead
        if not lead.startswith("-"):
            return at
        if lead == "--":
            return at + 1 if at + 1 < len(words) else None
        # What another flag stands behind has no value, whether the catalog has it or not.
        alone = "=" in lead or lead.lstrip("-") in _alone(surface) or (at + 1 < len(words) and _is_flag(words[at + 1]))
        at += 1 if alone else 2
    return None


def _is_flag(word: ShellWord) -> bool:
    return word.lead.startswith("-") and word.lead.strip("-") != "" and _NEGATIVE.match(word.lead) is None


def read_flags(arguments: Sequence[Argument], surface: Surface, lookup: Lookup | None = None) -> Flags:
    """Return the settings that a tool's `arguments` make."""
    if surface.row.flags == "argparse":
        return argparse_flags.read(arguments, surface, lookup)
    if surface.row.flags == "overrides":
        return overrides.read(arguments, surface, lookup)
    found = _read(arguments, surface, lookup)
    if surface is Surface.LLAMAFACTORY and arguments and arguments[0].word.lead.endswith(_FILES):
        # What stands behind its file is `key=value`: it changes what that says.
        return Flags(overrides.read(arguments, surface, lookup).settings, open=True, stray=())
    passed = {tool_name(flag, surface) for flag in passing(surface)}
    if not passed:
        return found
    return found._replace(settings=tuple(each for each in found.settings if each.name not in passed))


def _read(arguments: Sequence[Argument], surface: Surface, lookup: Lookup | None) -> Flags:
    settings: list[Setting] = []
    stray: list[ShellWord] = []
    more = False
    at = 0
    while at < len(arguments):
        argument = arguments[at]
        word = argument.word
        at += 1
        if not argument.whole:
            more = True
            continue
        lead = word.lead
        match = _FLAG.match(lead) if len(lead) > 1 else None
        if match is None or lead == "--":
            if not word.pieces:
                continue
            if word.pieces[0].kind is not PieceKind.TEXT and not lead:
                # `$x` may hold a flag; a quoted one is one word, whatever it is.
                more = True
            stray.append(word)
            continue
        alone = match["equals"] or match["name"] in _alone(surface)
        taken = arguments[at] if not alone and at < len(arguments) and _is_value(arguments[at]) else None
        if taken is not None:
            at += 1
        setting = _setting(argument, match, taken, surface, lookup)
        if setting.value.data == "" and at < len(arguments) and arguments[at].word.lead[:1] != "-":
            # `--flag= v`: what was meant is not what the tool gets.
            setting = setting._replace(value=Value(ValueKind.WORD, setting.value.span))
        settings.append(setting)
    return Flags(tuple(settings), more, () if surface.row.flags == "lists" else tuple(stray))


def _is_value(argument: Argument) -> bool:
    """Return whether a flag without `=` takes the word: whether it must have one only the tool knows."""
    word = argument.word
    return (
        argument.whole
        and bool(word.pieces)
        and (not word.lead.startswith(("-", "=")) or _NEGATIVE.match(word.lead) is not None)
    )


def _setting(
    argument: Argument, match: re.Match[str], taken: Argument | None, surface: Surface, lookup: Lookup | None
) -> Setting:
    word = argument.word
    flag = match["dashes"] + match["name"]
    key = key_span(word, len(flag))
    if match["equals"]:
        rest = word.after(match.end())
        value, separator = value_of(rest.pieces, rest.span, lookup), "="
    elif taken is not None:
        value, separator = value_of(taken.word.pieces, taken.word.span, lookup, tilde=True), " "
    else:
        value, separator = Value(ValueKind.WORD, Span(word.end, word.end)), ""
    own = argument.own or word.span
    if taken is not None and own.end <= taken.word.start:
        own = Span(own.start, (taken.own or taken.word.span).end)
    return Setting(
        surface=surface,
        name=tool_name(flag, surface),
        key=key,
        value=value,
        form=Form.FLAG,
        statement=argument.statement,
        own=own,
        branch=argument.branch,
        abbreviated=surface.row.shortens,
        separator=separator,
    )
