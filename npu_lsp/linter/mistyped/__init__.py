"""Values of a type that their place doesn't take: one way of typing a file."""

from __future__ import annotations

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.surface_row import Typing
from npu_lsp.languages.model import Setting, ValueKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.mistyped import fields, json_values, objects, slots, text_values, texts
from npu_lsp.linter.mistyped.model import TELLING, Mistyped
from npu_lsp.linter.values import text_of


def mistyped(setting: Setting, option: Option, context: Context) -> Mistyped | None:
    """Return what is wrong with the type of a value, or `None` where nothing is, or nobody can tell."""
    row, kind = option.surface.row, setting.value.kind
    if row.typing is Typing.PROTO and (wrong := fields.mistyped(setting, option)) is not None:
        return wrong
    if kind is ValueKind.WORD or (row.typing is Typing.TEXTS and text_of(setting.value) is not None):
        return text_values.mistyped(setting, option)
    if row.typing is Typing.TEXTS:
        return texts.mistyped(setting, context)
    if kind is ValueKind.OBJECT and option.surface is Surface.RUN_CONFIG:
        return objects.of_another_class(setting, option)
    if kind not in TELLING | {ValueKind.NONE}:
        return None
    if row.typing is Typing.SLOTS:
        return slots.mistyped(setting, option, context)
    if row.typing is Typing.JSON:
        return json_values.mistyped(setting, option, context)
    return objects.mistyped(setting, option, context)
