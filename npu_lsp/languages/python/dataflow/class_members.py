"""Constants of classes that options take as values: `torch_npu.profiler.AiCMetrics.Memory`, here, under a name, in a list."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.model import Value, ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.elements import DictEntry
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.tree.nodes import has_stars, is_name, last, parts
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.spans import Span

_LISTS = (cst.List, cst.Tuple)


def as_member(view: SourceView, entry: DictEntry, classes: tuple[str, ...]) -> DictEntry:
    """Return `entry` with its value told as a constant of one of `classes`, or as a list of them, where it is that."""
    return entry._replace(value=member_value(view, entry.node, entry.place, entry.value, classes)) if classes else entry


def member_value(
    view: SourceView, node: cst.BaseExpression, place: Place, value: Value, classes: tuple[str, ...]
) -> Value:
    """Return what `node` is worth, `value` where it is no constant of one of `classes`."""
    if (value.known and value.kind is not ValueKind.LIST) or not classes:
        return value
    if isinstance(node, _LISTS) and not node.elements:
        return value._replace(known=False, data=None)  # Nothing is said, and a default holds.
    origin: Span | None = None
    if is_name(node):
        bound = _bound(view, node, place)
        if bound is None:
            return value
        node, place = bound
        origin = place.line.span(node)
    if isinstance(node, _LISTS) and not has_stars(node):
        items = tuple(_listed(view, node, place, classes))
        known = all(item.known for item in items)
        data = [item.data for item in items] if known else None
        return value._replace(kind=ValueKind.LIST, known=known, data=data, items=items, origin=origin)
    if not isinstance(node, cst.Attribute) or last(node.value) not in classes:
        return value
    return _member(view, node, place, value, origin)


def _bound(view: SourceView, node: cst.Name, place: Place) -> tuple[cst.BaseExpression, Place] | None:
    """Return what a name stands for, unless something may be added to it."""
    bound = view.evaluate.definition(node, place)
    is_list = bound is not None and isinstance(bound[0], _LISTS)
    return None if is_list and view.evaluate.container(node, place) is None else bound


def _member(view: SourceView, node: cst.Attribute, place: Place, value: Value, origin: Span | None) -> Value:
    member = f"{last(node.value)}.{node.attr.value}"
    end = place.line.span(node).end
    content = Span(end - len(member), end)
    written = view.source.text[content.start : content.end] == member and origin is None
    return Value(ValueKind.MEMBER, value.span, True, member, content if written else None, origin=origin)


def _listed(view: SourceView, node: cst.List | cst.Tuple, place: Place, classes: tuple[str, ...]) -> Iterator[Value]:
    for part in parts(node):
        yield member_value(view, part, place, view.value(part, place), classes)
