"""The syntax tree of a script, by tree-sitter-bash.

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
    """Return the tree of `document`."""
    tree: Tree | None = document.memo.get(_MEMO)
    if tree is None:
        tree = document.memo[_MEMO] = fresh_tree(code_of(document.text))
    return tree


def mended_tree(document: Document, quotes: Iterable[int]) -> Tree:
    """Parse `document` as if no quotes stood at `quotes`: they have no partners, and all that follows would be wrong."""
    code = bytearray(code_of(document.text))
    for at in quotes:
        code[at : at + 1] = b"x"
    return fresh_tree(bytes(code))


def node_at(tree: Tree, start: int, end: int) -> Node | None:
    """Return the smallest node that holds `[start, end)`."""
    return tree.root_node.descendant_for_byte_range(start, end)
