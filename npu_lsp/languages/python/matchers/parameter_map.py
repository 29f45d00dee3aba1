"""The options of an optimizer: what is assigned to the entries of its `parameter_map`."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import libcst as cst

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, Setting
from npu_lsp.languages.python.dataflow.contexts import CallContext, CallContexts
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.dataflow.objects import Receivers
from npu_lsp.languages.python.source import Line, Role, RoleKind
from npu_lsp.languages.python.tree.constants import constant, text_of
from npu_lsp.languages.python.tree.nodes import (
    callee,
    index_of,
    is_name,
    keyword,
    keywords,
    last,
    names_in,
    path,
    positional,
)
from npu_lsp.languages.python.tree.statement import Statement
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.kept import Table
from npu_lsp.text.source_map import OffsetShift
from npu_lsp.text.spans import Span

MAP = "parameter_map"

_MAX_ALIASES = 5
_COPIES = frozenset({"CopyFrom", "MergeFrom"})
_ATTR_VALUE = frozenset({"s", "i", "f", "b", "type", "shape", "tensor", "list", "func", "placeholder"})
_FIELDS = frozenset({"s", "i", "f", "b"})


class SlotAssignment(NamedTuple):
    """`receiver.parameter_map[key].slot = value`, whatever it looks like."""

    receiver: cst.BaseExpression
    receiver_place: Place
    key: cst.BaseExpression
    key_place: Place
    slot: str | cst.BaseExpression
    """The field, or the expression for it."""
    slot_span: Span | None
    value: cst.BaseExpression
    place: Place
    """Where the value stands."""
    statement: Span
    written: str
    """The receiver as it stands in the statement: the optimizer, or a name for its map."""
    own: Span
    """What goes when the setting is removed."""


class _Map(NamedTuple):
    """An optimizer whose map an expression means."""

    receiver: cst.BaseExpression
    place: Place
    written: str


def entries(view: SourceView) -> Iterator[SlotAssignment]:
    """Yield every assignment to a field of an entry."""
    lines = {line.index: line for line in view.lines_with(MAP)}
    for target in _aliases(view, list(lines.values())):
        attribute = isinstance(target, cst.Attribute)
        found = view.lines_with(last(target) or "", whole=not attribute)
        lines |= {line.index: line for line in found}
    for index in sorted(lines):
        yield from _in_line(view, lines[index])


def _aliases(view: SourceView, lines: list[Line]) -> list[cst.BaseExpression]:
    """Return the names and attributes that are given a map, or an entry of one, by these names, too."""
    found: dict[str, cst.BaseExpression] = {}
    todo = lines
    for _ in range(_MAX_ALIASES):
        fresh: dict[str, cst.BaseExpression] = {}
        for line in todo:
            for assignment in line.statement.assignments:
                value = assignment.value.value if isinstance(assignment.value, cst.Subscript) else assignment.value
                written = path(assignment.target)
                is_map = isinstance(value, cst.Attribute) and value.attr.value == MAP
                is_map = is_map or (value is not None and path(value) in found)
                if not is_map or written is None or written in found:
                    continue
                if isinstance(assignment.target, (cst.Name, cst.Attribute)):
                    fresh[written] = assignment.target
                    if value is assignment.value:
                        view.roles[written] = Role(RoleKind.MAP, Surface.SESSION)
        if not fresh:
            break
        found |= fresh
        todo = view.lines_with(*sorted({last(target) or "" for target in fresh.values()}), whole=True)
    return list(found.values())


def _in_line(view: SourceView, line: Line) -> Iterator[SlotAssignment]:
    for assignment in line.statement.assignments:
        target = assignment.target
        if not isinstance(target, cst.Attribute) or assignment.value is None:
            continue
        place = view.place(line, inline=assignment.inline)
        yield from _entry(
            view,
            target.value,
            target.attr.value,
            line.span(target.attr),
            assignment.value,
            place,
            line.span(assignment.statement),
        )
    for call in line.statement.calls:
        place = view.place(line, inline=call.inline)
        statement = line.span(call.statement)
        node, function = call.node, call.node.func
        given = [a.value for a in positional(node)]
        if isinstance(function, cst.Attribute) and function.attr.value in _COPIES and len(given) == 1:
            yield from _copied(view, function.value, given[0], place, statement)
        elif callee(node) == "setattr" and len(given) == 3:
            owner, slot, value = given
            field: str | cst.BaseExpression = slot
            span = None
            if (said := text_of(slot)) is not None:
                field, span = said, view.evaluate.content(slot, place)
            yield from _entry(view, owner, field, span, value, place, statement)
        else:
            yield from _made(node, place, statement)


def _made(node: cst.Call, place: Place, statement: Span) -> Iterator[SlotAssignment]:
    """Yield the entries of an optimizer that is made with its map: `Optimizer(parameter_map={key: AttrValue(s=value)})`."""
    given = keyword(node, MAP)
    for element in given.elements if isinstance(given, cst.Dict) else ():
        made = element.value
        if not (isinstance(element, cst.DictElement) and isinstance(made, cst.Call) and last(made.func) == "AttrValue"):
            continue
        own, key, written = place.line.span(element), element.key, place.line.source(node.func)
        for field, argument in keywords(made):
            span = place.line.span(argument.keyword or argument)
            yield SlotAssignment(node, place, key, place, field, span, argument.value, place, statement, written, own)


def _copied(
    view: SourceView, owner: cst.BaseExpression, made: cst.BaseExpression, place: Place, statement: Span
) -> Iterator[SlotAssignment]:
    """Yield the fields of `map[key].CopyFrom(AttrValue(s=value))`."""
    if not (isinstance(made, cst.Call) and last(made.func) == "AttrValue"):
        return
    for field, argument in keywords(made):
        span = place.line.span(argument.keyword or argument)
        yield from _entry(view, owner, field, span, argument.value, place, statement)


def _entry(
    view: SourceView,
    owner: cst.BaseExpression,
    slot: str | cst.BaseExpression,
    slot_span: Span | None,
    value: cst.BaseExpression,
    place: Place,
    statement: Span,
) -> Iterator[SlotAssignment]:
    """Yield the entry that `owner` is, if it is one."""
    key_place = place
    if is_name(owner) and slot in _FIELDS:
        # `entry = op.parameter_map["key"]`
        binding = view.names.only(owner.value, place.line.index, place.branch)
        if binding is None or binding.line is None or binding.value is None:
            return
        owner, key_place = binding.value, Place(binding.line, binding.branch)
    if isinstance(slot, str) and slot not in _ATTR_VALUE and not view.speaks_of_npu:
        # Other things are called `parameter_map`, too.
        return
    if isinstance(owner, cst.Subscript):
        found, key = _map(view, owner.value, key_place), index_of(owner)
        if found is not None and key is not None:
            yield SlotAssignment(
                found.receiver,
                found.place,
                key,
                key_place,
                slot,
                slot_span,
                value,
                place,
                statement,
                found.written,
                statement,
            )


def _map(view: SourceView, node: cst.BaseExpression, place: Place) -> _Map | None:
    """Return the optimizer whose map `node` is."""
    if isinstance(node, cst.Attribute) and node.attr.value == MAP:
        return _Map(node.value, place, place.line.source(node.value))
    written = path(node)
    if written is None:
        return None
    for line, value, inline in reversed(_given(view, node, written, place)):
        if isinstance(value, cst.Attribute) and value.attr.value == MAP:
            return _Map(value.value, view.place(line, inline=inline), written)
        return None
    return None


def _given(
    view: SourceView, node: cst.BaseExpression, written: str, place: Place
) -> list[tuple[Line, cst.BaseExpression | None, bool]]:
    """Return what is assigned to a name or an attribute, up to a place."""
    index = place.line.index
    if is_name(node):
        visible = view.names.visible(node.value, index)
        return [(b.line, b.value, False) for b in visible if b.line is not None and b.index <= index]
    if not isinstance(node, cst.Attribute):
        return []
    return [
        (line, a.value, a.inline)
        for line in view.lines_naming(node.attr.value)
        for a in line.statement.assignments
        if isinstance(a.target, cst.Attribute) and path(a.target) == written
    ]


def find(view: SourceView, receivers: Receivers, contexts: CallContexts) -> None:
    """Add every setting of an optimizer."""
    for entry in entries(view):
        key = receivers.key(entry.receiver, entry.receiver_place)
        view.blocks.begin(
            key,
            Surface.SESSION,
            entry.receiver_place.line.span(entry.receiver),
            entry.receiver_place.line.source(entry.receiver),
        )
        name = view.evaluate.text(entry.key, entry.key_place)
        if name is not None and isinstance(entry.slot, str):
            view.blocks.add(key, _written_out(view, entry, name, entry.slot))
            continue
        found = contexts.of(entry.place, names_in(entry.key))
        if found is None or any(context.open for context in found):
            # Any option may be set here.
            view.blocks.leave_open(key)
        for context in found or ():
            _add_context(view, receivers, contexts, entry, context)


_SETTINGS: Table[Statement, tuple[cst.CSTNode, cst.CSTNode], tuple[Setting, int]] = Table()
"""The settings of a line that hang on no other, by key and value, and where the line began then."""


def _written_out(view: SourceView, entry: SlotAssignment, name: str, slot: str) -> Setting:
    """Return the setting of an entry that is all in one place."""
    line = entry.place.line
    settings = _SETTINGS.of(line.statement)
    kept = settings.get((entry.key, entry.value))
    if kept is not None:
        by, branch = line.start - kept[1], entry.place.branch
        same = kept[0].mapped(OffsetShift.by(by)) if by else kept[0]
        return same if branch == same.branch else same._replace(branch=branch)
    setting = Setting(
        surface=Surface.SESSION,
        name=name,
        key=view.evaluate.content(entry.key, entry.key_place),
        value=view.evaluate.value(entry.value, entry.place),
        form=Form.PARAMETER_MAP if entry.own == entry.statement else Form.ITEM,
        statement=entry.statement,
        own=entry.own,
        slot=slot,
        slot_span=entry.slot_span,
        branch=entry.place.branch,
        receiver=entry.written,
    )
    if view.evaluate.is_free(entry.value, line) and constant(entry.key) is not None and entry.key_place == entry.place:
        # Nothing in it hangs on another line.
        settings[entry.key, entry.value] = setting, line.start
    return setting


def _add_context(
    view: SourceView, receivers: Receivers, contexts: CallContexts, entry: SlotAssignment, context: CallContext
) -> None:
    """Add what one round of a loop or one call of a function sets, where its key is written."""
    key = _owner(receivers, contexts, entry, context)
    place = Place(entry.place.line, entry.place.branch, context.given)
    key_place = Place(entry.key_place.line, entry.key_place.branch, context.given)
    name = view.evaluate.text(entry.key, key_place)
    written = contexts.site(entry.key, key_place)
    if name is None or written is None or context.own is None or context.statement is None:
        view.blocks.leave_open(key)
        return
    key_node, key_line = written
    head = key_line.span(key_node)
    if not context.settled and not view.first_sight(key, name, head):
        return
    view.blocks.begin(key, Surface.SESSION, head, entry.written)
    slot = entry.slot if isinstance(entry.slot, str) else view.evaluate.text(entry.slot, place)
    value, at = contexts.value(entry.value, place, context), view.evaluate.content(key_node, Place(key_line))
    setting = context.setting(Surface.SESSION, name, at, value, Form.ITEM)
    if setting is not None:
        slot = slot if context.settled else None
        view.blocks.add(key, setting._replace(slot=slot, receiver=entry.written))


def _owner(receivers: Receivers, contexts: CallContexts, entry: SlotAssignment, context: CallContext) -> Hashable:
    """Return the key of the optimizer, which a call may hand over."""
    at = entry.receiver_place
    handed = contexts.site(entry.receiver, Place(at.line, at.branch, context.given))
    if handed is not None:
        return receivers.key(handed[0], Place(handed[1], context.branch))
    return receivers.key(entry.receiver, at)
