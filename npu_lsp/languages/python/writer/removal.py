"""Takes settings out of Python code without leaving traces or empty suites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from npu_lsp.languages.model import Setting
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.source import LogicalLine, source_of
from npu_lsp.languages.python.writer.lines import starts_line, whole_lines
from npu_lsp.languages.python.writer.siblings import (
    Siblings,
    does_nothing_else,
    is_counted,
    line_of,
    list_around,
    siblings,
)
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span


def remove(document: Document, settings: Sequence[Setting]) -> tuple[Edit, ...]:
    """Return the edits that take `settings` out; nothing where a statement does something else, too, or something counts on one."""
    parts: dict[Siblings, set[Span]] = {}
    statements: set[Span] = set()
    for setting in settings:
        around = siblings(document, setting)
        if around is not None and not is_counted(document, setting, around):
            parts.setdefault(around, set()).add(setting.own)
        elif setting.own == setting.statement and does_nothing_else(document, setting):
            statements.add(setting.own)
        else:
            return ()
    return _in_order(chain(_without(document, parts), _without_statements(document, statements)))


def remove_words(document: Document, spans: Iterable[Span]) -> tuple[Edit, ...]:
    """Return the edits that take words of commands out of their lists; nothing where one of them isn't an element of a list."""
    parts: dict[Siblings, set[Span]] = {}
    for span in spans:
        around = list_around(document, span)
        if around is None:
            return ()
        parts.setdefault(around, set()).update(part for part in around.parts if part.within(span))
    return _in_order(_without(document, parts))


def _in_order(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    return tuple(sorted(edits, key=lambda edit: edit.span))


def _without(document: Document, parts: Mapping[Siblings, set[Span]]) -> Iterator[Edit]:
    for around, gone in parts.items():
        yield from _without_parts(document, around, gone)


def _without_parts(document: Document, around: Siblings, gone: set[Span]) -> Iterator[Edit]:
    text = document.text
    kept = [p for p in around.parts if p not in gone]
    for run in _runs(around.parts, gone):
        start, end = run[0].start, run[-1].end
        following = next((p for p in around.parts if p.start >= end), None)
        comma = _comma(text, end, following.start if following else around.end)
        after = comma + 1 if comma is not None else end
        if starts_line(document, start) and not _code_behind(document, after):
            # Nothing else on these lines: they go as a whole, and a comment behind them too.
            yield Edit(whole_lines(document, Span(start, after)), "")
        elif following is not None:
            yield Edit(Span(start, following.start), "")
        elif kept:
            before = _comma_before(text, kept[-1].end, start)
            if before is not None and around.is_tuple and len(kept) == 1:
                before += 1
            yield Edit(Span(before if before is not None else start, after), "")
        else:
            yield Edit(Span(start, after), "")
    if around.is_tuple and len(kept) == 1 and kept[0] == around.parts[-1]:
        end = kept[0].end
        if _comma(text, end, around.end) is None:
            yield Edit(Span(end, end), ",")


def _runs(parts: Iterable[Span], gone: set[Span]) -> Iterator[list[Span]]:
    run: list[Span] = []
    for part in parts:
        if part in gone:
            run.append(part)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _comma(text: str, start: int, end: int) -> int | None:
    """Return where the comma stands between two parts; there are only blanks and comments beside it."""
    at = start
    while at < end:
        if text[at] == ",":
            return at
        if text[at] == "#":
            while at < end and text[at] not in "\r\n":
                at += 1
        at += 1
    return None


def _comma_before(text: str, start: int, end: int) -> int | None:
    """Return where the comma stands after the last part that is kept, unless a comment stands behind it."""
    comma = _comma(text, start, end)
    return comma if comma is not None and "#" not in text[comma:end] else None


def _code_behind(document: Document, offset: int) -> bool:
    """Return whether more than a comment follows on the line."""
    line = document.line_span(document.line_of(offset))
    rest = document.text[offset : line.end].strip(" \t\f")
    return bool(rest) and not rest.startswith("#")


def _without_statements(document: Document, gone: set[Span]) -> Iterator[Edit]:
    source = source_of(document)
    whole: set[int] = set()
    for index in sorted({i for s in gone if (i := source.logical_lines.at(s.start)) is not None}):
        line = line_of(document, source.logical_lines.starts[index])
        if line is None:
            continue
        suites = _statements_of(line)
        here = {s for s in gone if source.logical_lines.at(s.start) == index}
        if len(suites) == 1 and here >= set(suites[0]) and suites[0][0].start == source.logical_lines.starts[index]:
            whole.add(index)
            continue
        for suite in suites:
            yield from _without_some(suite, here)
    yield from _without_lines(document, whole)


def _without_some(suite: list[Span], gone: set[Span]) -> Iterator[Edit]:
    """Yield edits that take statements out of `a; b; c`."""
    kept = [s for s in suite if s not in gone]
    if not kept:
        yield Edit(Span(suite[0].start, suite[-1].end), "pass")
        return
    for run in _runs(suite, gone):
        following = next((s for s in suite if s.start >= run[-1].end), None)
        if following is not None:
            yield Edit(Span(run[0].start, following.start), "")
        else:
            yield Edit(Span(kept[-1].end, run[-1].end), "")


def _without_lines(document: Document, whole: set[int]) -> Iterator[Edit]:
    """Yield edits that take whole logical lines out; the last one of a suite becomes `pass`."""
    source = source_of(document)
    starts, ends = source.logical_lines.starts, source.logical_lines.ends
    passes: set[int] = set()
    for index in sorted(whole):
        parent = source.scopes.parent(index)
        if parent == MODULE or parent in passes:
            continue
        inside = range(parent + 1, source.scopes.suite_end(parent))
        if all(i in whole for i in inside):
            passes.add(parent)
            yield Edit(Span(starts[index], ends[index]), "pass")
            whole = whole - {index}
    for index in sorted(whole):
        yield Edit(whole_lines(document, Span(starts[index], ends[index])), "")


def _statements_of(line: LogicalLine) -> list[list[Span]]:
    """Return the simple statements of a logical line, suite by suite."""
    suites: dict[bool, list[Span]] = {}
    for stmt, inline in line.statement.statements:
        if isinstance(stmt, cst.BaseSmallStatement):
            suites.setdefault(inline, []).append(line.span(stmt))
    return list(suites.values())
