"""Arguments and attributes of Python objects, which look at the types that they get."""

from __future__ import annotations

from npu_lsp.catalog.model import Option, Slot, Surface
from npu_lsp.catalog.usage import class_of
from npu_lsp.languages.model import Setting, Value, ValueKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.mistyped.conversion import STORABLE, converted, rewritten
from npu_lsp.linter.mistyped.model import FLOAT, TYPES, Expected, Mistyped, given
from npu_lsp.linter.values import allows, says_no, text_of

_NUMBERS = frozenset({ValueKind.INT, ValueKind.BOOL, ValueKind.FLOAT})


def mistyped(setting: Setting, option: Option, context: Context) -> Mistyped | None:
    """Return what is wrong with a value of another type than its argument or attribute."""
    expected, value = TYPES.get(option.type), setting.value
    if expected is not None and not option.enforced and option.surface.row.word:
        return _taken_otherwise(setting, option, expected, context)
    if expected is None or (value.kind is ValueKind.NONE and option.nullable and not option.exact_type):
        return None
    other = _other_number(setting, option, context)
    if other is not None:
        return other
    if value.kind in expected.kinds and not _is_in_place(value, option):
        return None
    stored = _stored(option, context)
    taken = not _is_number_but_no_bool(value, option) and is_taken(value, option, expected)
    if taken if stored is None else value.kind in stored:
        return None
    return Mistyped(
        "rejected" if stored is None else "handed_on",
        expected.name,
        given(value),
        correction=rewritten(setting, converted(value, expected.kinds, option), context),
    )


def _other_number(setting: Setting, option: Option, context: Context) -> Mistyped | None:
    """Return what is wrong with a float for an integer, or with an integer where only a float goes."""
    value = setting.value
    if option.open and not option.values:
        return None
    if option.type == "int" and value.kind is ValueKind.FLOAT and option.surface.row.word:
        return Mistyped("rejected", TYPES["int"].name, given(value))
    if option.type == "float" and option.exact_type and value.kind is ValueKind.INT:
        number = float(value.data) if value.known else None
        return Mistyped("rejected", FLOAT, given(value), correction=rewritten(setting, number, context))
    return None


def _is_in_place(value: Value, option: Option) -> bool:
    """Return whether a dict takes an object's place: its keys are never read."""
    return option.type == "object" and option.surface is Surface.RUN_CONFIG and value.kind is ValueKind.DICT


def _taken_otherwise(setting: Setting, option: Option, expected: Expected, context: Context) -> Mistyped | None:
    """Return the fault of a value of a wrong type that the tool doesn't refuse: it takes its default instead, or the text "no" for true."""
    value = setting.value
    if option.exact_type:
        taken = expected.kinds | ({ValueKind.BOOL} if ValueKind.INT in expected.kinds else set())
        if option.type == "member":
            # What a constant stands for is a text, and several of them are a list.
            taken |= {ValueKind.STRING, ValueKind.LIST}
        if value.kind in taken or (value.kind is ValueKind.NONE and option.nullable):
            return None
        correction = rewritten(setting, converted(value, expected.kinds, option), context)
        return Mistyped("default", expected.name, given(value), correction=correction, sure=False)
    text = text_of(value)
    if option.type != "bool" or not says_no(text):
        return None
    return Mistyped("truth", expected.name, f'"{text}"', correction=rewritten(setting, False, context), sure=False)


def is_taken(value: Value, option: Option, expected: Expected) -> bool:
    """Return whether the tool takes a value of another type all the same."""
    if option.open and not option.values:
        return True
    # What the tool lists or tests as a number takes a bool too, and the other way round: True == 1 in Python.
    exact = option.exact_type and not option.open
    if (value.known and option.values and allows(option, value) and not exact) or not option.enforced:
        return True
    # Without a list of values the TF 2 options take everything, and hand on its text.
    if option.surface is Surface.GLOBAL_OPTIONS and not option.values:
        return True
    return {value.kind} | expected.kinds <= _NUMBERS and not exact


def of_another_class(setting: Setting, option: Option) -> Mistyped | None:
    """Return what is wrong with an object of one of TF Adapter's classes: each argument is named after its own."""
    wanted = class_of(option)
    if not setting.value.known or setting.value.data == wanted or option.type != "object":
        return None
    return Mistyped("class", wanted, setting.value.data)


def _stored(option: Option, context: Context) -> frozenset[ValueKind] | None:
    """Return what can be handed on to the session: the Estimator puts most arguments into a `parameter_map`.

    An option that is open without a list of values is turned into text first, whatever it is.
    Source: tf:tf_adapter/python/npu_bridge/estimator/npu/npu_estimator.py.
    """
    if option.surface is not Surface.RUN_CONFIG or (option.open and not option.values):
        return None
    if option.exact_type and option.type == "bool":
        return None  # The constructor looks at it first.
    name = context.catalog.topic(option.topic).get(Surface.SESSION)
    behind = context.catalog.option(Surface.SESSION, name) if name is not None else None
    if behind is None or behind.slot is None:
        return None
    # `tf.compat.as_bytes` stands between: it takes both kinds of text.
    text = {ValueKind.STRING} if behind.slot is Slot.STRING else set()
    return STORABLE[behind.slot].kinds | text


def _is_number_but_no_bool(value: Value, option: Option) -> bool:
    number = value.known and value.kind in (ValueKind.INT, ValueKind.FLOAT) and value.data not in (0, 1)
    strict = option.surface is Surface.GLOBAL_OPTIONS or bool(option.surface.row.word)
    return number and strict and option.type == "bool"
