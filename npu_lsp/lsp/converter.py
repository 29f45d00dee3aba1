"""Between JSON and lsprotocol's types, without falling over what a newer client knows."""

from __future__ import annotations

from enum import Enum
from typing import Any

import attrs
from cattrs import Converter, transform_error
from lsprotocol import converters, types


def tolerant_converter() -> Converter:
    """Return a converter that keeps a value that an enumeration doesn't have, as it came, instead of failing."""
    converter = converters.get_converter()

    def keep(value: Any, kind: type[Enum]) -> Any:
        try:
            return kind(value)
        except ValueError:
            if isinstance(value, (str, int)):
                return value
            raise

    # One by one: for an enumeration of numbers the converter's own rule for `int` goes before any rule for all.
    for kind in vars(types).values():
        if isinstance(kind, type) and issubclass(kind, Enum):
            converter.register_structure_hook(kind, keep)
    return converter


def params_type(method: str) -> type | None:
    """Return the type of what comes with `method`, `None` where lsprotocol has none."""
    found = types.METHOD_TO_TYPES.get(method)
    kind = found[2] if found is not None else None
    return kind if isinstance(kind, type) and attrs.has(kind) else None


def reasons(error: Exception) -> str:
    """Return why something couldn't be read, in a line."""
    try:
        return "; ".join(transform_error(error, path="params"))
    except Exception:  # the explanation of an error must not become another
        return type(error).__name__
