"""The words that catalog files may use where only some words make sense."""

from __future__ import annotations

from typing import get_args

from npu_lsp.catalog.components import COMPONENTS as KNOWN_COMPONENTS
from npu_lsp.catalog.model import (
    Extent,
    Nargs,
    RelationKind,
    Scenario,
    Slot,
    Stability,
    Status,
    Surface,
    Undated,
    ValueType,
)

SURFACES: tuple[str, ...] = tuple(surface.value for surface in Surface)
COMPONENTS: tuple[str, ...] = tuple(KNOWN_COMPONENTS)
SLOTS: tuple[str, ...] = tuple(slot.value for slot in Slot)
TYPES: tuple[str, ...] = get_args(ValueType)
SCENARIOS: tuple[str, ...] = get_args(Scenario)
STATUSES: tuple[str, ...] = get_args(Status)
STABILITIES: tuple[str, ...] = get_args(Stability)
RELATION_KINDS: tuple[str, ...] = get_args(RelationKind)
EXTENTS: tuple[str, ...] = get_args(Extent)
UNDATED: tuple[str, ...] = get_args(Undated)
NARGS: tuple[str, ...] = get_args(Nargs)
MOVES = ("deprecated", "removed", "preferred")
"""Facts that lead from an option to another one; `false` takes back what the top of a file says."""
FIXES: tuple[str, ...] = (
    "op-precision-file",
    "rename",
    "remove",
    "map-values",
    "strip-brackets",
    "move",
    "to-key",
    "manual",
)
UNITS: tuple[str, ...] = ("bytes", "KB", "MB", "GB", "s", "ms", "us", "%")
GROUPS: tuple[str, ...] = (
    "basic",
    "memory",
    "shape",
    "mixed",
    "accuracy",
    "compare",
    "performance",
    "profiling",
    "tuning",
    "compile",
    "debug",
    "dump",
    "recovery",
    "distributed",
    "data",
    "input",
    "output",
    "target",
    "experimental",
    "runtime",
    "log",
    "cache",
    "model",
    "display",
)
