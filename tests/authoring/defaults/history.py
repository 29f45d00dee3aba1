"""What is known about defaults over the versions of a component."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import libcst as cst

from npu_lsp.catalog.model import Scalar, Surface, as_text
from tests.authoring.python_tree import literal

Name = tuple[Surface, str]
Defaults = Mapping[Name, str | None]
"""The default of each option, as text; `None`: the option is there and has none."""


class Run(NamedTuple):
    """A default, and the version that brought it."""

    version: str
    default: str | None


class History(NamedTuple):
    """The defaults of one option, the oldest first."""

    surface: Surface
    name: str
    runs: tuple[Run, ...]

    def changes(self) -> Iterator[tuple[Run, Run]]:
        """Yield each pair of defaults, one of which took the place of the other."""
        yield from zip(self.runs, self.runs[1:], strict=False)


def histories(versions: Iterable[tuple[str, Defaults]]) -> list[History]:
    """Return what `versions`, the oldest first, show about each option.

    A version may come several times, from several branches: the last one that has the option counts.
    """
    by_version: dict[str, dict[Name, str | None]] = {}
    for version, found in versions:
        by_version.setdefault(version, {}).update(found)
    runs: dict[Name, list[Run]] = {}
    for version, defaults in by_version.items():
        for name, default in defaults.items():
            before = runs.setdefault(name, [])
            if not before or not is_same(before[-1].default, default):
                before.append(Run(version, default))
    return [History(surface, name, tuple(each)) for (surface, name), each in sorted(runs.items())]


def text_of(value: object) -> str | None:
    """Return a default as text: `True` is `true` wherever it comes from."""
    if value is None or isinstance(value, (dict, list, tuple)):
        return None
    return as_text(value)


def of_code(expression: str) -> str | None:
    """Return the default that an expression of Python gives; `None` where it shows none."""
    try:
        value = literal(cst.parse_expression(expression))
    except cst.ParserSyntaxError:
        return None
    return text_of(value) if isinstance(value, (str, int, float)) else None


def is_same(default: str | None, known: Scalar) -> bool:
    """Return whether a default of the sources is the one that the catalog has."""
    told = text_of(known)
    if default is None or told is None:
        return default == told
    if default == told or {default, told} in ({"0", "false"}, {"1", "true"}):
        return True
    try:
        return float(default) == float(told)
    except ValueError:
        return False
