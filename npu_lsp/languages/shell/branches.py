"""Where a statement stands in a script's tree: whether it runs at all, and under which conditions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from npu_lsp.languages.branches import Arm, Branch, Branching
from npu_lsp.text.document import Document

_ELSE = 1_000_000
_SUBSHELLS = frozenset({"subshell", "command_substitution", "process_substitution"})
_LOOPS = frozenset({"while_statement", "for_statement", "c_style_for_statement", "select_statement"})


def outside_of_quotes(chain: Sequence[Node]) -> list[str]:
    """Return for each node of a chain the type of what holds it, quotes left out; nothing for the last one."""
    found: list[str] = []
    around = ""
    for node in reversed(chain):
        found.append(around)
        around = around if node.type == "string" else node.type
    return found[::-1]


def branch_of(chain: Sequence[Node]) -> Branch:
    """Return the branches around `chain[0]`, outermost first.

    The right side of `&&` and `||` and the body of a loop or a function are branches, since they may not run. Different
    functions count as arms of one branching: who calls which isn't known, and nothing may be said about two of them. So do
    subshells that stand beside each other: neither sees what the other one does.
    """
    return tuple(reversed(list(_branches(chain))))


def branch_at(document: Document, offset: int) -> Branch:
    """Return the branches around what stands at `offset` of a script."""
    from npu_lsp.languages.shell.tree import tree_of

    at = min(offset, max(0, len(document.text) - 1))
    node = tree_of(document).node_at(at, at)
    chain: list[Node] = []
    while node is not None:
        chain.append(node)
        node = node.parent
    return branch_of(chain)


# branches: one arm for each sort of branching.
def _branches(chain: Sequence[Node]) -> Iterator[Arm]:
    around = [node.end_byte for node in chain[:0:-1] if node.type in _SUBSHELLS]
    for child, parent in itertools.pairwise(chain):
        kind = parent.type
        where = (parent.start_byte,)
        if kind == "if_statement":
            arm = _if_arm(parent, child)
            if arm is not None:
                yield Arm(Branching.CONDITION, where, arm)
        elif kind == "case_statement":
            if child.type == "case_item":
                yield Arm(Branching.CONDITION, where, child.start_byte)
        elif kind in _LOOPS:
            if child.type in ("do_group", "compound_statement"):
                yield Arm(Branching.LOOP, where, 0)
        elif kind == "list":
            arm = _list_arm(parent, child)
            if arm is not None:
                yield Arm(Branching.LIST, where, arm)
        elif kind == "ERROR":
            # What the damage hides may be a branching.
            yield Arm(Branching.DAMAGE, where, 0)
        elif kind == "function_definition":
            yield Arm(Branching.FUNCTION, (), parent.start_byte)
        elif kind in _SUBSHELLS:
            end = around.pop()
            yield Arm(Branching.SUBSHELL, tuple(around), end)


def _list_arm(parent: Node, child: Node) -> int | None:
    """Return which arm of `a && b` or `a || b` holds `child`, or `None` for the first part, which always runs."""
    # `a && b && c` is a list in a list: of thousands, most are only the first part of the next one.
    if child.start_byte == parent.start_byte:
        return None
    before = next((one for one, other in itertools.pairwise(parent.children) if other == child), None)
    return None if before is None else 1 if before.type == "||" else 0


def _if_arm(parent: Node, child: Node) -> int | None:
    """Return which arm of an `if` holds `child`, or `None` for its first condition, which always runs."""
    if child.type == "else_clause":
        return _ELSE
    if child.type == "elif_clause":
        return 1 + child.start_byte
    # One by one: the body behind may have thousands.
    cursor = parent.walk()
    found = cursor.goto_first_child()
    while found:
        part = cursor.node
        if part is not None and part.type == "then":
            return 0 if child.start_byte > part.start_byte else None
        found = cursor.goto_next_sibling()
    return None
