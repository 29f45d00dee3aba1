"""What an expression is worth, as far as the text alone tells. What isn't certain is unknown, never guessed."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import Literal, NamedTuple

from npu_lsp.languages.model import Branch, Value, ValueKind
from npu_lsp.languages.python.imports import Imports
from npu_lsp.languages.python.literals import single_literal
from npu_lsp.languages.python.members import Members
from npu_lsp.languages.python.names import Binding, Names, is_container
from npu_lsp.languages.python.paths import last, path
from npu_lsp.languages.python.source import Line, Source
from npu_lsp.languages.python.worth import (
    NOTHING,
    TEXTS,
    Worth,
    binary,
    constant,
    either,
    filled,
    joined,
    of,
    percent,
    unary,
)
from npu_lsp.text.source_map import OffsetShift
from npu_lsp.text.spans import Span

_DEPTH = 150
"""How deep names and expressions are followed."""
_MAX_ITEMS = 500
"""Longer lists are data; nobody asks for what stands in them."""
_PER_MODULE = 50
"""What the step into another module costs of that."""

_BYTES_CALLS = frozenset({"as_bytes", "ensure_binary", "bytes"})
_TEXT_CALLS = frozenset({"as_text", "as_str", "as_str_any", "ensure_str", "ensure_text", "str", "unicode"})
_KIND_OF_CALL = {
    "int": ValueKind.INT,
    "len": ValueKind.INT,
    "float": ValueKind.FLOAT,
    "bool": ValueKind.BOOL,
    "list": ValueKind.LIST,
    "dict": ValueKind.DICT,
    "repr": ValueKind.STRING,
    "os.getcwd": ValueKind.STRING,
    "os.path.join": ValueKind.STRING,
    "os.path.abspath": ValueKind.STRING,
    "os.path.realpath": ValueKind.STRING,
    "os.path.dirname": ValueKind.STRING,
    "json.dumps": ValueKind.STRING,
}
_TEXT_METHODS = frozenset({"join", "strip", "lstrip", "rstrip", "lower", "upper", "replace", "title", "capitalize"})
_OF_TEXTS = _TEXT_METHODS | {"encode", "decode", "format"}


class Bound(NamedTuple):
    """What a name stands for while a loop or a call is followed."""

    node: ast.expr
    line: Line
    given: Mapping[str, Bound] | None = None
    """What names in it stand for."""


class Place(NamedTuple):
    """Where an expression stands, and what is known there."""

    line: Line
    branch: Branch = ()
    given: Mapping[str, Bound] | None = None
    """Names that stand for something else than what they are bound to."""


class Evaluator:
    """Evaluates expressions of one source."""

    def __init__(self, source: Source, names: Names, file: str = "") -> None:
        self._source = source
        self._names = names
        self._members = Members(source, names)
        self._imports = Imports(file, names)
        self._bindings: dict[int, tuple[ast.expr, Worth]] = {}
        """What names are worth: `b = a + a`, `c = b + b` asks for each of them twice as often."""

    def value(self, node: ast.expr, place: Place) -> Value:
        """Return the value of `node`; names in it must have one certain binding."""
        memo = place.line.statement.memo
        kept: tuple[Value, int] | Literal[False] | None = memo.get(("value", id(node)))
        if kept:
            # It is the same wherever the line stands.
            by = place.line.start - kept[1]
            return kept[0].mapped(OffsetShift.by(by)) if by else kept[0]
        value = self._value(node, place)
        if kept is None:
            memo["value", id(node)] = False if _uses_names(node) else (value, place.line.start)
        return value

    def is_free(self, node: ast.expr, line: Line) -> bool:
        """Tell whether the value of `node` is the same wherever its line stands; only once it was asked for."""
        return bool(line.statement.memo.get(("value", id(node))))

    def _value(self, node: ast.expr, place: Place) -> Value:
        worth = self.worth(node, place)
        content = None
        if worth.literal is not None and worth.known and worth.origin is None:
            content = self._content(worth.literal, place.line, worth.data)
        items: tuple[Value, ...] = ()
        if isinstance(node, (ast.List, ast.Tuple)) and _is_told(node):
            items = tuple(self.value(e, place) for e in node.elts)
        return Value(
            worth.kind,
            place.line.span(node),
            worth.known,
            worth.data if worth.known else None,
            content,
            worth.wrapper,
            worth.origin,
            items,
        )

    def text(self, node: ast.expr, place: Place) -> str | None:
        """Return the text that `node` is for sure."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        worth = self.worth(node, place)
        return worth.data if worth.known and isinstance(worth.data, str) else None

    def content(self, node: ast.expr, place: Place) -> Span:
        """Return the place between the quotes of a plain text literal, or all of `node`."""
        statement = place.line.statement
        kept: Span | None = statement.memo.get(("content", id(node)))
        if kept is None:
            kept = statement.span(node)
            if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
                literal = single_literal(statement.text, kept)
                kept = literal.content if literal is not None else kept
            statement.memo["content", id(node)] = kept
        return kept.shifted(place.line.start)

    def worth(self, node: ast.expr, place: Place, depth: int = 0) -> Worth:
        """Return what `node` is worth."""
        if depth > _DEPTH:
            return NOTHING
        depth += 1
        if isinstance(node, ast.Constant):
            return constant(node)
        if isinstance(node, ast.Name):
            return self._name(node, place, depth)
        if isinstance(node, ast.Call):
            return self._call(node, place, depth)
        if isinstance(node, ast.BinOp):
            left = self.worth(node.left, place, depth)
            if isinstance(node.op, ast.Mod) and left.kind in TEXTS:
                values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
                return percent(left, [self.worth(v, place, depth) for v in values])
            return binary(node.op, left, self.worth(node.right, place, depth))
        if isinstance(node, ast.UnaryOp):
            return unary(node.op, self.worth(node.operand, place, depth))
        if isinstance(node, ast.JoinedStr):
            return joined([self._part(v, place, depth) for v in node.values])
        if isinstance(node, ast.IfExp):
            return either(self.worth(node.body, place, depth), self.worth(node.orelse, place, depth))
        if isinstance(node, (ast.List, ast.Tuple)):
            if len(node.elts) > _MAX_ITEMS:
                return Worth(ValueKind.LIST)
            parts = [self.worth(e, place, depth) for e in node.elts]
            return of([p.data for p in parts]) if all(p.known for p in parts) else Worth(ValueKind.LIST)
        if isinstance(node, ast.Dict):
            return self._dict(node, place, depth)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, place, depth)
        if isinstance(node, ast.Subscript):
            item = self.item(node, place)
            if item is not None:
                worth = self.worth(item[0], Place(item[1]), depth)
                return worth._replace(origin=worth.origin or item[1].span(item[0]), literal=None)
        return _other(node)

    def item(self, node: ast.Subscript, place: Place) -> tuple[ast.expr, Line] | None:
        """Return what stands under a known key in a literal dict, or at a known index of a list, and in which line."""
        found = self.container(node.value, place)
        key = self.worth(node.slice, place) if found is not None else NOTHING
        if found is None or not key.known:
            return None
        holder, line = found
        if isinstance(holder, (ast.List, ast.Tuple)):
            plain = key.kind is ValueKind.INT and not any(isinstance(e, ast.Starred) for e in holder.elts)
            inside = plain and -len(holder.elts) <= key.data < len(holder.elts)
            return (holder.elts[key.data], line) if inside else None
        if isinstance(holder, ast.Call):
            given = [k.value for k in holder.keywords if k.arg == key.data]
            return (given[0], line) if given and all(k.arg is not None for k in holder.keywords) else None
        if not isinstance(holder, ast.Dict) or None in holder.keys or key.kind not in (ValueKind.STRING, ValueKind.INT):
            return None
        items = [
            value
            for k, value in zip(holder.keys, holder.values, strict=True)
            if isinstance(k, ast.Constant) and type(k.value) is type(key.data) and k.value == key.data
        ]
        return (items[0], line) if len(items) == 1 else None

    def binding(self, node: ast.Name | ast.Attribute, place: Place) -> Binding | None:
        """Return what gives a name or an attribute its only value."""
        if isinstance(node, ast.Attribute):
            return self._members.only(node, place.line, place.branch)
        return self._names.only(node.id, place.line.index, place.branch)

    def container(self, node: ast.expr, place: Place) -> tuple[ast.expr, Line] | None:
        """Return the literal list or dict that an expression is for sure, and the line that it is written in."""
        if isinstance(node, ast.Attribute):
            binding = self.binding(node, place)
            if binding is None or binding.line is None or not is_container(binding.value):
                return None
            return None if self._names.is_changed(node.attr) else (binding.value, binding.line)
        bound = place.given.get(node.id) if place.given and isinstance(node, ast.Name) else None
        if bound is not None:
            return self._names.container(bound.node, bound.line, place.branch)
        return self._names.container(node, place.line, place.branch)

    def _content(self, node: ast.Constant, line: Line, data: object) -> Span | None:
        text = line.statement.text
        literal = single_literal(text, line.statement.span(node))
        if literal is None or text[literal.content.start : literal.content.end] != data:
            return None
        return literal.content.shifted(line.start)

    def _name(self, node: ast.Name, place: Place, depth: int) -> Worth:
        bound = place.given.get(node.id) if place.given else None
        if bound is not None:
            # Names of a round or a call hide those of the function.
            worth = self.worth(bound.node, Place(bound.line, place.branch, bound.given), depth)
            return worth._replace(origin=worth.origin or bound.line.span(bound.node), literal=None)
        binding = self._names.only(node.id, place.line.index, place.branch)
        return self._bound(binding, depth) if binding is not None else self._imported(node, place, depth)

    def _attribute(self, node: ast.Attribute, place: Place, depth: int) -> Worth:
        if node.attr == "value" and isinstance(node.value, ast.Attribute):
            member = self._members.only(node.value, place.line, place.branch)
            if member is not None and self._members.is_enum(member, plain=False):
                return self._bound(member, depth)
        binding = self._members.only(node, place.line, place.branch)
        if binding is not None and self._members.is_enum(binding, plain=True):
            # A member is an object of its own; what it stands for is its `value`.
            return Worth(ValueKind.OBJECT)
        return self._bound(binding, depth) if binding is not None else self._imported(node, place, depth)

    def _imported(self, node: ast.expr, place: Place, depth: int) -> Worth:
        """Return the worth of a constant of another module; its literal has no place in this file."""
        found = self._imports.constant(node, place.line)
        if found is None:
            return NOTHING
        value, line, source, names, file = found
        worth = Evaluator(source, names, file).worth(value, Place(line), depth + _PER_MODULE)
        if worth.kind in (ValueKind.LIST, ValueKind.DICT, ValueKind.OBJECT):
            return Worth(worth.kind)
        return worth._replace(origin=None, literal=None)

    def _bound(self, binding: Binding, depth: int) -> Worth:
        """Return the worth of what a name is bound to, with the place of the literal."""
        if binding.line is None or binding.value is None:
            return NOTHING
        known = self._bindings.get(id(binding.value))
        if known is not None and known[0] is binding.value:
            return known[1]
        worth = self.worth(binding.value, Place(binding.line, binding.branch), depth)
        if worth.kind in (ValueKind.LIST, ValueKind.DICT, ValueKind.OBJECT):
            # It may have been changed since.
            worth = Worth(worth.kind)
        else:
            worth = worth._replace(origin=worth.origin or binding.line.span(binding.value), literal=None)
        self._bindings[id(binding.value)] = binding.value, worth
        return worth

    def _call(self, node: ast.Call, place: Place, depth: int) -> Worth:
        name = last(node.func)
        if isinstance(node.func, ast.Attribute) and name in _OF_TEXTS:
            return self._method(node, node.func, place, depth)
        written = path(node.func) or ""
        wraps = name in _BYTES_CALLS or name in _TEXT_CALLS or written == "six.b"
        if wraps and (name == written or name not in ("bytes", "str")):
            kind = ValueKind.STRING if name in _TEXT_CALLS else ValueKind.BYTES
            if not node.args or isinstance(node.args[0], ast.Starred):
                return Worth(kind)
            return self._wrapped(node, written or place.line.source(node.func), kind, place, depth)
        kind_of_call = _KIND_OF_CALL.get(written)
        if kind_of_call is None:
            return NOTHING
        if len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred):
            return _converted(written, kind_of_call, self.worth(node.args[0], place, depth))
        return Worth(kind_of_call)

    def _wrapped(self, node: ast.Call, name: str, kind: ValueKind, place: Place, depth: int) -> Worth:
        inner = self.worth(node.args[0], place, depth)
        if not inner.known:
            return Worth(kind, wrapper=name)
        if inner.kind in TEXTS:
            if name == "str" and inner.kind is ValueKind.BYTES:
                # In Python 3 that is "b'...'".
                return Worth(kind, wrapper=name)
            return inner._replace(kind=kind, wrapper=name)
        if name == "str" and inner.kind in (ValueKind.INT, ValueKind.FLOAT, ValueKind.BOOL):
            return Worth(kind, True, str(inner.data), None, name, inner.origin)
        return Worth(kind, wrapper=name)

    def _method(self, node: ast.Call, function: ast.Attribute, place: Place, depth: int) -> Worth:
        if path(function.value) in ("str", "os.path", "string"):
            return Worth(ValueKind.BYTES if function.attr == "encode" else ValueKind.STRING)
        inner = self.worth(function.value, place, depth)
        if function.attr == "encode":
            if inner.kind is ValueKind.STRING and inner.known:
                return inner._replace(kind=ValueKind.BYTES, wrapper=".encode")
            return Worth(ValueKind.BYTES)
        if function.attr == "decode":
            if inner.kind in TEXTS and inner.known:
                return inner._replace(kind=ValueKind.STRING, wrapper=".decode")
            return Worth(ValueKind.STRING)
        if inner.kind not in TEXTS:
            return NOTHING
        if function.attr == "format" and not any(isinstance(a, ast.Starred) for a in node.args):
            named = {k.arg: self.worth(k.value, place, depth) for k in node.keywords if k.arg}
            return filled(inner, [self.worth(a, place, depth) for a in node.args], named)
        return Worth(inner.kind)

    def _part(self, node: ast.expr, place: Place, depth: int) -> Worth:
        if isinstance(node, ast.FormattedValue):
            plain = node.format_spec is None and node.conversion in (-1, 115)
            return self.worth(node.value, place, depth) if plain else NOTHING
        return self.worth(node, place, depth)

    def _dict(self, node: ast.Dict, place: Place, depth: int) -> Worth:
        if len(node.keys) > _MAX_ITEMS:
            return Worth(ValueKind.DICT)
        data: dict[object, object] = {}
        for key, item in zip(node.keys, node.values, strict=True):
            name = self.worth(key, place, depth) if key is not None else NOTHING
            worth = self.worth(item, place, depth)
            if not (name.known and worth.known) or isinstance(name.data, (list, dict)):
                return Worth(ValueKind.DICT)
            data[name.data] = worth.data
        return of(data)


def _is_told(node: ast.List | ast.Tuple) -> bool:
    """Tell whether each element of a list is told on its own."""
    return len(node.elts) <= _MAX_ITEMS and not any(isinstance(e, ast.Starred) for e in node.elts)


def _uses_names(node: ast.expr) -> bool:
    """Tell whether the worth of an expression hangs on what a name is bound to; what is called doesn't count."""
    todo: list[ast.AST] = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Name):
            return True
        if isinstance(part, ast.Attribute):
            todo.append(part.value)
        elif isinstance(part, ast.Call):
            todo += part.args
            todo += [k.value for k in part.keywords]
            if isinstance(part.func, ast.Attribute) and part.func.attr in _OF_TEXTS:
                todo.append(part.func.value)
        else:
            todo += ast.iter_child_nodes(part)
    return False


def _converted(name: str, kind: ValueKind, inner: Worth) -> Worth:
    if not inner.known or name not in ("int", "float", "bool", "json.dumps"):
        return Worth(kind)
    try:
        if name == "json.dumps":
            return of(json.dumps(inner.data)) if inner.kind in (ValueKind.DICT, ValueKind.LIST) else Worth(kind)
        if inner.kind in (ValueKind.LIST, ValueKind.DICT, ValueKind.NONE, ValueKind.BYTES):
            return Worth(kind)
        return of({"int": int, "float": float, "bool": bool}[name](inner.data))
    except (ValueError, OverflowError, TypeError):
        return Worth(kind)


def _other(node: ast.expr) -> Worth:
    if isinstance(node, ast.ListComp):
        return Worth(ValueKind.LIST)
    if isinstance(node, ast.DictComp):
        return Worth(ValueKind.DICT)
    if isinstance(node, (ast.Lambda, ast.Set, ast.SetComp, ast.GeneratorExp)):
        return Worth(ValueKind.OBJECT)
    if isinstance(node, ast.Subscript) and path(node.value) in ("os.environ", "environ"):
        return Worth(ValueKind.STRING)
    return NOTHING
