"""What expressions are worth, and what operators make of it."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import libcst as cst

from npu_lsp.languages.model import ValueKind
from npu_lsp.languages.python.constants import UNTOLD
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


class Worth(NamedTuple):
    """What an expression is worth, as far as it is certain."""

    kind: ValueKind
    known: bool = False
    data: Any = None
    literal: cst.BaseExpression | None = None
    """The one literal that is all of it, but for a call around it."""
    wrapper: str | None = None
    """The call around the literal."""
    origin: Span | None = None
    """Where the literal stands when a name brought it here."""


NOTHING = Worth(ValueKind.UNKNOWN)


def of(data: object) -> Worth:
    """Return the worth of a Python value."""
    kind = _KINDS.get(type(data))
    return Worth(kind, True, data) if kind is not None else Worth(ValueKind.OBJECT)


def literal(node: cst.BaseExpression, data: object) -> Worth:
    """Return the worth of a literal that says `data`."""
    if data is UNTOLD:
        return NOTHING
    if isinstance(data, bytes):
        try:
            return Worth(ValueKind.BYTES, True, data.decode(), node)
        except UnicodeDecodeError:
            return Worth(ValueKind.BYTES)
    kind = _KINDS.get(type(data))
    if isinstance(data, int) and data.bit_length() > _MAX_BITS:
        return Worth(ValueKind.INT)
    return Worth(kind, True, data, node) if kind is not None else Worth(ValueKind.OBJECT)


def either(one: Worth, other: Worth) -> Worth:
    """Return what is certain when it is one of two."""
    if one.kind is not other.kind:
        return NOTHING
    if one.known and other.known and one.data == other.data:
        return Worth(one.kind, True, one.data)
    return Worth(one.kind)


def joined(parts: Sequence[Worth]) -> Worth:
    """Return the text that a format string makes of its parts."""
    texts = [_shown(part) for part in parts]
    if any(text is None for text in texts):
        return Worth(ValueKind.STRING)
    return _text("".join(t for t in texts if t is not None))


def unary(op: cst.BaseUnaryOp, inner: Worth) -> Worth:
    """Return what `op` makes of `inner`."""
    if isinstance(op, cst.Not):
        return of(not inner.data) if inner.known and inner.kind in _NUMBERS else Worth(ValueKind.BOOL)
    if inner.kind not in _NUMBERS or isinstance(op, cst.BitInvert):
        return NOTHING
    kind = ValueKind.INT if inner.kind is ValueKind.BOOL else inner.kind
    if not inner.known:
        return Worth(kind)
    return of(-inner.data if isinstance(op, cst.Minus) else +inner.data)


def binary(op: cst.BaseBinaryOp, left: Worth, right: Worth) -> Worth:
    """Return what `op` makes of two operands."""
    if left.kind in TEXTS or right.kind in TEXTS:
        return _text_sum(op, left, right)
    if left.kind in _NUMBERS and right.kind in _NUMBERS:
        return _number(op, left, right)
    if isinstance(op, cst.Add) and left.kind is right.kind is ValueKind.LIST:
        known = left.known and right.known
        return of(left.data + right.data) if known else Worth(ValueKind.LIST)
    return NOTHING


def percent(template: Worth, values: Sequence[Worth]) -> Worth:
    """Return what `template % values` makes; only `%s`, `%d`, `%i` and `%r` are followed."""
    if not template.known or not all(v.known for v in values):
        return Worth(template.kind)
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
            return Worth(template.kind)
        pieces.append(shown)
    if rest:
        return Worth(template.kind)
    return _text("".join(pieces) + template.data[done:], template.kind)


def filled(template: Worth, positional: Sequence[Worth], named: dict[str, Worth]) -> Worth:
    """Return what `template.format(...)` makes; only plain fields are followed."""
    if not template.known:
        return Worth(ValueKind.STRING)
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
        worth = named.get(name or "")
        if name and name.isdecimal() and len(name) < 4 and int(name) < len(positional):
            worth = positional[int(name)]
        shown = _shown(worth) if worth is not None else None
        if shown is None:
            return Worth(ValueKind.STRING)
        pieces.append(shown)
    return _text("".join(pieces) + template.data[done:])


def _text_sum(op: cst.BaseBinaryOp, left: Worth, right: Worth) -> Worth:
    if not isinstance(op, cst.Add):
        # `"=" * 40`
        return Worth(left.kind if left.kind in TEXTS else right.kind) if isinstance(op, cst.Multiply) else NOTHING
    kind = left.kind if left.kind in TEXTS else right.kind
    if left.kind is not right.kind:
        # The other one must be of the same type, or the sum raises.
        return Worth(kind) if ValueKind.UNKNOWN in (left.kind, right.kind) else NOTHING
    return _text(left.data + right.data, kind) if left.known and right.known else Worth(kind)


def _number(op: cst.BaseBinaryOp, left: Worth, right: Worth) -> Worth:
    real = isinstance(op, cst.Divide) or ValueKind.FLOAT in (left.kind, right.kind)
    kind = ValueKind.FLOAT if real else ValueKind.INT
    if not (left.known and right.known):
        return Worth(kind)
    data: Any = None
    try:
        if isinstance(op, cst.Power):
            if abs(left.data) <= 1 << 32 and 0 <= right.data <= 64:
                data = left.data**right.data
        elif isinstance(op, (cst.LeftShift, cst.RightShift)):
            if 0 <= right.data <= _MAX_SHIFT:
                data = left.data << right.data if isinstance(op, cst.LeftShift) else left.data >> right.data
        elif type(op) in _ARITHMETIC:
            data = _ARITHMETIC[type(op)](left.data, right.data)
    except (ArithmeticError, TypeError, ValueError):
        return NOTHING
    if data is None or (isinstance(data, int) and data.bit_length() > _MAX_BITS):
        return Worth(kind)
    return of(data)


def _shown(worth: Worth, how: str = "s") -> str | None:
    """Return what formatting shows of a known value."""
    if not worth.known or worth.kind not in (ValueKind.STRING, ValueKind.INT, ValueKind.FLOAT, ValueKind.BOOL):
        return None
    if how in "di":
        return str(int(worth.data)) if worth.kind in (ValueKind.INT, ValueKind.BOOL) else None
    return repr(worth.data) if how == "r" else str(worth.data)


def _text(data: str, kind: ValueKind = ValueKind.STRING) -> Worth:
    return Worth(kind, True, data) if len(data) <= _MAX_TEXT else Worth(kind)
