"""Options that are attributes of one object: `options.group.name = value`, and the object's other names."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate
from typing import NamedTuple

import libcst as cst

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, Setting
from npu_lsp.languages.python.dataflow.contexts import CallContext, CallContexts
from npu_lsp.languages.python.dataflow.functions import arguments
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.source import Line, Role, RoleKind
from npu_lsp.languages.python.tree.nodes import callee, is_name, last, names_in, path, positional
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.spans import Span

_MAX_ALIASES = 60

IsRoot = Callable[[cst.BaseExpression], bool]
"""Tells whether an expression makes, or is, the object."""


class Named(NamedTuple):
    """A name for the object or for a group in it."""

    written: str
    group: str
    """The group's dotted name, or an empty string for the object itself."""
    scope: int
    """Where the name means that; a class for `self.x`."""
    start: int
    """The line that gives the name."""
    key: Hashable
    """The block of the object."""


class _Target(NamedTuple):
    """An option as a target of an assignment."""

    name: str
    receiver: cst.BaseExpression
    written: str
    key: Hashable


class _Given(NamedTuple):
    """Names that stand for one thing each, and where."""

    names: Sequence[Named]
    starts: Sequence[int]
    """Where they are given, in the order of the text."""
    latest: Sequence[int]
    """Of each of `starts`, which of `names` counts behind it."""
    others: Sequence[int] = ()
    """Where the name is given to something else."""

    @classmethod
    def of(cls, names: Sequence[Named], others: Sequence[int] = ()) -> _Given:
        """Return what tells of `names` which one counts at a line."""
        order = sorted(range(len(names)), key=lambda number: names[number].start)
        starts = [names[number].start for number in order]
        return cls(names, starts, list(accumulate(order, max)), others)

    def before(self, index: int) -> Named | None:
        """Return the name that counts in the line `index`; where none is given before it, the last one of all."""
        if not self.names:
            return None
        before = bisect_left(self.starts, index)
        return self.names[self.latest[before - 1]] if before else self.names[-1]


class Attributes:
    """Finds the settings of one kind of object."""

    def __init__(
        self, view: SourceView, contexts: CallContexts, surface: Surface, words: tuple[str, ...], is_root: IsRoot
    ) -> None:
        self._view = view
        self._contexts = contexts
        self._surface = surface
        self._words = words
        self._is_root = is_root
        self._names: dict[Named, None] = {}
        self._known: dict[Hashable, _Given] = {}
        """What a name stands for, by the name and by where it means that: asked for each line that holds it."""
        self.shared: Hashable | None = None
        """The key of the block, where all such objects are one and the same."""

    def find(self) -> None:
        """Add every setting of the objects to their blocks."""
        view = self._view
        lines = {line.index: line for line in view.lines_with(*self._words)}
        self._follow(list(lines.values()))
        view.roles |= {n.written: Role(RoleKind.OPTIONS, self._surface, n.group) for n in self._names}
        for name in {n.written.rpartition(".")[2] for n in self._names}:
            lines |= {line.index: line for line in view.lines_naming(name)}
        for index in sorted(lines):
            self._in_line(lines[index])

    @property
    def names(self) -> list[Named]:
        """The names that the objects and their groups go by."""
        return list(self._names)

    def _follow(self, lines: list[Line]) -> None:
        """Collect the names of the objects, and names for those names."""
        view = self._view
        todo = lines
        seen: set[int] = set()
        while todo and len(self._names) < _MAX_ALIASES:
            fresh: list[Named] = []
            for line in todo:
                seen.add(line.index)
                for assignment in line.statement.assignments:
                    written = path(assignment.target)
                    if assignment.value is None or written is None or "(" in written:
                        continue
                    found = self._object(assignment.value, line)
                    if found is not None and self._group_of(assignment.target, line) is None:
                        scope = self._scope(written, line)
                        key = self.shared or found[1] or (self._surface, written, scope, line.index)
                        fresh.append(Named(written, found[0], scope, line.index, key))
                fresh += self._handed(line)
            self._names |= dict.fromkeys(fresh)
            by_name: dict[str, list[Named]] = {}
            for each in self._names:
                by_name.setdefault(each.written, []).append(each)
            self._known = {name: _Given.of(names) for name, names in by_name.items()}
            words = {n.written.rpartition(".")[2] for n in fresh}
            todo = [line for line in view.lines_naming(*sorted(words)) if line.index not in seen] if words else []

    def _handed(self, line: Line) -> list[Named]:
        """Return the parameters of this file's functions that one of the objects is handed to."""
        found: list[Named] = []
        for call in line.statement.calls:
            name = last(call.node.func)
            if name is None or not any(self._object(a.value, line) for a in call.node.args):
                continue
            function = self._contexts.functions.function(name)
            given = arguments(function[0], function[1], call.node, line, None) if function is not None else None
            for parameter, bound in (given or {}).items():
                handed = self._object(bound.node, line) if bound.line is line else None
                if handed is not None and function is not None:
                    at = function[1].index
                    found.append(Named(parameter, handed[0], at, at, handed[1] or (self._surface, "made", line.index)))
        return found

    def _scope(self, written: str, line: Line) -> int:
        scopes = self._view.source.scopes
        if written.startswith(("self.", "cls.")):
            return scopes.class_of(line.index)
        return scopes.scope(line.index)

    def _object(self, node: cst.BaseExpression, line: Line) -> tuple[str, Hashable | None] | None:
        """Return the group that an expression is (empty: the object itself) and the key of its block."""
        parts: list[str] = []
        while True:
            if self._is_root(node):
                return ".".join(reversed(parts)), self.shared
            named = self._named(node, line)
            if named is not None:
                return ".".join(([named.group] if named.group else []) + parts[::-1]), named.key
            if not isinstance(node, cst.Attribute):
                return None
            parts.append(node.attr.value)
            node = node.value

    def _named(self, node: cst.BaseExpression, line: Line) -> Named | None:
        """Return what an expression is known as: the last name given before it in its own scope, else outside."""
        written = path(node)
        if written is None:
            return None
        found = self._known.get(written)
        if found is None:
            return None
        if written.startswith(("self.", "cls.")):
            scope = self._view.source.scopes.class_of(line.index)
            asked = written, scope
            if asked not in self._known:
                self._known[asked] = _Given.of([n for n in found.names if n.scope == scope])
            return self._known[asked].before(line.index)
        return self._meant(node.value, found, line) if is_name(node) else found.before(line.index)

    def _meant(self, name: str, found: _Given, line: Line) -> Named | None:
        """Return the one of `found` that the name means at a line; none where it can mean something else."""
        visible = self._view.names.visible(name, line.index)
        if not visible:
            return None
        asked = name, visible[0].scope, "visible"
        known = self._known.get(asked)
        if known is None:
            bound = {b.index for b in visible}
            meant = [n for n in found.names if n.start in bound]
            others = sorted(bound - {n.start for n in meant})
            known = self._known[asked] = _Given.of(meant, others)
        if known.others and known.names:
            if visible[0].scope != self._view.source.scopes.scope(line.index):
                return None
            before = bisect_left(known.starts, line.index)
            latest = known.starts[before - 1] if before else -1
            other = bisect_left(known.others, line.index)
            if other and known.others[other - 1] > latest:
                return None
        return known.before(line.index)

    def _group_of(self, target: cst.BaseExpression, line: Line) -> _Target | None:
        """Return the option that an assignment's target is."""
        if not isinstance(target, cst.Attribute):
            return None
        found = self._object(target, line)
        if found is None or not found[0]:
            return None
        receiver: cst.BaseExpression = target
        while (
            isinstance(receiver, cst.Attribute) and not self._is_root(receiver) and self._named(receiver, line) is None
        ):
            receiver = receiver.value
        if receiver is target:
            # It gives a name to the object; it sets nothing in it.
            return None
        key = found[1] or (self._surface, "made", line.index)
        return _Target(found[0], receiver, line.source(receiver), key)

    def _in_line(self, line: Line) -> None:
        view = self._view
        for assignment in line.statement.assignments:
            target = self._group_of(assignment.target, line)
            if target is None or assignment.value is None or not isinstance(assignment.target, cst.Attribute):
                continue
            place = view.place(line, inline=assignment.inline)
            statement = line.span(assignment.statement)
            view.blocks.begin(target.key, self._surface, line.span(target.receiver), target.written)
            view.blocks.add(
                target.key,
                Setting(
                    surface=self._surface,
                    name=target.name,
                    key=line.span(assignment.target.attr),
                    value=view.evaluate.value(assignment.value, place),
                    form=Form.ATTRIBUTE,
                    statement=statement,
                    own=statement,
                    branch=place.branch,
                    receiver=target.written,
                ),
            )
        for call in line.statement.calls:
            if callee(call.node) == "setattr" and len(positional(call.node)) == 3:
                self._set(call.node, line.span(call.statement), view.place(line, inline=call.inline))

    def _set(self, call: cst.Call, statement: Span, place: Place) -> None:
        """Add what `setattr(options, "name", value)` sets."""
        view = self._view
        owner, key_node, value_node = (a.value for a in positional(call))
        found = self._object(owner, place.line)
        if found is None:
            return
        key = found[1] or (self._surface, "made", place.line.index)
        view.blocks.begin(key, self._surface, place.line.span(owner), place.line.source(owner))
        prefix = found[0] + "." if found[0] else ""
        name = view.evaluate.text(key_node, place)
        if name is not None:
            at = view.evaluate.content(key_node, place)
            value = view.evaluate.value(value_node, place)
            own = CallContext({}, statement, statement, place.branch)
            view.blocks.add(key, own.setting(self._surface, prefix + name, at, value, Form.ITEM))
            return
        contexts = self._contexts.of(place, names_in(key_node))
        if contexts is None or any(context.open for context in contexts):
            view.blocks.leave_open(key)
        for context in contexts or ():
            self._context(key, prefix, key_node, value_node, context, place)

    def _context(
        self,
        key: Hashable,
        prefix: str,
        key_node: cst.BaseExpression,
        value_node: cst.BaseExpression,
        context: CallContext,
        place: Place,
    ) -> None:
        view = self._view
        inside = Place(place.line, place.branch, context.given)
        name = view.evaluate.text(key_node, inside)
        written = self._contexts.site(key_node, inside)
        if name is None or written is None:
            view.blocks.leave_open(key)
            return
        at = view.evaluate.content(written[0], Place(written[1]))
        if context.settled or view.first_sight(key, name, at):
            value = self._contexts.value(value_node, inside, context)
            view.blocks.add(key, context.setting(self._surface, prefix + name, at, value, Form.ITEM))
