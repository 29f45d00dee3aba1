"""Calls whose arguments are options, such as `_ExperimentalConfig(profiler_level=...)`: each is a row of its surface."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import libcst as cst

from npu_lsp.catalog.calls import ArgumentCall
from npu_lsp.catalog.surfaces import ROWS, Surface
from npu_lsp.languages.model import Form
from npu_lsp.languages.python.following.class_members import as_member
from npu_lsp.languages.python.following.dotted import dotted, local_names, may_set
from npu_lsp.languages.python.following.keyword_entries import keyword_entry
from npu_lsp.languages.python.following.mapping_entries import DictEntry
from npu_lsp.languages.python.following.mappings import entries_of
from npu_lsp.languages.python.place import Place
from npu_lsp.languages.python.recognisers.dict_calls import add_setting, begin
from npu_lsp.languages.python.roles import Role, RoleKind
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.tree.paths import last
from npu_lsp.languages.python.tree.statement import Call
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.spans import Span


def find(view: SourceView) -> None:
    """Add a block for each call."""
    for surface, row in ROWS.items():
        if not row.arguments or not may_set(view, row):
            continue
        _roles(view, surface, row.arguments, row.word)
        for meant in row.arguments:
            for line in view.lines_with(f"{meant.name}("):
                for call in line.statement.calls:
                    if _is_meant(view, call.node, line, meant):
                        _add(view, line, call, surface, meant)


def _is_meant(view: SourceView, call: cst.Call, line: Line, meant: ArgumentCall) -> bool:
    """Tell whether a call is that of the function of one of the modules."""
    if last(call.func) != meant.name:
        return False
    module, _, name = (dotted(view, call.func, line) or "").rpartition(".")
    return name == meant.name and module in meant.modules


def _roles(view: SourceView, surface: Surface, calls: tuple[ArgumentCall, ...], word: str) -> None:
    """Note what the file's own names for the modules and functions are, for whoever completes code."""
    for name, full in local_names(view, word).items():
        for call in calls:
            if full in call.modules:
                view.roles.setdefault(f"{name}.{call.name}", Role(RoleKind.CALL, surface, call.name))
            elif name == call.name and full.rpartition(".")[0] in call.modules:
                view.roles.setdefault(name, Role(RoleKind.CALL, surface, call.name))


def _add(view: SourceView, line: Line, call: Call, surface: Surface, meant: ArgumentCall) -> None:
    node = call.node
    key: Hashable = (surface.value, line.index, line.span(node))
    begin(view, key, surface, node, line)
    view.drafts.keep(key)
    place = view.place(line, inline=call.inline)
    for entry in _entries(view, key, node, place, line.span(call.statement), meant):
        add_setting(view, key, surface, as_member(view, entry, surface.row.members), meant.prefix)
        if surface.row.nested == "entries" and isinstance(entry.node, cst.Dict):
            _inside(view, key, surface, entry, f"{meant.prefix}{entry.name}")


def _inside(view: SourceView, key: Hashable, surface: Surface, around: DictEntry, path: str) -> None:
    """Add what stands in a dict that is an argument's value, or in one in it; some are of another surface."""
    other = dict(surface.row.inner).get(path)
    owner = f"{path}."
    if other is not None:
        surface, owner = Surface(other), ""
        key = surface.value, around.key
        view.drafts.draft(key, surface, around.key)
    entries = entries_of(view, around.node, around.place, around.statement)
    if not entries.complete:
        view.drafts.opened(key)
    for entry in entries.found:
        add_setting(view, key, surface, entry, owner)
        if other is None and isinstance(entry.node, cst.Dict):
            _inside(view, key, surface, entry, f"{owner}{entry.name}")


def _entries(
    view: SourceView, key: Hashable, call: cst.Call, place: Place, statement: Span, meant: ArgumentCall
) -> Iterator[DictEntry]:
    """Yield the arguments by their names."""
    rest = iter(meant.parameters)
    for argument in call.args:
        named = keyword_entry(view, argument, place, statement, Form.KEYWORD)
        if named is not None:
            yield named
        elif argument.star == "**":
            more = entries_of(view, argument.value, place, statement)
            if not more.complete:
                view.drafts.opened(key)
            yield from more.found
        else:
            name = next(rest, None) if not argument.star else None
            if name is None:
                view.drafts.opened(key)
                rest = iter(())
                continue
            node, span = argument.value, place.line.span(argument.value)
            value = view.evaluate.value(node, place)
            yield DictEntry(name, node, span, node, place, value, Form.KEYWORD, statement, place.line.span(argument))
