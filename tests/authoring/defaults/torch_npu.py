"""torch_npu: environment variables and arguments, by release branch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.target import Version
from tests.authoring.defaults.history import Defaults, Name, of_code
from tests.authoring.releases import Releases

_TABLE = "COMPATIBILITY.md"
_ROW = re.compile(r"^\|\s*(\d[\w.]*)(?![\w.])[^|\n]*\|\s*(v\S+)\s*\|[^|\n]*\|\s*CANN\s*([\w.]+)", re.MULTILINE)
_SOURCE = "torch_npu"
_READS = ("getenv", "environ", "GetBoolTypeOption")
_SWITCH = re.compile(r"GetBoolTypeOption\(\s*\"(\w+)\"(?:,\s*(-?\d+))?\)")
_HELD = re.compile(r"\b(\w+)\s*=\s*(?:std::)?getenv\(\s*\"(\w+)\"\s*\)\s*;")
_CHOSEN = r"\b{name}\s*!=\s*nullptr\)?\s*\?[^;]*[^:;]:(?!:)\s*([^:;]+);"
_FARTHEST = 400
"""Characters between the read of a variable and the choice of what holds without it."""
_PYTHON = re.compile(
    r"(?:os\.getenv|os\.environ\.get)\(\s*[\"']([A-Z]\w+)[\"']\s*,\s*([^()\n,\s](?:[^()\n,]*[^()\n,\s])?)\s*\)"
)
_LITERAL = re.compile(r"-?\d+|true|false|\"[^\"]*\"")


def read(releases: Releases) -> Iterator[tuple[str, Defaults]]:
    """Yield the defaults of each CANN version: those of the branch for its newest PyTorch come last."""
    rows = _ROW.findall(releases.text("HEAD", _TABLE) or "")
    for _, branch, cann in sorted(rows, key=lambda row: (Version.parse(row[2]), Version.parse(row[0]))):
        yield cann, _variables(releases, branch)


def _variables(releases: Releases, branch: str) -> dict[Name, str | None]:
    found: dict[str, set[str | None]] = {}
    for path in {path for word in _READS for path in releases.holding(branch, word, _SOURCE)}:
        text = releases.text(branch, path) or ""
        for name, default in _of_file(text, python=path.endswith(".py")):
            found.setdefault(name, set()).add(default)
    # A variable that is read in several ways may have several defaults: which one people mean isn't known. Nor is what an
    # empty text stands for.
    return {(Surface.ENV, name): next(iter(each)) for name, each in found.items() if len(each) == 1 and all(each)}


def _of_file(text: str, *, python: bool) -> Iterator[tuple[str, str | None]]:
    if python:
        yield from ((name, of_code(default)) for name, default in _PYTHON.findall(text))
        return
    yield from ((name, default or "0") for name, default in _SWITCH.findall(text))
    for held in _HELD.finditer(text):
        chosen = re.search(_CHOSEN.format(name=held[1]), text[held.end() : held.end() + _FARTHEST])
        if chosen is not None:
            default = chosen[1].strip()
            yield held[2], default.strip('"') if _LITERAL.fullmatch(default) else None
