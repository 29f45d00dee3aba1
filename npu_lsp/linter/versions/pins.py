"""The versions that a file of a repository names: pins in its requirements, what its README has people clone and pull."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache

from npu_lsp.catalog.target import Version
from npu_lsp.linter.versions.written_for import written_for
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text.dependencies import Look

READMES = ("README.md", "README_CN.md", "README_zh.md", "README.zh-CN.md", "README_EN.md", "README_en.md")
"""Files that say what the others of their folder are for."""
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
_CLONED = re.compile(
    r"vllm-project/vllm(?:-ascend)?(?:\.git)?\b[^\r\n]{0,100}(?:\r?\n[^\r\n]{0,100}){0,4}?"
    r"(?:[ \t]-b|--branch|\bcheckout)[ \t]+(?:releases/)?v(?P<version>\d[\w.]*\w)"
    r"|/vllm-ascend:v?(?P<tag>\d[\w.]*\w)"
)
"""How a README has people take vLLM-Ascend, whose versions are those of vLLM: as a branch of either, or as an image."""


@lru_cache(maxsize=64)
def pins(file: str, _look: Look) -> tuple[tuple[str, Version, bool], ...]:
    """Return what a file names, which looks like this now: a component, its version, and whether no newer one will do."""
    data = surroundings.content(file, _LARGEST, links=False) or b""
    text = data.decode("utf-8", "replace")
    return (*_cloned(text), *written_for(text)) if file.endswith(READMES) else tuple(_named(text))


def _cloned(text: str) -> Iterator[tuple[str, Version, bool]]:
    for match in _CLONED.finditer(text):
        with suppress(ValueError):
            yield "vllm-ascend", Version.parse(match["version"] or match["tag"]), False


def _named(text: str) -> Iterator[tuple[str, Version, bool]]:
    said = _COMMENT.sub("", text)
    for component, pattern in _PINS.items():
        for match in pattern.finditer(said):
            with suppress(ValueError):
                yield component, Version.parse(match["version"]), match["sign"] != ">="
