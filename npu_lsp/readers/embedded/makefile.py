"""Makefiles: recipes, and variables that a makefile exports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from npu_lsp.document import Document
from npu_lsp.kinds import Kind
from npu_lsp.readers.embedded.region import Found, cursor_in_regions, hash_comments, read_regions
from npu_lsp.readers.embedded.variables import Lines
from npu_lsp.readers.model import Cursor, Reading
from npu_lsp.readers.shell.expansions import HOLE
from npu_lsp.readers.shell.launch import TOOLS
from npu_lsp.readers.shell.triggers import may_hold
from npu_lsp.spans import Span

_SIGNS = re.compile(r"[ \t]*[@+-][@+ \t-]*")
_ASSIGNED = re.compile(
    r"^(?P<export>export[ \t]+)?(?P<name>[A-Za-z_][\w.-]*)[ \t]*(?P<sign>[:?+]{0,3}=)[ \t]*(?P<value>[^#\r\n]*?)[ \t]*(?:#|$|\r|\n)",
    re.MULTILINE,
)
_INLINE = re.compile(r"^[^\s#:=][^#:=\r\n]*::?(?!=)[^;#=\r\n]*;[ \t]*", re.MULTILINE)
_DOLLAR = re.compile(r"\$(?:\$|\((?P<round>[^()\r\n]*)\)|\{(?P<curly>[^{}\r\n]*)\}|.)")
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
    tools = _tools(text)
    line = 0
    while line < document.line_count:
        start, end = document.line_span(line)
        if text.startswith("\t", start):
            first = start + 1
        else:
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
        yield _recipe(text, Span(first, _line_end(document, line)), tools)
        line += 1
    yield from _exports(text)


def _line_end(document: Document, line: int) -> int:
    return document.line_starts[line + 1] if line + 1 < document.line_count else len(document.text)


def _tools(text: str) -> Mapping[str, str]:
    """Return the variables of a makefile that hold a tool, with its name."""
    found: dict[str, str] = {}
    for match in _ASSIGNED.finditer(text):
        name = match["value"].rpartition("/")[2]
        if name in TOOLS:
            found[match["name"]] = name
        else:
            found.pop(match["name"], None)
    return found


def _recipe(text: str, span: Span, tools: Mapping[str, str]) -> Found:
    """Return one recipe line, as the shell gets it: `$$` is `$`, what make fills in isn't known."""
    lines = Lines()
    signs = _SIGNS.match(text, span.start, span.end)
    at = signs.end() if signs else span.start
    for match in _DOLLAR.finditer(text, at, span.end):
        lines.take(text, Span(at, match.start()))
        at = match.end()
        name = match["round"] or match["curly"] or ""
        if match.group() == "$$":
            lines.put("$", match.start(), at)
        elif name in tools:
            lines.put(tools[name], match.start(), at)
        else:
            lines.put(HOLE, match.start(), at)
    lines.take(text, Span(at, span.end))
    inner, places = lines.done()
    return Found(Kind.SHELL, inner, places, _written)


def _written(text: str) -> str:
    return text.replace("$", "$$").replace("\n", "\n\t")


def _exports(text: str) -> Iterator[Found]:
    """Yield the variables that a makefile exports with their values."""
    lines = Lines()
    for match in _ASSIGNED.finditer(text):
        if match["export"] is None or "+" in match["sign"]:
            continue
        lines.wall()
        lines.take(text, Span(match.start(), match.end("name")))
        lines.put("=", match.end("name"), match.start("value"))
        lines.value(text, Span(*match.span("value")))
        behind = _LINE_END.search(text, match.end("value"))
        lines.take(text, Span(match.end("value"), behind.end() if behind else len(text)))
    if lines.text:
        inner, places = lines.done()
        yield Found(Kind.SHELL, inner, places)
