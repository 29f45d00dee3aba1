"""What stands beside a setting: the other arguments of its call, the other statements of its line."""

from __future__ import annotations

import ast
from typing import NamedTuple

from npu_lsp.languages.model import Setting
from npu_lsp.languages.python.items import parts
from npu_lsp.languages.python.source import Line, source_of
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span


class Siblings(NamedTuple):
    """The parts of one call or dict, between their brackets."""

    parts: tuple[Span, ...]
    end: int
    """Where the closing bracket stands."""
    is_tuple: bool = False
    """Its last part needs its comma when it is the only one."""


def line_of(document: Document, offset: int) -> Line | None:
    """Return the logical line at `offset`."""
    source = source_of(document)
    index = source.skeleton.at(offset)
    return source.line(index) if index is not None else None


def siblings(document: Document, setting: Setting) -> Siblings | None:
    """Return the call or the dict that a setting is a part of, or `None` where it is a statement of its own."""
    line = line_of(document, setting.own.start)
    if line is None or setting.own == setting.statement:
        return None
    for stmt in line.statement.body:
        for node in ast.walk(stmt):
            if isinstance(node, (ast.Call, ast.Dict, ast.List, ast.Tuple, ast.Set)):
                found = parts(node, line)
                if setting.own in found:
                    bare = isinstance(node, ast.Tuple) and found[0].start == line.span(node).start
                    return Siblings(tuple(found), line.span(node).end - (not bare), isinstance(node, ast.Tuple))
    return None


def is_sole(document: Document, setting: Setting) -> bool:
    """Tell whether the statement of a setting gives nothing else a value: not `x = op.parameter_map["k"].s = value`."""
    start, end = setting.statement
    line = line_of(document, start)
    if line is None or ":=" in document.text[start:end]:
        return False
    return all(a.alone or line.span(a.statement) != setting.statement for a in line.statement.assignments)


def statements_of(line: Line) -> list[list[Span]]:
    """Return the simple statements of a logical line, suite by suite."""
    suites: dict[bool, list[Span]] = {}
    for stmt, inline in line.statement.statements:
        if not isinstance(stmt, (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.FunctionDef, ast.ClassDef)):
            suites.setdefault(inline, []).append(line.span(stmt))
    return list(suites.values())
