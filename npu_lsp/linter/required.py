"""The versions that a repository requires: `torch-npu==2.7.1` in its `requirements.txt`, or what its README has people install.

The source of a component is judged by its own version: its tests and examples are for it, whatever is newest.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from npu_lsp.catalog.target import Stated, Version
from npu_lsp.linter.pins import OWN, README, of_itself, pins
from npu_lsp.text import dependencies as surroundings

_NAMES = ("requirements.txt", "requirements-npu.txt", "requirements_npu.txt", "pyproject.toml")
_TOP = ".git"
_LEVELS = 12


def required(path: str, root: Path | None) -> tuple[Stated, ...]:
    """Return the versions that hold for the file at `path`: of each component, those that the nearest folder names.

    Folders count up to `root`, where a configuration was found, or up to the repository's own; without either only that of
    the file does.
    """
    if not path:
        return ()
    found: dict[str, Stated] = {}
    for folder in _folders(os.path.dirname(os.path.abspath(path)), os.fspath(root) if root is not None else None):
        for component, version in _own(folder):
            found.setdefault(component, Stated(component, version, version))
        here: dict[str, list[tuple[Version, bool]]] = {}
        for component, version, exact in _pins(folder, _NAMES):
            here.setdefault(component, []).append((version, exact))
        if not found.keys() | here.keys() >= {"vllm-ascend"}:
            for component, version, exact in _pins(folder, (README,)):
                here.setdefault(component, []).append((version, exact))
        for component, named in here.items():
            versions = [version for version, _ in named]
            newest = max(versions) if all(exact for _, exact in named) else None
            found.setdefault(component, Stated(component, min(versions), newest))
    return tuple(found.values())


def _folders(folder: str, root: str | None) -> list[str]:
    found: list[str] = []
    for _ in range(_LEVELS):
        found.append(folder)
        if folder == root or surroundings.exists(os.path.join(folder, _TOP)):
            return found
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    return found[:1]


def _pins(folder: str, names: Iterable[str]) -> Iterator[tuple[str, Version, bool]]:
    for name in names:
        file = os.path.join(folder, name)
        look = surroundings.look(file)
        if look is not None:
            yield from pins(file, look)


def _own(folder: str) -> Iterator[tuple[str, Version]]:
    """Yield the components whose source `folder` holds, with the version that it says it is."""
    for component, (sources, files) in OWN.items():
        if any(surroundings.exists(os.path.join(folder, source)) for source in sources):
            looks = ((name, surroundings.look(os.path.join(folder, name))) for name in files)
            versions = (of_itself(os.path.join(folder, name), look) for name, look in looks if look is not None)
            version = next((each for each in versions if each is not None), None)
            if version is not None:
                yield component, version
