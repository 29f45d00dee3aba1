"""How far the settings of a folder follow a profile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from fnmatch import fnmatchcase
from typing import NamedTuple

from npu_lsp.catalog.availability import standing, unsupported
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option, as_text
from npu_lsp.catalog.profiles import Profile, Switch
from npu_lsp.catalog.recipes import nearest, of_machine
from npu_lsp.catalog.target import Target
from npu_lsp.checking.inventory import Row
from npu_lsp.text.bilingual import Text


class ProfileState(Enum):
    """How the settings of a folder compare with what a profile says of a switch, the worst first."""

    CONTRADICTS = Text("set otherwise", "取值不符")
    ADVISED_AGAINST = Text("set, and not recommended on this product", "已配置，但在该产品上不建议配置")
    MISSING = Text("not set", "未配置")
    UNKNOWN = Text("value not known", "取值无法确定")
    DEFAULT = Text("so by default", "默认即满足")
    SET = Text("set", "已配置")


class ProfileStanding(NamedTuple):
    """One switch, and where it is set."""

    switch: Switch
    state: ProfileState
    rows: tuple[Row, ...]
    """The settings that make the state: those that contradict, else those that are right."""

    @property
    def source(self) -> Text | None:
        """The web address of what shows that it is so recommended, or not."""
        warned = self.switch.not_on if self.state is ProfileState.ADVISED_AGAINST else None
        return self.switch.source if warned is None else warned.source


def standings(profile: Profile, rows: Sequence[Row], catalog: Catalog, target: Target) -> Iterator[ProfileStanding]:
    """Yield the switches that concern the folder and that the target has, in the order of the profile."""
    used = {f"{row.surface}.{row.option}" for row in rows}
    for switch in profile.switches:
        option = catalog.option(switch.surface, switch.option)
        if option is None or not standing(option, target).usable or not _is_offered(option, switch, target):
            continue
        own = [row for row in rows if (row.surface, row.option) == (switch.surface.value, switch.option)]
        if switch.not_on is not None and set(switch.not_on.products) & set(target.products):
            yield from _against(switch, own, option)
        elif own:
            yield _of_rows(switch, own, option)
        elif not switch.needs or any(fnmatchcase(name, glob) for name in used for glob in switch.needs):
            # Where the default differs by product or scenario, each of them has to serve.
            defaults = {as_text(default.value) for default in option.defaults}
            is_default = bool(defaults) and defaults <= set(switch.values)
            yield ProfileStanding(switch, ProfileState.DEFAULT if is_default else ProfileState.MISSING, ())


def closest(text: str, found: Sequence[Row], target: Target, catalog: Catalog) -> list[str]:
    """Return the names of the recipes that are closest to a text, of which `found` is set, the best one first."""
    known = {f"{row.surface}.{row.option}": as_text(row.value) for row in found if row.known}
    return nearest(text, known, sorted(target.products), catalog)


def additional(profile: Profile, found: Sequence[Row]) -> list[Row]:
    """Return what is set besides on the surfaces of a profile, but for what belongs to one machine."""
    names = {(switch.surface.value, switch.option) for switch in profile.switches}
    surfaces = {surface for surface, _ in names}
    return [
        row
        for row in found
        if row.surface in surfaces and (row.surface, row.option) not in names and not of_machine(row.option)
    ]


def _is_offered(option: Option, switch: Switch, target: Target) -> bool:
    """Return whether all products of the target have one of the values that serve."""
    known = [each for each in option.values if as_text(each.value) in switch.values]
    return not known or any(not unsupported(each.products, target) for each in known)


def _against(switch: Switch, rows: Sequence[Row], option: Option) -> Iterator[ProfileStanding]:
    """Yield a switch that isn't recommended, where it is set."""
    serving = tuple(row for row in rows if row.known and _serves(switch, row, option))
    if serving:
        yield ProfileStanding(switch, ProfileState.ADVISED_AGAINST, serving)


def _of_rows(switch: Switch, rows: Sequence[Row], option: Option) -> ProfileStanding:
    if not switch.values:
        return ProfileStanding(switch, ProfileState.SET, tuple(rows))
    against = tuple(row for row in rows if row.known and not _serves(switch, row, option))
    if against:
        return ProfileStanding(switch, ProfileState.CONTRADICTS, against)
    right = tuple(row for row in rows if row.known)
    return ProfileStanding(switch, ProfileState.SET if right else ProfileState.UNKNOWN, right or tuple(rows))


def _serves(switch: Switch, row: Row, option: Option) -> bool:
    value = as_text(row.value)
    if not option.case_sensitive and value.lower() in {each.lower() for each in switch.values}:
        return True
    # One key of several serves, too: `max_split_size_mb:250,expandable_segments:True`.
    return value in switch.values or bool(set(value.replace(" ", "").split(",")) & set(switch.values))
