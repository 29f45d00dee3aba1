"""The syntax tree of a script, by tree-sitter-bash; most edits only move the one of the version before.

The parser gets a text of ASCII bytes in which every character stands for one: bytes and code points are the same then,
and a blank or a quote that only looks like one is a letter, as it is for the shell.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from time import thread_time

from tree_sitter import Node, Tree

from npu_lsp.languages.shell.grammar import parser
from npu_lsp.languages.shell.steady import keeps_shape
from npu_lsp.text.document import Document

_log = logging.getLogger(__name__)

_OTHER = re.compile(r"[^\x01-\x7f]")
_LONE_CR = re.compile(r"\r(?!\n)")
_HARMLESS = 10_000
"""Bytes that no text of theirs makes slow."""
_CHUNK = 1 << 16
_PATIENCE = 1.0
"""Seconds of the processor; a script of 100,000 bytes takes 0.03."""
_SPEED = 1_000_000
"""Bytes for one second more."""
_MEMO = "shell.tree"


def code_of(text: str) -> bytes:
    """Return `text` as the parser gets it: as many bytes as `text` has code points."""
    if not text.isascii() or "\0" in text:
        # A byte order mark is nothing; any other character is part of a word.
        text = _OTHER.sub("x", " " + text[1:] if text.startswith("\ufeff") else text)
    if "\r" in text:
        text = _LONE_CR.sub("\n", text)
    return text.encode("ascii")


def fresh_tree(code: bytes) -> Tree:
    """Parse from nothing; what takes far longer than any script does counts as empty."""
    return _parsed(code) or _nothing()


def _parsed(code: bytes) -> Tree | None:
    """Parse; `None` where that takes too long.

    Thousands of arrays or here-documents that nobody closes take the parser hours.
    """
    bash = parser()
    if len(code) <= _HARMLESS:
        return bash.parse(code)
    end = thread_time() + _PATIENCE + len(code) / _SPEED

    def read(offset: int, _: object) -> bytes:
        return code[offset : offset + _CHUNK]

    def stop(_offset: int, _error: bool) -> bool:
        return thread_time() > end

    try:
        return bash.parse(read, progress_callback=stop)
    except ValueError:
        bash.reset()
        _log.warning("a script of %d characters takes too long and is not read", len(code))
        return None


def _nothing() -> Tree:
    return parser().parse(b"")


def tree_of(document: Document) -> Tree:
    """Return the tree of `document`: that of the last version that was analysed with its places moved, where that does."""
    known = document.memo.get(_MEMO)
    if known is not None:
        return known[0]  # type: ignore[no-any-return]
    code = code_of(document.text)
    tree = _moved(document, code) or _parsed(code)
    # What isn't read is no start for the next version.
    document.memo[_MEMO] = (tree, code) if tree is not None else (_nothing(), None)
    return document.memo[_MEMO][0]  # type: ignore[no-any-return]


def _moved(document: Document, code: bytes) -> Tree | None:
    """Return the tree of the version before with its places moved, where the edit leaves its shape as it is.

    To parse starting from that tree would save little more than half of the time, and what the parser makes of damage,
    and of what has two meanings to it, would depend on what was typed before: a reading must depend on the text alone.
    """
    ancestor, change = document.ancestor, document.change
    before = ancestor.memo.get(_MEMO) if ancestor is not None else None
    if change is None or before is None or before[1] is None:
        return None
    tree, old = before
    if not keeps_shape(tree, old, code, change):
        return None
    moved: Tree = tree.copy()
    # With the character in front, which is of the same token, it counts as a change of that token alone.
    start, old_end, new_end = change.start - 1, change.old_end, change.new_end
    # Nobody asks the tree for lines and columns.
    moved.edit(start, old_end, new_end, (0, start), (0, old_end), (0, new_end))
    return moved


def mended_tree(document: Document, quotes: Iterable[int]) -> Tree:
    """Parse `document` as if no quotes stood at `quotes`: they have no partners, and all that follows would be wrong."""
    code = bytearray(code_of(document.text))
    for at in quotes:
        code[at : at + 1] = b"x"
    return fresh_tree(bytes(code))


def node_at(tree: Tree, start: int, end: int) -> Node | None:
    """Return the smallest node that holds `[start, end)`."""
    return tree.root_node.descendant_for_byte_range(start, end)
