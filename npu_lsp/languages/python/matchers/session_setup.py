"""The session around the options: the optimizer and its name, what is switched off, whether the config is used."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Fact, FactKind, Value, ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.contexts import contexts_of
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.dataflow.objects import PASSES_ON, assigned
from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.matchers.parameter_map import OPTIMIZERS, is_optimizer, optimizer_key
from npu_lsp.languages.python.source import LogicalLine, Role, RoleKind
from npu_lsp.languages.python.tree.nodes import argument_of, is_name, keyword, keywords, last, walk
from npu_lsp.languages.python.tree.statement import Assignment
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text import lazy_re as re

# Where each function takes the number (tf: tf_adapter/python/npu_bridge/estimator/npu/util.py).
_ITERATION_CALLS = {"set_iteration_per_loop": 2, "load_iteration_per_loop_var": 1}
_ITERATIONS = "iterations_per_loop"


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


def find(view: SourceView) -> None:
    """Add what is known of each optimizer and of the config that it is in."""
    _Setup(view).find()


class _Setup:
    def __init__(self, view: SourceView) -> None:
        self._view = view
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
            each.target.value
            for each, _ in view.assignments(view.lines_with(OPTIMIZERS))
            if is_name(each.target) and isinstance(each.value, cst.Attribute) and each.value.attr.value == OPTIMIZERS
        }
        for assignment, place in view.assignments(view.lines_with(OPTIMIZERS, *sorted(lists))):
            self._added(assignment, place)
        self._names |= {
            each.target.value
            for each, _ in view.assignments(view.lines_naming(*sorted(self._names)))
            if is_name(each.target) and each.value is not None and last(each.value) in self._names
        }
        lines = view.lines_naming(*sorted(self._names))
        self._named(lines)
        self._handed_on(lines)
        self._switched(view.lines_with(*_SWITCHES))
        for call, place in view.calls(view.lines_with(*sorted(PASSES_ON)), *PASSES_ON):
            self._passed(call, call.args[0].value if call.args else None, place)
        for call, place in view.calls(view.lines_with(_RUN_CONFIG)):
            config = keyword(call, _RUN_CONFIG)
            if config is not None:
                # A run configuration switches remapping off as `npu_config_proto` does.
                self._passed(call, config, place)
        self._iterations()

    def _iterations(self) -> None:
        """Add a fact with the number of steps for each call, to the file as a whole: the calls don't name an optimizer."""
        view = self._view
        for call, place in view.calls(view.lines_with(*_ITERATION_CALLS), *_ITERATION_CALLS):
            given = argument_of(call, _ITERATIONS, _ITERATION_CALLS.get(last(call.func) or ""))
            if given is not None:
                value = view.value(given, place)
                view.facts.append(Fact(FactKind.ITERATION_LOOP, value.span, value, place.branch))

    # -- optimizers -------------------------------------------------------------------------------------

    def _added(self, assignment: Assignment, place: Place) -> None:
        view, value, target = self._view, assignment.value, assignment.target
        if isinstance(target, cst.Attribute) and target.attr.value == "name" and isinstance(target.value, cst.Call):
            # `....custom_optimizers.add().name = "NpuOptimizer"`
            if is_optimizer(view, target.value, place) and value is not None:
                self._name(self._begin(target.value, target.value, place), value, place)
        elif isinstance(value, cst.Call) and is_optimizer(view, value, place):
            key, named = self._begin(target, value, place), keyword(value, "name")
            if named is not None:
                given = view.value(named, place)
                view.blocks.note(key, Fact(FactKind.OPTIMIZER_NAME, given.span, given, place.branch))
            name = last(target)
            if name is not None:
                self._names.add(name)
                view.roles[place.line.source(target)] = Role(RoleKind.OPTIMIZER, Surface.SESSION)

    def _name(self, key: Hashable, value: cst.BaseExpression, place: Place) -> None:
        """Add the name that a statement gives an optimizer."""
        given = self._view.value(value, place)
        self._view.blocks.note(key, Fact(FactKind.OPTIMIZER_NAME, place.statement, given, place.branch))

    def _begin(self, target: cst.BaseExpression, made: cst.Call, place: Place) -> Hashable:
        """Begin the block of an optimizer; return its key."""
        view, line = self._view, place.line
        key = assigned(target, place)
        view.blocks.begin(key, Surface.SESSION, line.span(target), line.source(target))
        view.blocks.note(key, Fact(FactKind.OPTIMIZER_ADDED, line.span(made), None, place.branch))
        config = self._config(made.func, place)
        if config is None:
            view.blocks.note(key, Fact(FactKind.CONFIG_USED, line.span(made), None, place.branch))
            return key
        config_key = optimizer_key(self._view, config, place)
        self._blocks.setdefault(config_key, []).append(key)
        used, handed_on = self._use(config, place)
        if used:
            view.blocks.note(key, Fact(FactKind.CONFIG_USED, line.span(made), None, place.branch))
        if handed_on:
            view.blocks.note(key, Fact(FactKind.CONFIG_HANDED_ON, line.span(made), None, place.branch))
        return key

    def _named(self, lines: list[LogicalLine]) -> None:
        """Add what is assigned to the name of an optimizer."""
        for assignment, place in self._view.assignments(lines):
            target, value = assignment.target, assignment.value
            if value is None or not isinstance(target, cst.Attribute) or target.attr.value != "name":
                continue
            if last(target.value) in self._names:
                self._name(optimizer_key(self._view, target.value, place), value, place)

    def _handed_on(self, lines: list[LogicalLine]) -> None:
        """Open the blocks of optimizers that go where their settings can't be followed."""
        view, functions = self._view, contexts_of(self._view).functions
        for call, place in view.calls(lines):
            for name in self._among(argument.value for argument in call.args):
                function = functions.function(last(call.func) or "")
                if function is None or functions.only_call(function[0]) is None:
                    view.blocks.leave_open(optimizer_key(view, name, place))
        for stmt, place in view.statements(lines):
            if isinstance(stmt, cst.Return) and stmt.value is not None:
                for name in self._among(walk(stmt.value)):
                    view.blocks.leave_open(optimizer_key(view, name, place))

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
        found = self._view.evaluate.definition(node, place) if is_name(node) else None
        if found is not None and isinstance(found[0], cst.Attribute) and found[0].attr.value in _INSIDE:
            return self._config(*found)
        return node if is_name(node) or isinstance(node, cst.Attribute) else None

    def _use(self, config: cst.BaseExpression, place: Place) -> tuple[bool, bool]:
        """Return whether the config may be used, and whether others than a session may get it."""
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

    def _switched(self, lines: list[LogicalLine]) -> None:
        """Add what is assigned to `remapping` and `memory_optimization`."""
        view = self._view
        for assignment, place in view.assignments(lines):
            target = assignment.target
            if isinstance(target, cst.Attribute) and target.attr.value in _SWITCHES and assignment.value is not None:
                value = self._switch(assignment.value, place)
                fact = Fact(FactKind(target.attr.value), place.statement, value, place.branch)
                self._tell(self._in_config(target.value, place), fact)
        for call, place in view.calls(lines):
            for name, argument in keywords(call) if last(call.func) == "RewriterConfig" else ():
                if name in _SWITCHES:
                    value = self._switch(argument.value, place)
                    self._tell([], Fact(FactKind(name), place.line.span(argument), value, place.branch))

    def _in_config(self, node: cst.BaseExpression, place: Place) -> list[Hashable]:
        """Return the blocks of the optimizers in the config that an expression is a part of."""
        config = self._config(node, place)
        return self._blocks.get(optimizer_key(self._view, config, place), []) if config is not None else []

    def _switch(self, node: cst.BaseExpression, place: Place) -> Value:
        """Return the value of a switch: the last name of `RewriterConfig.OFF`."""
        if isinstance(node, cst.Attribute):
            return Value(ValueKind.OBJECT, place.line.span(node), True, node.attr.value)
        return self._view.value(node, place)

    def _passed(self, call: cst.Call, config: cst.BaseExpression | None, place: Place) -> None:
        """Add that a config goes through a call that switches things off in it."""
        fact = Fact(FactKind.NPU_CONFIG_PROTO, place.line.span(call), None, place.branch)
        if config is None:
            # It makes a config of its own: which one that is, only its uses tell.
            self._tell([], fact)
        elif self._config(config, place) is not None:
            self._tell(self._in_config(config, place), fact)

    def _tell(self, keys: list[Hashable], fact: Fact) -> None:
        """Add a fact to blocks, or to the file where it isn't clear which it is about."""
        if len(keys) > _MOST_BLOCKS:
            keys = []
        for key in keys:
            self._view.blocks.note(key, fact)
        if not keys:
            self._view.facts.append(fact)
