"""The options of a session on an `NPURunConfig`, and the other way round: which of a block's settings the other surface has, too.

An Estimator puts the arguments of its `NPURunConfig` into the `parameter_map` of a session, one by one: what the two call
one option is the same one (tf:tf_adapter/python/npu_bridge/estimator/npu/npu_estimator.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from npu_lsp.catalog.model import Option, Scalar, Surface
from npu_lsp.languages.model import Block, Setting, Value, ValueKind
from npu_lsp.linter.context import Context

OTHER = {Surface.SESSION: Surface.RUN_CONFIG, Surface.RUN_CONFIG: Surface.SESSION}
_ITSELF = {"use_off_line": True, "min_group_size": True}
"""What an Estimator sets itself, and to what."""
_AS_BYTES = "insert_op_file"
"""The only text that an Estimator puts into its field without `tf.compat.as_bytes`: what is right on one side raises on the other."""
_TEXTS = frozenset({ValueKind.STRING, ValueKind.BYTES})


class Counterpart(NamedTuple):
    """One option on the other surface, and what it must be there."""

    option: Option
    setting: Setting | None
    """What says so in the block; `None`: a default, which must be written there."""
    value: Scalar = None
    """`None`: what it is can't be told; it is what the setting's expression says."""


class Counterparts(NamedTuple):
    """What becomes of a block on the other surface."""

    found: tuple[Counterpart, ...] = ()
    absent: tuple[str, ...] = ()
    """Names that the other surface doesn't have."""
    conditional: tuple[str, ...] = ()
    """Names that are set where it isn't known whether that runs."""
    unclear: tuple[str, ...] = ()
    """Names of options whose value has no form there."""
    defaults: tuple[Option, ...] = ()
    """Options that nothing sets, and that have another default on the other surface."""


def counterparts(block: Block, context: Context) -> Counterparts:
    """Return what the settings of a session or an `NPURunConfig` are on the other of the two; nothing for other blocks."""
    surface = OTHER.get(block.surface)
    if surface is None or not block.settings:
        return Counterparts()
    always = min((setting.branch for setting in block.settings), key=len)
    found, absent, unclear = _one_by_one([s for s in block.settings if s.branch == always], surface, context)
    if not found:
        return Counterparts()
    named = {context.option(setting) for setting in block.settings}
    left = [option for option in context.catalog.options(block.surface) if option not in named]
    pairs = [(option, other) for option in left if (other := _on(surface, option, context)) is not None]
    whole, alone = _whole([*found.values(), *_needed(pairs, [each.option for each in found.values()])])
    unclear |= dict.fromkeys(each.setting.name for each in alone if each.setting is not None)
    return Counterparts(
        tuple(whole),
        tuple(absent),
        tuple(dict.fromkeys(setting.name for setting in block.settings if setting.branch != always)),
        tuple(unclear),
        tuple(other for option, other in pairs if _differ(option.default, other.default)),
    )


def _one_by_one(
    settings: Sequence[Setting], surface: Surface, context: Context
) -> tuple[dict[str, Counterpart], dict[str, None], dict[str, None]]:
    """Return what becomes of settings that all run, the last of each name, and the names that are absent or unclear there."""
    found: dict[str, Counterpart] = {}
    absent: dict[str, None] = {}
    unclear: dict[str, None] = {}
    for setting in settings:
        option = context.option(setting)
        other = _on(surface, option, context) if option is not None else None
        made = None
        if option is not None and other is not None:
            found.pop(option.name, None)
            unclear.pop(setting.name, None)
            made = _counterpart(setting, option, other)
        if option is not None and made is not None:
            found[option.name] = made
        elif setting.value.kind not in (ValueKind.NONE, ValueKind.OBJECT) and not _is_done_itself(setting):
            (absent if other is None else unclear)[setting.name] = None
    return found, absent, unclear


def _on(surface: Surface, option: Option, context: Context) -> Option | None:
    name = context.catalog.topic(option.topic).get(surface)
    return context.catalog.option(surface, name) if name is not None else None


def _is_done_itself(setting: Setting) -> bool:
    is_session = setting.surface is Surface.SESSION
    return is_session and setting.value.known and _ITSELF.get(setting.name) == setting.value.data


def _counterpart(setting: Setting, option: Option, other: Option) -> Counterpart | None:
    stored = option.slot.value if option.slot is not None else None
    if other.removed is not None or option.topic == _AS_BYTES:
        return None
    if setting.slot != stored or setting.value.kind is ValueKind.NONE:
        return None
    if not setting.value.known:
        return Counterpart(other, setting)
    value = _as(setting.value, other)
    return Counterpart(other, setting, value) if value is not None else None


def _as(value: Value, option: Option) -> Scalar:
    """Return a known value in the type that `option` takes, `None` where it is none of its values in another form."""
    data: Scalar = value.data if isinstance(value.data, (str, int, float, bool)) else None
    if option.type in ("string", "path"):
        return data if value.kind in _TEXTS else None
    if not isinstance(data, (bool, int, float)):
        return None
    if option.type == "bool":
        return bool(data) if data in (0, 1) else None
    if option.type == "int":
        return int(data) if not isinstance(data, float) else None
    return data if option.type == "float" else None


def _needed(pairs: Sequence[tuple[Option, Option]], found: Sequence[Option]) -> Iterator[Counterpart]:
    """Yield the defaults that must be written: what other arguments never go without there."""
    needed = {
        each.other for option in found for each in option.total("requires") if not (each.values or each.other_values)
    }
    for option, other in pairs:
        if option.default is not None and other.default is None and other.name in needed:
            yield Counterpart(other, None, option.default)


def _differ(one: Scalar, other: Scalar) -> bool:
    return one is not None and other is not None and one != other


def _whole(found: Sequence[Counterpart]) -> tuple[list[Counterpart], list[Counterpart]]:
    """Return those that have all with them that the tool insists on, and the others."""
    whole, alone = list(found), list[Counterpart]()
    while True:
        names = {each.option.name for each in whole}
        lacking = [each for each in whole if not _insists_on(each.option) <= names]
        if not lacking:
            return whole, alone
        alone += lacking
        whole = [each for each in whole if each not in lacking]


def _insists_on(option: Option) -> set[str]:
    relations = option.total("requires", "together")
    return {each.other for each in relations if each.rejected and not each.values and not each.other_values}
