"""Stands in for packages that aren't installed, and for parts of a package that need a device, so that its argument parsers can be made.

Runs in an interpreter of its own, and imports nothing of npu-lsp. What is asked of a stub is a stub: it can be called, subscripted,
iterated, compared and inherited from, and a decorator leaves what it decorates as it is.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_MISSING = frozenset(
    {
        *("_posixsubprocess", "_scproxy", "_winapi", "msvcrt", "nt", "winreg"),
        *("amdsmi", "habana_frameworks", "intel_extension_for_pytorch", "libtpu", "neuronxcc", "pynvml"),
        *("torch_neuronx", "torch_npu", "torch_xla", "tpu_commons", "tpu_inference"),
    }
)
"""What isn't there for sure: whoever finds it takes the machine for another one."""


class Stub:
    """Anything."""

    def __init__(self, name: str = "stub", *_: object, **__: object) -> None:
        self.__dict__["_named"] = name

    def __getattr__(self, name: str) -> Any:
        """Return another one; pydantic takes any value where one stands for a type."""
        if name == "__get_pydantic_core_schema__":
            from pydantic_core import core_schema

            return lambda *_, **__: core_schema.any_schema()
        if name in ("__name__", "__qualname__"):
            return self._named
        if name == "__module__":
            return "stub"
        if name.startswith("__"):
            raise AttributeError(name)
        made = self.__dict__[name] = Stub(name)
        return made

    def __call__(self, *given: Any, **named: object) -> Any:
        """Return what is decorated, else this one."""
        alone = len(given) == 1 and not named and not isinstance(given[0], Stub)
        return given[0] if alone and callable(given[0]) else self

    def __mro_entries__(self, _bases: object) -> tuple[type, ...]:
        """Be no base of a class."""
        return (_Base,)

    def _self(self, *_: object, **__: object) -> Stub:
        return self

    def _none(self, *_: object) -> None:
        return None

    def _no(self, *_: object) -> bool:
        return False

    def _yes(self, *_: object) -> bool:
        return True

    def _nameless(self, *_: object) -> str:
        return "stub"

    def _zero(self) -> int:
        return 0

    def _nothing(self) -> float:
        return 0.0

    __getitem__ = __or__ = __ror__ = __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __truediv__ = _self
    __floordiv__ = __and__ = __enter__ = _self
    __set_name__ = __setitem__ = __delitem__ = _none
    __bool__ = __lt__ = __gt__ = __contains__ = __instancecheck__ = __subclasscheck__ = __exit__ = _no
    __ge__ = __le__ = _yes
    __format__ = _nameless
    __len__ = __index__ = __int__ = _zero
    __float__ = _nothing
    __hash__ = object.__hash__

    def __iter__(self) -> Iterator[Any]:
        """Yield nothing."""
        return iter(())

    def __eq__(self, other: object) -> bool:
        """Be nothing else."""
        return self is other


class _Base:
    """What takes the place of a stub among the bases of a class."""

    def __init_subclass__(cls, **_: object) -> None:
        """Take whatever a base takes."""


class Module(types.ModuleType):
    """A module that has everything."""

    __path__: list[str] = []
    __all__: list[str] = []
    __version__ = "2.9.0"
    __file__ = "stub"

    def __getattr__(self, name: str) -> Any:
        """Return a stub of that name."""
        if name.startswith("__"):
            raise AttributeError(name)
        made = Stub(name)
        setattr(self, name, made)
        return made


class _Loader(importlib.abc.Loader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return Module(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        return None


class _Own(importlib.abc.MetaPathFinder):
    """Finds stubs for parts of the package below `root`, but for the modules that are `real`."""

    def __init__(self, root: str, stubbed: tuple[str, ...], real: frozenset[str]) -> None:
        self._root, self._stubbed, self._real = root, stubbed, real

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        if name in self._real:
            base = Path(self._root, *name.split("."))
            for file, inside in ((base.with_suffix(".py"), None), (base / "__init__.py", [str(base)])):
                if file.exists():
                    return importlib.util.spec_from_file_location(name, file, submodule_search_locations=inside)
        if any(name == each or name.startswith(f"{each}.") for each in self._stubbed):
            return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)
        return None


class _Missing(importlib.abc.MetaPathFinder):
    """Finds stubs for packages that aren't there."""

    def __init__(self, package: str) -> None:
        self._package = package

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        above, dot, _last = name.rpartition(".")
        if name.partition(".")[0] in (*_MISSING, self._package):
            return None
        if dot and not isinstance(sys.modules.get(above), Module):
            return None
        return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)


def install(package: str, root: str, stubbed: tuple[str, ...], real: frozenset[str]) -> None:
    """Make `package` importable from the folder `root`, without running what it does at first."""
    made = Module(package)
    made.__path__ = [str(Path(root, package))]
    sys.modules[package] = made
    sys.path.insert(0, root)
    sys.meta_path.insert(0, _Own(root, stubbed, real))
    sys.meta_path.append(_Missing(package))
