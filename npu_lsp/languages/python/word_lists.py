"""Commands as lists of words: literal, or built up under a name with `append`, `insert`, `+` and the like."""

from __future__ import annotations

import ast
from typing import NamedTuple

from npu_lsp.languages.model import ValueKind, certain
from npu_lsp.languages.python.characters import Characters
from npu_lsp.languages.python.composition import Composer
from npu_lsp.languages.python.evaluate import Place
from npu_lsp.languages.python.names import added_to
from npu_lsp.languages.python.paths import path
from npu_lsp.languages.python.starts import Started
from npu_lsp.languages.python.view import View
from npu_lsp.text.spans import Span

_MAX_DEPTH = 20
_MOST = 10_000
"""How many lines are looked at in one reading: those that change a list and those that use it multiply."""
_ADDING = frozenset({"append", "extend"})
_KEEPING = frozenset({"copy", "index", "count"})


class Word(NamedTuple):
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
        self._left = _MOST

    def started(self, started: Started, place: Place) -> list[Word] | None:
        """Return the words of the command that a call starts; `None` where they are not given as words."""
        if started.program is None:
            return self.words(started.command, place) if started.command is not None else None
        found = self._element(started.program, place, 1)
        if started.listed is None:
            found += [word for node in started.words for word in self._element(node, place, 1)]
        else:
            listed = self.words(started.listed, place)
            found += [Word(None, place.line.span(started.listed), True)] if listed is None else listed[1:]
        return found

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
        if not isinstance(node, ast.Name):
            return None
        bound = place.given.get(node.id) if place.given else None
        if bound is not None:
            return self.words(bound.node, Place(bound.line, place.branch, bound.given), depth + 1)
        return self._named(node, place, depth)

    def _named(self, node: ast.Name, place: Place, depth: int) -> list[Word] | None:
        built = self._view.names.built(node.id, place.line.index, place.branch)
        binding = built[0] if built else None
        if binding is None or binding.line is None or not isinstance(binding.value, (ast.List, ast.Tuple, ast.BinOp)):
            return None
        if binding.index >= place.line.index:
            return None
        found = self.words(binding.value, Place(binding.line, binding.branch), depth + 1)
        return self._changed(found, node.id, binding.index, place, depth + 1) if found is not None else None

    def _element(self, node: ast.expr, place: Place, depth: int) -> list[Word]:
        if isinstance(node, ast.Starred):
            inner = self.words(node.value, place, depth)
            return inner if inner is not None else [Word(None, place.line.span(node), True)]
        return [Word(self._composer.text(node, place), place.line.span(node))]

    def _changed(self, found: list[Word], name: str, index: int, place: Place, depth: int) -> list[Word]:
        """Return a list as it is at the call; what only may be added to it is any number of words."""
        view = self._view
        for at in view.source.lines_with(name, whole=True):
            if not index < at < place.line.index:
                continue
            self._left -= 1
            line = view.source.line(at) if self._left > 0 else None
            if line is None:
                span = Span(view.source.skeleton.starts[at], view.source.skeleton.ends[at])
                found = [*found, Word(None, span, True)]
                if self._left > 0:
                    continue
                return found
            for call in line.statement.calls:
                function = call.node.func
                if isinstance(function, ast.Attribute) and path(function.value) == name:
                    where = view.place(line, inline=call.inline)
                    found = self._called(found, function.attr, call.node, where, place, depth)
            for assignment in line.statement.assignments:
                stmt, target = assignment.statement, assignment.target
                where = view.place(line, inline=assignment.inline)
                right = added_to(name, stmt, line)
                if right is not None:
                    found = found + self._sure(self.words(right, where, depth), where, place, line.span(stmt))
                elif isinstance(target, ast.Subscript) and path(target.value) == name:
                    found = self._replaced(found, target, assignment.value, where, place)
            if isinstance(line.statement.header, ast.Delete):
                found = [Word(None, line.span(line.statement.header), True)]
        return found

    def _called(
        self, found: list[Word], method: str, call: ast.Call, where: Place, place: Place, depth: int
    ) -> list[Word]:
        """Return a list behind a call of one of its methods."""
        span = where.line.span(call)
        if method in _KEEPING:
            return found
        if method == "insert" and len(call.args) == 2:
            at = self._index(call.args[0], where, found, len(found))
            word = self._sure(self._element(call.args[1], where, depth), where, place, span)
            return [*found[:at], *word, *found[at:]] if at is not None else [*found, Word(None, span, True)]
        if method not in _ADDING or not call.args:
            # Which words are left can't be told.
            return [Word(None, span, True)]
        added = self._element if method == "append" else self.words
        return found + self._sure(added(call.args[0], where, depth), where, place, span)

    def _replaced(
        self, found: list[Word], target: ast.Subscript, value: ast.expr | None, where: Place, place: Place
    ) -> list[Word]:
        """Return a list behind `name[index] = value`."""
        at = self._index(target.slice, where, found, len(found) - 1)
        if at is None:
            return [Word(None, where.line.span(target), True)]
        sure = value is not None and certain(where.branch, place.branch)
        word = self._element(value, where, 1)[0] if sure and value is not None else Word(None, found[at].own)
        return [*found[:at], word, *found[at + 1 :]]

    def _index(self, node: ast.expr, where: Place, found: list[Word], last: int) -> int | None:
        """Return an index that is known, in a list in which the words up to there are known to be single ones."""
        worth = self._view.evaluate.worth(node, where)
        at = worth.data if worth.kind is ValueKind.INT and worth.known else -1
        return at if 0 <= at <= last and not any(word.many for word in found[: at + 1]) else None

    def _sure(self, added: list[Word] | None, where: Place, place: Place, span: Span) -> list[Word]:
        """Return what is added for sure at `where`, for a use at `place`."""
        sure = added is not None and certain(where.branch, place.branch)
        return added if added is not None and sure else [Word(None, span, True)]
