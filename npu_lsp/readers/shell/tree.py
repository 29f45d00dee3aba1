"""The syntax tree of a script, by tree-sitter-bash; each version is parsed from the one before.

The parser gets a text of ASCII bytes in which every character stands for one: bytes and code points are the same then,
and a blank or a quote that only looks like one is a letter, as it is for the shell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser, Tree

from npu_lsp.document import Document

_OTHER = re.compile(r"[^\x01-\x7f]")
_LONE_CR = re.compile(r"\r(?!\n)")
_SMALL = 200_000
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
    """Parse from nothing."""
    return _parser().parse(code)


def tree_of(document: Document) -> Tree:
    """Return the tree of `document`, made from the tree of the last version that was analysed, if there is one."""
    known = document.memo.get(_MEMO)
    if known is not None:
        return known[0]  # type: ignore[no-any-return]
    code = code_of(document.text)
    tree = _from_ancestor(document, code) or fresh_tree(code)
    document.memo[_MEMO] = (tree, code)
    return tree


def _from_ancestor(document: Document, code: bytes) -> Tree | None:
    ancestor, change = document.ancestor, document.change
    if ancestor is None or change is None:
        return None
    before = ancestor.memo.get(_MEMO)
    if before is None:
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
    tree = _parser().parse(code, edited)
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
