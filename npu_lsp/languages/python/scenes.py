"""Follows names that a loop or a call fills in: one scene for each round of a loop and each call of a function.

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

import libcst as cst

from npu_lsp.languages.model import Branch, Branching, Value, ValueKind
from npu_lsp.languages.python.conditions import holds
from npu_lsp.languages.python.evaluate import Bound, Place
from npu_lsp.languages.python.mapping_entries import keyword_name
from npu_lsp.languages.python.mappings import entries_of
from npu_lsp.languages.python.nodes import (
    index_of,
    is_name,
    keywords,
    names_in,
    parameters,
    positional,
    taking_names,
    walk,
)
from npu_lsp.languages.python.paths import last
from npu_lsp.languages.python.scopes import MODULE
from npu_lsp.languages.python.sequences import Elements, Sequences, unpacked
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.statement import Call, Statement
from npu_lsp.languages.python.view import View
from npu_lsp.text.spans import Span

_T = TypeVar("_T")
_MAX_ROUNDS = 500
_MAX_DEPTH = 4
_MOST = 4000
"""How many rounds and calls are followed in one reading: the lines of a function and the calls of it multiply."""

_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)


class Scene(NamedTuple):
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


class Scenes:
    """Finds the scenes of a place."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._elements = Sequences(view, entries_of)
        self._calls: dict[str, list[tuple[Line, Call]]] = {}
        self._left = _MOST

    def of(self, place: Place, names: set[str], depth: int = 0) -> list[Scene] | None:
        """Return the scenes that fill in some of `names` at `place`; `None` where nothing does."""
        found = self._of(place, names, depth) if depth <= _MAX_DEPTH and self._left > 0 else None
        if self._left <= 0:
            # What is behind isn't followed any more.
            found = [*(found or ()), Scene(branch=place.branch, open=True)]
        return found

    def _followed(self, items: Iterable[_T]) -> Iterator[_T]:
        """Yield those of `items` that may be followed."""
        for item in itertools.islice(items, _MAX_ROUNDS):
            if self._left <= 0:
                return
            self._left -= 1
            yield item

    def _of(self, place: Place, names: set[str], depth: int) -> list[Scene] | None:
        view, scopes = self._view, self._view.source.scopes
        within = self._in_statement(place, names, depth)
        if within is not None:
            return within
        index = scopes.parent(place.line.index)
        own_header = place.line.statement.header
        inside = place.branch[-1:] and place.branch[-1][0] == place.line.index
        if isinstance(own_header, cst.FunctionDef) or (inside and isinstance(own_header, cst.For)):
            index = place.line.index
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
                    if names & set(_parameters(header)):
                        return self._calls_of(header.name.value, header, line, place, depth)
                    return None
            if word == "class":
                return None
            index = scopes.parent(index)
        return None

    def site(self, node: cst.BaseExpression, place: Place) -> tuple[cst.BaseExpression, Line] | None:
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

    def value(self, node: cst.BaseExpression, place: Place, scene: Scene) -> Value:
        """Return what `node` is worth in a scene, in the place where the scene's own part of it is written."""
        evaluate = self._view.evaluate
        value = evaluate.value(node, place)
        written = self.site(node, place)
        if written is not None:
            there = evaluate.value(written[0], Place(written[1], scene.branch))
            content = there.content if there.known and there.data == value.data else None
            value = value._replace(span=there.span, content=content, origin=there.origin, items=there.items)
        return value if scene.settled else Value(ValueKind.UNKNOWN, value.span)

    # -- comprehensions and lambdas -----------------------------------------------------------------------

    def _in_statement(self, place: Place, names: set[str], depth: int) -> list[Scene] | None:
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
            if is_name(target) and names & set(_parameters(header.value)):
                return self._calls_of(target.value, header.value, place.line, place, depth)
        return None

    def _rounds_within(self, generator: cst.CompFor, place: Place) -> list[Scene] | None:
        found = self._elements.of(generator.iter, place)
        if found is None:
            return None
        scenes = []
        for element in self._followed(found.found):
            holder = element.line
            statement = Span(holder.start, self._view.source.skeleton.ends[holder.index])
            given = unpacked(generator.target, element)
            settled = not generator.ifs
            scenes.append(Scene(given, element.own, statement, place.branch, (), settled, not found.complete))
        return scenes

    # -- loops ------------------------------------------------------------------------------------------

    def _rounds(self, header: cst.For, line: Line, place: Place, depth: int) -> list[Scene] | None:
        scopes = self._view.source.scopes
        outer = scopes.branch(line.index)
        found = self._elements.of(header.iter, Place(line, outer))
        if found is not None:
            return self._scenes_of(header, line, place, found, Scene(branch=outer))
        # What is gone through is a parameter, or what an outer loop gives.
        scenes: list[Scene] = []
        around = self.of(Place(line, outer), names_in(header.iter), depth + 1)
        for scene in around or ():
            given = self._elements.of(header.iter, Place(line, outer, scene.given))
            if given is not None:
                scenes += self._scenes_of(header, line, place, given, scene)
            else:
                scenes.append(scene._replace(open=True))
        return scenes if around is not None else None

    def _scenes_of(self, header: cst.For, line: Line, place: Place, found: Elements, around: Scene) -> list[Scene]:
        scopes = self._view.source.scopes
        outer = scopes.branch(line.index)
        rest = place.branch[len(outer) + 1 :]
        scenes = []
        rebound = self._rebound(header.target, scopes.scope(line.index), line.index, place)
        for element in self._followed(found.found):
            names = unpacked(header.target, element)
            given = {**around.given, **{name: bound for name, bound in names.items() if name not in rebound}}
            reached = self._reaches(rest, Place(place.line, outer, given), line.index)
            if reached is False:
                continue
            holder = element.line
            statement = Span(holder.start, self._view.source.skeleton.ends[holder.index])
            branch = around.branch + tuple(arm for arm in element.branch if arm not in around.branch)
            inner = around.inner if reached else around.inner + rest
            settled = reached is True and around.settled
            scenes.append(Scene(given, element.own, statement, branch, inner, settled, not found.complete))
        return scenes

    def _rebound(
        self, target: cst.BaseExpression | None, scope: int, start: int, place: Place, given: Collection[str] = ()
    ) -> set[str]:
        """Return the names of a loop's target, or of `given`, that get another value before the place is reached."""
        names = names_in(target) if target is not None else set(given)
        return {name for name in names if self._view.names.is_bound(name, scope, start, place.line.index)}

    # -- calls ------------------------------------------------------------------------------------------

    def calls_of(self, name: str) -> list[tuple[Line, Call]]:
        """Return the calls of the one function of that name in this file."""
        known = self._calls.get(name)
        if known is None:
            known = self._calls[name] = [
                (line, call)
                for line in self._view.lines_with(name)
                for call in line.statement.calls
                if last(call.node.func) == name and self._may_mean(name, call.node.func, line)
            ]
        return known

    def _may_mean(self, name: str, written: cst.BaseExpression, line: Line) -> bool:
        """Tell whether what is called can be this file's function: neither a module's (`subprocess.run`) nor itself."""
        scopes, names = self._view.source.scopes, self._view.names
        (binding, *_) = names.bindings(name) or (None,)
        if binding is None or scopes.function(line.index) == binding.index:
            return False
        if not isinstance(written, cst.Attribute):
            return True
        if binding.scope == MODULE or scopes.header(binding.scope) != "class":
            return False
        if not is_name(written.value):
            return True
        headers = [
            b.line.statement.header for b in names.visible(written.value.value, line.index) if b.line is not None
        ]
        return not any(isinstance(h, (cst.Import, cst.ImportFrom)) for h in headers)

    def only_call(self, header: cst.FunctionDef) -> tuple[Line, Call] | None:
        """Return the one call of a function of this file, if there is just one."""
        if not self.is_single(header.name.value):
            return None
        calls = self.calls_of(header.name.value)
        return calls[0] if len(calls) == 1 else None

    def _calls_of(
        self, name: str, function: cst.FunctionDef | cst.Lambda, line: Line, place: Place, depth: int
    ) -> list[Scene] | None:
        if not self.is_single(name):
            return None
        inside = self._view.source.scopes.branch(line.index)
        rest = place.branch[len(inside) :]
        scenes: list[Scene] = []
        for call_line, call in self._followed(self.calls_of(name)):
            scenes += self._call(function, line, call, call_line, place, rest, depth)
        return scenes

    def _call(
        self,
        function: cst.FunctionDef | cst.Lambda,
        line: Line,
        call: Call,
        call_line: Line,
        place: Place,
        rest: Branch,
        depth: int,
    ) -> Iterator[Scene]:
        call_place = self._view.place(call_line, inline=call.inline)
        wanted = {n for a in call.node.args for n in names_in(a)}
        outer = self.of(call_place, wanted, depth + 1) if wanted else None
        # Of a function that nobody in this file calls, another file may make use.
        for around in outer or [Scene(branch=call_place.branch)]:
            given = arguments(function, line, call.node, call_line, around.given)
            if given is None:
                # What stars hand over can't be seen.
                yield Scene(branch=around.branch, open=True)
                continue
            for name in self._rebound(None, line.index, line.index, place, given):
                del given[name]
            reached = self._reaches(rest, Place(place.line, place.branch, given), line.index)
            if reached is False:
                continue
            own = around.own
            statement = around.statement
            if own is None or statement is None:
                statement = call_line.span(call.statement)
                own = statement if isinstance(call.statement, cst.Expr) else call_line.span(call.node)
            branch = around.branch + around.inner
            yield Scene(given, own, statement, branch, () if reached else rest, reached is True and around.settled)

    def function(self, name: str) -> tuple[cst.FunctionDef, Line] | None:
        """Return the one function of that name that the file defines, and the line of its header."""
        if not self.is_single(name):
            return None
        line = self._view.names.bindings(name)[0].line
        header = line.statement.header if line is not None else None
        if line is None or not isinstance(header, cst.FunctionDef):
            return None
        return header, line

    def is_single(self, name: str) -> bool:
        """Tell whether the file defines one function of that name, and nothing else by it."""
        bindings = self._view.names.bindings(name)
        return len(bindings) == 1 and bindings[0].line is not None

    # -- conditions -------------------------------------------------------------------------------------

    def _reaches(self, rest: Branch, place: Place, root: int) -> bool | None:
        """Tell whether the statement under the branches `rest` runs, as far as literals decide it."""
        answer: bool | None = True
        scopes = self._view.source.scopes
        for kind, (owner, *_), arm in rest:
            if kind is not Branching.CONDITION or owner <= root or scopes.header(owner) != "if":
                return None
            found = self._arm_holds(owner, arm or owner, place)
            if found is False:
                return False
            if found is None:
                answer = None
        return answer

    def _arm_holds(self, owner: int, arm: int, place: Place) -> bool | None:
        scopes, source = self._view.source.scopes, self._view.source
        sure = True
        for index in scopes.arms(owner):
            line = source.line(index)
            if scopes.header(index) == "else":
                found: bool | None = True
            elif line is None or not isinstance(line.statement.header, cst.If):
                return None
            else:
                found = holds(line.statement.header.test, Place(line, place.branch, place.given), self._view.evaluate)
            if index == arm:
                return found if sure or found is False else None
            if found:
                return False
            sure = sure and found is False
        return None


def _generators(statement: Statement) -> list[cst.CompFor]:
    """Return the `for ... in ...` of a statement's comprehensions that have just one."""
    kept: list[cst.CompFor] | None = statement.memo.get("generators")
    if kept is None:
        kept = statement.memo["generators"] = [
            node.for_in
            for node in walk(statement.header)
            if isinstance(node, _COMPREHENSIONS) and node.for_in.inner_for_in is None
        ]
    return kept


def _parameters(function: cst.FunctionDef | cst.Lambda) -> list[str]:
    more = taking_names(function)
    return [p.name.value for p in parameters(function)] + ([more] if more is not None else [])


def arguments(
    function: cst.FunctionDef | cst.Lambda,
    line: Line,
    call: cst.Call,
    call_line: Line,
    given: Mapping[str, Bound] | None,
) -> dict[str, Bound] | None:
    """Return what a function's parameters stand for in one call, or `None` where stars hide it."""
    if any(a.star for a in call.args):
        return None
    params = function.params
    plain = [p.name.value for p in (*params.posonly_params, *params.params)]
    known = {p.name.value for p in parameters(function)}
    found = {p.name.value: Bound(p.default, line) for p in parameters(function) if p.default is not None}
    if plain[:1] in (["self"], ["cls"]) and isinstance(call.func, cst.Attribute):
        plain = plain[1:]
    for name, argument in zip(plain, positional(call), strict=False):
        found[name] = Bound(argument.value, call_line, given)
    found |= {name: Bound(argument.value, call_line, given) for name, argument in keywords(call)}
    more = taking_names(function)
    if more is not None:
        found[more] = Bound(_dict_of(call, frozenset(known), call_line), call_line, given)
    return found


def _dict_of(call: cst.Call, known: frozenset[str], line: Line) -> cst.Dict:
    """Return the dict that `**more` is, in the place of the call; the same one each time, for places are kept by node."""
    kept: cst.Dict | None = line.statement.memo.get(("more", call, known))
    if kept is None:
        elements = []
        for name, argument in keywords(call):
            if name not in known:
                element = cst.DictElement(keyword_name(argument, line), argument.value)
                line.statement.stand(element, line.statement.span(argument))
                elements.append(element)
        kept = line.statement.memo["more", call, known] = cst.Dict(elements)
        line.statement.stand(kept, line.statement.span(call))
    return kept
