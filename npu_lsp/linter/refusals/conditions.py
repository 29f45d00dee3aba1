"""Conditions on what a launch is told: `enable-chunked-prefill = false`, `tensor-parallel-size * nnodes > @processes`.

A condition is `NAME` (switched on, or given), `not NAME`, `without NAME` (it is not given, not even as 0), or two sides with a sign between them: `=` and `!=` with values, of which `|`
stands between several, `<`, `<=`, `>`, `>=`, `%`, which says that the left one is no multiple of the right one, and `%%`, that it is one. Each side may be a
product, whose factors may be raised (`num_speculative_tokens+1`). Of a list, one item that meets the condition is enough.
`model = *-A3B* | Mixtral*` asks for the name of the model. What isn't known is neither true nor false.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from math import prod
from typing import NamedTuple, Protocol

from npu_lsp.linter.refusals.told import LaunchAnswer
from npu_lsp.text import lazy_re as re

_SPLIT = re.compile(r"(?<!\s)\s+(!=|<=|>=|=|<|>|%%|%)\s+")
_COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "%": lambda left, right: right > 0 and left % right != 0,
    "%%": lambda left, right: right > 0 and left % right == 0,
}


class RefusalCondition(NamedTuple):
    """One condition, split into its parts."""

    left: tuple[str, ...]
    sign: str
    """A sign between two sides, `on`, `off` or `absent`."""
    right: tuple[str, ...] = ()


class Answers(Protocol):
    """What conditions ask about a launch."""

    @property
    def model(self) -> str | None:
        """The name of the model, in small letters; `None` where nobody knows."""

    def ask(self, name: str) -> LaunchAnswer:
        """Return what is known of a name."""


@lru_cache(maxsize=1024)
def condition(written: str) -> RefusalCondition:
    """Return what a condition says; raise `ValueError` for one that says nothing."""
    parts = _SPLIT.split(written.strip())
    if len(parts) == 1:
        word, _, name = written.partition(" ")
        sign = {"not": "off", "without": "absent"}.get(word, "on")
        return RefusalCondition((written if sign == "on" else name.strip(),), sign)
    if len(parts) != 3:
        raise ValueError(f"{written!r} is no condition")
    left, sign, right = parts
    between = "|" if sign in ("=", "!=") else "*"
    return RefusalCondition(
        tuple(each.strip() for each in left.split(" * ")),
        sign,
        tuple(each.strip() for each in right.split(f" {between} ")),
    )


def names(said: RefusalCondition) -> Iterator[str]:
    """Yield the names that a condition asks for."""
    sides = (said.left, said.right) if said.sign in _COMPARED else (said.left,)
    named = (factor.partition("+")[0] for side in sides for factor in side)
    yield from (name for name in named if not name.isdigit() and name != "model")


def holds(said: RefusalCondition, told: Answers) -> bool | None:
    """Return whether a condition holds; `None` where nobody knows."""
    if said.left == ("model",):
        if told.model is None:
            return None
        return any(fnmatchcase(told.model, each.lower()) for each in said.right) is (said.sign == "=")
    if said.sign in _COMPARED:
        left, right = _products(said.left, told), _products(said.right, told)
        if not left or not right:
            return None
        return any(_COMPARED[said.sign](*each) for each in itertools.product(left, right))
    answer = told.ask(said.left[0])
    if said.sign == "absent":
        return None if answer.state == "unknown" else answer.state == "absent"
    if said.sign in ("on", "off"):
        return answer.is_on if said.sign == "on" or answer.is_on is None else not answer.is_on
    return _equals(said, answer)


def _equals(said: RefusalCondition, answer: LaunchAnswer) -> bool | None:
    """Return whether a value is one of those on the right; a name that is not set, and whose default nobody knows, is none."""
    if answer.state == "unknown":
        return None
    if answer.data is None:
        return None if said.sign == "=" or answer.state == "absent" else True
    is_one = [any(fnmatchcase(item.lower(), each.lower()) for each in said.right) for item in answer.items]
    return any(is_one) if said.sign == "=" else not all(is_one)


def _products(side: Sequence[str], told: Answers) -> list[int]:
    """Return the number that a side is; several where it names a list, none where nobody knows it."""
    return [prod(each) for each in itertools.product(*(_factor(each, told) for each in side))]


def _factor(written: str, told: Answers) -> Sequence[int]:
    if written.isdigit():
        return (int(written),)
    name, _, more = written.partition("+")
    return [number + int(more or 0) for number in told.ask(name).numbers]
