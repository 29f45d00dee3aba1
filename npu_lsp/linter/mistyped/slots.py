"""Entries of a `parameter_map`: protobuf raises TypeError for what a field doesn't hold."""

from __future__ import annotations

from npu_lsp.catalog.model import Option, Slot
from npu_lsp.languages.model import FactKind, Setting, ValueKind
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.context import Context
from npu_lsp.linter.mistyped.conversion import converted, rewritten
from npu_lsp.linter.mistyped.model import Correction, Expected, Mistyped, given
from npu_lsp.text.bilingual import Text

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
