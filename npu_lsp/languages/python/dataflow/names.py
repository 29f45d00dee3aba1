"""What a name is bound to, and whether that is certain. A name that could be anything is nothing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeGuard

from npu_lsp.languages.branches import Branch, dominates
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.source import LogicalLine, Source
from npu_lsp.languages.python.tree.nodes import (
    Stmt,
    callee,
    imported,
    is_name,
    modules,
    parameters,
    parts,
    positional,
    taking_names,
    walk,
)
from npu_lsp.languages.python.tree.statement import Statement, named_for_sure
from npu_lsp.text import lazy_re as re
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span


class Bound(NamedTuple):
    """The expression that a loop variable or a parameter stands for in one round of the loop, or one call."""

    node: cst.BaseExpression
    line: LogicalLine
    given: Mapping[str, Bound] | None = None
    """What names in it stand for."""


class Place(NamedTuple):
    """Where an expression stands, and what is known there."""

    line: LogicalLine
    branch: Branch = ()
    given: Mapping[str, Bound] | None = None
    """Names that stand for something else than what they are bound to."""
    stmt: Stmt | None = None
    """The statement; `None`: the whole line."""

    @property
    def statement(self) -> Span:
        """Where the statement stands, or the whole line."""
        return self.line.span(self.stmt) if self.stmt is not None else self.line.whole

    def followed(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression, Place] | None:
        """Return what a name stands for while a loop or a call is followed, and where that is written."""
        bound = self.given.get(node.value) if self.given and is_name(node) else None
        return (bound.node, Place(bound.line, self.branch, bound.given)) if bound is not None else None


_MOST_READ = 1_000
"""Statements that are read for what they bind a name to: where there are more, it is enough that they may bind it."""
_CONTAINERS = (cst.Dict, cst.List, cst.Tuple, cst.Set)
_WORD = re.compile(r"\w+")
_CHANGES = re.compile(
    r"\s*(?:\.(?:update|pop|popitem|clear|setdefault|append|extend|insert|remove|add|sort|reverse)\s*\("
    r"|\[[^\]\r\n]*\]\s*(?:[-+*/|]?=(?!=)|\.append|\.update)|[-+|&]=)"
)


@dataclass(frozen=True, slots=True)
class Binding:
    """One place that gives a name a value."""

    index: int
    """The logical line."""
    scope: int
    """The `def` or `class` that the name is local to, or `MODULE`."""
    branch: Branch
    line: LogicalLine | None = None
    value: cst.BaseExpression | None = None
    """What is assigned; `None` for everything but a plain assignment."""
    augments: bool = False
    """`+=` and the like, `x = x + more`: it changes what is bound already."""
    stmt: Stmt | None = None
    """The assignment."""
    declares: bool = False
    """`global` or `nonlocal`: what the scope binds belongs to another."""


class Names:
    """Finds bindings by text first, and parses only the lines that can hold one."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._bindings: dict[str, tuple[Binding, ...]] = {}
        self._scoped: dict[str, dict[int, tuple[Binding, ...]]] = {}

    def bindings(self, name: str) -> tuple[Binding, ...]:
        """Return every place in the file that binds `name`, in the order of the text."""
        known = self._bindings.get(name)
        if known is None:
            found = list(self._find(name))
            declared = {b.scope for b in found if b.declares}
            known = tuple(
                replace(b, scope=MODULE, value=None) if b.scope in declared else b for b in found if not b.declares
            )
            self._bindings[name] = known
        return known

    def visible(self, name: str, index: int) -> tuple[Binding, ...]:
        """Return the bindings that a use of `name` in the logical line `index` can see."""
        found = self._by_scope(name)
        if not found:
            return ()
        scopes = self._source.scopes
        if index in found and scopes.header(index) == "def":
            # `def put(name): use(name)`
            return found[index]
        scope = innermost = scopes.scope(index)
        while True:
            # The names of a class are seen in its own suite only.
            if scope in (MODULE, innermost) or scopes.header(scope) == "def":
                here = found.get(scope, ())
                if here or scope == MODULE:
                    return here
            scope = scopes.scope(scope)

    def local(self, name: str, scope: int) -> tuple[Binding, ...]:
        """Return the bindings of `name` that are local to `scope`, in the order of the text."""
        return self._by_scope(name).get(scope, ())

    def is_bound(self, name: str, scope: int, after: int, until: int) -> bool:
        """Return whether a binding of `name` that is local to `scope` stands in the lines behind `after`, up to `until`."""
        found = self.local(name, scope)
        # A script may have as many loops as bindings: no loop looks through all of them.
        at = bisect_right(found, after, key=lambda binding: binding.index)
        return at < len(found) and found[at].index <= until

    def _by_scope(self, name: str) -> dict[int, tuple[Binding, ...]]:
        known = self._scoped.get(name)
        if known is None:
            scopes: dict[int, list[Binding]] = {}
            for binding in self.bindings(name):
                scopes.setdefault(binding.scope, []).append(binding)
            known = self._scoped[name] = {scope: tuple(found) for scope, found in scopes.items()}
        return known

    def only(self, name: str, index: int, branch: Branch) -> Binding | None:
        """Return the one binding that a use of `name` in the line `index` sees for sure, or `None`."""
        found = self.visible(name, index)
        if len(found) != 1 or found[0].value is None or found[0].augments or not dominates(found[0].branch, branch):
            return None
        if found[0].scope == MODULE and any(star > found[0].index for star in self._stars):
            # `from other import *` may bind the name anew.
            return None
        same_scope = found[0].scope == self._source.scopes.scope(index)
        return None if same_scope and found[0].index >= index else found[0]

    def is_changed(self, name: str) -> bool:
        """Return whether the file calls a method or assigns to an item by which the list or dict of that name may change."""
        source, length = self._source, len(name)
        return any(
            _CHANGES.match(source.text, offset + length) and source.logical_lines.at(offset) is not None
            for offset in source.occurrences.name(name)
        )

    @cached_property
    def _stars(self) -> tuple[int, ...]:
        """The lines that import all that another module has."""
        return tuple(self._source.lines_with("import *"))

    def built(self, name: str, index: int, branch: Branch) -> list[Binding] | None:
        """Return the one plain binding that a use of `name` in the line `index` sees, and the `+=` up to there.

        `None` where it may be something else. Of the `+=`, some may not run.
        """
        found = self.visible(name, index)
        plain = [b for b in found if not b.augments]
        if len(plain) != 1 or plain[0].value is None or not dominates(plain[0].branch, branch):
            return None
        if len(found) == 1:
            return plain if self.only(name, index, branch) is not None else None
        if plain[0].scope != self._source.scopes.scope(index) or plain[0].index >= index:
            return None
        return [b for b in found if b.index < index]

    def _find(self, name: str) -> Iterator[Binding]:
        source = self._source
        for number, index in enumerate(source.binding_lines.of(name)):
            line = source.line(index) if number < _MOST_READ else None
            if line is None:
                # It may bind the name, and nobody can tell to what.
                yield Binding(index, source.scopes.scope(index), source.scopes.branch(index))
            elif name in _named(line.statement):
                yield from self._in_line(name, line)

    def _in_line(self, name: str, line: LogicalLine) -> Iterator[Binding]:
        scopes = self._source.scopes
        scope = scopes.scope(line.index)
        for assignment in line.statement.assignments:
            if is_name(assignment.target) and assignment.target.value == name:
                branch = scopes.branch(line.index, inline=assignment.inline)
                augments = isinstance(assignment.statement, cst.AugAssign) or bool(added_to(name, assignment.statement))
                yield Binding(line.index, scope, branch, line, assignment.value, augments, assignment.statement)
        if name in _in_header(line.statement):
            yield Binding(line.index, scope, scopes.branch(line.index), line)
        for stmt, inline in line.statement.statements:
            branch = scopes.branch(line.index, inline=inline)
            if isinstance(stmt, (cst.Global, cst.Nonlocal)):
                if any(item.name.value == name for item in stmt.names):
                    yield Binding(line.index, scope, branch, declares=True)
            elif isinstance(stmt, cst.FunctionDef) and name in _parameters(stmt):
                yield Binding(line.index, line.index, (), line)
            if name in _bound(line.statement, stmt):
                yield Binding(line.index, scope, branch, line)


def added_to(name: str, stmt: Stmt) -> tuple[cst.BaseExpression, ...]:
    """Return what a statement adds to what `name` stands for, one after the other: `name += more`, `name = name + more`."""
    if isinstance(stmt, cst.AugAssign):
        plus = isinstance(stmt.operator, cst.AddAssign) and is_name(stmt.target) and stmt.target.value == name
        return (stmt.value,) if plus else ()
    if not (isinstance(stmt, cst.Assign) and len(stmt.targets) == 1):
        return ()
    target = stmt.targets[0].target
    if not (is_name(target) and target.value == name):
        return ()
    added: list[cst.BaseExpression] = []
    node = stmt.value
    while isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        added.append(node.right)
        node = node.left
    return tuple(reversed(added)) if is_name(node) and node.value == name else ()


def is_container(node: cst.BaseExpression | None) -> TypeGuard[cst.BaseExpression]:
    """Return whether an expression is a literal list or dict, or `dict(key=value)`."""
    if isinstance(node, cst.Call):
        return callee(node) == "dict" and not positional(node)
    return isinstance(node, _CONTAINERS)


def _parameters(function: cst.FunctionDef) -> set[str]:
    star = function.params.star_arg
    found = {p.name.value for p in parameters(function)}
    if isinstance(star, cst.Param):
        found.add(star.name.value)
    named = taking_names(function)
    return found | {named} if named else found


@Memoized
def _named(line: Statement) -> frozenset[str]:
    """Return the names that a line may bind, or declare: most that it holds it only uses."""
    found = {a.target.value for a in line.assignments if is_name(a.target)} | _in_header(line)
    for stmt, _ in line.statements:
        found |= _bound(line, stmt)
        if isinstance(stmt, (cst.Global, cst.Nonlocal)):
            found.update(item.name.value for item in stmt.names)
        elif isinstance(stmt, cst.FunctionDef):
            found |= _parameters(stmt)
    return frozenset(found)


def _in_header(line: Statement) -> frozenset[str]:
    """Return the words of a header that is not in the tree: `except Error as name: pass`, `case name: pass`."""
    return frozenset(_WORD.findall(line.text, 0, line.cut))


@Memoized
def _bound(line: Statement, stmt: Stmt) -> frozenset[str]:
    """Return the names that a statement of a line binds in another way than by assignment."""
    found: set[str] = set()
    if isinstance(stmt, (cst.FunctionDef, cst.ClassDef)):
        found.add(stmt.name.value)
    elif isinstance(stmt, cst.Import):
        found.update((alias or name).partition(".")[0] for name, alias in modules(stmt))
    elif isinstance(stmt, cst.ImportFrom):
        found.update(alias or name for name, alias in imported(stmt))
    elif isinstance(stmt, cst.For):
        found |= _targets(stmt.target)
    elif isinstance(stmt, cst.With):
        for item in stmt.items:
            if item.asname is not None:
                found |= _targets(item.asname.name)
    elif isinstance(stmt, cst.Del):
        found |= _targets(stmt.target)
    return frozenset(found | _named_on_the_way(stmt)) if ":=" in line.text else frozenset(found)


def _named_on_the_way(stmt: Stmt) -> set[str]:
    """Return the names that a statement may bind by `:=`, or may not."""
    sure = list(named_for_sure(stmt))
    named = (node for node in walk(stmt) if isinstance(node, cst.NamedExpr) and node not in sure)
    return {node.target.value for node in named if is_name(node.target)}


def _targets(target: cst.BaseExpression) -> set[str]:
    if is_name(target):
        return {target.value}
    if isinstance(target, cst.StarredElement):
        return _targets(target.value)
    if isinstance(target, (cst.Tuple, cst.List)):
        return {name for element in parts(target) for name in _targets(element)}
    return set()
