"""What is wrong with a script as a whole, as far as a tree tells: to compare it before and after a change."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from npu_lsp.languages.shell.tree import written
from npu_lsp.text.document import Document

# The shell wants a command between these; the grammar of the tree doesn't insist on it.
_OPENERS = frozenset({"then", "else", "do", "{"})
_CLOSERS = frozenset({"fi", "elif_clause", "else_clause", "done", "}"})
_BODIES = frozenset({"if_statement", "elif_clause", "else_clause", "do_group", "compound_statement"})


class Faults(NamedTuple):
    """How much is wrong with a script."""

    number: int
    """Errors, things missing, and bodies without a command."""
    covered: int
    """Code points that the parser could make nothing of."""


def faults(document: Document) -> Faults:
    """Return what is wrong with a script."""
    count = covered = 0
    waiting = [written(document).root_node]
    while waiting:
        node = waiting.pop()
        if node.is_missing:
            count += 1
        elif node.is_error:
            count += 1
            covered += node.end_byte - node.start_byte
        else:
            count += node.type in _BODIES and _has_empty_body(node)
            waiting.extend(node.children)
    return Faults(count, covered)


def _has_empty_body(node: Node) -> bool:
    children = [child.type for child in node.children if child.type not in ("comment", "\n", ";")]
    followers = [*children[1:], ""]
    return any(
        child in _OPENERS and (follower in _CLOSERS or not follower)
        for child, follower in zip(children, followers, strict=True)
    )
