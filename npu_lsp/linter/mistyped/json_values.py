"""Members of JSON files, whose types JSON tells."""

from __future__ import annotations

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.languages.model import Setting, Value, ValueKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.mistyped.conversion import converted, rewritten
from npu_lsp.linter.mistyped.model import NO, TYPES, Expected, Mistyped
from npu_lsp.linter.mistyped.objects import is_taken
from npu_lsp.linter.values import text_of
from npu_lsp.text.bilingual import Text

_TRUE_OR_FALSE = Text(en="true or false", zh="true 或 false")
_BRACES = Text(en="an object in braces", zh="大括号括起的对象")
_NAMES = {ValueKind.NONE: "null", ValueKind.DICT: "object", ValueKind.INT: "number", ValueKind.FLOAT: "number"}


def mistyped(setting: Setting, option: Option, context: Context) -> Mistyped | None:
    """Return what is wrong with a member of another type than the tool takes."""
    if not option.enforced:
        return _truth(setting, option, context)
    text_is_read = setting.surface.row.silent and setting.value.kind is ValueKind.STRING and not option.exact_type
    if text_is_read and not setting.surface.row.file and option.type in ("int", "float"):
        return None  # `int("8")`
    expected, single = _expected(option), option.surface is Surface.SINGLE_OP
    if single and setting.value.kind is ValueKind.LIST:
        return None  # Test cases and prototypes of other tools look alike, and list formats and types.
    unset = setting.value.kind is ValueKind.NONE and option.nullable and not option.exact_type
    if expected is None or (unset and not single) or setting.value.kind in expected.kinds:
        return None
    if is_taken(setting.value, option, expected):
        return None
    value = converted(setting.value, expected.kinds, option)
    return Mistyped("rejected", expected.name, _given(setting.value), correction=rewritten(setting, value, context))


def _truth(setting: Setting, option: Option, context: Context) -> Mistyped | None:
    """Return what is wrong with a text that says no, where any text but the empty one counts as yes."""
    text = text_of(setting.value)
    if option.type != "bool" or text is None or text.strip().lower() not in NO:
        return None
    return Mistyped("truth", _TRUE_OR_FALSE, f'"{text}"', correction=rewritten(setting, False, context), sure=False)


def _expected(option: Option) -> Expected | None:
    expected = TYPES.get(option.type)
    if expected is not None and option.type == "bool":
        return expected._replace(name=_TRUE_OR_FALSE)
    if expected is not None and option.type == "object":
        # The value of an attribute may be anything.
        return expected._replace(name=_BRACES) if option.surface is Surface.MIXLIST else None
    return expected


def _given(value: Value) -> str:
    return _NAMES.get(value.kind, value.kind.value)
