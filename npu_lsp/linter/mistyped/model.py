"""What is told of a value of the wrong type, and what the types of the catalog are in Python."""

from __future__ import annotations

from typing import NamedTuple

from npu_lsp.catalog.model import ValueType
from npu_lsp.languages.model import Value, ValueKind
from npu_lsp.text.bilingual import Text
from npu_lsp.text.spans import Edit, Span

TELLING = frozenset(ValueKind) - {ValueKind.UNKNOWN, ValueKind.OBJECT, ValueKind.WORD, ValueKind.NONE}
"""Kinds of values whose type shows."""


class Correction(NamedTuple):
    """What makes the type right and leaves the value as it was meant."""

    title: str
    """The rule's message for it."""
    edits: tuple[Edit, ...]
    value: str = ""
    """As the title shows it."""


class Mistyped(NamedTuple):
    """A value whose type its place doesn't take."""

    message: str
    """The rule's message for it."""
    needed: str | Text
    given: str = ""
    span: Span | None = None
    """What is underlined, where it isn't all of the value."""
    sure: bool = True
    """False: it may have another reader, or one that takes it in silence."""
    correction: Correction | None = None


class Expected(NamedTuple):
    """What a type of the catalog takes."""

    kinds: frozenset[ValueKind]
    name: Text


def _expected(en: str, zh: str, *kinds: ValueKind) -> Expected:
    return Expected(frozenset(kinds), Text(en, zh))


TYPES: dict[ValueType, Expected] = {
    "string": _expected("a string", "字符串", ValueKind.STRING, ValueKind.BYTES),
    "path": _expected("a path as a string", "字符串形式的路径", ValueKind.STRING, ValueKind.BYTES),
    "bool": _expected("True or False", "True 或 False", ValueKind.BOOL),
    "int": _expected("an integer", "整数", ValueKind.INT),
    "float": _expected("a number", "数值", ValueKind.FLOAT, ValueKind.INT),
    "list": _expected("a list", "列表", ValueKind.LIST),
    "dict": _expected("a dict", "字典", ValueKind.DICT),
    "member": _expected("a constant of its class", "对应类的常量", ValueKind.MEMBER),
    "object": _expected("an object of its own class", "对应类的对象", ValueKind.DICT),
}

FLOAT = Text("a float, written with a point", "带小数点的浮点数")
"""What an option needs that takes no integer."""


def given(value: Value) -> str:
    """Return the name of a value's type in Python."""
    return {ValueKind.STRING: "str", ValueKind.NONE: "None"}.get(value.kind, value.kind.value)
