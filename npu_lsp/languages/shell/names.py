"""Whether a word of a script is the name of a variable, as the syntax tree tells."""

from __future__ import annotations

from npu_lsp.languages.shell.tree import node_at, shape_of
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_TAKES = frozenset({"read", "mapfile", "readarray", "getopts"})
"""Commands that give the variables that they name a value."""


def use_of(document: Document, span: Span) -> bool | None:
    """Tell whether the variable whose name stands at `span` gets a value there; `None`: it is no variable's name."""
    node = node_at(shape_of(document).tree, span.start, span.end)
    if node is None or (node.start_byte, node.end_byte) != span or node.parent is None:
        return None
    parent = node.parent
    if node.type == "word":
        name = parent.child_by_field_name("name") if parent.type == "command" else None
        command = document.text[name.start_byte : name.end_byte] if name is not None else ""
        return True if command in _TAKES else None
    if node.type != "variable_name":
        return None
    if parent.type == "subscript" and parent.parent is not None:
        node, parent = parent, parent.parent
    if parent.type == "variable_assignment":
        return parent.child_by_field_name("name") == node
    return parent.type in ("for_statement", "postfix_expression")
