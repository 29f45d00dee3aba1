"""The CANN that a version of torch_npu, MindSpore or MindIE goes with, and the MindIE that an old CANN goes with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.target import Stated, Version

_PACKAGE = "torch-npu"
_MINDIE = "mindie"
_MINDSPORE = "mindspore"


def paired(stated: Iterable[Stated], versions: Mapping[str, Any]) -> Stated | None:
    """Return the CANN that follows from what a text states: that of the compatibility tables, or a newer one.

    `versions` are the tables of `versions.toml`. `None`: none of the three is named, or it is older than the tables.
    """
    oldest = {said.component: said.oldest for said in stated if said.oldest is not None}
    found = [_of_lines(each, oldest[each], versions) for each in (_PACKAGE, _MINDSPORE) if each in oldest]
    if _MINDIE in oldest:
        found += [max((cann for each, cann in _pairs(_MINDIE, versions) if each <= oldest[_MINDIE]), default=None)]
    known = [each for each in found if each is not None]
    return Stated(CANN, min(known), None) if known else None


def mindie_of(stated: Iterable[Stated], versions: Mapping[str, Any]) -> Stated | None:
    """Return the MindIE that runs on an old CANN that a text states: that of the table, or a newer one; else `None`."""
    oldest = next((each.oldest for each in stated if each.component == CANN), None)
    if oldest is None:
        return None
    pairs = _pairs(_MINDIE, versions)
    if oldest >= pairs[-1][1]:
        return None
    return Stated(_MINDIE, max((each for each, cann in pairs if cann <= oldest), default=None), None)


def _of_lines(component: str, said: Version, versions: Mapping[str, Any]) -> Version | None:
    before = _pairs(component, versions)
    # Those that came before all of the table go with no newer CANN than the first of it.
    older = [cann for each, cann in before if each <= said] or [cann for _, cann in before[:1]]
    line, found = said.key[0], max(older, default=None)
    for name, facts in sorted(versions[component].items(), key=lambda each: Version.parse(each[0])):
        both = [
            (Version.parse(a), Version.parse(b)) for a, b in zip(facts["releases"], facts.get(CANN, ()), strict=False)
        ]
        if both and Version.parse(name).key[0] < line:
            # What comes before all releases of its line needs no older CANN than the line before began with.
            found = both[0][1]
        elif Version.parse(name).key[0] == line:
            found = next((cann for release, cann in reversed(both) if release <= said), found)
    return found


def _pairs(component: str, versions: Mapping[str, Any]) -> list[tuple[Version, Version]]:
    """Return the releases of a component before those that the catalog knows, with the CANN of each, in the order of time."""
    told = (facts.get("earlier", {}) for facts in versions[component].values())
    return [(Version.parse(a), Version.parse(b)) for each in told for a, b in each.items()]
