"""The syntax tree of a script, by tree-sitter-bash.

The parser gets a text of ASCII bytes in which every character stands for one: bytes and code points are the same then,
and a blank or a quote that only looks like one is a letter, as it is for the shell.
"""

from __future__ import annotations

import logging
import re
from functools import cache
from time import thread_time
from typing import NamedTuple

import tree_sitter_bash
from tree_sitter import Language, Node, Parser, Tree

from npu_lsp.languages.shell.structure import forms_of
from npu_lsp.text.document import Document
from npu_lsp.text.kept import Derived

_log = logging.getLogger(__name__)

_OTHER = re.compile(r"[^\x01-\x7f]")
_LONE_CR = re.compile(r"\r(?!\n)")
_HARMLESS = 1_000
"""Bytes that no text of theirs makes slow."""
_UNCLOSED = 200
"""So many arrays that nobody closes stand in no script, and the parser goes through all of them for each."""
_CHUNK = 1 << 16
_PATIENCE = 0.25
"""Seconds of the processor; a script of 100,000 bytes takes 0.03."""
_SPEED = 1_000_000
"""Bytes for one second more."""
_LONGEST = 50_000
"""Code points of a damaged script that is looked at twice."""


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
    """Parse from nothing; what takes far longer than any script does counts as empty."""
    return _parsed(code) or _nothing()


def _parsed(code: bytes) -> Tree | None:
    """Parse; `None` where that takes too long.

    Thousands of arrays or here-documents that nobody closes take the parser hours.
    """
    bash = _parser()
    if code.count(b"=(") - code.count(b")") > _UNCLOSED:
        _log.warning("a script with hundreds of arrays that nobody closes is not read")
        return None
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
        _log.warning("a script of %d characters takes too long and is not read", len(code))
        return None


def _nothing() -> Tree:
    return _parser().parse(b"")


class Shape(NamedTuple):
    """Where the statements of a script stand."""

    tree: Tree
    damaged: bool
    """True: the tree isn't to be trusted everywhere."""
    guessed: bool
    """True: the text itself can't be parsed; the tree is that of its structure."""
    unread: bool = False
    """True: parsing it would take too long; the tree is empty."""


@Derived
def shape_of(document: Document) -> Shape:
    """Return the shape of `document`: its tree, or the better one of its structure alone."""
    tree = tree_of(document)
    if tree.root_node.end_byte == 0 and document.text.strip():
        return Shape(tree, True, False, unread=True)
    if not tree.root_node.has_error or len(document.text) > _LONGEST:
        return Shape(tree, tree.root_node.has_error, False)
    plain = tree
    for form in forms_of(document.text):
        plain = fresh_tree(code_of(form))
        if not plain.root_node.has_error:
            return Shape(plain, False, True)
    return Shape(plain, True, True) if _covered(plain) < _covered(tree) else Shape(tree, True, False)


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


@Derived
def tree_of(document: Document) -> Tree:
    """Return the tree of `document` as it is written."""
    return fresh_tree(code_of(document.text))


def node_at(tree: Tree, start: int, end: int) -> Node | None:
    """Return the smallest node that holds `[start, end)`."""
    return tree.root_node.descendant_for_byte_range(start, end)
