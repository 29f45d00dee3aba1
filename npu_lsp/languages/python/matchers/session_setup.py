"""The session around the options: the optimizer and its name, what is switched off, whether the config is used."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator

import libcst as cst

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Fact, FactKind, Value, ValueKind
from npu_lsp.languages.python.dataflow.contexts import CallContexts
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.dataflow.objects import OPTIMIZERS, PASSES_ON, Receivers
from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.source import Line, Role, RoleKind
from npu_lsp.languages.python.tree.nodes import is_name, keyword, keywords, last, positional, walk
from npu_lsp.languages.python.view import SourceView

# Where each function takes the number (tf: tf_adapter/python/npu_bridge/estimator/npu/util.py).
_ITERATION_CALLS = {"set_iteration_per_loop": 2, "load_iteration_per_loop_var": 1}
_ITERATIONS = "iterations_per_loop"


def _iterations(view: SourceView) -> None:
    """Add a fact with the number for each call, to the file as a whole: the calls don't name an optimizer."""
    for line in view.lines_with(*_ITERATION_CALLS):
        for call in line.statement.calls:
            place = _ITERATION_CALLS.get(last(call.node.func) or "")
            if place is None:
                continue
            given: cst.BaseExpression | None = keyword(call.node, _ITERATIONS)
            if given is None and len(listed := positional(call.node)) > place:
                given = listed[place].value
            if given is not None:
                at = view.place(line, inline=call.inline)
                value = view.evaluate.value(given, at)
                view.facts.append(Fact(FactKind.ITERATION_LOOP, value.span, value, at.branch))


_SWITCHES = ("remapping", "memory_optimization")
_INSIDE = frozenset({"graph_options", "rewrite_options", OPTIMIZERS})
# A use of a config that only looks at it, or sets something in it.
_OWN_USE = re.compile(r"\s*(?:\.\s*(?!SerializeToString|CopyFrom|MergeFrom)\w|(?::[^=\r\n]*)?=(?!=))")
# A use that gives the config to a session and to nobody else.
_FOR_SESSION = re.compile(r"\bconfig\s*=\s*\Z")
_RUN_CONFIG = "session_config"
_MOST_BLOCKS = 50
"""Optimizers of one config that each get what is told of it."""
_RUNS = ("Session(", "Estimator(", "__main__")


def find(view: SourceView, receivers: Receivers, contexts: CallContexts) -> None:
    """Add what is known of each optimizer and of the config that it is in."""
    _Setup(view, receivers, contexts).find()


class _Setup:
    def __init__(self, view: SourceView, receivers: Receivers, contexts: CallContexts) -> None:
        self._view = view
        self._receivers = receivers
        self._contexts = contexts
        self._blocks: dict[Hashable, list[Hashable]] = {}
        """The blocks in each config, by the config's key."""
        self._used: dict[tuple[str, int], tuple[bool, bool]] = {}
        """What is told of the uses of a config, by its name and the scope that binds it."""
        self._names: set[str] = set()
        """What optimizers are called."""

    def find(self) -> None:
        """Add every fact to the block that it is about."""
        view = self._view
        lists = {
            a.target.value
            for line in view.lines_with(OPTIMIZERS)
            for a in line.statement.assignments
            if is_name(a.target) and isinstance(a.value, cst.Attribute) and a.value.attr.value == OPTIMIZERS
        }
        for line in view.lines_with(OPTIMIZERS, *sorted(lists)):
            self._added(line)
        self._names |= {
            a.target.value
            for line in view.lines_naming(*sorted(self._names))
            for a in line.statement.assignments
            if is_name(a.target) and a.value is not None and last(a.value) in self._names
        }
        for line in view.lines_naming(*sorted(self._names)):
            self._named(line)
            self._handed_on(line)
        for line in view.lines_with(*_SWITCHES):
            self._switched(line)
        for line in view.lines_with(*sorted(PASSES_ON)):
            self._passed(line)
        for line in view.lines_with(_RUN_CONFIG):
            self._run(line)
        _iterations(view)

    # -- optimizers -------------------------------------------------------------------------------------

    def _added(self, line: Line) -> None:
        view = self._view
        for assignment in line.statement.assignments:
            value, target = assignment.value, assignment.target
            place = view.place(line, inline=assignment.inline)
            if isinstance(target, cst.Attribute) and target.attr.value == "name" and isinstance(target.value, cst.Call):
                # `....custom_optimizers.add().name = "NpuOptimizer"`
                if self._receivers.is_optimizer(target.value, place) and value is not None:
                    key = self._begin(target.value, target.value, place)
                    given = view.evaluate.value(value, place)
                    view.blocks.note(
                        key, Fact(FactKind.OPTIMIZER_NAME, line.span(assignment.statement), given, place.branch)
                    )
            elif isinstance(value, cst.Call) and self._receivers.is_optimizer(value, place):
                key = self._begin(target, value, place)
                for name, argument in keywords(value):
                    if name == "name":
                        given = view.evaluate.value(argument.value, place)
                        view.blocks.note(key, Fact(FactKind.OPTIMIZER_NAME, given.span, given, place.branch))
                called = last(target)
                if called is not None:
                    self._names.add(called)
                    view.roles[line.source(target)] = Role(RoleKind.OPTIMIZER, Surface.SESSION)

    def _begin(self, target: cst.BaseExpression, made: cst.Call, place: Place) -> Hashable:
        """Begin the block of an optimizer; return its key."""
        view, line = self._view, place.line
        key = self._receivers.made(target, place)
        view.blocks.begin(key, Surface.SESSION, line.span(target), line.source(target))
        view.blocks.note(key, Fact(FactKind.OPTIMIZER_ADDED, line.span(made), None, place.branch))
        config = self._config(made.func, place)
        if config is None:
            view.blocks.note(key, Fact(FactKind.CONFIG_USED, line.span(made), None, place.branch))
            return key
        config_key = self._receivers.key(config, place)
        self._blocks.setdefault(config_key, []).append(key)
        used, handed_on = self._use(config, place)
        if used:
            view.blocks.note(key, Fact(FactKind.CONFIG_USED, line.span(made), None, place.branch))
        if handed_on:
            view.blocks.note(key, Fact(FactKind.CONFIG_HANDED_ON, line.span(made), None, place.branch))
        return key

    def _named(self, line: Line) -> None:
        view = self._view
        for assignment in line.statement.assignments:
            target = assignment.target
            if not (isinstance(target, cst.Attribute) and target.attr.value == "name" and assignment.value is not None):
                continue
            if last(target.value) in self._names:
                place = view.place(line, inline=assignment.inline)
                key = self._receivers.key(target.value, place)
                given = view.evaluate.value(assignment.value, place)
                view.blocks.note(
                    key, Fact(FactKind.OPTIMIZER_NAME, line.span(assignment.statement), given, place.branch)
                )

    def _handed_on(self, line: Line) -> None:
        """Open the blocks of optimizers that go where their settings can't be followed."""
        view = self._view
        for call in line.statement.calls:
            for name in self._among(argument.value for argument in call.node.args):
                function = self._contexts.functions.function(last(call.node.func) or "")
                if function is None or self._contexts.functions.only_call(function[0]) is None:
                    view.blocks.leave_open(self._receivers.key(name, view.place(line, inline=call.inline)))
        for stmt, inline in line.statement.statements:
            if isinstance(stmt, cst.Return) and stmt.value is not None:
                for name in self._among(walk(stmt.value)):
                    view.blocks.leave_open(self._receivers.key(name, view.place(line, inline=inline)))

    def _among(self, nodes: Iterable[cst.CSTNode]) -> Iterator[cst.Name]:
        """Yield the names of optimizers."""
        return (node for node in nodes if is_name(node) and node.value in self._names)

    # -- the config -------------------------------------------------------------------------------------

    def _config(self, node: cst.BaseExpression, place: Place) -> cst.BaseExpression | None:
        """Return the config that an expression is a part of, where it has a name."""
        if isinstance(node, cst.Attribute) and node.attr.value == "add":
            node = node.value
        while isinstance(node, cst.Attribute) and node.attr.value in _INSIDE:
            node = node.value
        if is_name(node):
            binding = self._view.names.only(node.value, place.line.index, place.branch)
            value = binding.value if binding is not None else None
            if (
                isinstance(value, cst.Attribute)
                and value.attr.value in _INSIDE
                and binding is not None
                and binding.line
            ):
                return self._config(value, Place(binding.line, binding.branch))
        return node if is_name(node) or isinstance(node, cst.Attribute) else None

    def _use(self, config: cst.BaseExpression, place: Place) -> tuple[bool, bool]:
        """Tell whether the config may be used, and whether others than a session may get it."""
        visible = self._view.names.visible(config.value, place.line.index) if is_name(config) else ()
        if not is_name(config) or not visible:
            return True, True
        # A file may make as many optimizers in one config as it has lines that use it.
        asked = config.value, visible[0].scope
        known = self._used.get(asked)
        if known is None:
            text, uses = self._view.source.text, self._uses(config, place)
            given = uses is not None and all(_FOR_SESSION.search(text, max(0, at - 40), at) for at in uses)
            known = self._used[asked] = uses is None or bool(uses), not given
        return known

    def _uses(self, config: cst.Name, place: Place) -> list[int] | None:
        """Return where the config is more than looked at or set; `None` where that can't be told."""
        view, source = self._view, self._view.source
        visible = view.names.visible(config.value, place.line.index)
        if not visible or any(b.value is None and b.scope != MODULE for b in visible):
            return None
        if visible[0].scope == MODULE and not any(source.occurrences.substring(word) for word in _RUNS):
            # Another module may take it from here.
            return None
        starts, size = source.logical_lines.starts, len(source.text)
        first, end = 0, size
        if visible[0].scope != MODULE:
            behind = source.scopes.suite_end(visible[0].scope)
            first, end = starts[visible[0].scope], starts[behind] if behind < len(starts) else size
        uses = source.occurrences.name(config.value)
        return [
            offset
            for offset in uses[bisect_left(uses, first) : bisect_left(uses, end)]
            if not _OWN_USE.match(source.text, offset + len(config.value))
            and source.logical_lines.at(offset) is not None
        ]

    def _switched(self, line: Line) -> None:
        """Add what is assigned to `remapping` and `memory_optimization`."""
        view = self._view
        for assignment in line.statement.assignments:
            target = assignment.target
            if not (
                isinstance(target, cst.Attribute) and target.attr.value in _SWITCHES and assignment.value is not None
            ):
                continue
            place = view.place(line, inline=assignment.inline)
            value = self._switch(assignment.value, place)
            fact = Fact(FactKind(target.attr.value), line.span(assignment.statement), value, place.branch)
            config = self._config(target.value, place)
            keys = self._blocks.get(self._receivers.key(config, place), []) if config is not None else []
            self._tell(keys, fact)
        for call in line.statement.calls:
            place = view.place(line, inline=call.inline)
            for name, argument in keywords(call.node):
                if name in _SWITCHES and last(call.node.func) == "RewriterConfig":
                    value = self._switch(argument.value, place)
                    self._tell([], Fact(FactKind(name), line.span(argument), value, place.branch))

    def _switch(self, node: cst.BaseExpression, place: Place) -> Value:
        """Return the value of a switch: the last name of `RewriterConfig.OFF`."""
        if isinstance(node, cst.Attribute):
            return Value(ValueKind.OBJECT, place.line.span(node), True, node.attr.value)
        return self._view.evaluate.value(node, place)

    def _passed(self, line: Line) -> None:
        """Add that a config goes through a function that switches things off in it."""
        view = self._view
        for call in line.statement.calls:
            nodes = [a.value for a in call.node.args]
            if last(call.node.func) not in PASSES_ON:
                continue
            place = view.place(line, inline=call.inline)
            fact = Fact(FactKind.NPU_CONFIG_PROTO, line.span(call.node), None, place.branch)
            if not nodes:
                # It makes a config of its own: which one that is, only its uses tell.
                self._tell([], fact)
                continue
            config = self._config(nodes[0], place)
            if config is not None:
                self._tell(self._blocks.get(self._receivers.key(config, place), []), fact)

    def _run(self, line: Line) -> None:
        """Add that a config goes into a run configuration, which switches remapping off as `npu_config_proto` does."""
        view = self._view
        for call in line.statement.calls:
            for name, argument in keywords(call.node):
                if name == _RUN_CONFIG:
                    place = view.place(line, inline=call.inline)
                    config = self._config(argument.value, place)
                    if config is not None:
                        fact = Fact(FactKind.NPU_CONFIG_PROTO, line.span(call.node), None, place.branch)
                        self._tell(self._blocks.get(self._receivers.key(config, place), []), fact)

    def _tell(self, keys: list[Hashable], fact: Fact) -> None:
        """Add a fact to blocks, or to the file where it isn't clear which it is about."""
        if len(keys) > _MOST_BLOCKS:
            keys = []
        for key in keys:
            self._view.blocks.note(key, fact)
        if not keys:
            self._view.facts.append(fact)
