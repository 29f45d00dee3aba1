"""What `[values]` of a file says of a value, under which key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


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
