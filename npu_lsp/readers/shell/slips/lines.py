"""Lines that should belong to a command and don't, and lines that do and shouldn't."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from npu_lsp.readers.model import Mistake
from npu_lsp.readers.shell.lexer import Simple, split
from npu_lsp.readers.shell.words import Word
from npu_lsp.spans import Edit, Span

_FLAG_LINE = re.compile(r"[ \t]*(?P<flag>(?:--[A-Za-z]|-[A-Za-z]{2})[\w-]*)(?=[= \t\\\r\n]|$)")
_SKIPPED = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r(?!\n)))*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_COMMAND_WORD = re.compile(r"[A-Za-z_.$/{}\[:(][\w./${}\[-]*(?:=.*)?")
_JOIN_BEFORE = re.compile(r"[ \t]*\\(?:\r\n|\n|\r)[ \t]*")
_GLUED = re.compile(r"(?<=\S)\\(?:\r\n|\n|\r)(?P<flag>(?:--[A-Za-z]|-[A-Za-z]{2})[\w-]*)(?=[= \t\\\r\n]|$)")
_MOST = 200


def lost(text: str, simple: Simple) -> Iterator[Mistake]:
    """Yield what cuts the flags below a command off it; the shell runs them as commands of their own."""
    start = simple.words[0].start
    for _ in range(_MOST):
        if simple.operator not in ("\n", "\r\n", "\r"):
            return
        ended = simple.stop + len(simple.operator)
        skipped = _SKIPPED.match(text, ended)
        below = skipped.end() if skipped else ended
        flag = _FLAG_LINE.match(text, below)
        if flag is None:
            yield from _blanks_at_the_end(text, simple)
            return
        yield _cut(text, simple, start, below, Span(*flag.span("flag")))
        simple = split(text, flag.start("flag"), len(text))


def glued(text: str, words: Sequence[Word], first: int) -> Iterator[Mistake]:
    """Yield the flags that a backslash without a blank glues to the word above: their line starts at its very start."""
    for word in words[first:]:
        for match in _GLUED.finditer(text, word.start, word.end):
            at = match.start()
            yield Mistake("glued-lines", Span(*match.span("flag")), {"flag": match["flag"]}, (Edit(Span(at, at), " "),))


def _blanks_at_the_end(text: str, simple: Simple) -> Iterator[Mistake]:
    if simple.blanks >= 0 and simple.comment < 0:
        # Nothing to go on with: the backslash has to go, too.
        after = _LINE_END.match(text, simple.stop)
        following = text[after.end() :].lstrip(" \t") if after else ""
        edits = (Edit(Span(simple.end, simple.stop), ""),) if following[:1] not in "\"'$" or not following else ()
        yield Mistake("blank-after-backslash", Span(simple.blanks, simple.stop), edits=edits)


def _cut(text: str, simple: Simple, start: int, below: int, flag: Span) -> Mistake:
    """Return what cuts `flag`, whose line starts at `below`, off the command."""
    between = text[simple.stop + len(simple.operator) : below]
    arguments = {"flag": text[flag.start : flag.end]}
    if simple.comment >= 0:
        own_line = not text[_line_start(text, simple.comment) : simple.comment].strip(" \t")
        edits = _moved(text, start, _line_start(text, simple.comment), below) if own_line else ()
        return Mistake("lost-backslash", flag, arguments, edits)
    if simple.blanks >= 0:
        edits = (Edit(Span(simple.blanks + 1, simple.stop), ""),) if not between else ()
        return Mistake("blank-after-backslash", Span(simple.blanks, simple.stop), arguments, edits)
    if "#" in between:
        return Mistake("lost-backslash", flag, arguments)
    # Blank lines in between go: a backslash would join the first of them and nothing more.
    return Mistake("lost-backslash", flag, arguments, (Edit(Span(simple.end, below), " \\" + simple.operator),))


def _moved(text: str, start: int, first: int, below: int) -> tuple[Edit, ...]:
    """Move comments that stand between a command's lines above it."""
    top = _line_start(text, start)
    if top > 1 and text[:top].rstrip("\r\n").endswith("\\"):
        return ()
    indent = text[top:start]
    indent = indent[: len(indent) - len(indent.lstrip(" \t"))]
    newline = _LINE_END.search(text, first)
    end = newline.group() if newline else "\n"
    lines = [line.strip(" \t") for line in _LINE_END.split(text[first:below])]
    moved = "".join(f"{indent}{line}{end}" for line in lines if line)
    return Edit(Span(top, top), moved), Edit(Span(first, below), "")


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def swallowed(text: str, words: Sequence[Word], first: int) -> int | None:
    """Return which of a tool's words starts the next command: a backslash at the end of the line above swallows it.

    It stands first on its line, looks like a command, and no flag waits for it.
    """
    for index in range(first, len(words)):
        word = words[index]
        before = words[index - 1]
        if word.lead[:1] in ("-", "") and word.bare:
            continue
        gap = text[before.end : word.start]
        # In the text of a heredoc that nobody ends, words may lie on several lines without a backslash.
        if "\\" not in gap or ("\n" not in gap and "\r" not in gap):
            continue
        waiting = before.lead.startswith("-") and "=" not in before.lead
        if waiting or (before.lead.endswith("=") and before.lead.startswith("-")) or index == first:
            continue
        if _COMMAND_WORD.fullmatch(text[word.start : word.end]):
            return index
    return None


def swallowing(text: str, words: Sequence[Word], index: int) -> Mistake:
    """Return the mistake of the backslash in front of the swallowed word `index`."""
    before, word = words[index - 1], words[index]
    match = _JOIN_BEFORE.match(text, before.end)
    at = text.find("\\", before.end, word.start)
    edits = (Edit(Span(before.end, at + 1), ""),) if match is not None and match.end() == word.start else ()
    return Mistake("trailing-backslash", Span(at, at + 1), {"command": text[word.start : word.end]}, edits)
