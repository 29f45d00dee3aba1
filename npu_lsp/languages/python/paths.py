"""Dotted expressions as words: `npu.global_options().dump_config`."""

from __future__ import annotations

import ast


def path(node: ast.expr) -> str | None:
    """Return a dotted expression without its blanks; `None` for anything that isn't one.

    A call without arguments and a subscript with a literal may be part of it.
    """
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Name):
            parts.append(node.id)
            return "".join(reversed(parts))
        if isinstance(node, ast.Attribute):
            parts.append("." + node.attr)
            node = node.value
        elif isinstance(node, ast.Call) and not node.args and not node.keywords:
            parts.append("()")
            node = node.func
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            parts.append(f"[{node.slice.value!r}]")
            node = node.value
        else:
            return None


def last(node: ast.expr) -> str | None:
    """Return the last name of a dotted expression: what is called, whatever it is an attribute of."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None
