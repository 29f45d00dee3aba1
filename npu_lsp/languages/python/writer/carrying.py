"""The source of a value as it can stand somewhere else: with what it says there, and as text where bytes stand now."""

from __future__ import annotations

from bisect import bisect_right

from npu_lsp.languages.model import Setting, ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.names import Names
from npu_lsp.languages.python.pure_calls import PURE
from npu_lsp.languages.python.source import LogicalLine, Source, source_of
from npu_lsp.languages.python.tree.nodes import last, names_in, positional, walk
from npu_lsp.languages.python.writer import literals
from npu_lsp.languages.python.writer.siblings import line_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_ONCE = (cst.NamedExpr, cst.Await, cst.Yield, cst.Lambda, cst.BaseComp)
_SIMPLE = re.compile(r"[\w.]+\Z")
_ENTRY = re.compile(r"(?:[ \t]*\.[ \t]*\w+|\[[^\]\r\n]*\])+[ \t]*=(?!=)")
"""Behind a name: it is given an attribute or an entry."""


def carried(document: Document, setting: Setting, until: int, *, text: bool) -> str | None:
    """Return the source of a setting's value for the place `until`; with `text`, the text of what is bytes here.

    `None` where it may say something else there: a name is bound anew in between, or what it calls does more than return a
    value.
    """
    line = line_of(document, setting.value.span.start)
    if line is None or literals.is_shared(setting):
        return None
    node = _node_at(line, setting.value.span)
    if node is None or not _may_run_again(node) or _changes(document, node, setting.value.span.end, until):
        return None
    return _as_text(node, line, setting) if text else _source(node, line)


def _node_at(line: LogicalLine, span: Span) -> cst.BaseExpression | None:
    for stmt, _ in line.statement.statements:
        for node in walk(stmt, suites=False):
            if isinstance(node, cst.BaseExpression) and line.span(node) == span:
                return node
    return None


def _may_run_again(node: cst.BaseExpression) -> bool:
    for part in walk(node):
        if isinstance(part, _ONCE) or (isinstance(part, cst.Call) and last(part.func) not in PURE):
            return False
    return True


def _changes(document: Document, node: cst.BaseExpression, start: int, until: int) -> bool:
    """Return whether a name in `node` may stand for something else at `until` than at `start`."""
    source = source_of(document)
    starts = source.logical_lines.starts
    at, end = bisect_right(starts, start) - 1, bisect_right(starts, until) - 1
    names = Names(source)
    scope = source.scopes.scope(at)
    return any(
        names.is_bound(name, scope, at, end) or _is_given_entries(source, name, Span(start, until))
        for name in names_in(node)
    )


def _is_given_entries(source: Source, name: str, span: Span) -> bool:
    return any(
        _ENTRY.match(source.text, offset + len(name)) is not None
        for offset in source.occurrences.name(name)
        if span.start <= offset < span.end
    )


def _source(node: cst.BaseExpression, line: LogicalLine) -> str | None:
    """Return the text of an expression; one over several lines only where it has brackets of its own around these."""
    found = line.source(node)
    return None if "\\\n" in found or "\\\r" in found or "#" in found else found


def _as_text(node: cst.BaseExpression, line: LogicalLine, setting: Setting) -> str | None:
    """Return the source of the text that an expression makes bytes of."""
    if isinstance(node, cst.Call) and last(node.func) == "as_bytes" and len(positional(node)) == len(node.args) == 1:
        return _source(node.args[0].value, line)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and last(node.func) == "encode":
        return _source(node.func.value, line) if not node.args else None
    found = _source(node, line)
    if found is None or setting.value.kind is ValueKind.STRING:
        return found
    if isinstance(node, cst.SimpleString):
        return None  # Bytes: what is known of them is written as text.
    return f"{found}.decode()" if _SIMPLE.match(found) else f"({found}).decode()"
