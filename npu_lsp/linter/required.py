"""The versions that a repository requires: `torch-npu==2.7.1` in its `requirements.txt` or its `pyproject.toml`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from npu_lsp.catalog.target import Stated, Version
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text.dependencies import Look

_NAMES = ("requirements.txt", "requirements-npu.txt", "requirements_npu.txt", "pyproject.toml")
_TOP = ".git"
_LEVELS = 12
_LARGEST = 1 << 18
"""Bytes of a file that is read at the most."""
_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\r\n]*", re.MULTILINE)
_PACKAGES = {"torch-npu": "torch[-_]npu", "vllm-ascend": "vllm[-_]ascend"}
"""By component: its package."""
_PINS = {
    component: re.compile(
        rf"(?<![\w/.-]){package}(?:\[[^\]\r\n]{{0,100}}\])?[ \t]*(?P<sign>===?|~=|>=)[ \t]*v?(?P<version>\d[\w.]*\w)",
        re.IGNORECASE,
    )
    for component, package in _PACKAGES.items()
}


def required(path: str, root: Path | None) -> tuple[Stated, ...]:
    """Return the versions that hold for the file at `path`: of each component, those that the nearest folder names.

    Folders count up to `root`, where a configuration was found, or up to the repository's own; without either only that of
    the file does.
    """
    if not path:
        return ()
    found: dict[str, Stated] = {}
    for folder in _folders(os.path.dirname(os.path.abspath(path)), os.fspath(root) if root is not None else None):
        here: dict[str, list[tuple[Version, bool]]] = {}
        for name in _NAMES:
            file = os.path.join(folder, name)
            look = surroundings.look(file)
            for component, version, exact in _pins(file, look) if look is not None else ():
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


@lru_cache(maxsize=64)
def _pins(file: str, _look: Look) -> tuple[tuple[str, Version, bool], ...]:
    """Return what a file names, which looks like this now: a component, its version, and whether no newer one will do."""
    data = surroundings.content(file, _LARGEST, links=False)
    return tuple(_named(data.decode("utf-8", "replace"))) if data is not None else ()


def _named(text: str) -> Iterator[tuple[str, Version, bool]]:
    said = _COMMENT.sub("", text)
    for component, pattern in _PINS.items():
        for match in pattern.finditer(said):
            try:
                yield component, Version.parse(match["version"]), match["sign"] != ">="
            except ValueError:
                continue
