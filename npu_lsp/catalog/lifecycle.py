"""Which facts need nobody to say a version: those that hold on every release that is still supported.

Whoever names no version may run any of these. What came later is true of the newest, and of what they run nobody knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from npu_lsp.catalog.target import Target, Version


def is_assumed(fact: str | None, component: str, target: Target, versions: Mapping[str, Any]) -> bool:
    """Tell whether what holds since version `fact` may not hold on `target`: nobody names a version, or no release of a line.

    `versions` are the tables of `versions.toml`, which say what is still supported. What no page dates holds everywhere.
    """
    if fact is None:
        return False
    version = target.version(component)
    if version is not None:
        return any(version.may_lack(Version.parse(each)) for each in fact.split(", "))
    if target.knows(component):
        return not target.is_sure(fact, component)
    oldest = oldest_supported(component, versions)
    return oldest is None or not Target.parse({component: oldest}).at_least(fact, component)


def oldest_supported(component: str, versions: Mapping[str, Any]) -> str | None:
    """Return the oldest release of a component that its makers still support; `None` where no page says."""
    lines = versions.get(component, {}).values()
    return next((facts["supported"]["from"] for facts in lines if "supported" in facts), None)
