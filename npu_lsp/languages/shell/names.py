"""Whether a word of a script is the name of a variable, as the syntax tree tells."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from npu_lsp.catalog.programs import PROGRAMS, SERVERS
from npu_lsp.languages.shell.tree import tree_of
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span
from npu_lsp.text.word_search import words

_TAKES = frozenset({"read", "mapfile", "readarray", "getopts"})
"""Commands that give the variables that they name a value."""
_PRINTS = frozenset({"echo", "python", "python3", *PROGRAMS, *SERVERS})
"""Commands that take a word for what it is."""
_TEXTS = frozenset({"raw_string", "string", "string_content", "heredoc_body", "heredoc_content"})
_RUNS = frozenset({"eval", "bash", "sh", "trap", "envsubst"})
"""Commands that take a text for a script."""


def use_of(document: Document, span: Span) -> bool | None:
    """Return whether the variable whose name stands at `span` gets a value there; `None`: it is no variable's name."""
    node = tree_of(document).node_at(span.start, span.end)
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


def is_exported(document: Document, span: Span) -> bool:
    """Return whether the variable whose name stands at `span` is given to other programs there."""
    node = tree_of(document).node_at(span.start, span.end)
    around = node.parent if node is not None else None
    if around is not None and around.type == "variable_assignment":
        node, around = around, around.parent
    if around is None:
        return False
    if around.type == "command":
        # `X=1 program` gives the variable to the program alone.
        return node is not None and node.type == "variable_assignment"
    command = document.text[around.start_byte : around.end_byte].split(None, 2)
    return around.type == "declaration_command" and (
        command[0] == "export" or (len(command) > 1 and command[1].startswith("-") and "x" in command[1])
    )


def hidden_use(document: Document, name: str, known: Sequence[Span]) -> Span | None:
    """Return a place besides the `known` ones where a command may take `name` for the name of a variable; `None`: there is none."""
    taken = set(known)
    found = (span for _, span in words(document.text, {name}) if span not in taken)
    return next((span for span in found if _may_name(document, span)), None)


def _may_name(document: Document, span: Span) -> bool:
    node = tree_of(document).node_at(span.start, span.end)
    if node is None or node.type == "comment":
        return False
    command = _command(document, node)
    if node.type in _TEXTS:
        return command in _RUNS
    return (node.start_byte, node.end_byte) == span and command not in _PRINTS


def _command(document: Document, node: Node) -> str:
    """Return the name of the command that `node` stands in, or is a here-document of; empty where there is none."""
    around: Node | None = node
    while around is not None and around.type not in ("command", "redirected_statement"):
        around = around.parent
    if around is not None and around.type == "redirected_statement":
        around = around.child_by_field_name("body")
    called = around.child_by_field_name("name") if around is not None else None
    return document.text[called.start_byte : called.end_byte] if called is not None else ""


def value_of(document: Document, span: Span) -> Span | None:
    """Return the place of what the variable whose name stands at `span` gets there; `None` where that can't be told."""
    node = tree_of(document).node_at(span.start, span.end)
    around = node.parent if node is not None else None
    value = around.child_by_field_name("value") if around is not None and around.type == "variable_assignment" else None
    return Span(value.start_byte, value.end_byte) if value is not None else None
