"""Shapes as `input_shape` and its relatives write them, for rules that count dimensions."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from npu_lsp.catalog.grammar.parts import ValuePart, number, whole
from npu_lsp.text import lazy_re as re

_DIMENSION = re.compile(r"[+-]?\d+\Z", re.ASCII)
_SIZES = re.compile(r"(\d+)~(\d+)\Z", re.ASCII)


class Dimension(NamedTuple):
    """One dimension of an input."""

    part: ValuePart
    size: int | None
    """`None` for a range."""

    @property
    def is_open(self) -> bool:
        """Whether a profile has to fill it."""
        return self.size == -1


class Input(NamedTuple):
    """One input with its dimensions; a scalar has none."""

    name: ValuePart
    dimensions: tuple[Dimension, ...]

    @property
    def open(self) -> tuple[Dimension, ...]:
        """The dimensions that a profile has to fill."""
        return tuple(dimension for dimension in self.dimensions if dimension.is_open)


@lru_cache(maxsize=256)
def parse(text: str) -> tuple[Input, ...] | None:
    """Return the inputs of `a:1,-1;b:2~8,4`, or `None` for a text that isn't of this form."""
    inputs = []
    for part in whole(text.rstrip(";")).split(";"):
        at = part.text.rfind(":")
        if at < 0:
            return None
        name, sizes = part.cut(at)
        dimensions = [] if not sizes.text.strip() else [_dimension(each.strip()) for each in sizes.split(",")]
        found = tuple(each for each in dimensions if each is not None)
        if not name.text.strip() or len(found) != len(dimensions):
            return None
        inputs.append(Input(name.strip(), found))
    return tuple(inputs)


def _dimension(part: ValuePart) -> Dimension | None:
    if _DIMENSION.match(part.text):
        return Dimension(part, number(part.text))
    return Dimension(part, None) if _SIZES.match(part.text) else None
