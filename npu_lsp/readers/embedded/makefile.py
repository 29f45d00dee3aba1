"""Makefiles: recipes, and variables that a makefile exports."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.document import Document
from npu_lsp.kinds import Kind
from npu_lsp.readers.embedded.makefile_variables import DOLLAR, Assignment, Definitions, assignments, exported
from npu_lsp.readers.embedded.region import Found, cursor_in_regions, hash_comments, read_regions
from npu_lsp.readers.embedded.variables import Lines
from npu_lsp.readers.embedded.words import careful
from npu_lsp.readers.model import Cursor, Reading
from npu_lsp.readers.shell.triggers import may_hold
from npu_lsp.spans import Span

_SIGNS = re.compile(r"[ \t]*[@+-][@+ \t-]*")
_INLINE = re.compile(r"^[^\s#:=][^#:=\r\n]*::?(?!=)[^;#=\r\n]*;[ \t]*", re.MULTILINE)
_DEFINE = re.compile(r"[ ]*(?:(?:override|export)[ \t]+)?define[ \t]")
_LINE_END = re.compile(r"\r\n|\n|\r")


def read(document: Document) -> Reading:
    """Return what the recipes of a makefile set, and the variables that it exports."""
    return read_regions(document, _find, comments=hash_comments(document))


def cursor(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`."""
    return cursor_in_regions(document, offset, _find)


def _find(document: Document) -> Iterator[Found]:
    text = document.text
    if not may_hold(text) and "export" not in text:
        return
    every = assignments(text)
    definitions = Definitions(text, every)
    defining = False
    line = 0
    while line < document.line_count:
        start, end = document.line_span(line)
        if text.startswith("\t", start):
            first = start + 1
        elif defining:
            first = start
            defining = document.line_text(line).strip() != "endef"
        else:
            defining = _DEFINE.match(text, start, end) is not None
            inline = _INLINE.match(text, start, end)
            line += 1
            if inline is None:
                # A definition may go on over lines that look like recipes.
                while line < document.line_count and document.line_text(line - 1).endswith("\\"):
                    line += 1
                continue
            line -= 1
            first = inline.end()
        while line + 1 < document.line_count and document.line_text(line).endswith("\\"):
            line += 1
        yield _recipe(text, Span(first, _line_end(document, line)), definitions)
        line += 1
    yield from _exports(text, every)


def _line_end(document: Document, line: int) -> int:
    return document.line_starts[line + 1] if line + 1 < document.line_count else len(document.text)


def _recipe(text: str, span: Span, definitions: Definitions) -> Found:
    """Return one recipe line, as the shell gets it: with what make fills in, as far as that is known."""
    lines = Lines()
    signs = _SIGNS.match(text, span.start, span.end)
    at = signs.end() if signs else span.start
    for match in DOLLAR.finditer(text, at, span.end):
        lines.take(text, Span(at, match.start()))
        at = match.end()
        definitions.put(lines, match)
    lines.take(text, Span(at, span.end))
    inner, places = lines.done()
    return Found(Kind.SHELL, inner, places, _written_apart if places.scattered else _written)


def _written_apart(text: str) -> str | None:
    """Return a text for a command whose words stand in several places: nothing is taken out that could be another's."""
    return careful(text)


def _written(text: str) -> str:
    return text.replace("$", "$$").replace("\n", "\n\t")


def _exports(text: str, every: list[Assignment]) -> Iterator[Found]:
    """Yield the variables that a makefile exports with their values."""
    lines = Lines()
    for each in exported(text, every):
        lines.wall()
        if text.startswith("export", each.start):
            lines.take(text, Span(each.start, each.key.end))
        else:
            lines.put("export ", each.start, each.key.start)
            lines.take(text, each.key)
        lines.put("=", each.key.end, each.value.start)
        lines.value(text, each.value)
        behind = _LINE_END.search(text, each.value.end)
        lines.take(text, Span(each.value.end, behind.end() if behind else len(text)))
    if lines.text:
        inner, places = lines.done()
        yield Found(Kind.SHELL, inner, places)
