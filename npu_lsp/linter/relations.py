"""When a relation between two options holds for two settings."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.catalog.model import Option, Relation, Scalar
from npu_lsp.languages.model import Setting, Value, ValueKind
from npu_lsp.linter.values import refused, same


def is_set(setting: Setting, option: Option) -> bool:
    """Tell whether the setting sets anything: None, an empty text and an empty list in code mean "not set" to the tools."""
    value = setting.value
    if value.kind is ValueKind.NONE or (_is_empty_list(value) and not setting.surface.row.file):
        return False
    return not (value.data == "" and option.default != "")


def _is_empty_list(value: Value) -> bool:
    return value.kind is ValueKind.LIST and value.span.end - value.span.start == len("[]")


def active(relation: Relation, setting: Setting, other: Setting, option: Option) -> bool:
    """Tell whether `relation` of `setting` holds for sure against `other`, a setting of `option`.

    Where it is narrowed to values, an unknown value means that it isn't sure.
    """
    return (
        among(setting.value, relation.values)
        and among(other.value, relation.other_values)
        and outside(other.value, relation.other_not, option)
    )


def among(value: Value, wanted: Sequence[Scalar]) -> bool:
    """Tell whether a value is one of `wanted` for sure; with none of them, any is."""
    return not wanted or any(same(value, w) for w in wanted)


def outside(value: Value, unwanted: Sequence[Scalar], option: Option) -> bool:
    """Tell whether a value is none of `unwanted` for sure; one that the option doesn't take may be meant as any of them."""
    return not unwanted or (value.known and not among(value, unwanted) and not refused(option, value))
