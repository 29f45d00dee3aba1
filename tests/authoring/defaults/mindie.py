"""MindIE: the table of the keys of `config.json` in its docs, by release branch; its source says few defaults in one place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from tests.authoring.defaults.history import Defaults
from tests.authoring.releases import Releases

BRANCHES = ("v3.0.0.beta.1", "v3.0.0.beta.2", "v3.0.0.beta.3", "v3.0.0")
_TABLE = "docs/zh/user_guide/user_manual/service_parameter_configuration.md"
_ROW = re.compile(
    r"^\|\s*`?(\w+)`?\s*\|.*?默认值?\s*(?:[:：为]\s*(?:[:：]\s*)?)?[`\"“]?([A-Za-z0-9_.\-/]+)", re.MULTILINE
)


def read(releases: Releases) -> Iterator[tuple[str, Defaults]]:
    """Yield the defaults of each version; a key that several groups have is none that a row tells."""
    names: dict[str, list[str]] = {}
    for option in load().options(Surface.MINDIE):
        names.setdefault(option.name.rpartition(".")[2], []).append(option.name)
    for ref in BRANCHES:
        rows = _ROW.findall(releases.text(ref, _TABLE) or "")
        found = {
            (Surface.MINDIE, names[key][0]): default
            for key, default in rows
            if len(names.get(key, ())) == 1 and [row[0] for row in rows].count(key) == 1
        }
        if found:
            yield ref.lstrip("v"), found
