"""Calls whose arguments are options, such as `_ExperimentalConfig(profiler_level=...)`: each is a row of its surface."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

import libcst as cst

from npu_lsp.catalog.calls import ArgumentCall
from npu_lsp.catalog.surfaces import ROWS, Surface
from npu_lsp.languages.model import Form, SyntaxFault, SyntaxFinding, ValueKind
from npu_lsp.languages.python.dataflow.class_members import as_member
from npu_lsp.languages.python.dataflow.elements import DictEntry
from npu_lsp.languages.python.dataflow.entries import entries_of, keyword_entry
from npu_lsp.languages.python.dataflow.modules import dotted, local_names, may_set
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.matchers.dict_calls import add_setting, begin
from npu_lsp.languages.python.source import Line, Role, RoleKind
from npu_lsp.languages.python.tree.nodes import is_name, keywords, last, positional
from npu_lsp.languages.python.tree.statement import Call
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.spans import Edit, Span

_MODE = re.compile(r"[01]|(?:\w+\.){0,3}(?:GRAPH|PYNATIVE)_MODE")
_FIRST = {"set_context": "mode"}
"""The argument that such a value is of."""
_SHOWN = 40
"""Characters of an argument that a message shows."""


def find(view: SourceView) -> None:
    """Add a block for each call."""
    for surface, row in ROWS.items():
        if not row.arguments or not may_set(view, row):
            continue
        _roles(view, surface, row.arguments, row.word)
        for meant in row.arguments:
            for line in view.lines_with(f"{meant.name}("):
                for call in line.statement.calls:
                    if is_meant(view, call.node, line, meant):
                        _add(view, line, call, surface, meant)


def is_meant(view: SourceView, call: cst.Call, line: Line, meant: ArgumentCall) -> bool:
    """Tell whether a call is that of the function of one of the modules."""
    if last(call.func) != meant.name:
        return False
    module, _, name = (dotted(view, call.func, line) or "").rpartition(".")
    return (name == meant.name and module in meant.modules) or _is_shown(view, call, line, meant)


def _is_shown(view: SourceView, call: cst.Call, line: Line, meant: ArgumentCall) -> bool:
    """Tell whether a snippet shows the call with arguments that tell it: the import stands elsewhere on its page."""
    if not view.nest.depth or not is_name(call.func) or view.names.visible(meant.name, line.index):
        return False
    return any(name in meant.shown_with for name, _ in keywords(call))


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
    view.blocks.keep(key)
    place = view.place(line, inline=call.inline)
    if meant.keywords:
        _without_name(view, node, line, meant)
    for entry in _entries(view, key, node, place, line.span(call.statement), meant):
        found = _located(view, as_member(view, entry, surface.row.members))
        add_setting(view, key, surface, found, meant.prefix)
        if (
            surface.row.nested == "entries"
            and found.value.kind is ValueKind.DICT
            and found.name not in surface.row.apart
        ):
            _inside(view, key, surface, entry, f"{meant.prefix}{entry.name}")


def _located(view: SourceView, entry: DictEntry) -> DictEntry:
    """Return an argument with the place of the dict that it takes from a name."""
    if entry.value.kind is not ValueKind.DICT or not is_name(entry.node):
        return entry
    held = view.names.container(entry.node, entry.place.line, entry.place.branch)
    return entry if held is None else entry._replace(value=entry.value._replace(origin=held[1].span(held[0])))


def _without_name(view: SourceView, call: cst.Call, line: Line, meant: ArgumentCall) -> None:
    """Note the first argument without a name, where Python takes none."""
    for argument in [each for each in positional(call) if not each.star][:1]:
        span = line.span(argument.value)
        word = view.source.text[span.start : span.end]
        first = _FIRST.get(meant.name, "")
        edits = (Edit(Span(span.start, span.start), f"{first}="),) if _MODE.fullmatch(word) and first else ()
        said = {"function": meant.name, "argument": word if len(word) <= _SHOWN else "..."}
        view.syntax.append(SyntaxFinding(SyntaxFault.POSITIONAL_ARGUMENT, span, said, edits))


def _inside(view: SourceView, key: Hashable, surface: Surface, around: DictEntry, path: str) -> None:
    """Add what stands in a dict that is an argument's value, or in one in it; some are of another surface."""
    other = dict(surface.row.inner).get(path)
    owner = f"{path}."
    if other is not None:
        surface, owner = Surface(other), ""
        key = surface.value, around.key
        view.blocks.begin(key, surface, around.key)
    entries = entries_of(view, around.node, around.place, around.statement)
    if not entries.complete:
        view.blocks.leave_open(key)
    for entry in entries.found:
        add_setting(view, key, surface, entry, owner)
        if other is None and entry.value.kind is ValueKind.DICT:
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
                view.blocks.leave_open(key)
            yield from more.found
        else:
            name = next(rest, None) if not argument.star else None
            if name is None:
                view.blocks.leave_open(key)
                rest = iter(())
                continue
            node, span = argument.value, place.line.span(argument.value)
            value = view.evaluate.value(node, place)
            yield DictEntry(name, node, span, node, place, value, Form.KEYWORD, statement, place.line.span(argument))
