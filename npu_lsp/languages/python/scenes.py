"""Follows names that a loop or a call fills in: one scene for each round of a loop and each call of a function.

    for key, value in {"a": True}.items():          def put(op, key, value):
        op.parameter_map[key].b = value                 op.parameter_map[key].b = value
                                                    put(op, "a", True)

The settings stand where the literals stand: in the dict, in the call.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from npu_lsp.languages.model import Branch, Branching, Value, ValueKind
from npu_lsp.languages.python.conditions import holds
from npu_lsp.languages.python.evaluate import Bound, Place
from npu_lsp.languages.python.mappings import keyword_name
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

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

Function = ast.FunctionDef | ast.AsyncFunctionDef


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


def names_in(node: ast.expr) -> set[str]:
    """Return the names that an expression uses."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


class Scenes:
    """Finds the scenes of a place."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._elements = Sequences(view)
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
        if isinstance(own_header, Function) or (inside and isinstance(own_header, (ast.For, ast.AsyncFor))):
            index = place.line.index
        while index != MODULE:
            word = scopes.header(index)
            if word in ("for", "def"):
                line = view.source.line(index)
                if line is None:
                    return None
                header = line.statement.header
                if isinstance(header, (ast.For, ast.AsyncFor)) and names & names_in(header.target):
                    return self._rounds(header, line, place, depth)
                if isinstance(header, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    if names & set(_parameters(header.args)):
                        return self._calls_of(header.name, header.args, line, place, depth)
                    return None
            if word == "class":
                return None
            index = scopes.parent(index)
        return None

    def site(self, node: ast.expr, place: Place) -> tuple[ast.expr, Line] | None:
        """Return the expression that a loop or a call put in the place of `node`, or into it.

        `None` where nothing comes from there, or more than one thing does.
        """
        given = place.given or {}
        nodes = list(ast.walk(node))
        for part in nodes:
            if isinstance(part, ast.Subscript) and any(
                isinstance(n, ast.Name) and n.id in given for n in (part.value, part.slice)
            ):
                # `for key in options: ... options[key]`, `for option in options: ... option["value"]`
                return self._view.evaluate.item(part, place)
        used = {n.id for n in nodes if isinstance(n, ast.Name) and n.id in given}
        if len(used) != 1:
            return None
        bound = given[used.pop()]
        deeper = self.site(bound.node, Place(bound.line, place.branch, bound.given)) if bound.given else None
        return deeper or (bound.node, bound.line)

    def value(self, node: ast.expr, place: Place, scene: Scene) -> Value:
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
        if isinstance(header, ast.Assign) and isinstance(header.value, ast.Lambda) and len(header.targets) == 1:
            target = header.targets[0]
            if isinstance(target, ast.Name) and names & set(_parameters(header.value.args)):
                return self._calls_of(target.id, header.value.args, place.line, place, depth)
        return None

    def _rounds_within(self, generator: ast.comprehension, place: Place) -> list[Scene] | None:
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

    def _rounds(self, header: ast.For | ast.AsyncFor, line: Line, place: Place, depth: int) -> list[Scene] | None:
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

    def _scenes_of(
        self, header: ast.For | ast.AsyncFor, line: Line, place: Place, found: Elements, around: Scene
    ) -> list[Scene]:
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
        self, target: ast.expr | None, scope: int, start: int, place: Place, given: Collection[str] = ()
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

    def _may_mean(self, name: str, written: ast.expr, line: Line) -> bool:
        """Tell whether what is called can be this file's function: neither a module's (`subprocess.run`) nor itself."""
        scopes, names = self._view.source.scopes, self._view.names
        (binding, *_) = names.bindings(name) or (None,)
        if binding is None or scopes.function(line.index) == binding.index:
            return False
        if not isinstance(written, ast.Attribute):
            return True
        if binding.scope == MODULE or scopes.header(binding.scope) != "class":
            return False
        if not isinstance(written.value, ast.Name):
            return True
        headers = [b.line.statement.header for b in names.visible(written.value.id, line.index) if b.line is not None]
        return not any(isinstance(h, (ast.Import, ast.ImportFrom)) for h in headers)

    def only_call(self, header: Function) -> tuple[Line, Call] | None:
        """Return the one call of a function of this file, if there is just one."""
        if not self.is_single(header.name):
            return None
        calls = self.calls_of(header.name)
        return calls[0] if len(calls) == 1 else None

    def _calls_of(
        self, name: str, parameters: ast.arguments, line: Line, place: Place, depth: int
    ) -> list[Scene] | None:
        if not self.is_single(name):
            return None
        inside = self._view.source.scopes.branch(line.index)
        rest = place.branch[len(inside) :]
        scenes: list[Scene] = []
        for call_line, call in self._followed(self.calls_of(name)):
            scenes += self._call(parameters, line, call, call_line, place, rest, depth)
        return scenes

    def _call(
        self, parameters: ast.arguments, line: Line, call: Call, call_line: Line, place: Place, rest: Branch, depth: int
    ) -> Iterator[Scene]:
        call_place = self._view.place(call_line, inline=call.inline)
        wanted = {n for a in (*call.node.args, *(k.value for k in call.node.keywords)) for n in names_in(a)}
        outer = self.of(call_place, wanted, depth + 1) if wanted else None
        # Of a function that nobody in this file calls, another file may make use.
        for around in outer or [Scene(branch=call_place.branch)]:
            given = arguments(parameters, line, call.node, call_line, around.given)
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
                own = statement if isinstance(call.statement, ast.Expr) else call_line.span(call.node)
            branch = around.branch + around.inner
            yield Scene(given, own, statement, branch, () if reached else rest, reached is True and around.settled)

    def function(self, name: str) -> tuple[Function, Line] | None:
        """Return the one function of that name that the file defines, and the line of its header."""
        if not self.is_single(name):
            return None
        line = self._view.names.bindings(name)[0].line
        header = line.statement.header if line is not None else None
        if line is None or not isinstance(header, (ast.FunctionDef, ast.AsyncFunctionDef)):
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
            elif line is None or not isinstance(line.statement.header, ast.If):
                return None
            else:
                found = holds(line.statement.header.test, Place(line, place.branch, place.given), self._view.evaluate)
            if index == arm:
                return found if sure or found is False else None
            if found:
                return False
            sure = sure and found is False
        return None


def _generators(statement: Statement) -> list[ast.comprehension]:
    """Return the `for ... in ...` of a statement's comprehensions that have just one."""
    kept: list[ast.comprehension] | None = statement.memo.get("generators")
    if kept is None:
        kept = statement.memo["generators"] = [
            node.generators[0]
            for node in ast.walk(statement.header)
            if isinstance(node, _COMPREHENSIONS) and len(node.generators) == 1
        ]
    return kept


def _parameters(args: ast.arguments) -> list[str]:
    extra = [args.kwarg] if args.kwarg is not None else []
    return [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs, *extra)]


def arguments(
    parameters: ast.arguments, line: Line, call: ast.Call, call_line: Line, given: Mapping[str, Bound] | None
) -> dict[str, Bound] | None:
    """Return what a function's parameters stand for in one call, or `None` where stars hide it."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None
    plain = [a.arg for a in (*parameters.posonlyargs, *parameters.args)]
    defaults = dict(zip(reversed(plain), reversed(parameters.defaults), strict=False))
    found = {name: Bound(node, line) for name, node in defaults.items()}
    found |= {
        a.arg: Bound(d, line)
        for a, d in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
        if d is not None
    }
    if plain[:1] in (["self"], ["cls"]) and isinstance(call.func, ast.Attribute):
        plain = plain[1:]
    for name, node in zip(plain, call.args, strict=False):
        found[name] = Bound(node, call_line, given)
    named = [k for k in call.keywords if k.arg is not None]
    found |= {k.arg: Bound(k.value, call_line, given) for k in named if k.arg is not None}
    if parameters.kwarg is not None:
        known = {*plain, *(a.arg for a in parameters.kwonlyargs)}
        more = [k for k in named if k.arg not in known]
        # Places are kept by node: it must be the same one each time.
        made = call_line.statement.memo.setdefault(
            ("more", id(call), *(id(k) for k in more)),
            ast.copy_location(ast.Dict([keyword_name(k, call_line) for k in more], [k.value for k in more]), call),
        )
        found[parameters.kwarg.arg] = Bound(made, call_line, given)
    return found
