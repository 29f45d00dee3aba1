"""Reads TOML, and says where in it something stands."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from npu_lsp.text.bilingual import Text


class TomlError(ValueError):
    """A file that is no TOML. `line` is 1-based, `None` where it isn't known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.told = Text(message, f"TOML 语法错误：{message}")


def parse(text: str) -> dict[str, Any]:
    """Return the tables of `text`, or raise `TomlError`."""
    try:
        tables: dict[str, Any] = _reader().loads(text)
    except ValueError as error:
        found = re.search(r"at line (\d+)", str(error))
        raise TomlError(str(error), int(found[1]) if found else _last_line(text)) from error
    except RecursionError as error:
        raise TomlError("nested too deeply", _deepest_line(text)) from error
    _check_numbers(text, tables)
    return tables


def _last_line(text: str) -> int:
    """Return the last line that holds something: what has no end is missing there."""
    return text.rstrip().count("\n") + 1


def _deepest_line(text: str) -> int:
    """Return the line in which most brackets are opened."""
    lines = text.split("\n")
    return max(range(len(lines)), key=lambda at: lines[at].count("[") + lines[at].count("{")) + 1


def _check_numbers(text: str, tables: dict[str, Any]) -> None:
    """Raise `TomlError` for a whole number of more than 64 bits, which TOML has no place for.

    The readers take hexadecimal ones of any length, and Python refuses to write them out.
    """
    waiting: list[tuple[str, Any]] = [("", tables)]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(f"{at}.{key}" if at else key, each) for key, each in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{at}[{number}]", each) for number, each in enumerate(value)]
        elif isinstance(value, int) and value.bit_length() > 64:
            raise TomlError("a number has more than 64 bits", line_of(text, at))


def _reader() -> Any:
    return import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")


def read(path: Path) -> dict[str, Any]:
    """Return the tables of a file; raise `OSError` or `TomlError`."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise TomlError(f"not UTF-8 ({error.reason} at byte {error.start})") from error


def line_of(text: str, at: str) -> int | None:
    """Return the 1-based line of the dotted place `at` in `text`, or `None`.

    Goes by how people write TOML (a header or a key at the start of a line), and answers with the
    nearest place above when the place itself can't be seen, for instance inside an inline table.
    """
    wanted = at.split(".")
    best: tuple[int, int] | None = None
    header: list[str] = []
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r"\s*\[(\[?)([^\]]+)\]", line)
        if found:
            header = _keys(found[2])
            if found[1]:
                name = ".".join(header)
                counts[name] = counts.get(name, -1) + 1
                header[-1] = f"{header[-1]}[{counts[name]}]"
            here = header
        else:
            pair = re.match(r"\s*([A-Za-z0-9_\-.\"']+)\s*=", line)
            if not pair:
                continue
            here = header + _keys(pair[1])
        depth = len(here)
        plain = [part.split("[")[0] for part in wanted[:depth]]
        matches = here in (wanted[:depth], plain)
        if matches and (best is None or depth > best[0]):
            best = (depth, number)
    return best[1] if best else None


def _keys(dotted: str) -> list[str]:
    return [a or b or c for a, b, c in re.findall(r'"([^"]*)"|\'([^\']*)\'|([^.\s"\']+)', dotted)]
