"""The versions that a repository requires: `torch-npu==2.7.1` in its `requirements.txt`, or what its README has people install.

The source of a component is judged by its own version: its tests and examples are for it, whatever is newest.
"""

from __future__ import annotations

import os
from pathlib import Path

from npu_lsp.catalog.target import Stated, Version
from npu_lsp.linter.versions.component_source import defines, own
from npu_lsp.linter.versions.pins import READMES, pins
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
    return surroundings.once(_required, *_place(path, root))


def _required(folder: str, root: str | None) -> tuple[Stated, ...]:
    found: dict[str, Stated] = {}
    for each in _folders(folder, root):
        itself = {said.component: said for said in surroundings.once(own, each)}
        for component, said in itself.items():
            if said.oldest is not None:
                found.setdefault(component, said)
        here: dict[str, list[tuple[Version, bool]]] = {}
        for component, version, exact in surroundings.once(_pins, each, _NAMES):
            here.setdefault(component, []).append((version, exact))
        exactly = found.keys() | here.keys()
        for component, version, exact in surroundings.once(_pins, each, READMES):
            if component not in exactly:
                here.setdefault(component, []).append((version, exact))
        for component, named in here.items():
            versions = [version for version, _ in named]
            newest = max(versions) if all(exact for _, exact in named) else None
            found.setdefault(component, Stated(component, min(versions), newest))
        found = {**itself, **found}
    return tuple(found.values())


def is_defined(name: str, path: str, root: Path | None) -> bool:
    """Tell whether the file at `path` belongs to the source of a component that has `name` among those of its options.

    A fork has options of its own, an old copy those of its time.
    """
    return bool(path) and any(defines(folder, name) for folder in _folders(*_place(path, root)))


def _place(path: str, root: Path | None) -> tuple[str, str | None]:
    return os.path.dirname(os.path.abspath(path)), os.fspath(root) if root is not None else None


def _folders(folder: str, root: str | None) -> list[str]:
    found: list[str] = []
    for _ in range(_LEVELS):
        found.append(folder)
        if folder == root or surroundings.once(surroundings.exists, os.path.join(folder, _TOP)):
            return found
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    return found[:1]


def _pins(folder: str, names: tuple[str, ...]) -> list[tuple[str, Version, bool]]:
    looks = [(file, surroundings.look(file)) for file in (os.path.join(folder, name) for name in names)]
    return [pin for file, look in looks if look is not None for pin in pins(file, look)]
