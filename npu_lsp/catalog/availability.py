"""What an option is on a target: whether it is there, and which values and default it has."""

from __future__ import annotations

from typing import NamedTuple

from npu_lsp.catalog.model import Allowed, Change, Default, Option
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


def values_on(option: Option, target: Target) -> tuple[Allowed, ...]:
    """Return the values that `option` has on the version of `target`, whatever the product."""
    found = [allowed for allowed in option.values if not target.lacks(allowed.since, option.component)]
    for change in option.changes:
        if target.lacks(change.version, option.component):
            found = [allowed for allowed in found if allowed.value not in change.added]
        if target.at_least(change.version, option.component) is False:
            known = {allowed.value for allowed in found}
            found += [Allowed(value) for value in change.dropped if value not in known]
        elif target.newest(option.component) is not None:
            found = [allowed for allowed in found if allowed.value not in change.dropped]
    return tuple(found)


def defaults_on(option: Option, target: Target) -> tuple[Default, ...]:
    """Return what holds on the version of `target` when `option` is not set; empty where nobody knows."""
    changed = [change for change in option.changes if change.default is not None]
    later = [change for change in changed if target.at_least(change.version, option.component) is False]
    if not later:
        return option.defaults
    earlier = [change for change in changed if change not in later]
    return (Default(earlier[-1].default, source=earlier[-1].source),) if earlier else ()


def default_change(option: Option, target: Target) -> Change | None:
    """Return what the release line of `target` did to the default of `option`, as far as the target has come in it."""
    version = target.version(option.component)
    if version is None:
        return None
    changed = [
        change
        for change in option.changes
        if change.default is not None and target.at_least(change.version, option.component)
    ]
    recent = [change for change in changed if Version.parse(change.version).line == version.line]
    return recent[-1] if recent else None
