"""A tool's arguments as settings.

ATC hands its arguments to `getopt_long` after two changes of its own (ge: `api/atc/cmd_flag_info.cc`, `FormatArgv`):
`-name` with two letters or more becomes `--name`, and in `--name` every `-` before `=` becomes `_`, from the third
character of the name on. AOE takes the same flags, and some with one letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.surfaces import where
from npu_lsp.languages.model import Form, Setting, Value, ValueKind
from npu_lsp.languages.shell.known import Argument, Lookup
from npu_lsp.languages.shell.words import Piece, PieceKind, Word, content_of
from npu_lsp.text.spans import Span

_FLAG = re.compile(r"(?P<dashes>--?)(?P<name>[^=]*)(?P<equals>=?)")
_TWO_LETTERS = re.compile(r"[A-Za-z]{2}")


STARTING = where(lambda row: row.starts)
"""The surfaces of commands that start a program: their own words end there."""


class Flags(NamedTuple):
    """What a tool's arguments set."""

    settings: tuple[Setting, ...]
    open: bool
    """True: some of them can't be seen."""
    stray: tuple[Word, ...]
    """Words that belong to no flag."""


def tool_name(flag: str, surface: Surface) -> str:
    """Return the name of an option as the tool gets it from a flag as it is written, dashes included."""
    if surface.row.flags != "folded":
        return flag.lstrip("-")  # `getopt` and `argparse` know a flag as it is written.
    if flag.startswith("--"):
        name = flag[2:]
    elif _TWO_LETTERS.match(flag, 1):
        name = flag[1:]
    else:
        return flag[1:]
    return name[:2] + name[2:].replace("-", "_") if _TWO_LETTERS.match(name) else name


def program_started(surface: Surface | None, words: Sequence[Word], at: int) -> int | None:
    """Return the word that names the program which a tool is to start; a flag without `=` takes the next word."""
    while surface in STARTING and at < len(words):
        lead = words[at].lead
        if not lead.startswith("-"):
            return at
        at += 1 if "=" in lead else 2
    return None


def read_flags(arguments: Sequence[Argument], surface: Surface, lookup: Lookup | None = None) -> Flags:
    """Return the settings that a tool's `arguments` make."""
    settings: list[Setting] = []
    stray: list[Word] = []
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
        taken = arguments[at] if not match["equals"] and at < len(arguments) and _is_value(arguments[at]) else None
        if taken is not None:
            at += 1
        setting = _setting(argument, match, taken, surface, lookup)
        if setting.value.data == "" and at < len(arguments) and arguments[at].word.lead[:1] != "-":
            # `--flag= v`: what was meant is not what the tool gets.
            setting = setting._replace(value=Value(ValueKind.WORD, setting.value.span))
        settings.append(setting)
    return Flags(tuple(settings), more, tuple(stray))


def _is_value(argument: Argument) -> bool:
    """Tell whether a flag without `=` takes the word: whether it must have one only the tool knows."""
    word = argument.word
    return argument.whole and bool(word.pieces) and not word.lead.startswith(("-", "="))


def _setting(
    argument: Argument, match: re.Match[str], taken: Argument | None, surface: Surface, lookup: Lookup | None
) -> Setting:
    word = argument.word
    flag = match["dashes"] + match["name"]
    key = _key_span(word, len(flag))
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
        abbreviated=surface.row.flags != "whole",
        separator=separator,
    )


def _key_span(word: Word, length: int) -> Span:
    """Return where the first `length` characters of `word` stand, without those that it takes from elsewhere."""
    start = end = word.pieces[0].start
    for piece in word.pieces:
        if piece.start < end or piece.end > word.end:
            # A name in another language's `"--flag" + NAME`.
            return Span(start, end)
        if length <= len(piece.text):
            return Span(start, piece.start + length)
        length -= len(piece.text)
        end = piece.end
    return Span(start, word.end)


def value_of(pieces: Sequence[Piece], span: Span, lookup: Lookup | None, *, tilde: bool = False) -> Value:
    """Return the value that a word, or the rest of one, gives.

    `tilde`: the shell replaces `~` at its start, as it does in words of their own and in assignments, but not behind
    the `=` of a flag.
    """
    if not pieces:
        # Nothing behind `=`: the tool gets an empty text.
        return Value(ValueKind.WORD, span, known=True, data="", content=Span(span.start, span.start))
    if tilde and not pieces[0].quoted and pieces[0].text.startswith("~"):
        return Value(ValueKind.WORD, span)
    texts: list[str] = []
    origin: Span | None = None
    for piece in pieces:
        if piece.kind is PieceKind.TEXT:
            texts.append(piece.text)
            continue
        known = lookup(piece.text) if lookup is not None and piece.kind is PieceKind.NAME else None
        if known is None:
            return Value(ValueKind.WORD, span)
        texts.append(known.text)
        if len(pieces) == 1:
            origin = known.origin
    return Value(ValueKind.WORD, span, known=True, data="".join(texts), content=content_of(pieces), origin=origin)
