"""Follows names that a loop or a call fills in: one scene for each round of a loop and each call of a function.

    for key, value in {"a": True}.items():          def put(op, key, value):
        op.parameter_map[key].b = value                 op.parameter_map[key].b = value
                                                    put(op, "a", True)

The settings stand where the literals stand: in the dict, in the call.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from npu_lsp.readers.model import Branch, Value, ValueKind
from npu_lsp.readers.python.conditions import holds
from npu_lsp.readers.python.evaluate import Bound, Place
from npu_lsp.readers.python.items import pair_span
from npu_lsp.readers.python.paths import last
from npu_lsp.readers.python.scopes import MODULE
from npu_lsp.readers.python.source import Line
from npu_lsp.readers.python.statement import Call
from npu_lsp.readers.python.view import View
from npu_lsp.spans import Span

_MAX_ROUNDS = 500
_MAX_DEPTH = 4

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Scene:
    """What names stand for in one round or one call."""

    given: dict[str, Bound] = field(default_factory=dict)
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


def names_in(node: ast.expr) -> set[str]:
    """Return the names that an expression uses."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


class Scenes:
    """Finds the scenes of a place."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._calls: dict[str, list[tuple[Line, Call]]] = {}

    def of(self, place: Place, names: set[str], depth: int = 0) -> list[Scene] | None:
        """Return the scenes that fill in some of `names` at `place`; `None` where nothing does."""
        if depth > _MAX_DEPTH:
            return None
        view, scopes = self._view, self._view.source.scopes
        index = scopes.parent(place.line.index)
        own_header = place.line.statement.header
        if isinstance(own_header, (ast.For, ast.AsyncFor)) and place.branch and place.branch[-1][0] == place.line.index:
            index = place.line.index
        while index != MODULE:
            word = scopes.header(index)
            if word in ("for", "def"):
                line = view.source.line(index)
                if line is None:
                    return None
                header = line.statement.header
                if isinstance(header, (ast.For, ast.AsyncFor)) and names & names_in(header.target):
                    return self._rounds(header, line, place)
                if isinstance(header, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    if names & set(_parameters(header.args)):
                        return self._calls_of(header, line, place, depth)
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
            value = replace(value, span=there.span, content=content, origin=there.origin, items=there.items)
        return value if scene.settled else Value(ValueKind.UNKNOWN, value.span)

    # -- loops ------------------------------------------------------------------------------------------

    def _rounds(self, header: ast.For | ast.AsyncFor, line: Line, place: Place) -> list[Scene] | None:
        rounds = self._elements(header, line)
        if rounds is None:
            return None
        scopes = self._view.source.scopes
        outer = scopes.branch(line.index)
        rest = place.branch[len(outer) + 1 :]
        scenes = []
        rebound = self._rebound(header.target, scopes.scope(line.index), line.index, place)
        for names, own, holder in rounds[:_MAX_ROUNDS]:
            given = {name: bound for name, bound in names.items() if name not in rebound}
            reached = self._reaches(rest, Place(place.line, outer, given), line.index)
            if reached is False:
                continue
            statement = Span(holder.start, self._view.source.skeleton.ends[holder.index])
            scenes.append(Scene(given, own, statement, outer, () if reached else rest, reached is True))
        return scenes

    def _rebound(
        self, target: ast.expr | None, scope: int, start: int, place: Place, given: Collection[str] = ()
    ) -> set[str]:
        """Return the names of a loop's target, or of `given`, that get another value before the place is reached."""
        names = names_in(target) if target is not None else set(given)
        bindings = self._view.names.bindings
        return {
            name
            for name in names
            if any(b.scope == scope and start < b.index <= place.line.index for b in bindings(name))
        }

    def _elements(self, header: ast.For | ast.AsyncFor, line: Line) -> list[tuple[dict[str, Bound], Span, Line]] | None:
        """Return what each round gives to the loop's names, where that is written, and in which line."""
        node, at = self._literal(header.iter, line)
        pairs = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ITEMS
        if pairs and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            inner, at = self._literal(node.func.value, at)
            if not isinstance(inner, ast.Dict) or any(k is None for k in inner.keys):
                return None
            target = header.target
            if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
                return None
            return [
                (_unpacked(target, ast.Tuple([k, v], ast.Load()), at), pair_span(k, v, at), at)
                for k, v in zip(inner.keys, inner.values, strict=True)
                if k is not None
            ]
        if isinstance(node, ast.Dict):
            if any(k is None for k in node.keys):
                return None
            return [
                (_unpacked(header.target, k, at), pair_span(k, v, at), at)
                for k, v in zip(node.keys, node.values, strict=True)
                if k is not None
            ]
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and not any(isinstance(e, ast.Starred) for e in node.elts):
            return [(_unpacked(header.target, e, at), at.span(e), at) for e in node.elts]
        return None

    def _literal(self, node: ast.expr, line: Line) -> tuple[ast.expr, Line]:
        """Return the literal that a name stands for, with its line; anything else as it is."""
        if not isinstance(node, ast.Name):
            return node, line
        return self._view.names.container(node, line, self._view.source.scopes.branch(line.index)) or (node, line)

    # -- calls ------------------------------------------------------------------------------------------

    def calls_of(self, name: str) -> list[tuple[Line, Call]]:
        """Return the calls of a function of this file."""
        known = self._calls.get(name)
        if known is None:
            known = self._calls[name] = [
                (line, call)
                for line in self._view.lines_with(name)
                for call in line.statement.calls
                if last(call.node.func) == name
            ]
        return known

    def only_call(self, header: Function) -> tuple[Line, Call] | None:
        """Return the one call of a function of this file, if there is just one."""
        if not self.is_single(header.name):
            return None
        calls = self.calls_of(header.name)
        return calls[0] if len(calls) == 1 else None

    def _calls_of(self, header: Function, line: Line, place: Place, depth: int) -> list[Scene] | None:
        if not self.is_single(header.name):
            return None
        inside = self._view.source.scopes.branch(line.index)
        rest = place.branch[len(inside) :]
        scenes: list[Scene] = []
        for call_line, call in self.calls_of(header.name)[:_MAX_ROUNDS]:
            scenes += self._call(header, line, call, call_line, place, rest, depth)
        return scenes

    def _call(
        self, header: Function, line: Line, call: Call, call_line: Line, place: Place, rest: Branch, depth: int
    ) -> Iterator[Scene]:
        call_place = self._view.place(call_line, inline=call.inline)
        wanted = {n for a in (*call.node.args, *(k.value for k in call.node.keywords)) for n in names_in(a)}
        outer = self.of(call_place, wanted, depth + 1) if wanted else None
        for around in outer if outer is not None else [Scene(branch=call_place.branch)]:
            given = arguments(header, line, call.node, call_line, around.given)
            if given is None:
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
        for owner, arm in rest:
            if owner <= root or scopes.header(owner) != "if":
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


_ITEMS = frozenset({"items", "iteritems"})


def _unpacked(target: ast.expr, value: ast.expr, line: Line) -> dict[str, Bound]:
    """Return what the names of a loop's target stand for when it takes `value`."""
    if isinstance(target, ast.Name):
        return {target.id: Bound(value, line)}
    found: dict[str, Bound] = {}
    sequences = (ast.Tuple, ast.List)
    if isinstance(target, sequences) and isinstance(value, sequences) and len(target.elts) == len(value.elts):
        for part, element in zip(target.elts, value.elts, strict=True):
            found |= _unpacked(part, element, line)
    return found


def _parameters(args: ast.arguments) -> list[str]:
    return [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]


def arguments(
    header: Function, line: Line, call: ast.Call, call_line: Line, given: Mapping[str, Bound] | None
) -> dict[str, Bound] | None:
    """Return what a function's parameters stand for in one call, or `None` where stars hide it."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None
    plain = [a.arg for a in (*header.args.posonlyargs, *header.args.args)]
    defaults = dict(zip(reversed(plain), reversed(header.args.defaults), strict=False))
    found = {name: Bound(node, line) for name, node in defaults.items()}
    found |= {
        a.arg: Bound(d, line)
        for a, d in zip(header.args.kwonlyargs, header.args.kw_defaults, strict=True)
        if d is not None
    }
    if plain[:1] in (["self"], ["cls"]) and isinstance(call.func, ast.Attribute):
        plain = plain[1:]
    for name, node in zip(plain, call.args, strict=False):
        found[name] = Bound(node, call_line, given)
    found |= {k.arg: Bound(k.value, call_line, given) for k in call.keywords if k.arg is not None}
    return found
