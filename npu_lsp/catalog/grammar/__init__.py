"""The forms of values: one grammar a file, named as the catalog names it.

A grammar takes the text of a value and says what is wrong with which part of it, as the tool that reads the value
would. A module with the grammar's name (`input-shape`: `input_shape.py`) has a function `check(text, surface)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from npu_lsp.catalog.grammar.parts import full_width
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

__all__ = ["Problem", "check", "exists"]


class Grammar(Protocol):
    """A module of this room."""

    def check(self, text: str, surface: Surface) -> Iterator[Problem]:
        """Yield what is wrong with a text; nothing for one that the tool on `surface` takes."""


def check(name: str, text: str, surface: Surface = Surface.ATC) -> Iterator[Problem]:
    """Yield what is wrong with `text` by the grammar called `name`, in the order of the text.

    Places are code points from 0 in `text`. A name that no grammar has yields nothing. Full-width signs are told
    first, and alone, unless the grammar is one of free text (`FREE = True`): nothing else fits where they stand.
    """
    grammar = _grammar(name)
    if grammar is None:
        return
    wide = [] if getattr(grammar, "FREE", False) else list(full_width(text))
    yield from wide or grammar.check(text, surface)


def exists(name: str) -> bool:
    """Tell whether there is a grammar of that name."""
    return _grammar(name) is not None


@cache
def _grammar(name: str) -> Grammar | None:
    module = f"{__name__}.{name.replace('-', '_')}"
    if not name.replace("-", "").isalnum() or find_spec(module) is None:
        return None
    found = import_module(module)
    return cast(Grammar, found) if hasattr(found, "check") else None
