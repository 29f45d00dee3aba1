"""Where an expression stands, and what is known of its names there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import libcst as cst

from npu_lsp.languages.branches import Branch
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.tree.nodes import is_name


class Bound(NamedTuple):
    """What a name stands for while a loop or a call is followed."""

    node: cst.BaseExpression
    line: Line
    given: Mapping[str, Bound] | None = None
    """What names in it stand for."""


class Place(NamedTuple):
    """Where an expression stands, and what is known there."""

    line: Line
    branch: Branch = ()
    given: Mapping[str, Bound] | None = None
    """Names that stand for something else than what they are bound to."""

    def followed(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression, Place] | None:
        """Return what a name stands for while a loop or a call is followed, and where that is written."""
        bound = self.given.get(node.value) if self.given and is_name(node) else None
        return (bound.node, Place(bound.line, self.branch, bound.given)) if bound is not None else None
