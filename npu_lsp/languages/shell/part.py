"""The part of a script that matters: most name what sets something in their first lines, and what is below need not be parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node, Tree

from npu_lsp.languages.json.flags import ANY, named_in
from npu_lsp.languages.shell.deploying import commands_in
from npu_lsp.languages.shell.tools import tools
from npu_lsp.languages.shell.training import scripts_in
from npu_lsp.languages.shell.tree import Shape, code_of, fresh_tree, shape_of
from npu_lsp.languages.shell.tree_places import TreePlaces
from npu_lsp.languages.shell.triggers import runs_python
from npu_lsp.languages.shell.vllm import SERVER
from npu_lsp.languages.variable_names import assigned, keys
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

# What must not stand before is asked behind the first letters: a pattern that starts with plain ones is found ten times faster.
_INTERPRETER = re.compile(r"py(?:(?<![\w.$-]py)(?:thon[\d.]*|py\d*)|(?<=ipy)(?<![\w.$-]ipy)thon[\d.]*)(?![\w./-])")
_CLOSES = re.compile(r"^(?:done|fi|esac|\}|\))", re.MULTILINE)
_WORTH = 0.8
"""A part that is longer saves nothing."""


class Script:
    """A script's tree, as far as somebody has asked: what is asked for behind it has the whole script parsed."""

    __slots__ = ("_document", "_end", "_nodes", "places", "shape")

    def __init__(self, document: Document) -> None:
        """Parse `document` as far as something in it may matter."""
        self._document = document
        self._end = len(document.text)
        self.places = tuple(_places(document.text))
        """Where a script that trains, a flag with JSON, a variable or an interpreter of Python seems to stand."""
        self.shape: Shape | None = None
        """Of the whole script; `None` as long as its part is enough, which is sound."""
        tree = self._part()
        self._nodes = TreePlaces(tree if tree is not None else self._whole())

    def node_at(self, start: int, end: int) -> Node | None:
        """Return the smallest node that holds `[start, end)`. The tree may be another one from then on."""
        if end > self._end:
            self._nodes = TreePlaces(self._whole())
        return self._nodes.node_at(start, end)

    def ancestry(self, node: Node | None) -> list[Node]:
        """Return a node of the tree and what holds it, from the inside out; nothing where it stands too deep."""
        return self._nodes.ancestry(node)

    def _part(self) -> Tree | None:
        """Return the tree of the part in which something matters, where whole statements are in it and nothing is wrong."""
        text = self._document.text
        if "<<" in text or "npu-lsp:" in text:
            # A here-document may begin in one and end in the other, and a comment matters wherever it is.
            return None
        last = max((span.end for span in (*tools(text), *self.places)), default=0)
        for end in _ends(text, last):
            if end > _WORTH * len(text):
                return None
            tree = fresh_tree(code_of(text[:end]))
            if not tree.root_node.end_byte and text[:end].strip():
                # What takes too long for a part does so for the whole.
                self.shape = Shape(tree, True, False, unread=True)
                return tree
            if not tree.root_node.has_error and tree.root_node.end_byte:
                self._end = end
                return tree
        return None

    def _whole(self) -> Tree:
        self._end = len(self._document.text)
        self.shape = shape_of(self._document)
        return self.shape.tree


def _places(text: str) -> Iterator[Span]:
    yield from scripts_in(text)
    matches = [
        *((match for form in (ANY, SERVER) for match in form.finditer(text)) if named_in(text) else ()),
        *assigned(text),
        *keys(text),
        *commands_in(text),
    ]
    for match in (*matches, *(_INTERPRETER.finditer(text) if runs_python(text) else ())):
        yield Span(*match.span())


def _ends(text: str, last: int) -> Iterator[int]:
    """Yield where a statement of the script may end that holds `last`: on its line, or where what is around it is closed."""
    if not text.startswith((" ", "\t"), text.rfind("\n", 0, last) + 1):
        yield _line_end(text, last)
    closed = _CLOSES.search(text, last)
    if closed is not None:
        yield _line_end(text, closed.end())


def _line_end(text: str, at: int) -> int:
    """Return where the line of `at` ends, with those that backslashes join to it."""
    end = text.find("\n", at)
    while end > 0 and text[end - 1 - text.startswith("\r", end - 1)] == "\\":
        end = text.find("\n", end + 1)
    return end + 1 if end >= 0 else len(text)
