"""Makefiles: recipes, what `$(shell ...)` and `!=` run, and variables that a makefile exports."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.completion_context import Lack
from npu_lsp.languages.hosts.makefile_variables import (
    DOLLAR,
    Definitions,
    MakefileAssignment,
    assignments,
    exported,
    function_end,
)
from npu_lsp.languages.hosts.variables import VariableLines
from npu_lsp.languages.injections import Injection, careful, hash_comments, host
from npu_lsp.languages.shell.expansions import close
from npu_lsp.languages.shell.triggers import may_match
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE
from npu_lsp.text.spans import Span

_SIGNS = re.compile(r"[ \t]*[@+-][@+ \t-]*")
_INLINE = re.compile(r"^[^\s#:=][^#:=\r\n]*::?(?!=)[^;#=\r\n]*;[ \t]*", re.MULTILINE)
_DEFINE = re.compile(r"[ ]*(?:(?:override|export)[ \t]+)?define[ \t]")
_LINE_END = re.compile(r"\r\n|\n|\r")
_PREFIX = re.compile(r"\.RECIPEPREFIX[ \t]*[:?]?=[ \t]*(?P<sign>\S?)")
_SHELL = re.compile(r"\$[({]shell[ \t]+")
_COMMENT = re.compile(r"^[ \t]*#", re.MULTILINE)
# A command longer than this is no command that a person wrote.
_LONGEST = 20_000
_MOST = 200_000
"""Code points that are looked at for where `$(shell` ends, as long as it may be nested."""


def _find(document: Document) -> Iterator[Injection]:
    text = document.text
    if not may_match(text) and "export" not in text:
        return
    every = assignments(text)
    definitions = Definitions(text, every)
    defining = False
    line = 0
    prefix = "\t"
    while line < document.line_count:
        start, end = document.line_span(line)
        if text.startswith(prefix, start):
            first = start + 1
        elif defining:
            first = start
            defining = document.line_text(line).strip() != "endef"
        else:
            defining = _DEFINE.match(text, start, end) is not None
            inline = _INLINE.match(text, start, end)
            changed = _PREFIX.match(text, start, end)
            if changed is not None:
                prefix = changed["sign"] or "\t"
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
        yield _recipe(text, Span(first, document.line_end(line)), definitions, prefix)
        line += 1
    yield from _run_by_make(document, every, definitions)
    yield from _exports(text, every)


def _run_by_make(document: Document, every: list[MakefileAssignment], definitions: Definitions) -> Iterator[Injection]:
    """Yield the commands whose output make takes: `$(shell ...)`, `X != ...`."""
    text = document.text
    left = _MOST
    for match in _SHELL.finditer(text):
        if left <= 0:
            break
        end = close(text, match.start() + 1, min(len(text), match.end() + _LONGEST))
        start = document.line_span(document.line_of(match.start())).start
        left -= (end if end >= 0 else min(len(text), match.end() + _LONGEST)) - match.end()
        if end >= 0 and not _COMMENT.match(text, start):
            yield _recipe(text, Span(match.end(), end - 1), definitions)
    for each in every:
        if each.sign == "!=":
            yield _recipe(text, each.value, definitions)


def _recipe(text: str, span: Span, definitions: Definitions, prefix: str = "\t") -> Injection:
    """Return one recipe line, as the shell gets it: with what make fills in, as far as that is known."""
    lines = VariableLines()
    signs = _SIGNS.match(text, span.start, span.end)
    at = signs.end() if signs else span.start
    open_ended = False
    for match in DOLLAR.finditer(text, at, span.end):
        if match.start() < at:
            continue
        _take(lines, text, Span(at, match.start()), prefix)
        at = match.end()
        if _SHELL.match(text, match.start(), span.end):
            # It runs before, and not here.
            end = close(text, match.start() + 1, span.end)
            at = end if end >= 0 else span.end
            lines.put(HOLE, match.start(), at)
        elif not open_ended and (inside := function_end(text, match, span.end)) is not None:
            # One that nothing closes is tried once only.
            open_ended, at = inside < 0, max(inside, at)
            lines.put(HOLE, match.start(), at)
        else:
            definitions.put(lines, match)
    _take(lines, text, Span(at, span.end), prefix)
    inner, places = lines.done()
    # Of a command whose words stand in several places nothing is taken out that could be another's.
    return Injection(Kind.SHELL, inner, places, careful if places.scattered else _written)


def _take(lines: VariableLines, text: str, span: Span, prefix: str) -> None:
    """Add a stretch of a recipe; of lines that a backslash joins, make takes the sign away that recipes start with."""
    at = span.start
    found = text.find(f"\n{prefix}", at, span.end) if prefix != "\t" else -1
    while found >= 0:
        lines.take(text, Span(at, found + 1))
        at = found + 2
        found = text.find(f"\n{prefix}", at, span.end)
    lines.take(text, Span(at, span.end))


def _written(text: str) -> str:
    return text.replace("$", "$$").replace("\n", "\n\t")


def _exports(text: str, every: list[MakefileAssignment]) -> Iterator[Injection]:
    """Yield the variables that a makefile exports with their values."""
    lines = VariableLines()
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
    yield from lines.script()


LACKS = (Lack(":=1", " := "), Lack("=1 x", "="))

read, cursor = host(_find, hash_comments)
