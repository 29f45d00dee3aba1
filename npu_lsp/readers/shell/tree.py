"""The syntax tree of a script, by tree-sitter-bash; each version is parsed from the one before.

The parser gets a text of ASCII bytes in which every character stands for one: bytes and code points are the same then,
and a blank or a quote that only looks like one is a letter, as it is for the shell.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from functools import lru_cache
from time import thread_time

import tree_sitter_bash
from tree_sitter import Language, Node, Parser, Tree

from npu_lsp.document import Document

_log = logging.getLogger(__name__)

_OTHER = re.compile(r"[^\x01-\x7f]")
_LONE_CR = re.compile(r"\r(?!\n)")
_SMALL = 200_000
_HARMLESS = 10_000
"""Bytes that no text of theirs makes slow."""
_CHUNK = 1 << 16
_PATIENCE = 1.0
"""Seconds of the processor; a script of 100,000 bytes takes 0.03."""
_SPEED = 1_000_000
"""Bytes for one second more."""
_MEMO = "shell.tree"


@lru_cache(maxsize=1)
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


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
    return _parsed(code, None) or _nothing()


def _parsed(code: bytes, old: Tree | None) -> Tree | None:
    """Parse, perhaps from an edited tree of the version before; `None` where that takes too long.

    Thousands of arrays or here-documents that nobody closes take the parser hours.
    """
    parser = _parser()
    if len(code) <= _HARMLESS:
        return parser.parse(code) if old is None else parser.parse(code, old)
    end = thread_time() + _PATIENCE + len(code) / _SPEED

    def read(offset: int, _: object) -> bytes:
        return code[offset : offset + _CHUNK]

    def stop(_offset: int, _error: bool) -> bool:
        return thread_time() > end

    try:
        if old is None:
            return parser.parse(read, progress_callback=stop)
        return parser.parse(read, old, progress_callback=stop)
    except ValueError:
        parser.reset()
        _log.warning("a script of %d characters takes too long and is not read", len(code))
        return None


def _nothing() -> Tree:
    return _parser().parse(b"")


def tree_of(document: Document) -> Tree:
    """Return the tree of `document`, made from the tree of the last version that was analysed, if there is one."""
    known = document.memo.get(_MEMO)
    if known is not None:
        return known[0]  # type: ignore[no-any-return]
    code = code_of(document.text)
    tree = _from_ancestor(document, code) or _parsed(code, None)
    # What isn't read is no start for the next version.
    document.memo[_MEMO] = (tree, code) if tree is not None else (_nothing(), None)
    return document.memo[_MEMO][0]  # type: ignore[no-any-return]


def _from_ancestor(document: Document, code: bytes) -> Tree | None:
    ancestor, change = document.ancestor, document.change
    if ancestor is None or change is None:
        return None
    before = ancestor.memo.get(_MEMO)
    if before is None or before[1] is None:
        return None
    old_tree, old_code = before
    # A lone CR counts as a line end: an edit beside one can change what the character next to it stands for.
    start = max(0, change.start - 1)
    behind = 1 if change.old_end < len(old_code) else 0
    old_end, new_end = change.old_end + behind, change.new_end + behind
    if old_code[:start] != code[:start] or old_code[old_end:] != code[new_end:]:
        return None
    edited: Tree = old_tree.copy()
    edited.edit(
        start_byte=start,
        old_end_byte=old_end,
        new_end_byte=new_end,
        start_point=_point(code, start),
        old_end_point=_point(old_code, old_end),
        new_end_point=_point(code, new_end),
    )
    tree = _parsed(code, edited)
    if tree is None:
        return None
    # How damage is got over depends on what was there before. A reading must depend on the text alone.
    return None if tree.root_node.has_error and len(code) < _SMALL else tree


def _point(code: bytes, at: int) -> tuple[int, int]:
    return code.count(b"\n", 0, at), at - (code.rfind(b"\n", 0, at) + 1)


def mended_tree(document: Document, quotes: Iterable[int]) -> Tree:
    """Parse `document` as if no quotes stood at `quotes`: they have no partners, and all that follows would be wrong."""
    code = bytearray(code_of(document.text))
    for at in quotes:
        code[at : at + 1] = b"x"
    return fresh_tree(bytes(code))


def node_at(tree: Tree, start: int, end: int) -> Node | None:
    """Return the smallest node that holds `[start, end)`."""
    return tree.root_node.descendant_for_byte_range(start, end)
