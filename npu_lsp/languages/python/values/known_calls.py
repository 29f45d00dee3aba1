"""What calls make of a value that are the same in every script: `as_bytes`, `str`, `int`, methods of texts."""

from __future__ import annotations

import json
from collections.abc import Callable

import libcst as cst

from npu_lsp.languages.model import ValueKind
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.tree.nodes import is_single, keywords, positional
from npu_lsp.languages.python.tree.paths import last, path
from npu_lsp.languages.python.values.abstract_value import NOTHING, TEXTS, AbstractValue, filled, of

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
OF_TEXTS = _TEXT_METHODS | {"encode", "decode", "format"}


def called(node: cst.Call, line: Line, abstract: Abstract) -> AbstractValue:
    """Return what a call in `line` gives."""
    name = last(node.func)
    if isinstance(node.func, cst.Attribute) and name in OF_TEXTS:
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
    """Tell whether a call makes a text of a text; a method `str` or `bytes` of something is another thing."""
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
