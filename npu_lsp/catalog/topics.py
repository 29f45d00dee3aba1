"""Which options a file of the catalog holds, and what their topics are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FileOption:
    """One option as a file has it."""

    topic: str
    name: str
    """What it is called on a surface that gives no `name`."""
    data: Table


def entries(path: Path, data: Table, root: Path | None = None) -> list[FileOption]:
    """Return the options in the file at `path`, which holds `data`.

    Below `root`/files the topic starts with the format, since different formats use the same key: the file
    `files/aipp/input_format.toml`, or `[options.input_format]` in `files/aipp.toml`, is `aipp/input_format`.
    """
    if "rules" in data:
        return []
    prefix = ""
    if root is not None and path.is_relative_to(root / "files"):
        inside = path.relative_to(root / "files")
        prefix = f"{inside.with_suffix('').parts[0]}/"
    if "options" in data:
        return [FileOption(prefix + name, name, option) for name, option in data["options"].items()]
    return [FileOption(prefix + path.stem, path.stem, data)]
