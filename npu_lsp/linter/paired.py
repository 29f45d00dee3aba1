"""The CANN that a version of torch_npu goes with: whoever pins the one names the oldest of the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.target import Stated, Version

_PACKAGE = "torch-npu"


def paired(stated: Iterable[Stated], versions: Mapping[str, Any]) -> Stated | None:
    """Return the CANN that follows from what a text states: that of the compatibility table, or a newer one.

    `versions` are the tables of `versions.toml`. `None`: no torch_npu is named, or it is older than the table.
    """
    said = next((each for each in stated if each.component == _PACKAGE), None)
    if said is None or said.oldest is None:
        return None
    line, found = said.oldest.key[0], None
    for name, facts in sorted(versions[_PACKAGE].items(), key=lambda each: Version.parse(each[0])):
        both = [*zip(facts["releases"], facts[CANN], strict=True)]
        if Version.parse(name).key[0] < line:
            # What comes before all releases of its line needs no older CANN than the line before began with.
            found = both[0][1]
        elif Version.parse(name).key[0] == line:
            found = next((cann for release, cann in reversed(both) if Version.parse(release) <= said.oldest), found)
    return Stated(CANN, Version.parse(found), None) if found is not None else None
