"""Abstract values: what expressions are worth as far as the text alone tells, and what operators and calls make of it."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from npu_lsp.languages.model import ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.source import LogicalLine
from npu_lsp.languages.python.tree.constants import UNTOLD
from npu_lsp.languages.python.tree.nodes import is_single, keywords, last, path, positional
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_MAX_TEXT = 100_000
_MAX_SHIFT = 256
_MAX_BITS = 1024
"""Larger numbers aren't followed: a literal of 4,000 hexadecimal digits is one that Python refuses to write out."""

_KINDS: dict[type, ValueKind] = {
    str: ValueKind.STRING,
    bool: ValueKind.BOOL,
    int: ValueKind.INT,
    float: ValueKind.FLOAT,
    type(None): ValueKind.NONE,
    list: ValueKind.LIST,
    dict: ValueKind.DICT,
}
TEXTS = frozenset({ValueKind.STRING, ValueKind.BYTES})
_NUMBERS = frozenset({ValueKind.INT, ValueKind.FLOAT, ValueKind.BOOL})
_ARITHMETIC: dict[type[cst.BaseBinaryOp], Callable[[Any, Any], Any]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
    cst.BitOr: operator.or_,
    cst.BitAnd: operator.and_,
    cst.BitXor: operator.xor,
}
_HOLE = re.compile(r"%%|%[sdir]|%")
_FIELD = re.compile(r"\{\{|\}\}|\{(?P<name>\w*)\}|\{|\}")


class AbstractValue(NamedTuple):
    """The value of an expression, as far as the program's text makes it certain."""

    kind: ValueKind
    known: bool = False
    data: Any = None
    literal: cst.BaseExpression | None = None
    """The one literal that is all of it, but for a call around it."""
    wrapper: str | None = None
    """The call around the literal."""
    origin: Span | None = None
    """Where the literal stands when a name brought it here."""


NOTHING = AbstractValue(ValueKind.UNKNOWN)


def of(data: object) -> AbstractValue:
    """Return the abstract value of a Python value."""
    kind = _KINDS.get(type(data))
    return AbstractValue(kind, True, data) if kind is not None else AbstractValue(ValueKind.OBJECT)


def literal(node: cst.BaseExpression, data: object) -> AbstractValue:
    """Return the abstract value of a literal that says `data`."""
    if data is UNTOLD:
        return NOTHING
    if isinstance(data, bytes):
        try:
            return AbstractValue(ValueKind.BYTES, True, data.decode(), node)
        except UnicodeDecodeError:
            return AbstractValue(ValueKind.BYTES)
    kind = _KINDS.get(type(data))
    if isinstance(data, int) and data.bit_length() > _MAX_BITS:
        return AbstractValue(ValueKind.INT)
    return AbstractValue(kind, True, data, node) if kind is not None else AbstractValue(ValueKind.OBJECT)


def either(one: AbstractValue, other: AbstractValue) -> AbstractValue:
    """Return what is certain when it is one of two."""
    if one.kind is not other.kind:
        return NOTHING
    if one.known and other.known and one.data == other.data:
        return AbstractValue(one.kind, True, one.data)
    return AbstractValue(one.kind)


def joined(parts: Sequence[AbstractValue]) -> AbstractValue:
    """Return the text that a format string makes of its parts."""
    texts = [_shown(part) for part in parts]
    if any(text is None for text in texts):
        return AbstractValue(ValueKind.STRING)
    return _text("".join(t for t in texts if t is not None))


def unary(op: cst.BaseUnaryOp, inner: AbstractValue) -> AbstractValue:
    """Return what `op` makes of `inner`."""
    if isinstance(op, cst.Not):
        return of(not inner.data) if inner.known and inner.kind in _NUMBERS else AbstractValue(ValueKind.BOOL)
    if inner.kind not in _NUMBERS or isinstance(op, cst.BitInvert):
        return NOTHING
    kind = ValueKind.INT if inner.kind is ValueKind.BOOL else inner.kind
    if not inner.known:
        return AbstractValue(kind)
    return of(-inner.data if isinstance(op, cst.Minus) else +inner.data)


def binary(op: cst.BaseBinaryOp, left: AbstractValue, right: AbstractValue) -> AbstractValue:
    """Return what `op` makes of two operands."""
    if left.kind in TEXTS or right.kind in TEXTS:
        return _text_sum(op, left, right)
    if left.kind in _NUMBERS and right.kind in _NUMBERS:
        return _number(op, left, right)
    if isinstance(op, cst.Add) and left.kind is right.kind is ValueKind.LIST:
        known = left.known and right.known
        return of(left.data + right.data) if known else AbstractValue(ValueKind.LIST)
    return NOTHING


def percent(template: AbstractValue, values: Sequence[AbstractValue]) -> AbstractValue:
    """Return what `template % values` makes; only `%s`, `%d`, `%i` and `%r` are followed."""
    if not template.known or not all(v.known for v in values):
        return AbstractValue(template.kind)
    rest = list(values)
    pieces: list[str] = []
    done = 0
    for hole in _HOLE.finditer(template.data):
        pieces.append(template.data[done : hole.start()])
        done = hole.end()
        if hole.group() == "%%":
            pieces.append("%")
            continue
        shown = _shown(rest.pop(0), hole.group()[1:]) if rest and len(hole.group()) == 2 else None
        if shown is None:
            return AbstractValue(template.kind)
        pieces.append(shown)
    if rest:
        return AbstractValue(template.kind)
    return _text("".join(pieces) + template.data[done:], template.kind)


def filled(
    template: AbstractValue, positional: Sequence[AbstractValue], named: dict[str, AbstractValue]
) -> AbstractValue:
    """Return what `template.format(...)` makes; only plain fields are followed."""
    if not template.known:
        return AbstractValue(ValueKind.STRING)
    pieces: list[str] = []
    done = automatic = 0
    for field in _FIELD.finditer(template.data):
        pieces.append(template.data[done : field.start()])
        done = field.end()
        if field.group() in ("{{", "}}"):
            pieces.append(field.group()[0])
            continue
        name = field["name"]
        if name == "":
            name, automatic = str(automatic), automatic + 1
        abstract = named.get(name or "")
        if name and name.isdecimal() and len(name) < 4 and int(name) < len(positional):
            abstract = positional[int(name)]
        shown = _shown(abstract) if abstract is not None else None
        if shown is None:
            return AbstractValue(ValueKind.STRING)
        pieces.append(shown)
    return _text("".join(pieces) + template.data[done:])


def _text_sum(op: cst.BaseBinaryOp, left: AbstractValue, right: AbstractValue) -> AbstractValue:
    if not isinstance(op, cst.Add):
        # `"=" * 40`
        return (
            AbstractValue(left.kind if left.kind in TEXTS else right.kind) if isinstance(op, cst.Multiply) else NOTHING
        )
    kind = left.kind if left.kind in TEXTS else right.kind
    if left.kind is not right.kind:
        # The other one must be of the same type, or the sum raises.
        return AbstractValue(kind) if ValueKind.UNKNOWN in (left.kind, right.kind) else NOTHING
    return _text(left.data + right.data, kind) if left.known and right.known else AbstractValue(kind)


def _number(op: cst.BaseBinaryOp, left: AbstractValue, right: AbstractValue) -> AbstractValue:
    real = isinstance(op, cst.Divide) or ValueKind.FLOAT in (left.kind, right.kind)
    kind = ValueKind.FLOAT if real else ValueKind.INT
    if not (left.known and right.known):
        return AbstractValue(kind)
    try:
        data = _computed(op, left.data, right.data)
    except (ArithmeticError, TypeError, ValueError):
        return NOTHING
    if data is None or (isinstance(data, int) and data.bit_length() > _MAX_BITS):
        return AbstractValue(kind)
    return of(data)


def _computed(op: cst.BaseBinaryOp, left: Any, right: Any) -> Any:
    """Return what two numbers make; `None` where that would be beyond all bounds."""
    if isinstance(op, cst.Power):
        return left**right if abs(left) <= 1 << 32 and 0 <= right <= 64 else None
    if isinstance(op, (cst.LeftShift, cst.RightShift)):
        if not 0 <= right <= _MAX_SHIFT:
            return None
        return left << right if isinstance(op, cst.LeftShift) else left >> right
    return _ARITHMETIC[type(op)](left, right) if type(op) in _ARITHMETIC else None


def _shown(abstract: AbstractValue, how: str = "s") -> str | None:
    """Return what formatting shows of a known value."""
    if not abstract.known or abstract.kind not in (ValueKind.STRING, ValueKind.INT, ValueKind.FLOAT, ValueKind.BOOL):
        return None
    if how in "di":
        return str(int(abstract.data)) if abstract.kind in (ValueKind.INT, ValueKind.BOOL) else None
    return repr(abstract.data) if how == "r" else str(abstract.data)


def _text(data: str, kind: ValueKind = ValueKind.STRING) -> AbstractValue:
    return AbstractValue(kind, True, data) if len(data) <= _MAX_TEXT else AbstractValue(kind)


Abstract = Callable[[cst.BaseExpression], AbstractValue]
"""Tells what an argument is."""

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


def called(node: cst.Call, line: LogicalLine, abstract: Abstract) -> AbstractValue:
    """Return what a call in `line` gives."""
    name = last(node.func)
    if isinstance(node.func, cst.Attribute) and name in _OF_TEXTS:
        return _method(node, node.func, abstract)
    written, given = path(node.func) or "", positional(node)
    if _wraps(name, written):
        kind = ValueKind.STRING if name in _TEXT_CALLS else ValueKind.BYTES
        if not given or given[0].star:
            return AbstractValue(kind)
        return _wrapped(abstract(given[0].value), written or line.source(node.func), kind)
    kind_of_call = _KIND_OF_CALL.get(written)
    if kind_of_call is None:
        return NOTHING
    if len(node.args) == len(given) == 1 and not given[0].star:
        return _converted(written, kind_of_call, abstract(given[0].value))
    return AbstractValue(kind_of_call)


def _wraps(name: str | None, written: str) -> bool:
    """Return whether a call converts a text to another type of text, as `str(x)` and `tf.compat.as_bytes(x)` do; `x.str()` doesn't."""
    known = name in _BYTES_CALLS or name in _TEXT_CALLS or written == "six.b"
    return known and (name == written or name not in ("bytes", "str"))


def _wrapped(inner: AbstractValue, name: str, kind: ValueKind) -> AbstractValue:
    if not inner.known:
        return AbstractValue(kind, wrapper=name)
    if inner.kind in TEXTS:
        if name == "str" and inner.kind is ValueKind.BYTES:
            # In Python 3 that is "b'...'".
            return AbstractValue(kind, wrapper=name)
        return inner._replace(kind=kind, wrapper=name)
    if name == "str" and inner.kind in (ValueKind.INT, ValueKind.FLOAT, ValueKind.BOOL):
        return AbstractValue(kind, True, str(inner.data), None, name, inner.origin)
    return AbstractValue(kind, wrapper=name)


def _method(node: cst.Call, function: cst.Attribute, abstract: Abstract) -> AbstractValue:
    method = function.attr.value
    if path(function.value) in ("str", "os.path", "string"):
        return AbstractValue(ValueKind.BYTES if method == "encode" else ValueKind.STRING)
    inner = abstract(function.value)
    if method == "encode":
        if inner.kind is ValueKind.STRING and inner.known:
            return inner._replace(kind=ValueKind.BYTES, wrapper=".encode")
        return AbstractValue(ValueKind.BYTES)
    if method == "decode":
        if inner.kind in TEXTS and inner.known:
            return inner._replace(kind=ValueKind.STRING, wrapper=".decode")
        return AbstractValue(ValueKind.STRING)
    if inner.kind not in TEXTS:
        return NOTHING
    if method == "format" and is_single(positional(node)):
        named = {name: abstract(a.value) for name, a in keywords(node)}
        return filled(inner, [abstract(a.value) for a in positional(node)], named)
    return AbstractValue(inner.kind)


def _converted(name: str, kind: ValueKind, inner: AbstractValue) -> AbstractValue:
    if not inner.known or name not in ("int", "float", "bool", "json.dumps"):
        return AbstractValue(kind)
    try:
        if name == "json.dumps":
            return of(json.dumps(inner.data)) if inner.kind in (ValueKind.DICT, ValueKind.LIST) else AbstractValue(kind)
        if inner.kind in (ValueKind.LIST, ValueKind.DICT, ValueKind.NONE, ValueKind.BYTES):
            return AbstractValue(kind)
        return of({"int": int, "float": float, "bool": bool}[name](inner.data))
    except (ValueError, OverflowError, TypeError):
        return AbstractValue(kind)
