"""The components in the Python environment that is activated. Names of folders tell their versions: nothing of it is run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path

from npu_lsp.catalog.components import COMPONENTS
from npu_lsp.catalog.target import Version
from npu_lsp.text import lazy_re as re

_VARIABLES = ("VIRTUAL_ENV", "CONDA_PREFIX")
"""What activation sets; one environment inside of the other: the first counts."""
_INSTALLED = re.compile(r"(?P<name>[\w.-]+?)-(?P<version>\d[\w.]*)(?:\+[\w.]*)?\.(?:dist|egg)-info", re.IGNORECASE)
_MOST = 10_000
"""Entries of a folder that are looked at at the most."""


def find(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the versions of the components that are installed in the environment that the variables name."""
    known = {each.package: each.name for each in COMPONENTS.values() if each.package}
    for variable in _VARIABLES:
        prefix = environment.get(variable, "")
        if not prefix or not Path(prefix).is_absolute():
            continue
        found: dict[str, str] = {}
        for name in (name for folder in _folders(Path(prefix)) for name in _names(folder)):
            match = _INSTALLED.fullmatch(name)
            component = known.get(re.sub(r"[-_.]+", "_", match["name"]).lower()) if match else None
            if match is not None and component is not None and _is_version(match["version"]):
                found[component] = match["version"]
        return found
    return {}


@cache
def installed() -> Mapping[str, str]:
    """Return what this process finds; it is looked for once."""
    return find(os.environ)


def _folders(prefix: Path) -> Iterator[Path]:
    """Yield where packages are: in Windows in one place, elsewhere below each Python."""
    yield prefix / "Lib" / "site-packages"
    for name in _names(prefix / "lib"):
        if name.startswith("python"):
            yield prefix / "lib" / name / "site-packages"


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in islice(entries, _MOST))
    except OSError:
        return []


def _is_version(text: str) -> bool:
    try:
        Version.parse(text)
    except ValueError:
        return False
    return True
