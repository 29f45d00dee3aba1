"""The versions that a repository has installed for itself: `torch_npu-2.7.1.dist-info` in its `.venv`.

Only names of folders are read, and nothing is run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

from npu_lsp.catalog.target import Version
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text.dependencies import Look

_ENVIRONMENTS = (".venv", "venv")
_PYTHON = re.compile(r"python3\.\d+t?")
_MOST = 20_000
"""Entries of a folder that are looked at at the most."""
# A version between two releases (`0.11.0rc2.dev3+g12ab`) is none that the catalog knows.
_METADATA = re.compile(
    r"(?P<package>torch_npu|vllm_ascend|mindspore)-(?P<version>\d[\w.]*?)(?:\+[\w.]+)?\.dist-info", re.IGNORECASE
)


def installed(folder: Path) -> Iterator[tuple[str, Version]]:
    """Yield the components whose packages an environment of Python in `folder` holds, each with its version."""
    for name in _ENVIRONMENTS:
        home = folder / name
        if surroundings.exists(home):
            lib = home / "lib"
            sites = [
                lib / each / "site-packages" for each in _names(lib, surroundings.look(lib)) if _PYTHON.fullmatch(each)
            ]
            for site in (*sites, home / "Lib" / "site-packages"):
                yield from _packages(site, surroundings.look(site))


@lru_cache(maxsize=64)
def _packages(site: Path, look: Look) -> tuple[tuple[str, Version], ...]:
    """Return the packages in a folder, which looks like this now."""
    found: list[tuple[str, Version]] = []
    for match in filter(None, map(_METADATA.fullmatch, _names(site, look))):
        try:
            version = Version.parse(match["version"])
        except ValueError:
            continue
        found.append((match["package"].lower().replace("_", "-"), version))
    return tuple(found)


@lru_cache(maxsize=64)
def _names(folder: Path, look: Look) -> tuple[str, ...]:
    """Return the names in a folder, which looks like this now."""
    if look is None:
        return ()
    try:
        with os.scandir(folder) as entries:
            return tuple(entry.name for entry in islice(entries, _MOST))
    except OSError:
        return ()
