"""When a relation between two options holds for two settings."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.catalog.model import Option, Relation, Scalar
from npu_lsp.languages.model import Setting, Value, ValueKind
from npu_lsp.linter.values import refused, same

_OFF = frozenset({"false", "0", "off"})
"""What tools take for off. What people mean by `none` and `no` is another question (`values.says_no`): to some options they are modes."""


def is_set(setting: Setting, option: Option) -> bool:
    """Return whether the setting sets anything: None, an empty text and an empty list in code mean "not set" to the tools."""
    value = setting.value
    if value.kind is ValueKind.NONE or (_is_empty_list(value) and not setting.surface.row.file):
        return False
    return not (value.data == "" and option.default != "")


def _is_empty_list(value: Value) -> bool:
    return value.kind is ValueKind.LIST and value.span.end - value.span.start == len("[]")


def active(relation: Relation, setting: Setting, other: Setting, option: Option) -> bool:
    """Return whether `relation` of `setting` holds for sure against `other`, a setting of `option`.

    Where it is narrowed to values, an unknown value means that it isn't sure.
    """
    return (
        among(setting.value, relation.values)
        and among(other.value, relation.other_values)
        and outside(other.value, relation.other_not, option)
    )


def among(value: Value, wanted: Sequence[Scalar]) -> bool:
    """Return whether a value is one of `wanted` for sure; with none of them, any is."""
    return not wanted or any(same(value, w) for w in wanted)


def outside(value: Value, unwanted: Sequence[Scalar], option: Option) -> bool:
    """Return whether a value is none of `unwanted` for sure; one that the option doesn't take may be meant as any of them."""
    return not unwanted or (value.known and not among(value, unwanted) and not refused(option, value))


def says_off(value: Scalar, option: Option, relation: Relation) -> bool:
    """Return whether a value of `option`, which `relation` asks for, switches it off.

    The 0 of a rank or a port doesn't, nor what is asked for: it does where the option lists it, or where it holds without the option.
    """
    word = str(value).lower()
    if word not in _OFF or word in map(_word, relation.other_values):
        return False
    # Numbers in a list are modes as often as switches.
    listed = option.type != "int" and any(_word(each.value) == word for each in option.values)
    return (option.type == "bool" or listed or _is_off_alone(option)) and _asks_for_the_rest(option, relation)


def off_by_default(option: Option, relation: Relation) -> bool:
    """Return whether `option` is off where nobody sets it, and everything else that it takes is what `relation` asks for."""
    asked = any(each.value in relation.other_values for each in option.defaults)
    return _is_off_alone(option) and not asked and _asks_for_the_rest(option, relation)


def _is_off_alone(option: Option) -> bool:
    return bool(option.defaults) and all(_word(each.value) in _OFF for each in option.defaults)


def _asks_for_the_rest(option: Option, relation: Relation) -> bool:
    """Return whether all values but those that say "off" are asked for: else it is one of many, as that of a mode is."""
    rest = (each.value for each in option.values if _word(each.value) not in _OFF)
    return not relation.other_values or all(each in relation.other_values for each in rest)


def _word(value: Scalar) -> str:
    return str(value).lower()
