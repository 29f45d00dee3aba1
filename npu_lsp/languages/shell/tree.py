"""The syntax tree of a script, by tree-sitter-bash.

The parser gets a text of ASCII bytes in which every character stands for one: bytes and code points are the same then,
and a blank or a quote that only looks like one is a letter, as it is for the shell.
"""

from __future__ import annotations

import itertools
import logging
from bisect import bisect_left
from functools import cache
from time import thread_time

import tree_sitter_bash
from tree_sitter import Language, Node, Parser, Tree

from npu_lsp.languages.shell.structure import in_letters
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized

_log = logging.getLogger(__name__)

_OTHER = re.compile(r"[^\x01-\x7f]")
_LONE_CR = re.compile(r"\r(?!\n)")
_HARMLESS = 1_000
"""Bytes that no text of theirs makes slow."""
_UNCLOSED = 200
"""So many arrays that nobody closes stand in no script, and the parser goes through all of them for each."""
_UNOPENED = 2_000
"""So many `)` that close nothing stand in no script: at each the parser gets going anew, and asks nobody whether to stop meanwhile."""
_CHUNK = 1 << 16
_PATIENCE = 0.25
"""Seconds of the processor; a script of 100,000 bytes takes 0.03."""
_STEPS = 20
"""So many times the parser asks whether to stop before the clock is looked at."""
_SPEED = 1_000_000
"""Bytes for one second more."""
_LONGEST = 50_000
"""Code points of a damaged script that is looked at twice."""
_DEEPEST = 100
"""Nodes around one that is read: each statement asks for all that hold it, and `a && b && c` is a list in a list."""
_WIDE = 64
"""Children of a node that the library goes through as fast as they are listed: for each question it goes through all of them."""
_LARGE = 20_000
"""Bytes of a node in which something may have so many."""


@cache
def _language() -> Language:
    return Language(tree_sitter_bash.language())


def _parser() -> Parser:
    """Return a new parser, which costs nothing.

    While one reads a long script, it asks Python for the text and the time, and another thread may parse meanwhile: with the same
    one that ends the process (SIGSEGV). It would also keep all the memory that its longest script took.
    """
    return Parser(_language())


def code_of(text: str) -> bytes:
    """Return `text` as the parser gets it: as many bytes as `text` has code points."""
    if not text.isascii() or "\0" in text:
        # A byte order mark is nothing; any other character is part of a word.
        text = _OTHER.sub("x", " " + text[1:] if text.startswith("\ufeff") else text)
    if "\r" in text:
        text = _LONE_CR.sub("\n", text)
    return text.encode("ascii")


def fresh_tree(code: bytes) -> Tree:
    """Parse a script without an earlier tree; one that takes the parser too long gets the tree of an empty text."""
    return _parsed(code) or _parser().parse(b"")


def _parsed(code: bytes) -> Tree | None:
    """Parse; `None` where that takes too long.

    Thousands of arrays or here-documents that nobody closes take the parser hours.
    """
    bash = _parser()
    if code.count(b"=(") - code.count(b")") > _UNCLOSED:
        _log.warning("a script with hundreds of arrays that nobody closes is not read")
        return None
    # Those of `case` stand alone.
    if code.count(b")") - code.count(b"(") - code.count(b";;") > _UNOPENED:
        _log.warning("a script with thousands of brackets that nobody opens is not read")
        return None
    if len(code) <= _HARMLESS:
        return bash.parse(code)
    end = thread_time() + _PATIENCE + len(code) / _SPEED

    handed: list[memoryview] = []
    done = False

    def read(offset: int, _: object) -> memoryview | bytes:
        part = code[offset : offset + _CHUNK]
        if done:
            return part  # The text of a node is read so, and has to be bytes.
        handed.append(memoryview(part))
        return handed[-1]

    asked = itertools.count()

    def stop(_offset: int, _error: bool) -> bool:
        # It asks after each hundred steps, and where the clock takes a call of the system that is most of the time.
        return next(asked) % _STEPS == 0 and thread_time() > end

    try:
        return bash.parse(read, progress_callback=stop)
    except ValueError:
        _log.warning("a script of %d characters takes too long and is not read", len(code))
        return None
    finally:
        # The library never lets go of what it is handed, with each key as much as the script is long; released, it holds nothing.
        done = True
        for view in handed:
            view.release()


class ScriptTree:
    """Where the statements of a script stand; what a node with thousands of children holds is listed once."""

    __slots__ = ("_children", "damaged", "guessed", "tree", "unread")

    def __init__(self, tree: Tree, *, damaged: bool = False, guessed: bool = False, unread: bool = False) -> None:
        self.tree = tree
        self.damaged = damaged
        """True: the tree isn't to be trusted everywhere."""
        self.guessed = guessed
        """True: the text itself can't be parsed; the tree is that of its structure."""
        self.unread = unread
        """True: parsing it would take too long; the tree is empty."""
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


@Memoized
def tree_of(document: Document) -> ScriptTree:
    """Return the tree of `document`: that of its text, or the better one of its structure alone."""
    tree = written(document)
    if tree.root_node.end_byte == 0 and document.text.strip():
        return ScriptTree(tree, damaged=True, unread=True)
    if not tree.root_node.has_error or len(document.text) > _LONGEST:
        return ScriptTree(tree, damaged=tree.root_node.has_error)
    plain = fresh_tree(code_of(in_letters(document.text)))
    if not plain.root_node.has_error:
        return ScriptTree(plain, guessed=True)
    guessed = _covered(plain) < _covered(tree)
    return ScriptTree(plain if guessed else tree, damaged=True, guessed=guessed)


def _covered(tree: Tree) -> int:
    """Return how much of the text the parser can make nothing of."""
    covered = 0
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.is_error:
            covered += 1 + node.end_byte - node.start_byte
        elif node.has_error:
            waiting.extend(node.children)
    return covered


@Memoized
def written(document: Document) -> Tree:
    """Return the tree of `document` as it is written."""
    return fresh_tree(code_of(document.text))
