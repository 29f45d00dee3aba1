"""Calls that take a dict of options, such as `set_option({"NAME": value})`: each is a row of its surface."""

from __future__ import annotations

from collections.abc import Hashable

import libcst as cst

from npu_lsp.catalog.calls import DictCall
from npu_lsp.catalog.surfaces import CALLS, Surface
from npu_lsp.languages.model import ValueKind
from npu_lsp.languages.python.dataflow.elements import DictEntry
from npu_lsp.languages.python.dataflow.entries import entries_of
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.source import Line, Role, RoleKind
from npu_lsp.languages.python.tree.nodes import keyword, last, module_of, path, positional
from npu_lsp.languages.python.tree.statement import Call
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.spans import Span


def find(view: SourceView) -> None:
    """Add a block for each call, or one for all that set the same options."""
    for surface, meant in CALLS:
        lines = view.lines_with(meant.trigger)
        if lines and _is_imported(view, meant.name, meant.modules):
            view.roles.setdefault(meant.name, Role(RoleKind.CALL, surface, meant.name))
        for line in lines:
            for call in line.statement.calls:
                if _is_of(view, call.node, meant.name, meant.modules):
                    _add(view, line, call, surface, meant)


def _is_of(view: SourceView, call: cst.Call, name: str, modules: tuple[str, ...]) -> bool:
    """Tell whether it is the function of that name of one of the modules: others have one of that name, too."""
    module, _, called = (path(call.func) or "").rpartition(".")
    if called != name:
        return False
    return module.rpartition(".")[2] in modules if module else _is_imported(view, name, modules)


def _is_imported(view: SourceView, name: str, modules: tuple[str, ...]) -> bool:
    """Tell whether a name comes from one of the modules, and from nowhere else."""
    bindings = view.names.bindings(name)
    line = bindings[0].line if len(bindings) == 1 else None
    header = line.statement.header if line is not None else None
    return isinstance(header, cst.ImportFrom) and not {*module_of(header).split(".")}.isdisjoint(modules)


def begin(view: SourceView, key: Hashable, surface: Surface, node: cst.Call, line: Line) -> None:
    """Begin a block whose head is the function's name."""
    end = line.span(node.func).end
    view.blocks.begin(key, surface, Span(end - len(last(node.func) or ""), end))


def add_setting(view: SourceView, key: Hashable, surface: Surface, entry: DictEntry, owner: str = "") -> None:
    """Add an entry of a dict to a block; `owner` is the name of the option whose value that dict is."""
    if surface.row.nested == "entries" and isinstance(entry.node, cst.Dict) and entry.value.kind is ValueKind.DICT:
        # What stands in it has settings of its own: only the opening bracket is this one's.
        start = entry.value.span.start
        entry = entry._replace(value=entry.value._replace(span=Span(start, start + 1)))
    view.blocks.add(key, entry.setting(surface, owner + entry.name))


def _add(view: SourceView, line: Line, call: Call, surface: Surface, meant: DictCall) -> None:
    node = call.node
    argument = keyword(node, meant.keyword)
    listed = positional(node)
    if argument is None and meant.position is not None and len(listed) > meant.position:
        argument = listed[meant.position].value
    if argument is None:
        return
    key: Hashable = surface.value if meant.together else (surface.value, line.span(node))
    begin(view, key, surface, node, line)
    _entries(view, key, surface, argument, view.place(line, inline=call.inline), line.span(call.statement))


def _entries(
    view: SourceView,
    key: Hashable,
    surface: Surface,
    node: cst.BaseExpression,
    place: Place,
    statement: Span,
    owner: str = "",
) -> None:
    entries = entries_of(view, node, place, statement)
    if not entries.complete:
        view.blocks.leave_open(key)
    for entry in entries.found:
        add_setting(view, key, surface, entry, owner)
        if surface.row.nested == "entries" and isinstance(entry.node, cst.Dict):
            _entries(view, key, surface, entry.node, entry.place, entry.statement, f"{owner}{entry.name}.")
