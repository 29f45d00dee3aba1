"""What a file says about each surface once the top of the file is laid under its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from npu_lsp.catalog.vocabulary import MOVES, SURFACES

Facts = dict[str, Any]

_OF_ITS_OWN = frozenset({"group", "summary", "text", "values", *SURFACES})
"""What the top of a file says of the option, not of what holds on a surface."""
_TYPE_OF_SLOT = {"s": "string", "i": "int", "f": "float", "b": "bool"}


def inherited(data: Mapping[str, Any]) -> Facts:
    """Return what each surface takes from the top of its file where it doesn't say otherwise."""
    return {key: value for key, value in data.items() if key not in _OF_ITS_OWN}


def typed(key: str, kind: str | None, slot: str | None) -> str | int | float | bool | None:
    """Return the value that a key of `[values]` stands for, or `None` if the type has no such."""
    if slot == "s":
        return key
    if kind == "bool":
        return {"true": True, "True": True, "false": False, "False": False}.get(key)
    try:
        if kind == "int":
            return int(key)
        if kind == "float":
            return float(key)
    except ValueError:
        return None
    return key


def told(value: object, texts: Mapping[str, Any]) -> object:
    """Return a value alone where `[values]` says nothing that narrows it, else a table with what it says."""
    key = key_of(value, texts)
    narrow = {name: fact for name, fact in texts[key].items() if name not in ("en", "zh")} if key is not None else {}
    return {"value": value, **narrow} if narrow else value


def key_of(value: object, texts: Mapping[str, Any]) -> str | None:
    """Return the key under which `[values]` explains `value`, or `None`."""
    names = [str(value)]
    if isinstance(value, bool):
        names.insert(0, str(value).lower())
    return next((name for name in names if name in texts), None)


def merged(topic: str, data: Mapping[str, Any]) -> dict[str, Facts]:
    """Return the facts of each surface in `data`, the content of the file of `topic`.

    Each has `name`, `type` and `values` (a list, perhaps empty) besides what the file says.
    """
    top = inherited(data)
    found: dict[str, Facts] = {}
    for surface in SURFACES:
        if surface not in data:
            continue
        own: Facts = data[surface]
        facts = _laid(top, own)
        facts.setdefault("name", topic)
        if "type" not in facts and facts.get("slot") in _TYPE_OF_SLOT:
            facts["type"] = _TYPE_OF_SLOT[facts["slot"]]
        if "values" not in own:
            facts["values"] = [
                value
                for key in data.get("values", {})
                if (value := typed(key, facts.get("type"), facts.get("slot"))) is not None
            ]
        for key in MOVES:
            if facts.get(key) is False:
                del facts[key]
        found[surface] = facts
    return found


def _laid(top: Facts, own: Facts) -> Facts:
    """Lay `own` over `top`; the two ways to tell a default are one thing."""
    facts = {**top, **own}
    if "default" in own and "defaults" not in own:
        facts.pop("defaults", None)
    if "defaults" in own and "default" not in own:
        facts.pop("default", None)
    if "relations" in own and "relations" in top:
        facts["relations"] = [*top["relations"], *own["relations"]]
    return facts
