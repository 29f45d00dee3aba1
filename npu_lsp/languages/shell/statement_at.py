"""Which statement of a script holds a place in its text, as the tree tells."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from npu_lsp.languages.shell.tree import ScriptTree

# `for ((RANK_ID = 0; ...))` and `((RANK_ID = 1))` set numbers of the shell's own.
_ARITHMETIC = frozenset({"c_style_for_statement", "arithmetic_expansion"})
_BODIES = frozenset({"do_group", "compound_statement"})
_SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})
_DEEPEST = 50
"""Each of those that are inside each other is read with all inside it."""
_STATEMENTS = frozenset(
    {"command", "declaration_command", "unset_command", "test_command", "variable_assignments", "variable_assignment"}
)


class EnclosingStatement(NamedTuple):
    """The statement around a place."""

    kind: str
    """The statement's type in the tree, `heredoc`, `line` in damage, or nothing where no code stands."""
    start: int
    limit: int
    """Where the text ends that it may reach to."""
    chain: list[Node]
    """The statement's node and what holds it, from the inside out."""
    damaged: bool = False
    """True: the tree is not to be trusted here."""
    deep: bool = False
    """True: too much is around the place for it to be read."""


def statement_at(script: ScriptTree, start: int, end: int, limit: int) -> EnclosingStatement:
    """Return the statement that holds `[start, end)` in a text that ends at `limit`."""
    node = script.node_at(start, end)
    chain = script.ancestry(node)
    nothing = EnclosingStatement("", start, limit, chain)
    if (not chain and node is not None) or sum(each.type in _SUBSTITUTIONS for each in chain) > _DEEPEST:
        return nothing._replace(chain=[], deep=True)
    found: EnclosingStatement | None = None
    for index, node in enumerate(chain):
        kind = node.type
        if kind == "ERROR":
            return (found or EnclosingStatement("line", start, limit, chain[index:]))._replace(damaged=True)
        if found is None and kind == "comment":
            return nothing
        if found is None:
            found = _innermost(node, chain[index:], limit)
        elif kind in _ARITHMETIC and chain[index - 1].type not in _BODIES:
            return nothing._replace(chain=chain[index:])
        else:
            found = _around(found, node, chain, index, limit)
    return found or nothing


def _innermost(node: Node, chain: list[Node], limit: int) -> EnclosingStatement | None:
    """Return the statement that a node is; `None`: it is a part of one."""
    if node.type == "heredoc_body":
        return EnclosingStatement("heredoc", node.start_byte, node.end_byte, chain)
    return EnclosingStatement(node.type, node.start_byte, limit, chain) if node.type in _STATEMENTS else None


def _around(found: EnclosingStatement, node: Node, chain: list[Node], index: int, limit: int) -> EnclosingStatement:
    """Return a statement as it is known when `node`, which holds it and stands at `index`, is looked at."""
    kind = node.type
    # `X=v cmd`, `X=v Y=w`, `export X=v`
    of_command = kind == "command" and found.kind.startswith("variable_assignment")
    of_declaration = kind == "declaration_command" and found.kind == "variable_assignment"
    if of_command or of_declaration or kind == "variable_assignments":
        return EnclosingStatement(kind, node.start_byte, found.limit, chain[index:])
    if kind in _SUBSTITUTIONS and found.limit == limit:
        return found._replace(limit=max(found.start, node.end_byte - 1))
    return found


def fed_by(chain: list[Node]) -> Node | None:
    """Return the command that gets the here-document whose mark the chain starts at."""
    statement = next((node for node in chain if node.type == "redirected_statement"), None)
    body = statement.child_by_field_name("body") if statement is not None else None
    while body is not None and body.type in ("list", "pipeline") and body.named_children:
        # `cd x && bash <<EOF`
        body = body.named_children[-1]
    return body if body is not None and body.type == "command" else None
