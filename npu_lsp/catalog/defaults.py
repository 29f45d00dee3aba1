"""What holds on a target when an option is not set."""

from __future__ import annotations

from collections.abc import Iterable

from npu_lsp.catalog.model import Change, Default, Option, Scalar
from npu_lsp.catalog.target import Target, Version


def defaults_on(option: Option, target: Target) -> tuple[Default, ...]:
    """Return what holds on the version of `target` when `option` is not set; empty where nobody knows."""
    changed = [change for change in option.changes if change.default is not None]
    later = [change for change in changed if target.at_least(change.version, option.component) is False]
    if not later:
        return option.defaults
    earlier = [change for change in changed if change not in later]
    told = later[0].was if later[0].was is not None or not earlier else earlier[-1].default
    return (Default(told, source=later[0].source),) if told is not None else ()


def only_default(option: Option, target: Target) -> Scalar:
    """Return the default where one alone holds on `target`; `None` where several may."""
    found = [
        each.value
        for each in defaults_on(option, target)
        if each.scenario is None and (not each.products or set(target.products) & set(each.products))
    ]
    return found[0] if len(found) == 1 else None


def default_change(option: Option, target: Target) -> Change | None:
    """Return what the release line of `target` did to the default of `option`, as far as the target has come in it."""
    version = target.version(option.component)
    if version is None:
        return None
    return as_one(
        change
        for change in option.changes
        if target.at_least(change.version, option.component)
        and version.line in (Version.parse(each).line for each in change.version.split(", "))
    )


def as_one(changes: Iterable[Change]) -> Change | None:
    """Return what `changes`, the oldest first, make of a default together; `None` where it is what it was."""
    told = [change for change in changes if change.default is not None]
    if not told or told[0].was == told[-1].default:
        return None
    return told[-1]._replace(was=told[0].was)
