"""The classes of concrete syntax trees, libcst's own, imported in half of the time.

Most of libcst's import goes into methods of two hundred dataclasses: each is compiled from a text, and a file needs forty of them. Of
its nodes, which bring what compares, hashes and shows them themselves, `__init__` is made here when the first one is. A node is
not kept from being changed, which its type forbids. What is no such node, or has what isn't known here, is left to `dataclasses`.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

_NODES = "libcst._nodes."
_dataclass: Callable[..., Any] = dataclasses.dataclass


def _made_later(cls: type | None = None, /, **how: Any) -> Any:
    """Do what `dataclass` does, but for a node of libcst leave its `__init__` for later."""
    if cls is None:
        return lambda given: _made_later(given, **how)
    if not cls.__module__.startswith("libcst."):
        return _dataclass(cls, **how)
    # Where there is none, `dataclass` makes one of the signature, which takes as long as all the rest.
    cls.__doc__ = cls.__doc__ or cls.__name__
    is_node = cls.__module__.startswith(_NODES) and how == {"frozen": True} and hasattr(cls, "__post_init__")
    if not is_node or "__init__" in vars(cls):
        return _dataclass(cls, **how)
    made = _dataclass(cls, init=False, repr=False, eq=False)
    fields = dataclasses.fields(made)
    if not all(field.init and not field.kw_only for field in fields):
        return _dataclass(cls, **how)

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807
        init = _initializer(fields)
        # What inherits from it, and slots, make another class of it.
        owner = next((each for each in type(self).__mro__ if vars(each).get("__init__") is __init__), None)
        if owner is not None:  # Else another thread made a node meanwhile.
            owner.__init__ = init  # type: ignore[misc]
        init(self, *values, **named)

    made.__init__ = __init__
    return made


def _initializer(fields: tuple[dataclasses.Field[Any], ...]) -> Callable[..., None]:
    """Return an `__init__` that takes and sets `fields`, in their order, and then checks the node as libcst does."""
    missing = dataclasses.MISSING
    names: dict[str, Any] = {"missing": missing}
    takes, sets = ["self"], []
    for number, field in enumerate(fields):
        taken = value = field.name
        if field.default is not missing or field.default_factory is not missing:
            is_made = field.default is missing
            names[f"given_{number}"] = field.default_factory if is_made else field.default
            taken = f"{field.name}=missing" if is_made else f"{field.name}=given_{number}"
            value = f"given_{number}() if {field.name} is missing else {field.name}" if is_made else field.name
        takes.append(taken)
        sets.append(f" self.{field.name} = {value}")
    exec("\n".join((f"def __init__({', '.join(takes)}):", *sets, " self.__post_init__()")), names)  # noqa: S102
    made: Callable[..., None] = names["__init__"]
    return made


if "libcst" not in sys.modules:
    dataclasses.dataclass = _made_later
    try:
        import_module("libcst")
    finally:
        dataclasses.dataclass = _dataclass

import libcst as cst  # noqa: E402 - it is imported by now
from libcst._nodes.internal import CodegenState  # noqa: E402

__all__ = ["CodegenState", "cst"]
