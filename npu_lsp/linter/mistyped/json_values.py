"""Members of JSON files, whose types JSON tells."""

from __future__ import annotations

import re

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.languages.model import Form, Setting, ValueKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.mistyped.conversion import converted, rewritten
from npu_lsp.linter.mistyped.model import TYPES, Expected, Mistyped, given
from npu_lsp.linter.mistyped.objects import is_taken
from npu_lsp.linter.values import says_no, text_of
from npu_lsp.text.bilingual import Text

_LAX = frozenset({Surface.VLLM_ARGS, Surface.SGLANG_ARGS})
"""Classes whose fields pydantic fills, or that nobody checks until they are used."""
_READ = {
    "int": re.compile(r"[+-]?\d+(?:\.0+)?"),
    "float": re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"),
    "bool": re.compile(r"(?i:true|false|on|off|yes|no|y|n|t|f|0|1)"),
}
_TRUE_OR_FALSE = Text(en="true or false", zh="true 或 false")
_BRACES = Text(en="an object in braces", zh="大括号括起的对象")
_NAMES = {ValueKind.NONE: "null", ValueKind.DICT: "object", ValueKind.INT: "number", ValueKind.FLOAT: "number"}


def mistyped(setting: Setting, option: Option, context: Context) -> Mistyped | None:
    """Return what is wrong with a member of another type than the tool takes."""
    if not option.enforced:
        return _truth(setting, option, context)
    if _is_converted(setting, option) or (setting.surface in _LAX and _is_read(setting, option)):
        return None
    expected, single = _expected(option, setting.form), option.surface is Surface.SINGLE_OP
    if single and setting.value.kind is ValueKind.LIST:
        return None  # Test cases and prototypes of other tools look alike, and list formats and types.
    unset = setting.value.kind is ValueKind.NONE and option.nullable and not option.exact_type
    if expected is None or (unset and not single) or setting.value.kind in expected.kinds:
        return None
    if is_taken(setting.value, option, expected):
        return None
    value = _bare(setting, option, context) or converted(setting.value, expected.kinds, option)
    return Mistyped("rejected", expected.name, _given(setting), correction=rewritten(setting, value, context))


def _is_converted(setting: Setting, option: Option) -> bool:
    """Tell whether the program makes a number of a text itself: `int("8")`."""
    text_is_read = setting.surface.row.silent and setting.value.kind is ValueKind.STRING and not option.exact_type
    return text_is_read and not setting.surface.row.file and option.type in ("int", "float")


def _is_read(setting: Setting, option: Option) -> bool:
    """Tell whether pydantic reads a value as one of the option's type: `"8"` as 8, `"yes"` and 1 as true."""
    text = text_of(setting.value)
    if text is None:
        return setting.value.kind in (ValueKind.BOOL, ValueKind.INT) and option.type in ("bool", "int", "float")
    form = _READ.get(option.type)
    return form is not None and form.fullmatch(text.strip()) is not None


def _bare(setting: Setting, option: Option, context: Context) -> str | None:
    """Return the text that a word was meant to be which isn't one without quotes: `ON` in YAML."""
    if setting.form is not Form.ENTRY or setting.value.kind is not ValueKind.BOOL:
        return None
    word = context.document.text[slice(*setting.value.span)].casefold()
    found = [each.value for each in option.values if isinstance(each.value, str) and each.value.casefold() == word]
    return found[0] if len(found) == 1 else None


def _truth(setting: Setting, option: Option, context: Context) -> Mistyped | None:
    """Return what is wrong with a text that says no, where any text but the empty one counts as yes."""
    text = text_of(setting.value)
    if option.type != "bool" or not says_no(text):
        return None
    return Mistyped(
        "truth", _truths(setting.form), f'"{text}"', correction=rewritten(setting, False, context), sure=False
    )


def _truths(form: Form) -> Text:
    return _TRUE_OR_FALSE if form is Form.ENTRY else TYPES["bool"].name


def _expected(option: Option, form: Form) -> Expected | None:
    expected = TYPES.get(option.type)
    if expected is not None and option.type == "bool":
        return expected._replace(name=_truths(form))
    if expected is not None and option.type == "object":
        # The value of an attribute may be anything.
        return expected._replace(name=_BRACES) if option.surface is Surface.MIXLIST else None
    return expected


def _given(setting: Setting) -> str:
    """Return the name of the value's type in the language that it stands in."""
    value = setting.value
    return _NAMES.get(value.kind, value.kind.value) if setting.form is Form.ENTRY else given(value)
