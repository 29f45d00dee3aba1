"""What an expression is worth, as far as the text alone tells. What isn't certain is unknown, never guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from npu_lsp.languages.model import Value, ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.members import Imports, Members
from npu_lsp.languages.python.dataflow.names import Binding, Names, Place, is_container
from npu_lsp.languages.python.dataflow.operations import (
    NOTHING,
    TEXTS,
    AbstractValue,
    binary,
    called,
    either,
    joined,
    literal,
    of,
    percent,
    unary,
)
from npu_lsp.languages.python.source import LogicalLine, Source
from npu_lsp.languages.python.tree.constants import (
    constant,
    is_text,
    pieces_of,
    single_literal,
    text_in_format,
    text_of,
)
from npu_lsp.languages.python.tree.nodes import (
    has_stars,
    index_of,
    is_name,
    keywords,
    last,
    parts,
    path,
)
from npu_lsp.languages.python.tree.statement import Statement
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_DEPTH = 150
"""How deep names and expressions are followed."""
_MAX_ITEMS = 500
"""Longer lists are data; nobody asks for what stands in them."""
_PER_MODULE = 50
"""What the step into another module costs of that."""


@Memoized
def _content(statement: Statement, node: cst.BaseExpression) -> Span:
    """Return the place between the quotes of a plain text literal, or all of `node`."""
    span = statement.span(node)
    written = single_literal(statement.text, span) if isinstance(node, cst.SimpleString) else None
    return written.content if written is not None else span


class Evaluator:
    """Evaluates expressions of one source."""

    def __init__(self, source: Source, names: Names, file: str = "") -> None:
        self._source = source
        self._names = names
        self._members = Members(source, names)
        self._imports = Imports(file, names)
        self._bindings: dict[cst.BaseExpression, AbstractValue] = {}
        """What names are worth: `b = a + a`, `c = b + b` asks for each of them twice as often."""

    def value(self, node: cst.BaseExpression, place: Place) -> Value:
        """Return the value of `node`; names in it must have one certain binding."""
        abstract = self.abstract(node, place)
        content = None
        if abstract.literal is not None and abstract.known and abstract.origin is None:
            content = self._content(abstract.literal, place.line, abstract.data)
        items: tuple[Value, ...] = ()
        if isinstance(node, (cst.List, cst.Tuple)) and _is_told(node):
            items = tuple(self.value(e, place) for e in parts(node))
        return Value(
            abstract.kind,
            place.line.span(node),
            abstract.known,
            abstract.data if abstract.known else None,
            content,
            abstract.wrapper,
            abstract.origin,
            items,
        )

    def text(self, node: cst.BaseExpression, place: Place) -> str | None:
        """Return the text that `node` is for sure."""
        said = text_of(node)
        if said is not None:
            return said
        abstract = self.abstract(node, place)
        return abstract.data if abstract.known and isinstance(abstract.data, str) else None

    def content(self, node: cst.BaseExpression, place: Place) -> Span:
        """Return the place between the quotes of a plain text literal, or all of `node`."""
        return _content(place.line.statement, node).shifted(place.line.start)

    def abstract(self, node: cst.BaseExpression, place: Place, depth: int = 0) -> AbstractValue:
        """Return the abstract value of `node`."""
        if depth > _DEPTH:
            return NOTHING
        depth += 1
        if is_name(node):
            return self._name(node, place, depth)
        said = constant(node)
        if said is not None:
            return literal(node, said.value)
        how = self._HOW.get(node.__class__)
        return how(self, node, place, depth) if how is not None else _other(node)

    def _operation(self, node: cst.BinaryOperation, place: Place, depth: int) -> AbstractValue:
        left = self.abstract(node.left, place, depth)
        if isinstance(node.operator, cst.Modulo) and left.kind in TEXTS:
            values = parts(node.right) if isinstance(node.right, cst.Tuple) else [node.right]
            return percent(left, [self.abstract(v, place, depth) for v in values])
        return binary(node.operator, left, self.abstract(node.right, place, depth))

    def _unary(self, node: cst.UnaryOperation, place: Place, depth: int) -> AbstractValue:
        return unary(node.operator, self.abstract(node.expression, place, depth))

    def _either(self, node: cst.IfExp, place: Place, depth: int) -> AbstractValue:
        return either(self.abstract(node.body, place, depth), self.abstract(node.orelse, place, depth))

    def _joined(self, node: cst.BaseExpression, place: Place, depth: int) -> AbstractValue:
        """Return the text that a format string is, or literals side by side."""
        if not is_text(node):
            return NOTHING
        pieces: list[AbstractValue] = []
        for piece in pieces_of(node):
            said = text_of(piece)
            if said is not None:
                pieces.append(of(said))
            elif isinstance(piece, cst.FormattedString):
                pieces += [self._part(part, piece.prefix, place, depth) for part in piece.parts]
        return joined(pieces)

    def _part(self, part: cst.BaseFormattedStringContent, prefix: str, place: Place, depth: int) -> AbstractValue:
        if isinstance(part, cst.FormattedStringExpression):
            plain = part.format_spec is None and part.equal is None and part.conversion in (None, "s")
            return self.abstract(part.expression, place, depth) if plain else NOTHING
        said = text_in_format(part.value, prefix) if isinstance(part, cst.FormattedStringText) else None
        return of(said) if said is not None else NOTHING

    def _list(self, node: cst.List | cst.Tuple, place: Place, depth: int) -> AbstractValue:
        if len(node.elements) > _MAX_ITEMS:
            return AbstractValue(ValueKind.LIST)
        found = [self.abstract(e, place, depth) for e in parts(node)]
        return of([p.data for p in found]) if all(p.known for p in found) else AbstractValue(ValueKind.LIST)

    def _item(self, node: cst.Subscript, place: Place, depth: int) -> AbstractValue:
        item = self.item(node, place)
        if item is not None:
            abstract = self.abstract(item[0], Place(item[1]), depth)
            return abstract._replace(origin=abstract.origin or item[1].span(item[0]), literal=None)
        return AbstractValue(ValueKind.STRING) if path(node.value) in ("os.environ", "environ") else NOTHING

    def item(self, node: cst.Subscript, place: Place) -> tuple[cst.BaseExpression, LogicalLine] | None:
        """Return what stands under a known key in a literal dict, or at a known index of a list, and in which line."""
        found, index = self.container(node.value, place), index_of(node)
        key = self.abstract(index, place) if found is not None and index is not None else NOTHING
        if found is None or not key.known:
            return None
        node_of = _item_of(found[0], key)
        return (node_of, found[1].line) if node_of is not None else None

    def definition(self, node: cst.BaseExpression | None, place: Place) -> tuple[cst.BaseExpression, Place] | None:
        """Return what gives a name or an attribute its only value, and where that stands; `None` where it may be another one."""
        followed = place.followed(node) if node is not None else None
        binding = self._binding(node, place) if followed is None else None
        if binding is None or binding.value is None or binding.line is None:
            return followed
        return binding.value, Place(binding.line, binding.branch, None, binding.stmt)

    def _binding(self, node: cst.BaseExpression | None, place: Place) -> Binding | None:
        if isinstance(node, cst.Attribute):
            return self._members.only(node, place.line, place.branch)
        return self._names.only(node.value, place.line.index, place.branch) if is_name(node) else None

    def container(self, node: cst.BaseExpression, place: Place) -> tuple[cst.BaseExpression, Place] | None:
        """Return the literal list or dict that an expression is for sure, and where it is written.

        Through a name only where nothing in the file changes what that name stands for.
        """
        node, place = place.followed(node) or (node, place)
        if is_container(node):
            return node, place
        found = self.definition(node, place)
        if found is None or not is_container(found[0]) or self._names.is_changed(last(node) or ""):
            return None
        return found

    def _content(self, node: cst.BaseExpression, line: LogicalLine, data: object) -> Span | None:
        text = line.statement.text
        written = single_literal(text, line.statement.span(node))
        if written is None or text[written.content.start : written.content.end] != data:
            return None
        return written.content.shifted(line.start)

    def _name(self, node: cst.Name, place: Place, depth: int) -> AbstractValue:
        followed = place.followed(node)
        if followed is not None:
            # Names of a round or a call hide those of the function.
            there, at = followed
            abstract = self.abstract(there, at, depth)
            return abstract._replace(origin=abstract.origin or at.line.span(there), literal=None)
        binding = self._names.only(node.value, place.line.index, place.branch)
        return self._bound(binding, depth) if binding is not None else self._imported(node, place, depth)

    def _attribute(self, node: cst.Attribute, place: Place, depth: int) -> AbstractValue:
        if node.attr.value == "value" and isinstance(node.value, cst.Attribute):
            member = self._members.only(node.value, place.line, place.branch)
            if member is not None and self._members.is_enum(member, plain=False):
                return self._bound(member, depth)
        binding = self._members.only(node, place.line, place.branch)
        if binding is not None and self._members.is_enum(binding, plain=True):
            # A member is an object of its own; what it stands for is its `value`.
            return AbstractValue(ValueKind.OBJECT)
        return self._bound(binding, depth) if binding is not None else self._imported(node, place, depth)

    def _imported(self, node: cst.BaseExpression, place: Place, depth: int) -> AbstractValue:
        """Return the abstract value of a constant of another module; its literal has no place in this file."""
        found = self._imports.constant(node, place.line)
        if found is None:
            return NOTHING
        value, line, source, names, file = found
        abstract = Evaluator(source, names, file).abstract(value, Place(line), depth + _PER_MODULE)
        if abstract.kind in (ValueKind.LIST, ValueKind.DICT, ValueKind.OBJECT):
            return AbstractValue(abstract.kind)
        return abstract._replace(origin=None, literal=None)

    def _bound(self, binding: Binding, depth: int) -> AbstractValue:
        """Return the abstract value of what a name is bound to, with the place of the literal."""
        if binding.line is None or binding.value is None:
            return NOTHING
        known = self._bindings.get(binding.value)
        if known is not None:
            return known
        abstract = self.abstract(binding.value, Place(binding.line, binding.branch), depth)
        if abstract.kind in (ValueKind.LIST, ValueKind.DICT, ValueKind.OBJECT):
            # It may have been changed since.
            abstract = AbstractValue(abstract.kind)
        else:
            abstract = abstract._replace(origin=abstract.origin or binding.line.span(binding.value), literal=None)
        self._bindings[binding.value] = abstract
        return abstract

    def _call(self, node: cst.Call, place: Place, depth: int) -> AbstractValue:
        return called(node, place.line, lambda inner: self.abstract(inner, place, depth))

    def _dict(self, node: cst.Dict, place: Place, depth: int) -> AbstractValue:
        if len(node.elements) > _MAX_ITEMS:
            return AbstractValue(ValueKind.DICT)
        data: dict[object, object] = {}
        for element in node.elements:
            name = self.abstract(element.key, place, depth) if isinstance(element, cst.DictElement) else NOTHING
            abstract = self.abstract(element.value, place, depth)
            if not (name.known and abstract.known) or isinstance(name.data, (list, dict)):
                return AbstractValue(ValueKind.DICT)
            data[name.data] = abstract.data
        return of(data)

    _HOW: ClassVar[dict[type[cst.CSTNode], Callable[[Evaluator, Any, Place, int], AbstractValue]]] = {
        cst.Call: _call,
        cst.BinaryOperation: _operation,
        cst.UnaryOperation: _unary,
        cst.FormattedString: _joined,
        cst.ConcatenatedString: _joined,
        cst.IfExp: _either,
        cst.List: _list,
        cst.Tuple: _list,
        cst.Dict: _dict,
        cst.Attribute: _attribute,
        cst.Subscript: _item,
    }
    """How the nodes are evaluated that are made of others."""


def _is_told(node: cst.List | cst.Tuple) -> bool:
    """Return whether each element of a list is told on its own."""
    return len(node.elements) <= _MAX_ITEMS and not has_stars(node)


def _item_of(holder: cst.BaseExpression, key: AbstractValue) -> cst.BaseExpression | None:
    """Return what a literal list or dict holds under a known key."""
    if isinstance(holder, (cst.List, cst.Tuple)):
        plain = key.kind is ValueKind.INT and not has_stars(holder)
        inside = plain and -len(holder.elements) <= key.data < len(holder.elements)
        return holder.elements[key.data].value if inside else None
    if isinstance(holder, cst.Call):
        given = [a.value for name, a in keywords(holder) if name == key.data]
        return given[0] if given and not any(a.star for a in holder.args) else None
    if not isinstance(holder, cst.Dict) or key.kind not in (ValueKind.STRING, ValueKind.INT):
        return None
    found: list[cst.BaseExpression] = []
    for element in holder.elements:
        if not isinstance(element, cst.DictElement):
            return None
        said = constant(element.key)
        if said is not None and type(said.value) is type(key.data) and said.value == key.data:
            found.append(element.value)
    return found[0] if len(found) == 1 else None


_KIND_OF_NODE: dict[type[cst.CSTNode], ValueKind] = {
    cst.ListComp: ValueKind.LIST,
    cst.DictComp: ValueKind.DICT,
    **dict.fromkeys((cst.Lambda, cst.Set, cst.SetComp, cst.GeneratorExp), ValueKind.OBJECT),
}


def _other(node: cst.BaseExpression) -> AbstractValue:
    kind = _KIND_OF_NODE.get(node.__class__)
    return AbstractValue(kind) if kind is not None else NOTHING
