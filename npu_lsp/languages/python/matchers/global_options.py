"""`npu.global_options().name = value`: one object for the whole process, so one block for the whole file."""

from __future__ import annotations

import libcst as cst

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.python.dataflow.contexts import CallContexts
from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.matchers.attributes import Attributes
from npu_lsp.languages.python.tree.nodes import callee, imported, is_name, last
from npu_lsp.languages.python.view import SourceView

NAME = "global_options"


def find(view: SourceView, contexts: CallContexts) -> None:
    """Add the settings of the global options."""
    if not view.speaks_of_npu:
        # Other libraries have global options, too.
        return
    names = _functions(view, contexts)
    found = Attributes(
        view, contexts, Surface.GLOBAL_OPTIONS, (NAME, *sorted(names)), lambda node: _is_root(node, names)
    )
    found.shared = NAME
    found.find()


def _is_root(node: cst.BaseExpression, names: frozenset[str] = frozenset()) -> bool:
    if not isinstance(node, cst.Call) or node.args:
        return False
    return last(node.func) == NAME or callee(node) in names


def _functions(view: SourceView, contexts: CallContexts) -> frozenset[str]:
    """Return other names of the function that gives the options, and functions of this file that return what it gives."""
    found: set[str] = set()
    for line in view.lines_with(NAME):
        for assignment in line.statement.assignments:
            if is_name(assignment.target) and assignment.value is not None and last(assignment.value) == NAME:
                found.add(assignment.target.value)
        for stmt, _ in line.statement.statements:
            if isinstance(stmt, cst.ImportFrom):
                found |= {alias for name, alias in imported(stmt) if name == NAME and alias}
            elif isinstance(stmt, cst.Return) and stmt.value is not None and _is_root(stmt.value):
                index = view.source.scopes.function(line.index)
                header = view.source.line(index) if index != MODULE else None
                function = header.statement.header if header is not None else None
                if isinstance(function, cst.FunctionDef) and contexts.functions.is_single(function.name.value):
                    found.add(function.name.value)
    return frozenset(found)
