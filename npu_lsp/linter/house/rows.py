"""What a house rule says: one table of a configuration, `[house-rules.NAME]`.

The table has the form of `npu_lsp.config.house_rules.FORM`; whether what it names exists is checked there, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from npu_lsp.catalog.components import COMPONENTS
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Scalar, Surface, as_text
from npu_lsp.linter.launch.programs import plain
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

CONSTRAINTS = ("forbid", "between", "at-least", "at-most", "one-of", "equals", "only-with", "never-with")
"""The keys of which one says what must hold, alone or beside `require`."""


class Ref(NamedTuple):
    """A setting that a house rule names, perhaps with the values that are meant."""

    name: str
    surface: Surface | None = None
    values: tuple[Scalar, ...] = ()
    part: str = ""
    """The key of a deployment's file that it stands under: `mindie_server_decode_config`; empty: wherever."""

    def names(self, catalog: Catalog) -> Mapping[Surface, str]:
        """Return the option's name on each surface that has it; `-` and `_` are the same, and so is a unique last part."""
        return _names(self.name, self.surface, catalog)


class HouseCondition(NamedTuple):
    """Where a house rule holds: for these versions, products, models and programs; none of a kind: for all."""

    versions: tuple[tuple[str, str], ...] = ()
    """By component, as it is written: `>=8.5`, `<0.11`, `8.0`; several with commas."""
    products: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    """Globs of names of models, in small letters."""
    programs: tuple[str, ...] = ()
    """Names of `programs.toml`."""


class Example(NamedTuple):
    """A text that the rule is tried on by `npu-lsp config --test`."""

    text: str
    bad: bool
    kind: Kind = Kind.SHELL
    fixed: str | None = None


class HouseRow(NamedTuple):
    """One house rule."""

    name: str
    setting: Ref
    require: bool = False
    constraint: str = ""
    """One of `CONSTRAINTS`, or empty."""
    bounds: tuple[int | float | None, int | float | None] = (None, None)
    values: tuple[Scalar, ...] = ()
    """What is allowed, or with `forbid` what isn't; with none of them nothing is."""
    others: tuple[Ref, ...] = ()
    in_files: tuple[str, ...] = ()
    condition: HouseCondition = HouseCondition()
    message: Text | None = None
    severity: Severity = Severity.WARNING
    fix: Scalar = None
    """The value that the fix gives the setting."""
    removes: bool = False
    """The fix takes the setting out."""
    is_safe: bool = False
    examples: tuple[Example, ...] = ()


def row(name: str, table: Mapping[str, Any]) -> HouseRow:
    """Return what a table says that has the right form."""
    constraint = next((key for key in CONSTRAINTS if table.get(key, False) is not False), "")
    given = table.get(constraint)
    fix = table.get("fix")
    details: Mapping[str, Any] = fix if isinstance(fix, dict) else {"value": fix}
    message = table.get("message")
    if isinstance(message, str):
        message = {"en": message}
    return HouseRow(
        name,
        _ref({key: table[key] for key in ("setting", "surface", "value", "part") if key in table}),
        require=table.get("require", False),
        constraint=constraint,
        bounds=_bounds(constraint, given),
        values=_listed(given) if constraint in ("forbid", "one-of") and given is not True else (),
        others=tuple(map(_ref, _listed(given))) if constraint in ("equals", "only-with", "never-with") else (),
        in_files=tuple(table.get("in-files", ())),
        condition=_condition(table.get("for", {})),
        message=Text(message.get("en", message.get("zh", "")), message.get("zh", message.get("en", "")))
        if message
        else None,
        severity=Severity(table.get("severity", "warning")),
        fix=details.get("value"),
        removes=bool(details.get("remove", False)),
        is_safe=bool(details.get("safe", False)),
        examples=tuple(_example(each) for each in table.get("examples", ())),
    )


def shows(values: tuple[Scalar, ...], between: str) -> str:
    """Return values as messages list them."""
    return between.join(f'"{each}"' if isinstance(each, str) else as_text(each) for each in values)


def _ref(written: str | Mapping[str, Any]) -> Ref:
    if isinstance(written, str):
        name, sign, value = written.partition("=")
        return Ref(_bare(name), None, (value.strip(),) if sign else ())
    surface = Surface(written["surface"]) if "surface" in written else None
    return Ref(
        _bare(written["setting"]),
        surface,
        _listed(written["value"]) if "value" in written else (),
        written.get("part", ""),
    )


def _bare(name: str) -> str:
    return name.strip().lstrip("-")


def _listed(given: Any) -> tuple[Any, ...]:
    return tuple(given) if isinstance(given, list) else (given,)


def _bounds(constraint: str, given: Any) -> tuple[int | float | None, int | float | None]:
    if constraint == "between":
        return given[0], given[1]
    return (given if constraint == "at-least" else None), (given if constraint == "at-most" else None)


def _condition(table: Mapping[str, Any]) -> HouseCondition:
    return HouseCondition(
        tuple((name, table[name]) for name in COMPONENTS if name in table),
        tuple(table.get("products", ())),
        tuple(each.lower() for each in table.get("models", ())),
        tuple(table.get("programs", ())),
    )


def _example(table: Mapping[str, Any]) -> Example:
    bad = "bad" in table
    return Example(table["bad" if bad else "good"], bad, Kind(table.get("language", "shell")), table.get("fixed"))


@lru_cache(maxsize=512)
def _names(name: str, only: Surface | None, catalog: Catalog) -> Mapping[Surface, str]:
    found: dict[Surface, str] = {}
    for surface in (only,) if only is not None else Surface:
        same = [each for each in catalog.names(surface) if plain(each) == plain(name)]
        last = [] if same or "." in name else [e for e in catalog.names(surface) if e.rpartition(".")[2] == name]
        if name in same or len(same or last) == 1:
            found[surface] = name if name in same else (same or last)[0]
    return found
