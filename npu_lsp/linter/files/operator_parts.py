"""The tensors and attributes of an operator in a single-operator file, put together from its settings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.languages.model import Block, Setting, Value, ValueKind
from npu_lsp.text.spans import Span

_LISTS = ("input_desc", "output_desc", "attr")


class OperatorPart(NamedTuple):
    """One tensor or attribute."""

    list: str
    """Which of `_LISTS` it stands in."""
    head: Span
    """Its opening brace."""
    fields: dict[str, Setting]
    """By the name within the part; the last of two of one name, as the parser takes it."""

    def value(self, name: str) -> Value | None:
        """Return the value of a field."""
        setting = self.fields.get(name)
        return setting.value if setting is not None else None

    def word(self, name: str) -> str | None:
        """Return a field's text in lower case, as formats and types are compared."""
        value = self.value(name)
        return str(value.data).lower() if value is not None and value.kind is ValueKind.STRING and value.known else None


def parts(block: Block) -> Iterator[OperatorPart]:
    """Yield the tensors and attributes of one operator, list by list."""
    for name in _LISTS:
        lists = [s for s in block.settings if s.name == name and s.value.kind is ValueKind.LIST]
        if len(lists) == 1:
            yield from _parts(name, lists[0], block)


def is_of_other_tool(block: Block) -> bool:
    """Tell whether the operator is one of a prototype or a test case, which list formats and types."""
    return any(
        setting.value.kind is ValueKind.LIST and setting.name.rpartition(".")[2] in ("format", "type")
        for setting in block.settings
    )


def _parts(name: str, whole: Setting, block: Block) -> Iterator[OperatorPart]:
    found = [OperatorPart(name, item.span, {}) for item in whole.value.items if item.kind is ValueKind.DICT]
    starts = [part.head.start for part in found]
    for setting in block.settings:
        owner, _, own = setting.name.rpartition(".")
        if owner == name and whole.own.start < setting.key.start < whole.own.end:
            number = bisect_right(starts, setting.key.start) - 1
            if number >= 0:
                found[number].fields[own] = setting
    return iter(found)
