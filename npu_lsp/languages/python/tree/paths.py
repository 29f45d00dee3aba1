"""Dotted expressions as words: `npu.global_options().dump_config`."""

from __future__ import annotations

import libcst as cst

from npu_lsp.languages.python.tree.constants import constant
from npu_lsp.languages.python.tree.nodes import index_of, is_name


def path(node: cst.BaseExpression) -> str | None:
    """Return a dotted expression without its blanks; `None` for anything that isn't one.

    A call without arguments and a subscript with a literal may be part of it.
    """
    parts: list[str] = []
    while True:
        if is_name(node):
            parts.append(node.value)
            return "".join(reversed(parts))
        if isinstance(node, cst.Attribute):
            parts.append("." + node.attr.value)
            node = node.value
        elif isinstance(node, cst.Call) and not node.args:
            parts.append("()")
            node = node.func
        elif isinstance(node, cst.Subscript):
            index = constant(index_of(node))
            if index is None:
                return None
            parts.append(f"[{index.value!r}]")
            node = node.value
        else:
            return None


def last(node: cst.BaseExpression) -> str | None:
    """Return the last name of a dotted expression: what is called, whatever it is an attribute of."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if is_name(node) else None
