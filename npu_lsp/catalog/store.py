"""The compiled catalog on disk and in memory.

It is one file, so that it can be replaced at once: a first line with the index (names, and where each part lies), then
one line of JSON per part. A part is parsed when it is asked for, so that names cost names only.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from npu_lsp.catalog.merge import Facts

if TYPE_CHECKING:
    from npu_lsp.catalog.compile import Compiled

FORMAT = 1
"""Goes up when the file's layout changes."""

SOUGHT = "sought"
"""The part with what `sought` makes of the names of environment variables: to make it takes longer than to check a file."""

PATH = Path(__file__).parent / "compiled" / "catalog.jsonl"


class Store:
    """The parts of a compiled catalog, parsed when they are asked for."""

    made: ClassVar[int] = 0
    """How many there were in this process: tests count them."""

    def __init__(self, content: bytes) -> None:
        """Take the content of the file; raise `ValueError` when it isn't one of this format."""
        self._content, self._begin = content, content.find(b"\n") + 1
        index = json.loads(content[: self._begin]) if self._begin else None
        if not isinstance(index, dict) or index.get("format") != FORMAT:
            raise ValueError("not a compiled catalog of this version")
        self.stamp: str | None = index["stamp"]
        """What the sources looked like; `None` in a wheel, where there is nothing to compare with."""
        self.date: str = index["date"]
        self.names: dict[str, dict[str, str]] = index["names"]
        self.aliases: dict[str, dict[str, str]] = index["aliases"]
        self.complete: list[str] = index["complete"]
        self._at: dict[str, list[int]] = index["at"]
        self.laid: dict[str, bytes] = {}
        """Parts that take the place of those in the file."""
        Store.made += 1
        self.parsed: list[str] = []
        """The parts that were parsed, in order: tests count them."""

    def part(self, name: str) -> Any:
        """Return a part by its name (`facts:atc`, `docs:precision_mode`, ...), or `None`."""
        line = self.laid.get(name)
        if line is None:
            place = self._at.get(name)
            if place is None:
                return None
            start, length = self._begin + place[0], place[1]
            line = self._content[start : start + length]
        self.parsed.append(name)
        return json.loads(line)

    def overlaid(self, compiled: Compiled) -> Store:
        """Return this one with what `compiled` has of names, facts and docs on top. All names and facts are in there, few docs."""
        made = copy(self)
        made.names, made.aliases, made.parsed = compiled.names, compiled.aliases, []
        made.laid = {**self.laid, **{name: _json(part) for name, part in _options(compiled).items()}}
        return made


def packed(compiled: Compiled, stamp: str | None) -> bytes:
    """Return the content of the file for `compiled`."""
    from npu_lsp.catalog.sought import sought
    from npu_lsp.catalog.spelling import spelling

    parts = _options(compiled)
    parts |= {f"plain:{name}": plain for name, plain in compiled.plain.items()}
    parts["rules"] = compiled.rules
    variables = compiled.names.get("env", {})
    parts[SOUGHT] = sought(variables, spelling(variables, compiled.plain.get("other_variables", {})))
    at: dict[str, list[int]] = {}
    lines: list[bytes] = []
    start = 0
    for name, part in parts.items():
        line = _json(part)
        at[name] = [start, len(line)]
        lines.append(line)
        start += len(line) + 1
    surfaces: Mapping[str, Facts] = compiled.plain.get("surfaces", {})
    index = {
        "format": FORMAT,
        "stamp": stamp,
        "date": compiled.plain.get("catalog", {}).get("date", ""),
        "complete": sorted(name for name, facts in surfaces.items() if facts.get("complete")),
        "names": compiled.names,
        "aliases": compiled.aliases,
        "at": at,
    }
    return b"\n".join([_json(index), *lines]) + b"\n"


def _options(compiled: Compiled) -> dict[str, object]:
    """Return the parts of the catalog that are stored per surface and topic: facts and docs of options."""
    facts = {f"facts:{surface}": facts for surface, facts in compiled.facts.items()}
    docs = {f"docs:{topic}": docs for topic, docs in compiled.docs.items()}
    return {**facts, **docs, "written": compiled.written}


def stamp_of(folder: Path) -> str:
    """Return what the files below `folder`, and the code that compiles them, look like from outside.

    A copy that keeps the times of its files looks the same.
    """
    from zlib import crc32

    seen: list[str] = []
    _scan(str(folder), "", seen)
    for name in ("compile.py", "merge.py", "sought.py", "spelling.py", "store.py"):
        with suppress(OSError):
            state = (Path(__file__).parent / name).stat()
            seen.append(f"{name} {state.st_mtime_ns} {state.st_size}")
    text = "\n".join(sorted(seen)).encode()
    return f"{len(seen)}-{len(text)}-{crc32(text):08x}"


def write(path: Path, content: bytes) -> bool:
    """Replace the file at `path` at once; return False where that isn't possible."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        return False
    return True


def _scan(folder: str, within: str, seen: list[str]) -> None:
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                _scan(entry.path, f"{within}{entry.name}/", seen)
            elif entry.name.endswith(".toml"):
                state = entry.stat()
                seen.append(f"{within}{entry.name} {state.st_mtime_ns} {state.st_size}")


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode()
