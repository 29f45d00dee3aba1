"""Where an expression stands, and what is known of its names there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import libcst as cst

from npu_lsp.languages.branches import Branch
from npu_lsp.languages.python.source import Line


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
