"""Makes an `Option` of the facts that the compiled catalog holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from npu_lsp.catalog.merge import Facts
from npu_lsp.catalog.model import (
    Allowed,
    Change,
    Condition,
    Default,
    Deprecation,
    Option,
    Relation,
    Removal,
    Slot,
    Surface,
)
from npu_lsp.text.bilingual import Text

_T = TypeVar("_T")

_LISTS = ("products", "aliases", "examples", "sources", "extended_by")
_MADE = frozenset(
    {
        *("name", "surface", "slot", "values", "defaults", "changes", "relations", "required", "only_when"),
        *("deprecated", "preferred", "removed", *_LISTS),
    }
)
_AS_THEY_ARE = tuple(name for name in Option._fields if name not in _MADE)


def text(data: Mapping[str, str] | None) -> Text | None:
    """Return a text in both languages."""
    return _text(data) if data else None


def joined(*parts: Mapping[str, str] | None) -> Text | None:
    """Return texts as one, a line each; those that aren't there are left out."""
    there = [part for part in parts if part]
    en, zh = ("\n".join(part[language].rstrip() for part in there) for language in ("en", "zh"))
    return Text(en, zh) if there else None


def option(surface: Surface, name: str, facts: Facts) -> Option:
    """Return the option that `facts` describe."""
    made: dict[str, Any] = {key: facts[key] for key in _AS_THEY_ARE if key in facts}
    made |= {key: tuple(facts[key]) for key in _LISTS if key in facts}
    if "slot" in facts:
        made["slot"] = Slot(facts["slot"])
    made["values"] = _each(facts, "values", _allowed)
    made["defaults"] = _defaults(facts)
    made["changes"] = _each(facts, "changes", _change)
    made["relations"] = _each(facts, "relations", _relation)
    made["required"] = _each(facts, "required", _condition)
    made["only_when"] = _each(facts, "only_when", _condition)
    if facts.get("deprecated"):
        made["deprecated"] = _deprecation(facts["deprecated"])
    if facts.get("preferred"):
        made["preferred"] = _deprecation(facts["preferred"])
    if facts.get("removed"):
        made["removed"] = _removal(facts["removed"])
    return Option(name=name, surface=surface, **made)


def _each(facts: Facts, key: str, make: Callable[[Any], _T]) -> tuple[_T, ...]:
    found: Iterable[Any] = facts.get(key, ())
    return tuple(make(each) for each in found)


def _allowed(data: Any) -> Allowed:
    if not isinstance(data, dict):
        return Allowed(data)
    return Allowed(**{**data, "products": tuple(data.get("products", ()))})


def _defaults(facts: Facts) -> tuple[Default, ...]:
    if "default" in facts:
        return (Default(facts["default"]),)
    return tuple(Default(**{**each, "products": tuple(each.get("products", ()))}) for each in facts.get("defaults", ()))


def _change(data: Facts) -> Change:
    return Change(
        data["version"],
        data["source"],
        data.get("default"),
        tuple(data.get("added", ())),
        tuple(data.get("dropped", ())),
        data.get("was"),
    )


def _relation(data: Facts) -> Relation:
    elsewhere = data.get("other_surface")
    return Relation(
        kind=data["kind"],
        other=data["other"],
        source=data["source"],
        values=tuple(data.get("values", ())),
        other_values=tuple(data.get("other_values", ())),
        other_not=tuple(data.get("other_not", ())),
        when=_when(data.get("when", {})),
        rejected=data.get("rejected", False),
        result=text(data.get("result")),
        other_surface=Surface(elsewhere) if elsewhere else None,
        extent=data.get("extent", "total"),
        stays=text(data.get("stays")),
        mirrored=data.get("mirrored", False),
    )


def _condition(data: Facts) -> Condition:
    return Condition(_when(data["when"]), data["source"], data.get("rejected", False), data.get("since"))


def _when(data: Mapping[str, Any]) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    return tuple((name, tuple(values)) for name, values in data.items())


def _deprecation(data: Facts) -> Deprecation:
    return Deprecation(
        why=_text(data["why"]),
        source=data["source"],
        version=data.get("version"),
        replacement=data.get("replacement"),
        fix=data.get("fix"),
        mapping=tuple((str(old), str(new)) for old, new in data.get("mapping", {}).items()),
        keys=tuple(data.get("keys", ())),
    )


def _removal(data: Facts) -> Removal:
    return Removal(
        _text(data["why"]),
        data["source"],
        data.get("version"),
        data.get("replacement"),
        data.get("rejected", False),
        tuple(data.get("readers", ())),
    )


def _text(data: Mapping[str, str]) -> Text:
    return Text(data["en"].strip(), data["zh"].strip())
