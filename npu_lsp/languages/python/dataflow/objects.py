"""Which object an expression means, as far as blocks care: settings of one object belong together."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from itertools import islice

import libcst as cst

from npu_lsp.languages.branches import Branch, certain, exclusive
from npu_lsp.languages.python.dataflow.contexts import CallContexts
from npu_lsp.languages.python.dataflow.functions import arguments
from npu_lsp.languages.python.dataflow.names import Binding, Place
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.tree.nodes import is_name, last, path
from npu_lsp.languages.python.view import SourceView

PASSES_ON = frozenset({"npu_config_proto", "init_resource", "set_keras_session_npu_config"})
"""Functions that take a config, change it and return it, or use it."""

OPTIMIZERS = "custom_optimizers"
_ALIASES = 8
_MOST_BINDINGS = 50
"""Of a name that may be bound in more places nobody knows what it means."""


class Receivers:
    """Gives each object a key; where it may be one of several, their keys become the same."""

    def __init__(self, view: SourceView, contexts: CallContexts) -> None:
        self._view = view
        self._contexts = contexts
        self._keys: dict[Hashable, Hashable] = {}
        self._attributes: dict[str, tuple[Binding, ...]] = {}

    def key(self, node: cst.BaseExpression, place: Place, depth: int = 0) -> Hashable:
        """Return the key of the object that `node` means in its place."""
        line = place.line
        written = path(node)
        if isinstance(node, cst.Call) or written is None or written.endswith(")"):
            return "made", line.index, line.span(node).start
        scope = self._scope(written, line)
        bindings = self._bindings(node, written, line.index, scope)
        before = bisect_left(bindings, line.index, key=lambda binding: binding.index)
        key = written, scope, place.branch, before, len(bindings)
        known = self._keys.get(key)
        if known is None:
            known = self._keys[key] = self._find(written, scope, bindings, place, depth)
        return known

    def _find(self, written: str, scope: int, bindings: tuple[Binding, ...], place: Place, depth: int) -> Hashable:
        reaching = list(islice(_reaching(bindings, place.line.index, place.branch, scope), _MOST_BINDINGS + 1))
        if not reaching or len(reaching) > _MOST_BINDINGS:
            key: Hashable = ("free", written, scope)
            self._view.blocks.leave_open(key)
            return key
        keys = [self._bound_key(written, binding, depth) for binding in reaching]
        for other in keys[1:]:
            self._view.blocks.unify(keys[0], other)
        return keys[0]

    def is_optimizer(self, node: cst.BaseExpression | None, place: Place) -> bool:
        """Tell whether an expression makes an optimizer: `....custom_optimizers.add(...)`, or `.add()` to a name for it."""
        if not (isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "add"):
            return False
        owner: cst.BaseExpression | None = node.func.value
        if is_name(owner):
            binding = self._view.names.only(owner.value, place.line.index, place.branch)
            owner = binding.value if binding is not None else None
        return owner is not None and last(owner) == OPTIMIZERS

    def made(self, target: cst.BaseExpression, place: Place) -> Hashable:
        """Return the key of an object that a line makes and gives to `target`."""
        written = path(target)
        if isinstance(target, cst.Call) or written is None or written.endswith(")"):
            return "made", place.line.index, place.line.span(target).start
        return "bound", written, place.line.index

    def _bindings(self, node: cst.BaseExpression, written: str, index: int, scope: int) -> tuple[Binding, ...]:
        """Return what assigns to the expression, where it can be seen from the line `index`."""
        if is_name(node):
            return self._view.names.visible(node.value, index)
        if not isinstance(node, cst.Attribute):
            return ()
        known = self._attributes.get(written)
        if known is None:
            known = self._attributes[written] = tuple(self._members(written, node.attr.value))
        return tuple(b for b in known if b.scope == scope)

    def _members(self, written: str, name: str) -> Iterator[Binding]:
        scopes = self._view.source.scopes
        for line in self._view.lines_naming(name):
            for assignment in line.statement.assignments:
                if isinstance(assignment.target, cst.Attribute) and path(assignment.target) == written:
                    branch = scopes.branch(line.index, inline=assignment.inline)
                    yield Binding(line.index, self._scope(written, line), branch, line, assignment.value)

    def _scope(self, written: str, line: Line) -> int:
        """Return the scope in which the expression means one thing: for `self.x` the class, else the function."""
        scopes = self._view.source.scopes
        if written.startswith(("self.", "cls.")):
            return scopes.class_of(line.index)
        return scopes.function(line.index)

    def _bound_key(self, written: str, binding: Binding, depth: int) -> Hashable:
        value, line = binding.value, binding.line
        if depth < _ALIASES and line is not None:
            if is_name(value) or isinstance(value, cst.Attribute):
                return self.key(value, Place(line, binding.branch), depth + 1)
            if isinstance(value, cst.Call) and last(value.func) in PASSES_ON and value.args:
                config = value.args[0].value
                if is_name(config) or isinstance(config, cst.Attribute):
                    return self.key(config, Place(line, binding.branch), depth + 1)
            handed = self._handed(written, binding, line)
            if handed is not None:
                return self.key(handed[0], handed[1], depth + 1)
        key: Hashable = ("bound", written, binding.index)
        if line is None or not self.is_optimizer(value, Place(line, binding.branch)):
            self._view.blocks.leave_open(key)
        return key

    def _handed(self, written: str, binding: Binding, line: Line) -> tuple[cst.BaseExpression, Place] | None:
        """Return what the only call of a function hands over for a parameter."""
        header = line.statement.header
        if binding.scope != binding.index or not isinstance(header, cst.FunctionDef):
            return None
        found = self._contexts.functions.only_call(header)
        if found is None:
            return None
        call_line, call = found
        given = arguments(header, line, call.node, call_line, None)
        if given is None or written not in given or given[written].line is not call_line:
            return None
        return given[written].node, self._view.place(call_line, inline=call.inline)


def _reaching(bindings: Sequence[Binding], index: int, branch: Branch, scope: int) -> Iterator[Binding]:
    """Yield the bindings that may hold at a line, the latest first."""
    is_local = False
    for binding in reversed(bindings):
        if binding.index < index and binding.scope == scope and not exclusive(binding.branch, branch):
            is_local = True
            yield binding
            if certain(binding.branch, branch):
                return
    if not is_local:
        yield from (b for b in bindings if not exclusive(b.branch, branch))
