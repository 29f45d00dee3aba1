"""Tells whether an edit leaves the shape of a script's tree as it is, so that nothing needs to be parsed.

Most of what is typed only makes one token longer or shorter: a word, a text between quotes, a comment. Where its first
characters stay, and none of those that mean something to the grammar comes or goes, the parser would find the same tokens
in the same places (tree-sitter-bash: `grammar.js`, and `scanner.c` for what a word must not start with).
"""

from __future__ import annotations

import re

from tree_sitter import Node, Tree

from npu_lsp.languages.shell.grammar import keywords
from npu_lsp.text.spans import Change

# A character that stays, and those behind it that come or go.
# Behind a backtick the scanner looks for the next one wherever it stands, and for a blank behind that.
_IN_COMMENT = re.compile(rb"[\t -_a-~]+")
_IN_SINGLE = re.compile(rb"[\t -_a-~][ -&(-_a-~]*")
_IN_DOUBLE = re.compile(rb"[\w=:;,./%+@-][\w=:;,./%+@ -]*")
_IN_ARGUMENT = re.compile(rb"[\w=:,./%+@-]+")
# Where a command may start, and in front of `=`, `[` and others, letters are a name: they change, and no more does.
_IN_NAME = re.compile(rb"\w+")
_IN_NUMBER = re.compile(rb"[0-9]+")
_PLAIN_START = re.compile(rb"--|[./](?=[\w./])")
_NAME_START = re.compile(rb"[A-Za-z/]")
_AROUND_WORDS = frozenset({"command", "command_name", "variable_assignment", "array"})


def keeps_shape(tree: Tree, old: bytes, new: bytes, change: Change) -> bool:
    """Tell whether the tree of `new` is that of `old` with the places behind `change` moved.

    Offsets count bytes from 0. False is always safe.
    """
    start, old_end, new_end = change
    if not start or tree.root_node.has_error:
        return False
    node = tree.root_node.descendant_for_byte_range(start - 1, old_end)
    pattern = _pattern(node, old_end, old, new, new_end - old_end) if node is not None else None
    return (
        pattern is not None
        and pattern.fullmatch(old, start - 1, old_end) is not None
        and pattern.fullmatch(new, start - 1, new_end) is not None
    )


def _pattern(token: Node, old_end: int, old: bytes, new: bytes, by: int) -> re.Pattern[bytes] | None:
    """Return what may change in a token that grows `by` so many bytes, `None` where nothing may."""
    kind = token.type
    if kind == "comment":
        return _IN_COMMENT
    if kind == "raw_string":
        return _IN_SINGLE if old_end < token.end_byte else None
    if kind == "string_content":
        return _IN_DOUBLE
    around = _around(token) if kind in ("word", "number") else ""
    if around not in _AROUND_WORDS:
        return None
    if kind == "number":
        return _IN_NUMBER
    start, end = token.start_byte, token.end_byte
    if around == "command" and _PLAIN_START.match(old, start, end) and _PLAIN_START.match(new, start, end + by):
        return _IN_ARGUMENT
    if not _NAME_START.match(old, start) or not keywords().isdisjoint((old[start:end], new[start : end + by])):
        return None
    return _IN_NAME


def _around(word: Node) -> str:
    """Return what a word is part of, whatever stands beside it without a blank."""
    around = word.parent
    if around is not None and around.type == "concatenation":
        around = around.parent
    return around.type if around is not None else ""
