"""Lines that a backslash joins to a command and shouldn't, and line ends of another system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.catalog.surfaces import ROWS
from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.shell.words import ShellWord, Simple
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Edit, Span

_COMMAND_WORD = re.compile(r"(?!\.\.\.|\{\{)[A-Za-z_.$/{}\[:(][\w./${}\[-]*(?:=.*)?")
_JOIN_BEFORE = re.compile(r"[ \t]*\\(?:\r\n|\n|\r)[ \t]*")
_DANGLING = re.compile(r"[ \t]*\\(?=\s*\Z)")
_GLUED = re.compile(r"(?<=\S)\\(?:\r\n|\n|\r)(?P<flag>(?:--[A-Za-z]|-[A-Za-z]{2})[\w-]*)(?=[= \t\\\r\n]|$)")


def glued(text: str, words: Sequence[ShellWord], first: int) -> Iterator[SyntaxFinding]:
    """Yield the flags that a backslash without a blank glues to the word above: their line starts at its very start."""
    for word in words[first:]:
        for match in _GLUED.finditer(text, word.start, word.end):
            at = match.start()
            yield SyntaxFinding(
                SyntaxFault.GLUED_LINES, Span(*match.span("flag")), {"flag": match["flag"]}, (Edit(Span(at, at), " "),)
            )


_TAKING_MODELS = frozenset(word for row in ROWS.values() for word in row.subcommands)
"""Subcommands of servers, which are given many flags in variables."""


_BUILTIN = re.compile(
    r"(?:set[ \t]+[-+][a-z]|(?:export|exit|echo|cd|wait|source|sleep)[ \t]+[^\s=\\]|(?:fi|done|wait|exit)[ \t]*(?:;|\r?$))"
    r"(?![^\r\n]*\\[ \t]*\r?$)",
    re.MULTILINE,
)
"""The next command, behind the flags of a script, which may have words of its own: `export.py`, or `echo` with more flags below it."""


def swallowed(text: str, words: Sequence[ShellWord], first: int, *, strict: bool = False) -> int | None:
    """Return which of a tool's words starts the next command: a backslash at the end of the line above swallows it.

    It stands first on its line, looks like a command, and no flag waits for it; `strict`: it is one that the shell has.
    """
    for index in range(first, len(words)):
        word = words[index]
        before = words[index - 1]
        if word.lead[:1] in ("-", "") and word.bare:
            continue
        if not word.lead and words[first - 1].text in _TAKING_MODELS:
            continue  # `$MORE`: flags, in the middle of others.
        gap = text[before.end : word.start]
        # In the text of a heredoc that nobody ends, words may lie on several lines without a backslash.
        if "\\" not in gap or ("\n" not in gap and "\r" not in gap):
            continue
        if index > first and (_BUILTIN.match(text, word.start) if strict else _is_command(text, before, word)):
            return index
    return None


def _is_command(text: str, before: ShellWord, word: ShellWord) -> bool:
    """Return whether a word looks like a command, and is no value of the flag in front of it."""
    waiting = before.lead.startswith("-") and before.lead.find("=") in (-1, len(before.lead) - 1)
    return not waiting and _COMMAND_WORD.fullmatch(text[word.start : word.end]) is not None


def swallowing(text: str, words: Sequence[ShellWord], index: int) -> SyntaxFinding:
    """Return the mistake of the backslash in front of the swallowed word `index`."""
    before, word = words[index - 1], words[index]
    match = _JOIN_BEFORE.match(text, before.end)
    at = text.find("\\", before.end, word.start)
    edits = (Edit(Span(before.end, at + 1), ""),) if match is not None and match.end() == word.start else ()
    return SyntaxFinding(
        SyntaxFault.TRAILING_BACKSLASH, Span(at, at + 1), {"command": text[word.start : word.end]}, edits
    )


def dangling(text: str, simple: Simple) -> Iterator[SyntaxFinding]:
    """Yield the backslash that joins the last line of a text to nothing."""
    match = _DANGLING.match(text, simple.end) if simple.end > simple.words[0].end else None
    if match is not None:
        at = match.end() - 1
        edit = Edit(Span(match.start(), match.end()), "")
        yield SyntaxFinding(SyntaxFault.TRAILING_BACKSLASH, Span(at, at + 1), {"reason": "end"}, (edit,))


def carriage_returns(text: str) -> SyntaxFinding | None:
    r"""Return the mistake of a script with `\r\n`, told once, on its first line that ends so.

    The shell takes `\r` as a part of the last word, and a backslash before it joins no lines.
    """
    first = text.find("\r\n")
    if first < 0:
        return None
    last = text.rfind("\r\n")
    start = text.rfind("\n", 0, first) + 1
    mended = text[first : last + 2].replace("\r\n", "\n")
    lines = str(text.count("\r\n"))
    return SyntaxFinding(SyntaxFault.CRLF, Span(start, first), {"lines": lines}, (Edit(Span(first, last + 2), mended),))
