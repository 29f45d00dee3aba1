"""Places that assign to a field of a `parameter_map` entry, in all spellings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.python.evaluate import Place
from npu_lsp.languages.python.items import pair_span
from npu_lsp.languages.python.paths import last, path
from npu_lsp.languages.python.roles import Part, Role
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.view import View
from npu_lsp.text.spans import Span

MAP = "parameter_map"

_MAX_ALIASES = 5
_COPIES = frozenset({"CopyFrom", "MergeFrom"})
_ATTR_VALUE = frozenset({"s", "i", "f", "b", "type", "shape", "tensor", "list", "func", "placeholder"})
_FIELDS = frozenset({"s", "i", "f", "b"})


class Entry(NamedTuple):
    """`receiver.parameter_map[key].slot = value`, whatever it looks like."""

    receiver: ast.expr
    receiver_place: Place
    key: ast.expr
    key_place: Place
    slot: str | ast.expr
    """The field, or the expression for it."""
    slot_span: Span | None
    value: ast.expr
    place: Place
    """Where the value stands."""
    statement: Span
    written: str
    """The receiver as it stands in the statement: the optimizer, or a name for its map."""
    own: Span
    """What goes when the setting is removed."""


class _Map(NamedTuple):
    """An optimizer whose map an expression means."""

    receiver: ast.expr
    place: Place
    written: str


def entries(view: View) -> Iterator[Entry]:
    """Yield every assignment to a field of an entry."""
    lines = {line.index: line for line in view.lines_with(MAP)}
    for target in _aliases(view, list(lines.values())):
        attribute = isinstance(target, ast.Attribute)
        found = view.lines_with(last(target) or "", whole=not attribute)
        lines |= {line.index: line for line in found}
    for index in sorted(lines):
        yield from _in_line(view, lines[index])


def _aliases(view: View, lines: list[Line]) -> list[ast.expr]:
    """Return the names and attributes that are given a map, or an entry of one, by these names, too."""
    found: dict[str, ast.expr] = {}
    todo = lines
    for _ in range(_MAX_ALIASES):
        fresh: dict[str, ast.expr] = {}
        for line in todo:
            for assignment in line.statement.assignments:
                value = assignment.value.value if isinstance(assignment.value, ast.Subscript) else assignment.value
                written = path(assignment.target)
                is_map = isinstance(value, ast.Attribute) and value.attr == MAP
                is_map = is_map or (value is not None and path(value) in found)
                if not is_map or written is None or written in found:
                    continue
                if isinstance(assignment.target, (ast.Name, ast.Attribute)):
                    fresh[written] = assignment.target
                    if value is assignment.value:
                        view.roles[written] = Role(Part.MAP, Surface.SESSION)
        if not fresh:
            break
        found |= fresh
        todo = view.lines_with(*sorted({last(target) or "" for target in fresh.values()}), whole=True)
    return list(found.values())


def _in_line(view: View, line: Line) -> Iterator[Entry]:
    for assignment in line.statement.assignments:
        target = assignment.target
        if not isinstance(target, ast.Attribute) or assignment.value is None:
            continue
        place = view.place(line, inline=assignment.inline)
        yield from _entry(
            view,
            target.value,
            target.attr,
            view.name_span(target, line),
            assignment.value,
            place,
            line.span(assignment.statement),
        )
    for call in line.statement.calls:
        place = view.place(line, inline=call.inline)
        statement = line.span(call.statement)
        node, function = call.node, call.node.func
        if isinstance(function, ast.Attribute) and function.attr in _COPIES and len(node.args) == 1:
            yield from _copied(view, function.value, node.args[0], place, statement)
        elif isinstance(function, ast.Name) and function.id == "setattr" and len(node.args) == 3:
            owner, slot, value = node.args
            field: str | ast.expr = slot
            span = None
            if isinstance(slot, ast.Constant) and isinstance(slot.value, str):
                field, span = slot.value, view.evaluate.content(slot, place)
            yield from _entry(view, owner, field, span, value, place, statement)
        else:
            yield from _made(node, place, statement)


def _made(node: ast.Call, place: Place, statement: Span) -> Iterator[Entry]:
    """Yield the entries of an optimizer that is made with its map: `Optimizer(parameter_map={key: AttrValue(s=value)})`."""
    for keyword in node.keywords:
        if keyword.arg != MAP or not isinstance(keyword.value, ast.Dict):
            continue
        for key, made in zip(keyword.value.keys, keyword.value.values, strict=True):
            if key is None or not isinstance(made, ast.Call) or last(made.func) != "AttrValue":
                continue
            own = pair_span(key, made, place.line)
            for field in made.keywords:
                if field.arg is not None:
                    start = place.line.span(field).start
                    span = Span(start, start + len(field.arg))
                    written = place.line.source(node.func)
                    yield Entry(node, place, key, place, field.arg, span, field.value, place, statement, written, own)


def _copied(view: View, owner: ast.expr, made: ast.expr, place: Place, statement: Span) -> Iterator[Entry]:
    """Yield the fields of `map[key].CopyFrom(AttrValue(s=value))`."""
    if not (isinstance(made, ast.Call) and last(made.func) == "AttrValue"):
        return
    for keyword in made.keywords:
        if keyword.arg is not None:
            start = place.line.span(keyword).start
            span = Span(start, start + len(keyword.arg))
            yield from _entry(view, owner, keyword.arg, span, keyword.value, place, statement)


def _entry(
    view: View,
    owner: ast.expr,
    slot: str | ast.expr,
    slot_span: Span | None,
    value: ast.expr,
    place: Place,
    statement: Span,
) -> Iterator[Entry]:
    """Yield the entry that `owner` is, if it is one."""
    key_place = place
    if isinstance(owner, ast.Name) and slot in _FIELDS:
        # `entry = op.parameter_map["key"]`
        binding = view.names.only(owner.id, place.line.index, place.branch)
        if binding is None or binding.line is None or binding.value is None:
            return
        owner, key_place = binding.value, Place(binding.line, binding.branch)
    if isinstance(slot, str) and slot not in _ATTR_VALUE and not view.speaks_of_npu:
        # Other things are called `parameter_map`, too.
        return
    if isinstance(owner, ast.Subscript):
        found = _map(view, owner.value, key_place)
        if found is not None:
            yield Entry(
                found.receiver,
                found.place,
                owner.slice,
                key_place,
                slot,
                slot_span,
                value,
                place,
                statement,
                found.written,
                statement,
            )


def _map(view: View, node: ast.expr, place: Place) -> _Map | None:
    """Return the optimizer whose map `node` is."""
    if isinstance(node, ast.Attribute) and node.attr == MAP:
        return _Map(node.value, place, place.line.source(node.value))
    written = path(node)
    if written is None:
        return None
    for line, value, inline in reversed(_given(view, node, written, place)):
        if isinstance(value, ast.Attribute) and value.attr == MAP:
            return _Map(value.value, view.place(line, inline=inline), written)
        return None
    return None


def _given(view: View, node: ast.expr, written: str, place: Place) -> list[tuple[Line, ast.expr | None, bool]]:
    """Return what is assigned to a name or an attribute, up to a place."""
    index = place.line.index
    if isinstance(node, ast.Name):
        visible = view.names.visible(node.id, index)
        return [(b.line, b.value, False) for b in visible if b.line is not None and b.index <= index]
    if not isinstance(node, ast.Attribute):
        return []
    return [
        (line, a.value, a.inline)
        for line in view.lines_with(node.attr)
        for a in line.statement.assignments
        if isinstance(a.target, ast.Attribute) and path(a.target) == written
    ]
