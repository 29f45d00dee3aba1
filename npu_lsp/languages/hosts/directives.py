"""Blocks of code in reStructuredText: what is indented below `.. code-block:: bash`, or below a paragraph that ends in `::`."""

from __future__ import annotations

from typing import NamedTuple

from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document

_DIRECTIVE = re.compile(
    r"^(?P<indent>[ ]*)(?:(?:[-*+]|\d{1,9}[.)])[ ]+)?\.\.[ ]+(?:code-block|code|sourcecode|prompt|parsed-literal)::[ \t]*(?P<said>[\w+-]*)[^\r\n]*$",
    re.MULTILINE,
)
_LITERAL = re.compile(r"^(?P<indent>[ ]*)(?![ ])(?!\.\.[ ])(?:[^\r\n]*[^:\r\n])?::[ \t]*$", re.MULTILINE)
_OPTION = re.compile(r"[ \t]+:[\w-]+:")


class Fence(NamedTuple):
    """A block of code: the lines between its marks, or those that are indented."""

    said: str
    """What it calls its language, in small letters; nothing where it doesn't."""
    first: int
    end: int
    """Its lines, from `first` up to and without `end`; both count from 0."""
    indent: int
    """How many blanks stand before its lines."""
    quoted: bool = False
    """Whether each of its lines has a quote's mark in front."""


def directives(document: Document) -> dict[int, Fence]:
    """Return the blocks of code of a text by the line, from 0, that begins them.

    Markdown knows directives, too, where they are handed on; a paragraph that ends in `::` means nothing there.
    """
    text = document.text
    if "::" not in text:
        return {}
    patterns = (_DIRECTIVE, _LITERAL) if document.path.endswith(".rst") else (_DIRECTIVE,)
    found: dict[int, Fence] = {}
    for pattern in patterns:
        for match in pattern.finditer(text):
            line = document.line_of(match.start())
            said = match.groupdict().get("said") or ""
            fence = _below(document, line, len(match["indent"]), said.lower())
            if fence is not None:
                found.setdefault(line, fence)
    return found


def _below(document: Document, line: int, indent: int, said: str) -> Fence | None:
    """Return what stands further in below a line; its options don't count."""
    first = line + 1
    while first < document.line_count and _OPTION.match(document.line_text(first)):
        first += 1
    own: int | None = None
    end = first
    for number in range(first, document.line_count):
        written = document.line_text(number)
        stripped = written.lstrip(" ")
        if not stripped.strip():
            continue
        depth = len(written) - len(stripped)
        if depth <= indent:
            break
        own = depth if own is None else min(own, depth)
        end = number + 1
    return Fence(said, first, end, own) if own is not None else None
