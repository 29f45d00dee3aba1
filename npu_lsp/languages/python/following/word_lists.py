"""Commands as lists of words: literal, or built up under a name with `append`, `insert`, `+` and the like."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from npu_lsp.languages.branches import certain
from npu_lsp.languages.model import ValueKind
from npu_lsp.languages.python.following.call_contexts import CallContexts
from npu_lsp.languages.python.following.composition import Composer, Word
from npu_lsp.languages.python.place import Place
from npu_lsp.languages.python.recognisers.starts import Started, StartedCommand
from npu_lsp.languages.python.tree.nodes import index_of, is_name, parts, positional
from npu_lsp.languages.python.tree.paths import path
from npu_lsp.languages.python.values.names import added_to
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.spans import Span

_MAX_DEPTH = 20
_MOST = 10_000
"""How many lines are looked at in one reading: those that change a list and those that use it multiply."""
_ADDING = frozenset({"append", "extend"})
_KEEPING = frozenset({"copy", "index", "count"})


class WordLists:
    """Finds the words of a list."""

    def __init__(self, view: SourceView, contexts: CallContexts) -> None:
        self._view = view
        self.composer = Composer(view, contexts, self.words)
        self._left = _MOST

    def started(self, started: Started, place: Place) -> list[Word] | None:
        """Return the words of the command that a call starts; `None` where they are not given as words."""
        if isinstance(started, StartedCommand):
            return self.words(started.command, place)
        found = self._element(started.program, place, 1)
        if isinstance(started.words, tuple):
            return found + [word for argument in started.words for word in self._argument(argument, place, 1)]
        listed = self.words(started.words, place)
        return found + ([Word(None, place.line.span(started.words), True)] if listed is None else listed[1:])

    def words(self, node: cst.BaseExpression, place: Place, depth: int = 0) -> list[Word] | None:
        """Return the words of a list with their places; `None` where the expression is none."""
        if depth > _MAX_DEPTH or not self.composer.may_go_on():
            return None
        if isinstance(node, (cst.List, cst.Tuple)):
            return [word for e in parts(node) for word in self._element(e, place, depth + 1)]
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
            return self._sum([node.left, node.right], place, depth + 1)
        if not is_name(node):
            return None
        followed = place.followed(node)
        return self.words(*followed, depth + 1) if followed is not None else self._named(node, place, depth)

    def _sum(self, nodes: Sequence[cst.BaseExpression], place: Place, depth: int) -> list[Word] | None:
        """Return the words of lists one after the other; `None` where none of them is known."""
        lists = [self.words(node, place, depth) for node in nodes]
        if all(words is None for words in lists):
            return None
        unknown = [[Word(None, place.line.span(node), True)] for node in nodes]
        return [w for words, rest in zip(lists, unknown, strict=True) for w in (rest if words is None else words)]

    def _named(self, node: cst.Name, place: Place, depth: int) -> list[Word] | None:
        built = self._view.names.built(node.value, place.line.index, place.branch)
        binding = built[0] if built else None
        if (
            binding is None
            or binding.line is None
            or not isinstance(binding.value, (cst.List, cst.Tuple, cst.BinaryOperation))
        ):
            return None
        if binding.index >= place.line.index:
            return None
        found = self.words(binding.value, Place(binding.line, binding.branch), depth + 1)
        return self._changed(found, node.value, binding.index, place, depth + 1) if found is not None else None

    def _argument(self, argument: cst.Arg, place: Place, depth: int) -> list[Word]:
        if argument.star:
            return _or_any(self.words(argument.value, place, depth), place.line.span(argument))
        return self._element(argument.value, place, depth)

    def _element(self, node: cst.BaseExpression, place: Place, depth: int) -> list[Word]:
        if isinstance(node, cst.StarredElement):
            return _or_any(self.words(node.value, place, depth), place.line.span(node))
        return [Word(self.composer.text(node, place), place.line.span(node))]

    def _changed(self, found: list[Word], name: str, index: int, place: Place, depth: int) -> list[Word]:
        """Return a list as it is at the call; what only may be added to it is any number of words."""
        view = self._view
        for at in view.source.lines_with(name, whole=True):
            if not index < at < place.line.index:
                continue
            self._left -= 1
            line = view.source.line(at) if self._left > 0 else None
            if line is None:
                found = [*found, Word(None, view.source.logical_lines.span(at), True)]
                if self._left > 0:
                    continue
                return found
            for call in line.statement.calls:
                function = call.node.func
                if isinstance(function, cst.Attribute) and path(function.value) == name:
                    where = view.place(line, inline=call.inline)
                    found = self._called(found, function.attr.value, call.node, where, place, depth)
            for assignment in line.statement.assignments:
                stmt, target = assignment.statement, assignment.target
                where = view.place(line, inline=assignment.inline)
                added = added_to(name, stmt)
                if added:
                    found = found + self._sure(self._sum(added, where, depth), where, place, line.span(stmt))
                elif isinstance(target, cst.Subscript) and path(target.value) == name:
                    found = self._replaced(found, target, assignment.value, where, place)
            if isinstance(line.statement.header, cst.Del):
                found = [Word(None, line.span(line.statement.header), True)]
        return found

    def _called(
        self, found: list[Word], method: str, call: cst.Call, where: Place, place: Place, depth: int
    ) -> list[Word]:
        """Return a list behind a call of one of its methods."""
        span = where.line.span(call)
        if method in _KEEPING:
            return found
        arguments = positional(call)
        if method == "insert" and len(arguments) == 2:
            at = self._index(arguments[0].value, where, found, len(found))
            word = self._sure(self._argument(arguments[1], where, depth), where, place, span)
            return [*found[:at], *word, *found[at:]] if at is not None else [*found, Word(None, span, True)]
        if method not in _ADDING or not arguments:
            # Which words are left can't be told.
            return [Word(None, span, True)]
        if method == "append":
            return found + self._sure(self._argument(arguments[0], where, depth), where, place, span)
        return found + self._sure(self.words(arguments[0].value, where, depth), where, place, span)

    def _replaced(
        self, found: list[Word], target: cst.Subscript, value: cst.BaseExpression | None, where: Place, place: Place
    ) -> list[Word]:
        """Return a list behind `name[index] = value`."""
        at = self._index(index_of(target), where, found, len(found) - 1)
        if at is None:
            return [Word(None, where.line.span(target), True)]
        sure = value is not None and certain(where.branch, place.branch)
        word = self._element(value, where, 1)[0] if sure and value is not None else Word(None, found[at].own)
        return [*found[:at], word, *found[at + 1 :]]

    def _index(self, node: cst.BaseExpression | None, where: Place, found: list[Word], last: int) -> int | None:
        """Return an index that is known, in a list in which the words up to there are known to be single ones."""
        if node is None:
            return None
        abstract = self._view.evaluate.abstract(node, where)
        at = abstract.data if abstract.kind is ValueKind.INT and abstract.known else -1
        return at if 0 <= at <= last and not any(word.many for word in found[: at + 1]) else None

    def _sure(self, added: list[Word] | None, where: Place, place: Place, span: Span) -> list[Word]:
        """Return what is added for sure at `where`, for a use at `place`."""
        return _or_any(added if certain(where.branch, place.branch) else None, span)


def _or_any(words: list[Word] | None, span: Span) -> list[Word]:
    """Return `words`; where they aren't known, what stands at `span` may be any number of them."""
    return words if words is not None else [Word(None, span, True)]
