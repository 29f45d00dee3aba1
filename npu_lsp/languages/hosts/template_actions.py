"""What a template of Helm or Jinja does between the lines of a YAML file: `{{- if .Values.x }}`, `{% endif %}`.

Where lines become a script, conditions and loops become those of the script: who reads it knows what excludes what.
"""

from __future__ import annotations

from typing import NamedTuple

from npu_lsp.languages.hosts.variables import VariableLines
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.source_map import HOLE
from npu_lsp.text.spans import Span

_ACTION = re.compile(r"\{\{-?[^\r\n{}]{0,500}\}\}|\{%-?[^\r\n{}]{0,500}%\}")
_LINE = re.compile(rf"(?m)^[ \t]*(?:(?:{_ACTION.pattern})[ \t]*)+(?=\r?$)")
_SIGNS = ("{{", "{%")
_WORD = re.compile(r"\{[{%][-+]?[ \t]*(?P<word>\w+)(?:[ \t]+(?P<condition>[^\s%}-]))?")
_CONDITIONS = frozenset({"if", "with", "define", "block", "macro", "call", "filter", "raw"})
_LOOPS = frozenset({"range", "for"})
_OTHERWISE = frozenset({"else", "elif", "elseif"})
_IF = f"if {HOLE}; then :\n"
_WHILE = f"while {HOLE}; do :\n"


def is_action(line: str) -> bool:
    """Return whether a line has nothing but actions: it is none of what is made of the template."""
    said = line.strip()
    return said.startswith(_SIGNS) and not _ACTION.sub("", said).strip()


def without_actions(text: str) -> str:
    """Return `text`, as long as it is, with blanks for lines of actions and letters for those within a line."""
    return _ACTION.sub(lambda said: "x" * len(said[0]), _LINE.sub(lambda said: " " * len(said[0]), text))


class _Open(NamedTuple):
    """A condition or a loop that has begun."""

    end: str
    """How it ends in the script."""
    goes_on: bool
    """Whether another arm may follow."""


class Actions:
    """The actions between the lines that become a script."""

    def __init__(self, document: Document, line: int) -> None:
        """Begin in `line`, counted from 0."""
        self._document = document
        self._line = line
        self._open: list[_Open] = []

    def reach(self, line: int, lines: VariableLines) -> None:
        """Add to the script what stands in front of `line`."""
        for number in range(self._line, line):
            said = self._document.line_text(number)
            if is_action(said):
                at = self._document.line_span(number)
                for action in _ACTION.finditer(said):
                    _put(self._written(action[0]), lines, at)
        self._line = max(self._line, line)

    def close(self, lines: VariableLines, at: Span) -> None:
        """End what is open where the lines end."""
        while self._open:
            _put(self._ended(), lines, at)

    def _written(self, action: str) -> str:
        """Return what the script has in the place of an action; nothing for one that decides nothing."""
        found = _WORD.match(action)
        if found is None:
            return ""
        word = found["word"]
        if word in _CONDITIONS:
            return self._begun(_IF, "fi\n", goes_on=True)
        if word in _LOOPS:
            return self._begun(_WHILE, "done\n")
        if word in _OTHERWISE:
            return self._otherwise(last=word == "else" and found["condition"] is None)
        return self._ended() if word.startswith("end") else ""

    def _begun(self, start: str, end: str, *, goes_on: bool = False) -> str:
        self._open.append(_Open(end, goes_on))
        return start

    def _otherwise(self, *, last: bool) -> str:
        if not self._open or not self._open[-1].goes_on:
            # That of a loop, or of what begins further up: what follows may be there or not.
            return self._ended() + self._begun(_IF, "fi\n")
        if not last:
            return f"elif {HOLE}; then :\n"
        self._open[-1] = _Open("fi\n", goes_on=False)
        return "else :\n"

    def _ended(self) -> str:
        return self._open.pop().end if self._open else ""


def _put(written: str, lines: VariableLines, at: Span) -> None:
    if written:
        lines.wall()
        lines.put(written, *at)
