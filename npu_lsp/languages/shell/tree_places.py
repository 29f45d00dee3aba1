"""Finds nodes of a script's tree by their places, as the library does, in time that doesn't grow with what stands beside them."""

from __future__ import annotations

from bisect import bisect_left

from tree_sitter import Node, Tree

_DEEPEST = 100
"""Nodes around one that is read: each statement asks for all that hold it, and `a && b && c` is a list in a list."""
_WIDE = 64
"""Children of a node that the library goes through as fast as they are listed: for each question it goes through all of them."""
_LARGE = 20_000
"""Bytes of a node in which something may have so many."""


class TreePlaces:
    """The nodes of one tree: what a node with thousands of children holds is listed once."""

    __slots__ = ("_children", "tree")

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._children: dict[int, tuple[list[Node], list[int]]] = {}
        """The children of large nodes with their ends, by the node's number."""

    def node_at(self, start: int, end: int) -> Node | None:
        """Return the smallest node that holds `[start, end)`."""
        node = self.tree.root_node
        for _ in range(_DEEPEST if start < end else 0):
            if node.end_byte - node.start_byte < _LARGE:
                break
            children, ends = self._of(node)
            at = bisect_left(ends, end)
            if at == len(ends) or children[at].start_byte > start:
                return node
            node = children[at]
        return node.descendant_for_byte_range(start, end)

    def ancestry(self, node: Node | None) -> list[Node]:
        """Return a node of the tree and what holds it, from the inside out; nothing where it stands too deep."""
        chain: list[Node] = []
        # The tree's nodes don't know their parents: to ask one for its own is to look for it from the root on.
        around: Node | None = self.tree.root_node if node is not None else None
        while around is not None and node is not None and around != node:
            if len(chain) == _DEEPEST:
                return []
            chain.append(around)
            around = self._towards(around, node)
        return [*([node] if node is not None else ()), *reversed(chain)]

    def _towards(self, around: Node, node: Node) -> Node | None:
        """Return the child of `around` that holds `node` or is it."""
        if around.child_count <= _WIDE or node.start_byte == node.end_byte:
            return around.child_with_descendant(node)
        children, ends = self._of(around)
        for at in range(bisect_left(ends, node.end_byte), len(ends)):
            child = children[at]
            if child.start_byte > node.start_byte:
                break
            if child == node or child.child_count:
                return child
        return None

    def _of(self, node: Node) -> tuple[list[Node], list[int]]:
        known = self._children.get(node.id)
        if known is None:
            children = node.children
            known = self._children[node.id] = children, [child.end_byte for child in children]
        return known
