"""The file that keeps what was read, for those who have no checkouts of everything."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.text.toml import read
from tests.authoring.defaults.history import History, Run

_HEAD = "# Made by `python -m tests.authoring.defaults`: the options of each source, with the versions that brought another default.\n"


class Kept(NamedTuple):
    """What the versions of one source show."""

    source: str
    """A key of `data/sources.toml`."""
    versions: tuple[str, ...]
    histories: Sequence[History]


def keep(found: Iterable[Kept]) -> str:
    """Return the text of the file."""
    parts = [_HEAD]
    for each in found:
        parts.append(f"\n[{each.source}]\nversions = {json.dumps(each.versions)}\n")
        for surface in dict.fromkeys(history.surface for history in each.histories):
            parts.append(f"\n[{each.source}.{surface.value}]\n")
            for history in each.histories:
                if history.surface is surface:
                    runs = [[run.version] if run.default is None else list(run) for run in history.runs]
                    parts.append(f"{json.dumps(history.name)} = {json.dumps(runs, ensure_ascii=False)}\n")
    return "".join(parts)


def kept(path: Path) -> list[Kept]:
    """Return what a file keeps."""
    made: list[Kept] = []
    for source, facts in read(path).items():
        versions = tuple(facts.pop("versions"))
        found = [
            History(Surface(surface), name, tuple(Run(each[0], each[1] if len(each) > 1 else None) for each in runs))
            for surface, options in facts.items()
            for name, runs in options.items()
        ]
        made.append(Kept(source, versions, found))
    return made
