"""Which object an expression means: where it was made, through names, attributes, and what a call hands over."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from npu_lsp.languages.branches import Branch, dominates, exclusive
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.contexts import contexts_of
from npu_lsp.languages.python.dataflow.functions import arguments
from npu_lsp.languages.python.dataflow.names import Binding, Bound, Place
from npu_lsp.languages.python.source import LogicalLine
from npu_lsp.languages.python.tree.nodes import is_name, last, path
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.memo import Memoized

PASSES_ON = frozenset({"npu_config_proto", "init_resource", "set_keras_session_npu_config"})
"""Functions that take a config, change it and return it, or use it."""

_ALIASES = 8
_MOST_BINDINGS = 50
"""Of a name that may be bound in more places nobody knows what it means."""
_MOST_NAMES = 60


class ObjectOrigin(NamedTuple):
    """Where an object comes from."""

    key: Hashable
    """The same for all expressions that mean the object."""
    node: cst.BaseExpression | None
    """The expression that makes it, or the one that nothing is known of; `None`: a parameter, a loop, an import."""
    place: Place
    binding: Binding | None = None
    """What gives it its first name; `None` where nothing in the file does."""
    written: str = ""
    """That name."""
    is_made: bool = False
    """`node` is the expression that was asked for, and has no name."""


class Objects:
    """Follows names and attributes back to where their objects are made."""

    def __init__(self, view: SourceView) -> None:
        self._view = view
        self._known: dict[Hashable, tuple[ObjectOrigin, ...]] = {}
        self._attributes: dict[str, dict[tuple[str, int], list[Binding]]] = {}
        """What is assigned to attributes, by their last name, and then by the whole expression and its scope."""

    def origins(self, node: cst.BaseExpression, place: Place, depth: int = 0) -> tuple[ObjectOrigin, ...]:
        """Return where the object that `node` means may come from, the likeliest first: never nothing."""
        line, written = place.line, path(node)
        if isinstance(node, cst.Call) or written is None or written.endswith(")"):
            return (ObjectOrigin(made(node, place), node, place, is_made=True),)
        scope = self._scope(written, line)
        bindings = self._bindings(node, written, line.index, scope)
        before = bisect_left(bindings, line.index, key=lambda binding: binding.index)
        asked = written, scope, place.branch, before, len(bindings)
        known = self._known.get(asked)
        if known is None:
            reaching = list(islice(_reaching(bindings, line.index, place.branch, scope), _MOST_BINDINGS + 1))
            if not reaching or len(reaching) > _MOST_BINDINGS:
                known = (ObjectOrigin(("free", written, scope), node, place),)
            else:
                found = {each.key: each for b in reaching for each in self._behind(written, b, place, depth)}
                known = tuple(islice(found.values(), _MOST_BINDINGS))
            self._known[asked] = known
        return known

    def _behind(self, written: str, binding: Binding, use: Place, depth: int) -> tuple[ObjectOrigin, ...]:
        """Return where the object comes from that a binding gives a name."""
        value, line = binding.value, binding.line
        place = Place(line, binding.branch) if line is not None else use
        if depth < _ALIASES and line is not None:
            if isinstance(value, cst.Call) and last(value.func) in PASSES_ON and value.args:
                value = value.args[0].value
            if is_name(value) or isinstance(value, cst.Attribute):
                return self.origins(value, place, depth + 1)
            handed = self._handed(written, binding, line)
            if handed is not None:
                return self.origins(*handed, depth + 1)
        return (ObjectOrigin(("bound", written, binding.index), binding.value, place, binding, written),)

    def _handed(self, written: str, binding: Binding, line: LogicalLine) -> tuple[cst.BaseExpression, Place] | None:
        """Return what the only call of a function hands over for a parameter."""
        header = line.statement.header
        if binding.scope != binding.index or not isinstance(header, cst.FunctionDef):
            return None
        found = contexts_of(self._view).functions.only_call(header)
        if found is None:
            return None
        call_line, call = found
        given = arguments(header, line, call.node, call_line, None)
        if given is None or written not in given or given[written].line is not call_line:
            return None
        return given[written].node, self._view.place(call_line, call)

    def _bindings(self, node: cst.BaseExpression, written: str, index: int, scope: int) -> tuple[Binding, ...]:
        """Return what assigns to the expression, where it can be seen from the line `index`."""
        if is_name(node):
            return self._view.names.visible(node.value, index)
        if not isinstance(node, cst.Attribute):
            return ()
        name = node.attr.value
        if name not in self._attributes:
            self._attributes[name] = self._members(name)
        return tuple(self._attributes[name].get((written, scope), ()))

    def _members(self, name: str) -> dict[tuple[str, int], list[Binding]]:
        """Return what is assigned to attributes of that name, by the whole expression and its scope."""
        found: dict[tuple[str, int], list[Binding]] = {}
        for assignment, place in self._view.assignments(self._view.lines_naming(name)):
            written = path(assignment.target) if isinstance(assignment.target, cst.Attribute) else None
            if written is not None and not isinstance(assignment.statement, cst.AugAssign):
                scope, line = self._scope(written, place.line), place.line
                binding = Binding(line.index, scope, place.branch, line, assignment.value)
                found.setdefault((written, scope), []).append(binding)
        return found

    def _scope(self, written: str, line: LogicalLine) -> int:
        """Return the scope in which the expression means one thing: for `self.x` the class, else the function."""
        scopes = self._view.source.scopes
        if written.startswith(("self.", "cls.")):
            return scopes.class_of(line.index)
        return scopes.function(line.index)


@Memoized
def objects_of(view: SourceView) -> Objects:
    """Return what follows objects in this reading."""
    return Objects(view)


def made(node: cst.BaseExpression, place: Place) -> Hashable:
    """Return the key of an object that an expression makes where it stands."""
    return "made", place.line.index, place.line.span(node).start


def assigned(target: cst.BaseExpression, place: Place) -> Hashable:
    """Return the key of an object that a line makes and gives to `target`."""
    written = path(target)
    if isinstance(target, cst.Call) or written is None or written.endswith(")"):
        return made(target, place)
    return "bound", written, place.line.index


def _reaching(bindings: Sequence[Binding], index: int, branch: Branch, scope: int) -> Iterator[Binding]:
    """Yield the bindings that may hold at a line, the latest first."""
    is_local = False
    for binding in reversed(bindings):
        if binding.index < index and binding.scope == scope and not exclusive(binding.branch, branch):
            is_local = True
            yield binding
            if dominates(binding.branch, branch):
                return
    if not is_local:
        yield from (b for b in bindings if not exclusive(b.branch, branch))


class Alias(NamedTuple):
    """A name that a thing goes by."""

    written: str
    value: cst.BaseExpression
    """What is given the name: the thing itself, or another name of it."""
    place: Place


IsMeant = Callable[[cst.BaseExpression, Place, "cst.BaseExpression | None"], bool]
"""Tells whether an expression is what names are looked for; the third is what it is assigned to, `None`: it is handed over."""


def aliases(view: SourceView, lines: Iterable[LogicalLine], is_meant: IsMeant, found: dict[str, Alias]) -> None:
    """Add to `found` what `lines`, and those that hold a name which one of them gives, call a thing: names and parameters."""
    seen: set[int] = set()
    todo = list(lines)
    while todo and len(found) < _MOST_NAMES:
        seen.update(line.index for line in todo)
        fresh: dict[str, Alias] = {}
        for assignment, place in view.assignments(todo):
            written, value, target = path(assignment.target), assignment.value, assignment.target
            if value is None or written is None or "(" in written or written in found:
                continue
            if isinstance(target, (cst.Name, cst.Attribute)) and is_meant(value, place, target):
                fresh[written] = Alias(written, value, place)
        for call, place in view.calls(todo):
            for parameter, bound in _parameters(view, call, place, is_meant):
                if parameter not in found:
                    fresh[parameter] = Alias(parameter, bound.node, place)
        found |= fresh
        words = sorted({written.rpartition(".")[2] for written in fresh})
        todo = [line for line in view.lines_naming(*words) if line.index not in seen] if words else []


def _parameters(view: SourceView, call: cst.Call, place: Place, is_meant: IsMeant) -> Iterator[tuple[str, Bound]]:
    """Yield the parameters of one of the file's functions that a call hands the thing to."""
    name = last(call.func)
    if name is None or not any(is_meant(each.value, place, None) for each in call.args):
        return
    function = contexts_of(view).functions.function(name)
    given = arguments(function[0], function[1], call, place.line, None) if function is not None else None
    for parameter, bound in (given or {}).items():
        if bound.line is place.line and is_meant(bound.node, place, None):
            yield parameter, bound
