"""What an option is on a target: whether it is there, and which values it has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from npu_lsp.catalog.model import Allowed, Change, Default, Option, Scalar
from npu_lsp.catalog.target import Target, Version


class Standing(NamedTuple):
    """How an option stands on a target. All false: it is there and well."""

    missing: bool = False
    """It comes with a later version."""
    deprecated: bool = False
    removed: bool = False
    unsupported: tuple[str, ...] = ()
    """The target's products that don't support it."""

    @property
    def usable(self) -> bool:
        """Whether the option can be set at all."""
        return not (self.missing or self.removed or self.unsupported)


def standing(option: Option, target: Target) -> Standing:
    """Return how `option` stands on `target`; what no page dates holds for every version."""
    return Standing(
        missing=target.lacks(option.since, option.component),
        deprecated=option.deprecated is not None
        and target.at_least(option.deprecated.version, option.component) is not False,
        removed=option.removed is not None and target.at_least(option.removed.version, option.component) is not False,
        unsupported=unsupported(option.products, target),
    )


def unsupported(products: tuple[str, ...], target: Target) -> tuple[str, ...]:
    """Return the products of `target` that aren't among `products`; an empty list means all are."""
    return tuple(product for product in target.products if product not in products) if products else ()


def foreign(products: tuple[str, ...], target: Target) -> bool:
    """Return whether what holds for `products` alone, where any are named, holds for none of the target's."""
    return bool(products and target.products) and not set(products) & set(target.products)


def is_old(allowed: Allowed, option: Option, target: Target) -> bool:
    """Return whether a value of `option` is deprecated on `target`; what no page dates holds for every version."""
    since = allowed.deprecated if isinstance(allowed.deprecated, str) else None
    return bool(allowed.deprecated) and target.at_least(since, option.component) is not False


def values_on(option: Option, target: Target) -> tuple[Allowed, ...]:
    """Return the values that `option` has on the version of `target`, whatever the product."""
    found = [
        allowed if is_old(allowed, option, target) else allowed._replace(deprecated=False)
        for allowed in option.values
        if not target.lacks(allowed.since, option.component)
    ]
    back: set[Scalar] = set()
    # What went and came back is there: the newest change has the last word.
    for change in reversed(option.changes):
        if target.lacks(change.version, option.component):
            found = [allowed for allowed in found if allowed.value not in change.added]
        else:
            back.update(change.added)
        if target.at_least(change.version, option.component) is False:
            known = {allowed.value for allowed in found}
            found += [Allowed(value) for value in change.dropped if value not in known]
        elif target.newest(option.component) is not None:
            found = [allowed for allowed in found if allowed.value not in change.dropped or allowed.value in back]
    return tuple(found)


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
