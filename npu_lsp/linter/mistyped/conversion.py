"""The same value in another type, and the edit that writes it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from math import isfinite

from npu_lsp.catalog.model import Option, Scalar, Slot
from npu_lsp.languages.model import FactKind, Form, Setting, Value, ValueKind
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.context import Context
from npu_lsp.linter.mistyped.model import Correction, Expected, Mistyped, given
from npu_lsp.linter.values import shown, text_of
from npu_lsp.text.bilingual import Text

_NUMBERS = frozenset({ValueKind.INT, ValueKind.FLOAT, ValueKind.BOOL})
_SWITCH = frozenset({"0", "1"})
"""The texts of an option that has two: among others they are modes."""
_TRUTH = {"true": True, "false": False, "1": True, "0": False}


def rewritten(setting: Setting, value: Scalar, context: Context, slot: str | None = None) -> Correction | None:
    """Return what writes `value` in the place of the setting's own; `None` for no value, or where that can't be done."""
    if value is None:
        return None
    edits = writer_for(setting).set_value(context.document, setting, value, slot=slot)
    written = shown(value, setting.form) if setting.form is Form.ENTRY else repr(value)
    return Correction("rewrite", edits, written) if edits else None


def converted(value: Value, wanted: AbstractSet[ValueKind], option: Option) -> Scalar:
    """Return the same value in a wanted type, or `None` where that can't be told."""
    if not value.known:
        return None
    if ValueKind.BOOL in wanted and value.kind is ValueKind.INT and value.data in (0, 1):
        return bool(value.data)
    text = text_of(value)
    if text is None:
        return _as_text(value, option) if ValueKind.STRING in wanted else None
    if ValueKind.STRING in wanted:
        return text
    return _TRUTH.get(text.strip().lower()) if ValueKind.BOOL in wanted else _number(text, wanted)


def _as_text(value: Value, option: Option) -> str | None:
    """Return the text for a number or a bool; only one that the option takes."""
    if value.kind not in _NUMBERS:
        return None
    if not option.values:
        return str(value.data) if value.kind is ValueKind.INT else None
    allowed = {str(each.value) for each in option.values}
    if value.kind is ValueKind.BOOL and allowed == _SWITCH:
        return str(int(value.data))
    return next((text for text in (str(value.data), str(value.data).lower()) if text in allowed), None)


def _number(text: str, wanted: AbstractSet[ValueKind]) -> int | float | None:
    try:
        if ValueKind.INT in wanted:
            return int(text)
        number = float(text) if ValueKind.FLOAT in wanted else None
    except ValueError:
        return None
    # Python has no literal for infinity, nor for what is no number.
    return number if number is not None and isfinite(number) else None


# What protobuf stores in each field of `AttrValue` without raising TypeError.
STORABLE: dict[Slot, Expected] = {
    Slot.STRING: Expected(frozenset({ValueKind.BYTES}), Text("bytes", "bytes")),
    Slot.INT: Expected(frozenset({ValueKind.INT, ValueKind.BOOL}), Text("an integer", "整数")),
    Slot.FLOAT: Expected(frozenset({ValueKind.FLOAT, ValueKind.INT, ValueKind.BOOL}), Text("a number", "数值")),
    Slot.BOOL: Expected(frozenset({ValueKind.BOOL, ValueKind.INT}), Text("True or False", "True 或 False")),
}
WRITTEN = {
    Slot.STRING: ValueKind.STRING,
    Slot.INT: ValueKind.INT,
    Slot.FLOAT: ValueKind.FLOAT,
    Slot.BOOL: ValueKind.BOOL,
}


def mistyped(setting: Setting, option: Option, context: Context) -> Mistyped | None:
    """Return what is wrong with a value in the right field; the wrong field is told elsewhere."""
    slot, kind = option.slot, setting.value.kind
    if slot is None or setting.slot != slot.value or kind in STORABLE[slot].kinds:
        return None
    # In Python 2 a plain string is bytes.
    if slot is Slot.STRING and kind is ValueKind.STRING and _is_python2(context):
        return None
    return Mistyped(
        "raises", STORABLE[slot].name, given(setting.value), correction=_corrected(setting, option, slot, context)
    )


def _corrected(setting: Setting, option: Option, slot: Slot, context: Context) -> Correction | None:
    if slot is Slot.STRING and setting.value.kind is ValueKind.STRING:
        edits = writer_for(setting).wrap_bytes(context.document, setting)
        return Correction("bytes", edits) if edits else None
    return rewritten(setting, converted(setting.value, {WRITTEN[slot]}, option), context, slot.value)


def _is_python2(context: Context) -> bool:
    return FactKind.PYTHON2 in context.facts
