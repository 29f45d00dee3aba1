"""Whether a script runs others in its own shell, which may then read and change its variables, and what it keeps for them."""

from __future__ import annotations

from typing import NamedTuple

from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_RUN_HERE = re.compile(r"(?:source|\.)[ \t]+[^\s;&|]")
# Plain searches are ten times a pattern's speed.
_SIGNS = ("source", ". ", ".\t")
# `command=${name}`, all of it.
_GIVEN_A_NAME = re.compile(r"(?:^|[ \t;&|])\w+=\"?\Z")
_ENDS_THERE = re.compile(r"\w*\}?\"?[ \t]*(?:[;&|\r\n]|\Z)")
_SOURCED = re.compile(
    r"[s.](?:(?<=^[s.])|(?<=[;&|({ \t][s.]))(?:(?<=s)ource|(?<=\.))[ \t]+[\"']?(?P<file>[^\s;&|\"']+)", re.MULTILINE
)
_OF_TOOLS = re.compile(r"(?:.*/)?(?:set_?env\.(?:sh|bash)|setvars\.sh|activate|conda\.sh|\.?bashrc|\.?profile)\Z")
_LONGEST_LINE = 1000
_BEFORE = frozenset("\n;&|({ \t")
_WORD = re.compile(r"[s.](?<![^\s;&|({].)(?:(?<=s)ource|(?<=\.))(?=[ \t])")
_MOST = 50
"""Files that one script sources, as far as they are looked at."""


class Sourced(NamedTuple):
    """A file that a script runs in its own shell."""

    file: str
    """As written, with its quotes."""
    span: Span
    """From `source` to the end of the file's name."""


@Memoized
def sourced(document: Document) -> tuple[Sourced, ...]:
    """Return the files that a script sources, in the order of the text; those named in comments and quotes aren't."""
    from npu_lsp.languages.shell.tree import tree_of

    found: list[Sourced] = []
    if not sources(document.text):
        return ()
    tree = tree_of(document)
    for each in _WORD.finditer(document.text):
        word = tree.node_at(*each.span())
        command = word.parent.parent if word is not None and word.parent is not None else None
        file = command.child_by_field_name("argument") if command is not None and command.type == "command" else None
        if file is not None and word is not None and (word.start_byte, word.end_byte) == each.span():
            span = Span(file.start_byte, file.end_byte)
            found.append(Sourced(document.text[slice(*span)], Span(each.start(), span.end)))
            if len(found) == _MOST:
                break
    return tuple(found)


def of_tools(file: str) -> bool:
    """Return whether a file that is sourced is one of CANN's, or of the user's shell: it sets no variables of others."""
    return _OF_TOOLS.match(file.strip("\"'")) is not None


def sources(text: str) -> bool:
    """Return whether `source file` or `. file` seems to stand somewhere in `text`."""
    for sign in _SIGNS:
        at = text.find(sign)
        while at >= 0:
            if (not at or text[at - 1] in _BEFORE) and _RUN_HERE.match(text, at):
                return True
            at = text.find(sign, at + 1)
    return False


def sources_own(document: Document, end: int) -> bool:
    """Return whether a script of the user's own seems to be sourced before `end`: those of CANN set no others' variables."""
    return _first_own(document) < end


@Memoized
def _first_own(document: Document) -> int:
    """Return where the first script of the user's own is named, which each command of a text asks; behind the text: nowhere."""
    text = document.text
    own = (each.start("file") for each in _SOURCED.finditer(text) if _OF_TOOLS.match(each["file"]) is None)
    return next(own, len(text))


def handed_on(text: str, use: re.Match[str]) -> bool:
    """Return whether a variable's use only gives its value to another variable."""
    line = max(text.rfind("\n", 0, use.start()) + 1, use.start() - _LONGEST_LINE)
    before = _GIVEN_A_NAME.search(text[line : use.start()])
    return before is not None and _ENDS_THERE.match(text, use.end()) is not None
