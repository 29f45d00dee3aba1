"""What a template of Helm or Jinja does between the lines of a YAML file: `{{- if .Values.x }}`, `{% endif %}`."""

from __future__ import annotations

import re

from npu_lsp.text.document import Document
from npu_lsp.text.kept import Derived

_ACTION = re.compile(r"\{\{-?[^\r\n{}]{0,500}\}\}|\{%-?[^\r\n{}]{0,500}%\}")
_SIGNS = ("{{", "{%")
_BEGINS = re.compile(r"\{[{%]-?[ \t]*(?:if|with|range|define|block|for|macro|call|filter|raw)\b")
_ENDS = re.compile(r"\{[{%]-?[ \t]*end")


def is_action(line: str) -> bool:
    """Tell whether a line has nothing but actions: it is none of what is made of the template."""
    said = line.strip()
    return said.startswith(_SIGNS) and not _ACTION.sub("", said).strip()


def _depths(document: Document) -> tuple[int, ...]:
    text = document.text
    if not any(sign in text for sign in _SIGNS):
        return ()
    depth = 0
    found: list[int] = []
    for number in range(document.line_count):
        said = document.line_text(number)
        for action in _ACTION.finditer(said) if "{" in said else ():
            depth += bool(_BEGINS.match(action[0])) - bool(_ENDS.match(action[0]))
        found.append(depth)
    return tuple(found)


_DEPTHS = Derived(_depths)


def depth(document: Document, line: int) -> int:
    """Return in how many conditions and loops of the template a line stands, counted from 0, when it has been read."""
    depths = _DEPTHS(document)
    return depths[line] if 0 <= line < len(depths) else 0
