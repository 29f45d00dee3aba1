"""The branchings around a statement, and what they say of two statements: whether both run, and in which order."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from npu_lsp.text.source_map import PlaceMap


class Branching(IntEnum):
    """What makes a statement run or not."""

    CONDITION = 0
    """`if`, `case`, `try`, and the arms of each."""
    LOOP = 1
    LIST = 2
    """What stands behind `&&` or `||` in a shell."""
    DAMAGE = 3
    """What could not be read may be a branching."""
    FUNCTION = 4
    """Different functions run in any order."""
    SUBSHELL = 5
    """`( ... )`, `$( ... )`: it always runs, and what it does to variables ends with it. Its arm is where it ends."""


class Arm(NamedTuple):
    """One arm of an `if`, a loop, a function or the like that a statement stands in."""

    kind: Branching
    where: tuple[int, ...]
    """Which branching of its kind: its number in the text, behind those of the texts around that text."""
    arm: int
    """Which arm of it: the line that starts it, 0 for the first one, `UNWRITTEN`."""

    def inside(self, region: int | None) -> Arm:
        """Return the arm as one of the text around the region that it stands in."""
        return self if region is None else self._replace(where=(region, *self.where))


UNWRITTEN = -1
"""The arm of an `else` that isn't there: what stands in it runs where no other arm does."""
Branch = tuple[Arm, ...]
"""The arms of branchings that a statement stands in, outermost first."""


def exclusive(one: Branch, other: Branch) -> bool:
    """Return whether two statements never run together: they stand in different arms of one branching."""
    if not one or not other:
        return False
    arms = {(kind, where): arm for kind, where, arm in one}
    return any(arms.get((kind, where), arm) != arm for kind, where, arm in other)


def dominates(branch: Branch, given: Branch) -> bool:
    """Return whether a statement in `branch` runs whenever one in `given` does."""
    return all(arm in given for arm in branch)


def run_together(one: Branch, other: Branch) -> bool:
    """Return whether two statements run together for sure: wherever the inner one runs, the other does too.

    Under two conditions of their own (`if FLAGS.a:` … `if FLAGS.b:`) nobody knows.
    """
    return dominates(one, other) or dominates(other, one)


def running(branch: Branch) -> Branch:
    """Return the arms that decide whether a statement in `branch` runs."""
    return tuple(arm for arm in branch if arm.kind is not Branching.SUBSHELL)


def subshells(branch: Branch) -> Branch:
    """Return the subshells that a statement in `branch` stands in, outermost first."""
    return tuple(arm for arm in branch if arm.kind is Branching.SUBSHELL)


def reaches(one: Branch, other: Branch) -> bool:
    """Return whether `other` stands in all subshells of `one`: behind them nothing is left of what is done to variables there."""
    return dominates(subshells(one), other)


def in_order(one: Branch, other: Branch) -> bool:
    """Return whether two statements run in the order of the text: those of different functions may run in any."""
    return one == other or functions(one) == functions(other)


def functions(branch: Branch) -> list[Arm]:
    """Return the functions that a statement in `branch` stands in, outermost first."""
    return [arm for arm in branch if arm.kind is Branching.FUNCTION]


def moved(branch: Branch, places: PlaceMap) -> Branch:
    """Return `branch` as it is in another text."""
    region = places.region
    return branch if region is None or not branch else tuple(arm.inside(region) for arm in branch)
