"""Follows names that a loop or a call fills in: one call context for each round of a loop and each call of a function.

    for key, value in {"a": True}.items():          def put(op, key, value):
        op.parameter_map[key].b = value                 op.parameter_map[key].b = value
                                                    put(op, "a", True)

The settings stand where the literals stand: in the dict, in the call.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.branches import Branch
from npu_lsp.languages.model import Form, Setting, Value, ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.elements import Elements, Sequences, unpacked
from npu_lsp.languages.python.dataflow.entries import entries_of
from npu_lsp.languages.python.dataflow.functions import FileFunctions, arguments, names_of_parameters, reaches
from npu_lsp.languages.python.dataflow.names import Bound, Place
from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.source import LogicalLine
from npu_lsp.languages.python.tree.nodes import (
    index_of,
    is_name,
    names_in,
    walk,
)
from npu_lsp.languages.python.tree.statement import Call, Statement
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_T = TypeVar("_T")
_MAX_ROUNDS = 500
_MAX_DEPTH = 4
_MOST = 4000
"""How many rounds and calls are followed in one reading: the lines of a function and the calls of it multiply."""

_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)


class CallContext(NamedTuple):
    """What names stand for in one round or one call."""

    given: Mapping[str, Bound] = MappingProxyType({})
    own: Span | None = None
    """What of the text is this round's or this call's alone."""
    statement: Span | None = None
    """The statement that `own` stands in."""
    branch: Branch = ()
    """The branches around the loop or the call."""
    inner: Branch = ()
    """The branches that are left inside it."""
    settled: bool = True
    """False: whether this round or call gets to the place can't be told."""
    open: bool = False
    """There may be more rounds that can't be seen."""

    def setting(self, surface: Surface, name: str, key: Span, value: Value, form: Form) -> Setting | None:
        """Return what is set in this round or this call, where it has a part of the text to itself."""
        if self.own is None or self.statement is None:
            return None
        return Setting(surface, name, key, value, form, self.statement, self.own, branch=self.branch + self.inner)


class CallContexts:
    """Finds the contexts of a place."""

    def __init__(self, view: SourceView) -> None:
        self._view = view
        self._elements = Sequences(view, entries_of)
        self.functions = FileFunctions(view)
        self._left = _MOST

    def of(self, place: Place, names: set[str], depth: int = 0) -> list[CallContext] | None:
        """Return the contexts that fill in some of `names` at `place`; `None` where nothing does."""
        found = self._of(place, names, depth) if depth <= _MAX_DEPTH and self._left > 0 else None
        if self._left <= 0:
            # What is behind isn't followed any more.
            found = [*(found or ()), CallContext(branch=place.branch, open=True)]
        return found

    def _followed(self, items: Iterable[_T]) -> Iterator[_T]:
        """Yield those of `items` that may be followed."""
        for item in itertools.islice(items, _MAX_ROUNDS):
            if self._left <= 0:
                return
            self._left -= 1
            yield item

    def _of(self, place: Place, names: set[str], depth: int) -> list[CallContext] | None:
        view, scopes = self._view, self._view.source.scopes
        within = self._in_statement(place, names, depth)
        if within is not None:
            return within
        index = place.line.index if _heads(place) else scopes.parent(place.line.index)
        while index != MODULE:
            word = scopes.header(index)
            if word in ("for", "def"):
                line = view.source.line(index)
                if line is None:
                    return None
                header = line.statement.header
                if isinstance(header, cst.For) and names & names_in(header.target):
                    return self._rounds(header, line, place, depth)
                if isinstance(header, cst.FunctionDef):
                    if names & set(names_of_parameters(header)):
                        return self._calls_of(header.name.value, header, line, place, depth)
                    return None
            if word == "class":
                return None
            index = scopes.parent(index)
        return None

    def site(self, node: cst.BaseExpression, place: Place) -> tuple[cst.BaseExpression, LogicalLine] | None:
        """Return the expression that a loop or a call put in the place of `node`, or into it.

        `None` where nothing comes from there, or more than one thing does.
        """
        given = place.given or {}
        nodes = list(walk(node))
        for part in nodes:
            if isinstance(part, cst.Subscript) and any(
                is_name(n) and n.value in given for n in (part.value, index_of(part))
            ):
                # `for key in options: ... options[key]`, `for option in options: ... option["value"]`
                return self._view.evaluate.item(part, place)
        used = {n.value for n in nodes if is_name(n) and n.value in given}
        if len(used) != 1:
            return None
        bound = given[used.pop()]
        deeper = self.site(bound.node, Place(bound.line, place.branch, bound.given)) if bound.given else None
        return deeper or (bound.node, bound.line)

    def value(self, node: cst.BaseExpression, place: Place, context: CallContext) -> Value:
        """Return what `node` stands for in a context, in the place where the context's own part of it is written."""
        evaluate = self._view.evaluate
        value = evaluate.value(node, place)
        written = self.site(node, place)
        if written is not None:
            there = evaluate.value(written[0], Place(written[1], context.branch))
            content = there.content if there.known and there.data == value.data else None
            value = value._replace(span=there.span, content=content, origin=there.origin, items=there.items)
        return value if context.settled else Value(ValueKind.UNKNOWN, value.span)

    # -- comprehensions and lambdas -----------------------------------------------------------------------

    def _in_statement(self, place: Place, names: set[str], depth: int) -> list[CallContext] | None:
        """Return the rounds of a comprehension in the statement, or the calls of the lambda that it is."""
        statement = place.line.statement
        if place.given or not (" for " in statement.text or "lambda" in statement.text):
            return None
        for generator in _generators(statement):
            if names & names_in(generator.target):
                return self._rounds_within(generator, place)
        header = statement.header
        if isinstance(header, cst.Assign) and isinstance(header.value, cst.Lambda) and len(header.targets) == 1:
            target = header.targets[0].target
            if is_name(target) and names & set(names_of_parameters(header.value)):
                return self._calls_of(target.value, header.value, place.line, place, depth)
        return None

    def _rounds_within(self, generator: cst.CompFor, place: Place) -> list[CallContext] | None:
        found = self._elements.of(generator.iter, place)
        if found is None:
            return None
        contexts = []
        for element in self._followed(found.found):
            statement = self._view.source.logical_lines.span(element.line.index)
            given = unpacked(generator.target, element)
            settled = not generator.ifs
            contexts.append(CallContext(given, element.own, statement, place.branch, (), settled, not found.complete))
        return contexts

    # -- loops ------------------------------------------------------------------------------------------

    def _rounds(self, header: cst.For, line: LogicalLine, place: Place, depth: int) -> list[CallContext] | None:
        scopes = self._view.source.scopes
        outer = scopes.branch(line.index)
        found = self._elements.of(header.iter, Place(line, outer))
        if found is not None:
            return self._contexts_of(header, line, place, found, CallContext(branch=outer))
        # What is gone through is a parameter, or what an outer loop gives.
        contexts: list[CallContext] = []
        around = self.of(Place(line, outer), names_in(header.iter), depth + 1)
        for context in around or ():
            given = self._elements.of(header.iter, Place(line, outer, context.given))
            if given is not None:
                contexts += self._contexts_of(header, line, place, given, context)
            else:
                contexts.append(context._replace(open=True))
        return contexts if around is not None else None

    def _contexts_of(
        self, header: cst.For, line: LogicalLine, place: Place, found: Elements, around: CallContext
    ) -> list[CallContext]:
        scopes = self._view.source.scopes
        outer = scopes.branch(line.index)
        rest = place.branch[len(outer) + 1 :]
        contexts = []
        rebound = self._rebound(header.target, scopes.scope(line.index), line.index, place)
        for element in self._followed(found.found):
            names = unpacked(header.target, element)
            given = {**around.given, **{name: bound for name, bound in names.items() if name not in rebound}}
            reached = reaches(rest, Place(place.line, outer, given), line.index, self._view.source, self._view.evaluate)
            if reached is False:
                continue
            statement = self._view.source.logical_lines.span(element.line.index)
            branch = around.branch + tuple(arm for arm in element.branch if arm not in around.branch)
            inner = around.inner if reached else around.inner + rest
            settled = reached is True and around.settled
            contexts.append(CallContext(given, element.own, statement, branch, inner, settled, not found.complete))
        return contexts

    def _rebound(
        self, target: cst.BaseExpression | None, scope: int, start: int, place: Place, given: Collection[str] = ()
    ) -> set[str]:
        """Return the names of a loop's target, or of `given`, that get another value before the place is reached."""
        names = names_in(target) if target is not None else set(given)
        return {name for name in names if self._view.names.is_bound(name, scope, start, place.line.index)}

    # -- calls ------------------------------------------------------------------------------------------

    def _calls_of(
        self, name: str, function: cst.FunctionDef | cst.Lambda, line: LogicalLine, place: Place, depth: int
    ) -> list[CallContext] | None:
        if not self.functions.is_single(name):
            return None
        inside = self._view.source.scopes.branch(line.index)
        rest = place.branch[len(inside) :]
        contexts: list[CallContext] = []
        for call_line, call in self._followed(self.functions.calls_of(name)):
            contexts += self._call(function, line, call, call_line, place, rest, depth)
        return contexts

    def _call(
        self,
        function: cst.FunctionDef | cst.Lambda,
        line: LogicalLine,
        call: Call,
        call_line: LogicalLine,
        place: Place,
        rest: Branch,
        depth: int,
    ) -> Iterator[CallContext]:
        call_place = self._view.place(call_line, call)
        wanted = {n for a in call.node.args for n in names_in(a)}
        outer = self.of(call_place, wanted, depth + 1) if wanted else None
        # Of a function that nobody in this file calls, another file may make use.
        for around in outer or [CallContext(branch=call_place.branch)]:
            given = arguments(function, line, call.node, call_line, around.given)
            if given is None:
                # What stars hand over can't be seen.
                yield CallContext(branch=around.branch, open=True)
                continue
            for name in self._rebound(None, line.index, line.index, place, given):
                del given[name]
            reached = reaches(
                rest, Place(place.line, place.branch, given), line.index, self._view.source, self._view.evaluate
            )
            if reached is False:
                continue
            own = around.own
            statement = around.statement
            if own is None or statement is None:
                statement = call_line.span(call.statement)
                own = statement if isinstance(call.statement, cst.Expr) else call_line.span(call.node)
            branch = around.branch + around.inner
            yield CallContext(
                given, own, statement, branch, () if reached else rest, reached is True and around.settled
            )


@Memoized
def contexts_of(view: SourceView) -> CallContexts:
    """Return what finds the contexts of places in this reading."""
    return CallContexts(view)


def _heads(place: Place) -> bool:
    """Return whether a place is in the suite of a function or a loop that stands on the header's own line."""
    header = place.line.statement.header
    inside = bool(place.branch) and place.branch[-1][0] == place.line.index
    return isinstance(header, cst.FunctionDef) or (inside and isinstance(header, cst.For))


@Memoized
def _generators(statement: Statement) -> list[cst.CompFor]:
    """Return the `for ... in ...` of a statement's comprehensions that have just one."""
    return [
        node.for_in
        for node in walk(statement.header)
        if isinstance(node, _COMPREHENSIONS) and node.for_in.inner_for_in is None
    ]
