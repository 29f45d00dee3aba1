"""Fixes that the catalog names in a `fix` key: the mechanical move from an option to its replacement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from npu_lsp.catalog.model import Option
from npu_lsp.catalog.vocabulary import FIXES
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Fix

Maker = Callable[[Setting, Option, Block, Context], Sequence[Fix]]

_NAMES = frozenset(FIXES) - {"manual"}
"""Each is a function in a module of the same name, which is loaded with the first fix of that kind."""


def fixes_for(name: str | None, setting: Setting, option: Option, block: Block, context: Context) -> tuple[Fix, ...]:
    """Return the fixes that `name` stands for, the preferred one first; none for a name that is unknown."""
    if name not in _NAMES:
        return ()
    own = name.replace("-", "_")
    make: Maker = getattr(import_module(f"{__name__}.{own}"), own)
    return tuple(make(setting, option, block, context))
