"""What is wrong with a script as a whole, as far as a tree tells: to compare it before and after a change."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node, Tree

from npu_lsp.languages.shell.structure import in_letters
from npu_lsp.languages.shell.tree import code_of, fresh_tree, written
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document

# The shell wants a command between these; the grammar of the tree doesn't insist on it.
_OPENERS = frozenset({"then", "else", "do", "{"})
_CLOSERS = frozenset({"fi", "elif_clause", "else_clause", "done", "}"})
_CONTINUED = frozenset({b"then", b"else", b"elif", b"fi", b"do", b"done", b"esac", b"}"})
"""Words that go on with something: alone they are a command to the grammar, and to the shell an error."""
_LOOPS = ("for", "while", "until", "select")
_BEGUN = ("if", "case", *_LOOPS)
_GOES_ON = {
    **dict.fromkeys(("then", "else", "elif", "fi"), ("if",)),
    **dict.fromkeys(("do", "done"), _LOOPS),
    "esac": ("case",),
}
_FIRST_WORD = re.compile(
    rf"(?:^|[;&|]|\b(?:then|else|do)[ \t])[ \t]*(?P<word>{'|'.join((*_BEGUN, *_GOES_ON))})(?=[ \t\n;&|]|\Z)",
    re.MULTILINE,
)
_BODIES = frozenset({"if_statement", "elif_clause", "else_clause", "do_group", "compound_statement"})


class Faults(NamedTuple):
    """How much of a script the parser couldn't read: a fix must not make it more."""

    number: int
    """Errors, things missing, bodies without a command, and words that close what nobody opened."""
    covered: int
    """Code points that the parser could make nothing of."""


def faults(document: Document) -> Faults:
    """Return what is wrong with a script."""
    return _faults(written(document), code_of(document.text))


def seen_by_bash(text: str) -> int:
    r"""Return how much is wrong with the structure of a script for bash: for it `\r` is a letter, and `}\r` closes nothing."""
    letters = text.replace("\r", "x")
    codes = (code_of(each) for each in (letters, in_letters(letters)))
    return min(_faults(fresh_tree(code), code).number for code in codes)


def unopened(text: str) -> int:
    r"""Return how many words stand first in a command that go on with what nobody began, such as `else` without `if`.

    Of what stands in one large error the tree doesn't tell it. For bash `else\r` is no such word.
    """
    depths, count = dict.fromkeys(_BEGUN, 0), 0
    for match in _FIRST_WORD.finditer(text):
        word = match["word"]
        if word in _BEGUN:
            depths[word] += 1
            continue
        begun = _GOES_ON[word]
        if not any(depths[each] for each in begun):
            count += 1
        elif word in ("fi", "done", "esac"):
            depths[next(each for each in begun if depths[each])] -= 1
    return count


def _faults(tree: Tree, code: bytes) -> Faults:
    count = covered = 0
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.is_missing:
            count += 1
        elif node.is_error:
            count += 1
            covered += node.end_byte - node.start_byte
        else:
            count += (node.type in _BODIES and _has_empty_body(node)) or (
                node.type == "command_name" and code[node.start_byte : node.end_byte] in _CONTINUED
            )
            waiting.extend(node.children)
    return Faults(count, covered)


def _has_empty_body(node: Node) -> bool:
    children = [child.type for child in node.children if child.type not in ("comment", "\n", ";")]
    followers = [*children[1:], ""]
    return any(
        child in _OPENERS and (follower in _CLOSERS or not follower)
        for child, follower in zip(children, followers, strict=True)
    )
