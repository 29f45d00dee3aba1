"""The session around the options: the optimizer and its name, what is switched off, whether the config is used."""

from __future__ import annotations

import ast

from npu_lsp.catalog.model import Surface
from npu_lsp.readers.model import Setup
from npu_lsp.readers.python.paths import path
from npu_lsp.readers.python.receivers import Receivers, is_optimizer
from npu_lsp.readers.python.view import View

_OPTIMIZERS = "custom_optimizers"


def find(view: View, receivers: Receivers) -> None:
    """Add what is known of each optimizer."""
    names: set[str] = set()
    for line in view.lines_with(_OPTIMIZERS):
        for assignment in line.statement.assignments:
            value = assignment.value
            if value is None or not isinstance(value, ast.Call) or not is_optimizer(value):
                continue
            place = view.place(line, inline=assignment.inline)
            written = path(assignment.target)
            key = "bound", written, line.index
            view.drafts.draft(key, Surface.SESSION, line.span(assignment.target), line.source(assignment.target))
            view.drafts.fact(key, Setup("optimizer_added", line.span(value), None, place.branch))
            for keyword in value.keywords:
                if keyword.arg == "name":
                    given = view.evaluate.value(keyword.value, place)
                    view.drafts.fact(key, Setup("optimizer_name", given.span, given, place.branch))
            if isinstance(assignment.target, (ast.Name, ast.Attribute)):
                target = assignment.target
                names.add(target.id if isinstance(target, ast.Name) else target.attr)
    for name in sorted(names):
        _names_of(view, receivers, name)


def _names_of(view: View, receivers: Receivers, name: str) -> None:
    for line in view.lines_with(name):
        for assignment in line.statement.assignments:
            target = assignment.target
            if not (isinstance(target, ast.Attribute) and target.attr == "name" and assignment.value is not None):
                continue
            owner = path(target.value)
            if owner is None or owner.rpartition(".")[2] != name:
                continue
            place = view.place(line, inline=assignment.inline)
            key = receivers.key(target.value, place)
            given = view.evaluate.value(assignment.value, place)
            view.drafts.fact(key, Setup("optimizer_name", line.span(assignment.statement), given, place.branch))
