"""Puts a change into the program that runs: functions get other code, modules and classes other values."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from re import Pattern
from types import CodeType, FunctionType, ModuleType

_VALUES = (str, bytes, int, float, tuple, frozenset, set, dict, list, Pattern, Enum, type(None))
"""What a name can stand for that is told apart by what it holds."""


class UnknownFunctionError(LookupError):
    """The running program has no such function, or none that can do something else."""


class Field:
    """The modules of some files, with all functions in them. Made before anything is changed."""

    def __init__(self, root: Path, paths: set[str]) -> None:
        files = {str(root / path): path for path in paths}
        every = [(getattr(module, "__file__", None) or "", module) for module in list(sys.modules.values())]
        self._modules = {files[file]: module for file, module in every if file in files}
        gc.unfreeze()  # What lives until the end of the tests may have been put aside.
        self._functions: dict[tuple[str, str, int], list[FunctionType]] = {}
        for each in gc.get_objects():
            if type(each) is FunctionType and each.__code__.co_filename in files:
                code = each.__code__
                key = files[code.co_filename], code.co_name, code.co_firstlineno
                self._functions.setdefault(key, []).append(each)

    def plant(self, path: str, text: str, function: tuple[str, int] | None) -> None:
        """Have the module of `path` do what `text` says, which differs in the outermost `function`, or outside of all.

        Raises `UnknownFunctionError`, and whatever the text itself raises.
        """
        module = self._modules[path]
        code = compile(text, module.__file__ or "", "exec", dont_inherit=True)
        if function is None:
            _renew(module, code)
            return
        name, line = function
        new = next((each for each in _codes(code) if (each.co_name, each.co_firstlineno) == function), None)
        old = self._functions.get((path, name, line), [])
        if new is None or not old or any(each.__code__.co_freevars != new.co_freevars for each in old):
            raise UnknownFunctionError(f"{path}:{line}: {name}")
        for each in old:
            each.__code__ = new


def _codes(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _codes(each)


def _renew(module: ModuleType, code: CodeType) -> None:
    """Give the names of a module and of its classes the values that `code` gives them."""
    fresh = ModuleType(module.__name__)
    vars(fresh).update(
        {
            name: vars(module)[name]
            for name in ("__file__", "__package__", "__path__", "__spec__")
            if name in vars(module)
        }
    )
    exec(code, vars(fresh))  # noqa: S102 - the program's own text
    for name, new in vars(fresh).items():
        old = vars(module).get(name)
        if isinstance(new, type) and new.__module__ == module.__name__ and isinstance(old, type):
            for attribute, value in vars(new).items():
                if isinstance(value, _VALUES) and not attribute.startswith("__") and vars(old).get(attribute) != value:
                    setattr(old, attribute, value)
        elif isinstance(new, _VALUES) and not name.startswith("__") and new != old:
            for each in list(sys.modules.values()):
                if name in getattr(each, "__dict__", ()) and vars(each)[name] is old:
                    setattr(each, name, new)
