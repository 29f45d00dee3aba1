"""The options of an optimizer: what is assigned to the entries of its `parameter_map`, in all spellings."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, Setting
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.contexts import CallContext, contexts_of
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.dataflow.objects import Alias, aliases, objects_of
from npu_lsp.languages.python.source import Role, RoleKind
from npu_lsp.languages.python.tree.constants import text_of
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
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.spans import Span

_MAP = "parameter_map"
OPTIMIZERS = "custom_optimizers"
_COPIES = frozenset({"CopyFrom", "MergeFrom"})
_ATTR_VALUE = frozenset({"s", "i", "f", "b", "type", "shape", "tensor", "list", "func", "placeholder"})
_FIELDS = frozenset({"s", "i", "f", "b"})


class _Map(NamedTuple):
    """An optimizer whose map an expression means."""

    receiver: cst.BaseExpression
    place: Place
    written: str
    """How the statement calls it: the optimizer, or a name for its map."""


class _Slot(NamedTuple):
    """A field of an entry: the expression for it, or its name, and where that is written."""

    field: str | cst.BaseExpression
    span: Span | None


class _Assigned(NamedTuple):
    """`receiver.parameter_map[key].slot = value`, whatever it looks like."""

    map: _Map
    key: cst.BaseExpression
    key_place: Place
    slot: _Slot
    value: cst.BaseExpression
    place: Place
    own: Span | None = None
    """What goes when the setting is removed, where that isn't its statement."""


def find(view: SourceView) -> None:
    """Add every setting of an optimizer."""
    for entry in _entries(view):
        receiver, at, written = entry.map
        key = optimizer_key(view, receiver, at)
        view.blocks.begin(key, Surface.SESSION, at.line.span(receiver), at.line.source(receiver))
        name = view.text(entry.key, entry.key_place)
        if name is not None and isinstance(entry.slot.field, str):
            setting = Setting(
                surface=Surface.SESSION,
                name=name,
                key=view.content(entry.key, entry.key_place),
                value=view.value(entry.value, entry.place),
                form=Form.PARAMETER_MAP if entry.own is None else Form.ITEM,
                statement=entry.place.statement,
                own=entry.own or entry.place.statement,
                slot=entry.slot.field,
                slot_span=entry.slot.span,
                branch=entry.place.branch,
                receiver=written,
            )
            view.blocks.add(key, setting)
            continue
        found = contexts_of(view).of(entry.place, names_in(entry.key))
        if found is None or any(context.open for context in found):
            # Any option may be set here.
            view.blocks.leave_open(key)
        for context in found or ():
            _add_context(view, entry, context)


def _add_context(view: SourceView, entry: _Assigned, context: CallContext) -> None:
    """Add what one round of a loop or one call of a function sets, where its key is written."""
    contexts = contexts_of(view)
    at = entry.map.place
    handed = contexts.site(entry.map.receiver, at._replace(given=context.given))
    if handed is not None:
        # A call hands the optimizer over.
        key = optimizer_key(view, handed[0], Place(handed[1], context.branch))
    else:
        key = optimizer_key(view, entry.map.receiver, at)
    place, key_place = (each._replace(given=context.given) for each in (entry.place, entry.key_place))
    name = view.text(entry.key, key_place)
    written = contexts.site(entry.key, key_place)
    if name is None or written is None or context.own is None or context.statement is None:
        view.blocks.leave_open(key)
        return
    head = written[1].span(written[0])
    if not context.settled and not view.first_sight(key, name, head):
        return
    view.blocks.begin(key, Surface.SESSION, head, entry.map.written)
    field = entry.slot.field
    slot = field if isinstance(field, str) else view.text(field, place)
    value, content = contexts.value(entry.value, place, context), view.content(written[0], Place(written[1]))
    setting = context.setting(Surface.SESSION, name, content, value, Form.ITEM)
    if setting is not None:
        view.blocks.add(key, setting._replace(slot=slot if context.settled else None, receiver=entry.map.written))


def optimizer_key(view: SourceView, node: cst.BaseExpression, place: Place) -> Hashable:
    """Return the key of the block of an optimizer or its config; where it may be one of several, they become one block."""
    found = objects_of(view).origins(node, place)
    for origin in found if view.first_sight("optimizer", *(each.key for each in found)) else ():
        if not origin.is_made and not is_optimizer(view, origin.node, origin.place):
            # It comes from elsewhere, with what it has already.
            view.blocks.leave_open(origin.key)
        view.blocks.unify(found[0].key, origin.key)
    return found[0].key


def _entries(view: SourceView) -> Iterator[_Assigned]:
    """Yield every assignment to a field of an entry."""
    lines = view.lines_with(_MAP)
    named: dict[str, Alias] = {}

    def is_map(value: cst.BaseExpression, place: Place, _target: cst.BaseExpression | None) -> bool:
        owner = _owner(value)
        is_likely = last(owner) == _MAP or path(owner) in named
        return is_likely and _map(view, owner, place) is not None

    aliases(view, lines, is_map, named)
    for written, alias in named.items():
        if not isinstance(alias.value, cst.Subscript):
            view.roles[written] = Role(RoleKind.MAP, Surface.SESSION)
    more = view.lines_naming(*sorted({written.rpartition(".")[2] for written in named}))
    for _, line in sorted({line.index: line for line in (*lines, *more)}.items()):
        for assignment in line.statement.assignments:
            target = assignment.target
            if isinstance(target, cst.Attribute) and assignment.value is not None:
                slot = _Slot(target.attr.value, line.span(target.attr))
                yield from _entry(view, target.value, slot, assignment.value, view.place(line, assignment))
        for call, place in view.calls([line]):
            yield from _called(view, call, place)


def _called(view: SourceView, call: cst.Call, place: Place) -> Iterator[_Assigned]:
    """Yield what `map[key].CopyFrom(AttrValue(s=value))`, `setattr` or `Optimizer(parameter_map={...})` sets."""
    function, given = call.func, [a.value for a in positional(call)]
    if isinstance(function, cst.Attribute) and function.attr.value in _COPIES and len(given) == 1:
        for slot, value in _fields(given[0], place):
            yield from _entry(view, function.value, slot, value, place)
    elif callee(call) == "setattr" and len(given) == 3:
        owner, field, value = given
        said = text_of(field)
        slot = _Slot(field, None) if said is None else _Slot(said, view.content(field, place))
        yield from _entry(view, owner, slot, value, place)
    else:
        entries = keyword(call, _MAP)
        made = _Map(call, place, place.line.source(function))
        for element in entries.elements if isinstance(entries, cst.Dict) else ():
            if isinstance(element, cst.DictElement):
                for slot, value in _fields(element.value, place):
                    yield _Assigned(made, element.key, place, slot, value, place, place.line.span(element))


def _fields(made: cst.BaseExpression, place: Place) -> Iterator[tuple[_Slot, cst.BaseExpression]]:
    """Yield the fields of `AttrValue(s=value)`."""
    if isinstance(made, cst.Call) and last(made.func) == "AttrValue":
        for field, argument in keywords(made):
            yield _Slot(field, place.line.span(argument.keyword or argument)), argument.value


def _entry(
    view: SourceView, owner: cst.BaseExpression, slot: _Slot, value: cst.BaseExpression, place: Place
) -> Iterator[_Assigned]:
    """Yield the entry that `owner` is, if it is one."""
    key_place = place
    if is_name(owner) and slot.field in _FIELDS:
        # `entry = op.parameter_map["key"]`
        found = view.evaluate.definition(owner, place)
        if found is None:
            return
        owner, key_place = found
    if isinstance(slot.field, str) and slot.field not in _ATTR_VALUE and not view.speaks_of_npu:
        # Other things are called `parameter_map`, too.
        return
    key = index_of(owner) if isinstance(owner, cst.Subscript) else None
    meant = _map(view, _owner(owner), key_place) if key is not None else None
    if key is not None and meant is not None:
        yield _Assigned(meant, key, key_place, slot, value, place)


def _owner(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.value if isinstance(node, cst.Subscript) else node


def _map(view: SourceView, node: cst.BaseExpression, place: Place) -> _Map | None:
    """Return the optimizer whose map `node` is."""
    if isinstance(node, cst.Attribute) and node.attr.value == _MAP:
        return _Map(node.value, place, place.line.source(node.value))
    origin = objects_of(view).origins(node, place)[0] if is_name(node) or isinstance(node, cst.Attribute) else None
    if origin is None or not isinstance(origin.node, cst.Attribute) or origin.node.attr.value != _MAP:
        return None
    return _Map(origin.node.value, origin.place, path(node) or "")


def is_optimizer(view: SourceView, node: cst.BaseExpression | None, place: Place) -> bool:
    """Return whether an expression makes an optimizer: `....custom_optimizers.add(...)`, or `.add()` to a name for it."""
    if not (isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "add"):
        return False
    owner = node.func.value
    if is_name(owner):
        found = view.evaluate.definition(owner, place)
        return found is not None and last(found[0]) == OPTIMIZERS
    return last(owner) == OPTIMIZERS
