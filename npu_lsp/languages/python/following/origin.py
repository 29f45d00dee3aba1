"""Where a file takes a class from: libraries share names as plain as `ProfilingConfig`."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import libcst as cst

from npu_lsp.languages.python.tree.nodes import module_of
from npu_lsp.languages.python.view import SourceView


def comes_from(view: SourceView, name: str, modules: AbstractSet[str]) -> bool | None:
    """Tell whether a name is imported from modules that have one of `modules` in their dotted names; `None`: the file doesn't bind it."""
    bindings = view.names.bindings(name)
    if not bindings:
        return None
    headers = [b.line.statement.header if b.line is not None else None for b in bindings]
    return all(isinstance(h, cst.ImportFrom) and not modules.isdisjoint(module_of(h).split(".")) for h in headers)
