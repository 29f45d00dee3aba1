"""What names of a file stand for, as far as completion cares: `pm` for a map, `opts` for the global options."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from npu_lsp.catalog.model import Surface


class RoleKind(str, Enum):
    """What sort of thing a name stands for."""

    MAP = "map"
    OPTIMIZER = "optimizer"
    OPTIONS = "options"
    """An object whose attributes are options, or a group in it."""
    ENVIRONMENT = "environment"
    CALL = "call"
    """A class whose arguments are options."""


class Role(NamedTuple):
    """What one name stands for."""

    kind: RoleKind
    surface: Surface
    group: str = ""
    """For a group of options: its dotted name. For a class: its real name."""
