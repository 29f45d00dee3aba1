"""What `$` and a backtick start, and where brackets and quotes end."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.languages.shell.words import PieceKind, ShellWord
from npu_lsp.text import lazy_re as re
from npu_lsp.text.source_map import HOLE as HOLE
from npu_lsp.text.spans import Span

_NAME = re.compile(r"\$(?:\{(?P<braced>[A-Za-z_]\w*)\}|(?P<plain>[A-Za-z_]\w*))")
_ARRAY = re.compile(r"\$\{(?P<name>[A-Za-z_]\w*)\[[@*]\]\}")
_MANY = re.compile(r"\$(?:[@*]|\{[@*](?::[^}]*)?\})")
_SUM = re.compile(r"\$\[[^\]\r\n]*\]")
_SPECIAL = re.compile(r"\$[0-9#?$!-]")
# What decides where a bracket or a quote ends; the rest is passed over at once.
_SIGNS = re.compile(r"""\\.|['"`(){}]|\$\{|\$\(|\#""", re.DOTALL)
_DEEPEST = 20
"""Expansions in each other that a script has."""
_LONGEST = 2000
"""What is longer between braces is taken for a brace that is never closed."""
_OF_FLAG = re.compile(r"<[A-Za-z\u4e00-\u9fff][\w-]{0,60}>(?=[ \t]|[\r\n]|$)")
"""What is to be filled in behind a flag: `--host <host_ip>`."""
_FLAG_ALONE = re.compile(r"--[A-Za-z][\w-]*")
_LINE_END = re.compile(r"[\r\n]")
_COMMAND_LINE = re.compile(r"(?:\\(?:\r\n|[\s\S])|[^\\\r\n])*")
_WORD = re.compile(r"[^\s\"']*")
_CLOSERS = {"(": ")", "{": "}", '"': '"', "`": "`"}


def dollar(text: str, at: int, limit: int) -> tuple[PieceKind, str, int, Span | None]:
    """Read the expansion at `at`.

    Return what it is, the variable's name where there is one, where it ends, and where the commands inside it stand.
    """
    if text[at] == "`":
        stop, inner = substitution(text, at, limit)
        return PieceKind.HOLE, "", stop, inner
    match = _NAME.match(text, at, limit)
    if match:
        return PieceKind.NAME, match["braced"] or match["plain"], match.end(), None
    match = _ARRAY.match(text, at, limit)
    if match:
        return PieceKind.ARRAY, match["name"], match.end(), None
    match = _MANY.match(text, at, limit)
    if match:
        return PieceKind.MANY, "@" if match.group() in ("$@", "${@}") else "", match.end(), None
    if text.startswith("${", at):
        line = _LINE_END.search(text, at, min(limit, at + _LONGEST))
        end = close(text, at + 1, line.start() if line else min(limit, at + _LONGEST))
        if end < 0:
            # Never closed, or far below: `${chip\_name\}` as a word processor has it.
            word = _WORD.match(text, at, limit)
            end = word.end() if word else limit
        return PieceKind.HOLE, "", end, None
    if text.startswith("$(", at):
        stop, inner = substitution(text, at + 1, limit)
        return PieceKind.HOLE, "", stop, None if text.startswith("$((", at) else inner
    match = _SPECIAL.match(text, at, limit) or _SUM.match(text, at, limit)
    if match:
        return PieceKind.HOLE, "", match.end(), None
    return PieceKind.TEXT, text[at], at + 1, None


def behind_flag(text: str, at: int, limit: int, words: Sequence[ShellWord]) -> re.Match[str] | None:
    """Return what is left to fill in at `at`, where the last of the words in front is a flag that waits for its value."""
    last = words[-1] if words else None
    waits = last is not None and _FLAG_ALONE.fullmatch(text, last.start, last.end) is not None
    return _OF_FLAG.match(text, at, limit) if waits else None


def substitution(text: str, at: int, limit: int) -> tuple[int, Span]:
    """Return where what the bracket or backtick at `at` opens ends, and the commands in it.

    One that nobody closes ends with the command that stands in it: what is below is what it was before somebody typed the bracket.
    """
    end = close(text, at, limit)
    if end >= 0:
        return end, Span(at + 1, max(at + 1, end - 1))
    line = _COMMAND_LINE.match(text, at + 1, limit)
    stop = line.end() if line else limit
    return stop, Span(at + 1, stop)


# branches: one loop for all signs, each with what it means in the one that is open: apart, their order would be lost.
def close(text: str, at: int, limit: int) -> int:
    """Return the offset behind the partner of the bracket, quote or backtick at `at`, or -1 where it has none.

    With more in each other than a script has it counts as one that nobody closes: of a thousand of those each would look through
    all the others.
    """
    waiting = [_CLOSERS[text[at]]]
    position = at + 1
    while waiting:
        match = _SIGNS.search(text, position, limit)
        if match is None or len(waiting) > _DEEPEST:
            return -1
        sign = match.group()
        position = match.end()
        want = waiting[-1]
        if sign == want:
            waiting.pop()
        elif sign[0] == "\\":
            continue
        elif sign in ("$(", "${"):
            waiting.append(_CLOSERS[sign[1]])
        elif sign == "`":
            waiting.append("`")
        elif want == '"':
            continue
        elif sign == '"':
            waiting.append('"')
        elif sign == "(" and want != "}":
            waiting.append(")")
        elif sign == "'":
            end = text.find("'", position, limit)
            if end < 0:
                return -1
            position = end + 1
        elif sign == "#" and want == ")" and text[match.start() - 1] in " \t\r\n;":
            while position < limit and text[position] not in "\r\n":
                position += 1
    return position
