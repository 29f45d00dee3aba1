"""One statement, parsed on its own: its tree and the places of its nodes.

The interpreter's own parser reads it, and libcst what is newer than the interpreter. For the same line libcst with
positions takes forty times as long, a quarter of a second to import, and deep nesting makes it end the process where
this parser raises.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from npu_lsp.languages.python.quiet import quietly
from npu_lsp.text.spans import Span

_MAX_LENGTH = 100_000
_MAX_PARTS = 3_000
"""Commas and brackets of a statement that is read; what has more is data, whose tree takes fifty times its text."""

_WORD = re.compile(r"\w+")
_SUITE = re.compile(
    r"(?:else|try|finally)[ \t]*:[ \t]*|(?:except|case)\b(?:[^:\"'#\r\n\[\](){}]"
    r"|\"[^\"\r\n]*\"|'[^'\r\n]*'|\([^()\r\n]*\)|\[[^\[\]\r\n]*\]|\{[^{}\r\n]*\})*:[ \t]*"
)
_SUITES_ALONE = frozenset({"else", "try", "finally", "except", "case"})
_LINE_END = re.compile(r"\r\n|\n|\r")


_SUITES = ("body", "orelse", "finalbody")
_LEAVES = (ast.stmt, ast.Constant, ast.Name, ast.expr_context, ast.operator)


class Assignment(NamedTuple):
    """`target = value`; one for each target of a chain and each pair of a tuple."""

    target: ast.expr
    value: ast.expr | None
    """`None` where what is assigned can't be told: `+=`, a tuple of another length."""
    statement: ast.stmt
    inline: bool
    """It stands in the suite of a header on the same line."""
    alone: bool
    """It is all that its statement does."""


class Call(NamedTuple):
    """A call somewhere in a statement."""

    node: ast.Call
    statement: ast.stmt
    inline: bool


class Statement:
    """The tree of one logical line. Spans are relative to the line's start."""

    def __init__(self, text: str, read: str, tree: ast.Module, cut: int, *, in_suite: bool) -> None:
        self.text = text
        self.body = tree.body
        self._read = read
        self._in_suite = in_suite
        self.cut = cut
        """How much of the header in front of the statements is not in the tree."""
        self.memo: dict[object, Any] = {}
        """What was made of the line, wherever it stands: spans in it are relative, too."""
        self._spans: dict[int, Span] = {}
        # The parser counts bytes within lines.
        self._ascii = read.isascii()
        several = "\n" in text or "\r" in text
        self._lines = [0, *(m.end() for m in _LINE_END.finditer(text))] if several else [0]

    def span(self, node: ast.expr | ast.stmt | ast.keyword | ast.arg | ast.alias) -> Span:
        """Return where `node` stands."""
        known = self._spans.get(id(node))
        if known is not None:
            return known
        end_line, end_column = node.end_lineno, node.end_col_offset
        if end_line is None or end_column is None:
            raise ValueError("a node without an end")
        found = Span(self._offset(node.lineno, node.col_offset), self._offset(end_line, end_column))
        self._spans[id(node)] = found
        return found

    def source(self, node: ast.expr | ast.stmt) -> str:
        """Return the text of `node`."""
        start, end = self.span(node)
        return self.text[start:end]

    @cached_property
    def statements(self) -> tuple[tuple[ast.stmt, bool], ...]:
        """Every statement in the line, and whether it stands in the suite of a header on the same line."""
        return tuple(_statements(self.body, self._in_suite))

    @cached_property
    def assignments(self) -> tuple[Assignment, ...]:
        """Every assignment in the line."""
        return tuple(a for stmt, inline in self.statements for a in _assignments(stmt, inline))

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every call in the line, outer ones first."""
        if "(" not in self.text:
            return ()
        return tuple(Call(node, stmt, inline) for stmt, inline in self.statements for node in _calls(stmt))

    @property
    def header(self) -> ast.stmt:
        """The first statement."""
        return self.body[0]

    def _offset(self, line: int, column: int) -> int:
        start = self.cut if line == 1 else self._lines[line - 1]
        if not self._ascii:
            end = self._lines[line] if line < len(self._lines) else len(self._read)
            column = len(self._read[start:end].encode("utf-8", "replace")[:column].decode("utf-8", "ignore"))
        return start + column


def parse(text: str) -> Statement | None:
    """Return the tree of one logical line, or `None` where there is none to be had.

    A header without its suite is read as one; of `else:` and the like on one line with a statement, the statement is.
    """
    if is_giant(text):
        return None
    found = _statement(text, text)
    if found is None:
        from npu_lsp.languages.python.lenient import mended

        read = mended(text)
        found = _statement(text, read) if read is not None else None
    return found


def is_giant(text: str) -> bool:
    """Tell whether a statement is too long to be read."""
    return len(text) > _MAX_PARTS and (len(text) > _MAX_LENGTH or sum(text.count(sign) for sign in ",([{") > _MAX_PARTS)


def _statement(text: str, read: str) -> Statement | None:
    """Return the tree of `read`, which stands for `text` and is as long."""
    cut = len(read) - len(read.lstrip(" "))
    in_suite = False
    word = _WORD.match(read, cut)
    if word is None:
        cut += read.startswith("@", cut)
    elif word.group() in _SUITES_ALONE:
        suite = _SUITE.match(read, cut)
        in_suite = suite is not None
        cut = suite.end() if suite else cut
    elif word.group() == "elif":
        cut += 2
    code = read[cut:].rstrip(" ")
    if code.endswith(":"):
        code += " pass"
    tree = _parse(code)
    if tree is None:
        from npu_lsp.languages.python.newer import plain

        older = plain(code)
        if older is None:
            return None
        tree, read = _parse(older), read[:cut] + older
    return Statement(text, read, tree, cut, in_suite=in_suite) if tree is not None and tree.body else None


def _parse(code: str) -> ast.Module | None:
    if "\r" in code:
        code = _LINE_END.sub("\n", code)
    try:
        with quietly():
            return ast.parse(code)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _statements(body: list[ast.stmt], inline: bool) -> Iterator[tuple[ast.stmt, bool]]:
    for stmt in body:
        yield stmt, inline
        for suite in _SUITES:
            inner = getattr(stmt, suite, None)
            if isinstance(inner, list) and inner:
                yield from _statements([s for s in inner if isinstance(s, ast.stmt)], True)


def _calls(stmt: ast.stmt) -> Iterator[ast.Call]:
    """Yield the calls of a statement without those of the statements in it, outer ones first."""
    # Reading the nodes' own dictionaries takes a third of the time that `ast.walk` needs.
    todo: list[object] = [c for c in stmt.__dict__.values() if c.__class__ is not int]
    while todo:
        node = todo.pop()
        if isinstance(node, list):
            todo.extend(reversed(node))
        elif isinstance(node, ast.AST) and not isinstance(node, _LEAVES):
            if isinstance(node, ast.Call):
                yield node
            todo.extend(node.__dict__.values())


def _assignments(stmt: ast.stmt, inline: bool) -> Iterator[Assignment]:
    if isinstance(stmt, ast.Assign):
        alone = len(stmt.targets) == 1
        for target in stmt.targets:
            yield from _pairs(target, stmt.value, stmt, inline, alone)
    elif isinstance(stmt, ast.AnnAssign):
        if stmt.value is not None:
            yield Assignment(stmt.target, stmt.value, stmt, inline, True)
    elif isinstance(stmt, ast.AugAssign):
        yield Assignment(stmt.target, None, stmt, inline, True)
    else:
        for named in named_for_sure(stmt):
            yield Assignment(named.target, named.value, stmt, inline, False)


def named_for_sure(stmt: ast.stmt) -> Iterator[ast.NamedExpr]:
    """Yield what a statement names on the way whenever it runs: `if (name := value) is not None:`."""
    first: ast.expr | None = None
    if isinstance(stmt, (ast.If, ast.While)):
        first = stmt.test
    elif isinstance(stmt, (ast.Expr, ast.Return)):
        first = stmt.value
    while isinstance(first, (ast.UnaryOp, ast.Compare)):
        first = first.operand if isinstance(first, ast.UnaryOp) else first.left
    for node in first.args if isinstance(first, ast.Call) else [first]:
        if isinstance(node, ast.NamedExpr):
            yield node


def _pairs(target: ast.expr, value: ast.expr | None, stmt: ast.stmt, inline: bool, alone: bool) -> Iterator[Assignment]:
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield Assignment(target, value, stmt, inline, alone)
        return
    values: list[ast.expr | None] = [None] * len(target.elts)
    parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
    if len(parts) == len(values) and not any(isinstance(e, ast.Starred) for e in (*target.elts, *parts)):
        values = list(parts)
    for element, part in zip(target.elts, values, strict=True):
        yield from _pairs(element.value if isinstance(element, ast.Starred) else element, part, stmt, inline, False)
