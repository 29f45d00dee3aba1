"""Commands as lists of words: literal, or built up under a name with `append`, `extend` and `+`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from npu_lsp.readers.model import certain
from npu_lsp.readers.python.characters import Characters
from npu_lsp.readers.python.composition import Composer
from npu_lsp.readers.python.evaluate import Place
from npu_lsp.readers.python.names import added_to
from npu_lsp.readers.python.paths import path
from npu_lsp.readers.python.view import View
from npu_lsp.spans import Span

_MAX_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a command."""

    text: Characters | None
    """`None` where nothing of it is known."""
    own: Span
    many: bool = False
    """It may be any number of words."""


class WordLists:
    """Finds the words of a list."""

    def __init__(self, view: View, composer: Composer) -> None:
        self._view = view
        self._composer = composer

    def words(self, node: ast.expr, place: Place, depth: int = 0) -> list[Word] | None:
        """Return the words of a list with their places; `None` where the expression is none."""
        if depth > _MAX_DEPTH or not self._composer.may_go_on():
            return None
        if isinstance(node, (ast.List, ast.Tuple)):
            return [word for e in node.elts for word in self._element(e, place, depth + 1)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self.words(node.left, place, depth + 1), self.words(node.right, place, depth + 1)
            if left is None and right is None:
                return None
            rest = [Word(None, place.line.span(n), True) for n in (node.left, node.right)]
            return (left if left is not None else [rest[0]]) + (right if right is not None else [rest[1]])
        return self._named(node, place, depth) if isinstance(node, ast.Name) else None

    def _named(self, node: ast.Name, place: Place, depth: int) -> list[Word] | None:
        built = self._view.names.built(node.id, place.line.index, place.branch)
        binding = built[0] if built else None
        if binding is None or binding.line is None or not isinstance(binding.value, (ast.List, ast.Tuple, ast.BinOp)):
            return None
        if binding.index >= place.line.index:
            return None
        found = self.words(binding.value, Place(binding.line, binding.branch), depth + 1)
        return [*found, *self._more(node.id, binding.index, place, depth + 1)] if found is not None else None

    def _element(self, node: ast.expr, place: Place, depth: int) -> list[Word]:
        if isinstance(node, ast.Starred):
            inner = self.words(node.value, place, depth)
            return inner if inner is not None else [Word(None, place.line.span(node), True)]
        return [Word(self._composer.text(node, place), place.line.span(node))]

    def _more(self, name: str, index: int, place: Place, depth: int) -> Iterator[Word]:
        """Yield what is appended to a list between its birth and the call; what only may be, is any number of words."""
        view = self._view
        for at in view.source.lines_with(name, whole=True):
            if not index < at < place.line.index:
                continue
            line = view.source.line(at)
            if line is None:
                yield Word(None, Span(view.source.skeleton.starts[at], view.source.skeleton.ends[at]), True)
                continue
            for call in line.statement.calls:
                function = call.node.func
                if not (isinstance(function, ast.Attribute) and path(function.value) == name and call.node.args):
                    continue
                where = view.place(line, inline=call.inline)
                added: list[Word] | None = None
                if function.attr == "append":
                    added = self._element(call.node.args[0], where, depth)
                elif function.attr == "extend":
                    added = self.words(call.node.args[0], where, depth)
                yield from self._sure(added, where, place, line.span(call.node))
            for assignment in line.statement.assignments:
                stmt = assignment.statement
                right = added_to(name, stmt, line)
                if right is not None:
                    where = view.place(line, inline=assignment.inline)
                    yield from self._sure(self.words(right, where, depth), where, place, line.span(stmt))

    def _sure(self, added: list[Word] | None, where: Place, place: Place, span: Span) -> list[Word]:
        """Return what is added for sure at `where`, for a use at `place`."""
        sure = added is not None and certain(where.branch, place.branch)
        return added if added is not None and sure else [Word(None, span, True)]
