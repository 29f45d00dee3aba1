"""Whether a value fits an option, going by the facts as catalog files have them."""

from __future__ import annotations

from collections.abc import Iterable

from npu_lsp.catalog.merge import Facts
from npu_lsp.catalog.model import as_text
from npu_lsp.catalog.surface_row import Typing
from npu_lsp.catalog.surfaces import where

_QUOTED = "{quoted}"
_TEXTS = frozenset(
    surface.value
    for surface in where(lambda row: row.typing in (Typing.WORDS, Typing.TEXTS) or _QUOTED in (row.example or ""))
)
"""Surfaces that take every value as text, so that `1` and `"1"` say the same there."""
_PYTHON: dict[str, tuple[type, ...]] = {
    "s": (str,),
    "i": (int,),
    "f": (float, int),
    "b": (bool,),
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "string": (str,),
    "path": (str,),
    "member": (str,),
}


def has_type(surface: str, facts: Facts, value: object) -> bool:
    """Tell whether `value` has the type that the surface, or the slot, takes. Text is right on text surfaces."""
    wanted = _PYTHON.get(facts.get("slot") or facts.get("type", ""))
    if wanted is None or surface in _TEXTS:
        return True
    return isinstance(value, wanted) and (bool in wanted or not isinstance(value, bool))


def takes(surface: str, facts: Facts, value: object) -> bool:
    """Tell whether `facts` let the surface have `value`; grammars are not asked."""
    if not has_type(surface, facts, value):
        return False
    values = [each["value"] if isinstance(each, dict) else each for each in facts.get("values", ())]
    if values and not facts.get("open"):
        return any(_same(surface, facts, value, other) for other in values)
    number = _number(value) if facts.get("type") in ("int", "float") else None
    if number is None:
        return True
    low, high = facts.get("minimum"), facts.get("maximum")
    above = facts.get("above")
    return (low is None or number >= low) and (high is None or number <= high) and (above is None or number > above)


def taken(surface: str, facts: Facts, values: Iterable[object]) -> list[object]:
    """Return those of `values` that fit, each once: where every value is text, `true` says what `"true"` says."""
    found: list[object] = []
    for value in values:
        if takes(surface, facts, value) and not any(_same(surface, facts, value, other) for other in found):
            found.append(value)
    return found


def _same(surface: str, facts: Facts, one: object, other: object) -> bool:
    if surface in _TEXTS:
        one, other = as_text(one), as_text(other)
    if isinstance(one, str) and isinstance(other, str) and facts.get("case_sensitive") is False:
        return one.lower() == other.lower()
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _number(value: object) -> float | None:
    if not isinstance(value, (str, int, float)):
        return None
    try:
        return float(value)
    except ValueError:
        return None
