"""Entries of dicts that give names and values to something: literal, by `dict(...)`, or built up under a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from npu_lsp.languages.branches import UNWRITTEN, Branch, dominates, exclusive
from npu_lsp.languages.model import Form
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.elements import DictEntry, Entries, Sequences, unpacked
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.source import LogicalLine
from npu_lsp.languages.python.tree.nodes import callee, index_of, is_name, last, parts, path
from npu_lsp.languages.python.tree.statement import Assignment, Call, Statement
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.memo import Memoized


def keyword_entry(view: SourceView, argument: cst.Arg, place: Place, form: Form) -> DictEntry | None:
    """Return `name=value` as an entry, or `None` for `**other`."""
    if argument.keyword is None:
        return None
    name, line = argument.keyword.value, place.line
    value = view.value(argument.value, place)
    key = keyword_name(line.statement, argument)
    own = line.span(argument)
    return DictEntry(name, key, line.span(key), argument.value, place, value, form, place.statement, own)


@Memoized
def keyword_name(statement: Statement, argument: cst.Arg) -> cst.BaseExpression:
    """Return the name of an argument as a text literal in its place; the same one each time."""
    name = argument.keyword or cst.Name("_")
    made = cst.SimpleString(f'"{name.value}"')
    statement.stand(made, statement.span(name))
    return made


_MAX_DEPTH = 6
_MAX_ENTRIES = 2000
_MOST = 10_000
"""How many lines are looked at in one reading: those that change a dict and those that use it multiply.

And how many entries are followed: those of a dict and its uses do, too.
"""
_ENVIRONMENT = frozenset({"os.environ", "environ", "os.environ.copy()", "environ.copy()"})
_LOSES = frozenset({"pop", "popitem", "clear"})


def entries_of(view: SourceView, node: cst.BaseExpression, place: Place, depth: int = 0) -> Entries:
    """Return the entries of a dict. Where entries may have been taken out of it, none is certain."""
    if depth > _MAX_DEPTH:
        return Entries(complete=False)
    if isinstance(node, cst.Dict):
        return _literal(view, node, place, depth)
    if isinstance(node, cst.Call) and callee(node) == "dict":
        return made_of(view, node, place, depth)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
        left = entries_of(view, node.left, place, depth + 1)
        return _joined(left, entries_of(view, node.right, place, depth + 1))
    if is_name(node):
        return _named(view, node, place, depth)
    if isinstance(node, cst.DictComp):
        return _comprehended(view, node, place)
    # What the process has already is not set here.
    return Entries(complete=path(node) in _ENVIRONMENT)


def _joined(one: Entries, other: Entries) -> Entries:
    found = one.found + other.found
    return Entries(found[:_MAX_ENTRIES], one.complete and other.complete and len(found) <= _MAX_ENTRIES)


def _literal(view: SourceView, node: cst.Dict, place: Place, depth: int) -> Entries:
    result = Entries()
    for element in node.elements:
        if not isinstance(element, cst.DictElement):
            result = _joined(result, entries_of(view, element.value, place, depth + 1))
            continue
        key, item = element.key, element.value
        name = view.text(key, place)
        if name is None:
            result.complete = False
            continue
        result.found.append(
            DictEntry(
                name,
                key,
                view.content(key, place),
                item,
                place,
                view.value(item, place),
                Form.ITEM,
                place.statement,
                place.line.span(element),
            )
        )
    return result


def made_of(view: SourceView, node: cst.Call, place: Place, depth: int = 0) -> Entries:
    """Return the entries that a call makes a dict of, or puts into one: `dict(...)`, `environ.update(...)`."""
    result = Entries()
    for argument in node.args:
        entry = keyword_entry(view, argument, place, Form.ITEM)
        if entry is not None:
            result.found.append(entry)
            continue
        more = _paired(view, argument.value, place) if argument.star != "**" else None
        result = _joined(result, more or entries_of(view, argument.value, place, depth + 1))
    return result


def _paired(view: SourceView, node: cst.BaseExpression, place: Place) -> Entries | None:
    """Return what a list of pairs makes of a dict: `dict([("a", 1)])`; `None` for anything else."""
    if not isinstance(node, (cst.List, cst.Tuple)):
        return None
    result = Entries()
    for pair in parts(node):
        both = parts(pair) if isinstance(pair, (cst.List, cst.Tuple)) else []
        name = view.text(both[0], place) if len(both) == 2 else None
        if name is None:
            result.complete = False
            continue
        at, value = view.content(both[0], place), view.value(both[1], place)
        own = place.line.span(pair)
        result.found.append(DictEntry(name, both[0], at, both[1], place, value, Form.ITEM, place.statement, own))
    return result


def _comprehended(view: SourceView, node: cst.DictComp, place: Place) -> Entries:
    """Return what `{key: value for key in (...)}` makes; each name stands where the loop takes it from."""
    generator = node.for_in
    found = Sequences(view, entries_of).of(generator.iter, place) if generator.inner_for_in is None else None
    if found is None or not is_name(node.key):
        return Entries(complete=False)
    result = Entries(complete=found.complete and not generator.ifs)
    for element in found.found[:_MAX_ENTRIES] if not generator.ifs else ():
        given = unpacked(generator.target, element)
        key = given.get(node.key.value)
        if key is None:
            result.complete = False
            continue
        bound = given.get(node.value.value) if is_name(node.value) else None
        value, inside = node.value, Place(place.line, place.branch, given)
        if bound is not None:
            value, inside = bound.node, Place(bound.line, place.branch, bound.given)
        at = Place(key.line, place.branch, key.given)
        name = view.text(key.node, at)
        if name is None:
            result.complete = False
            continue
        span, abstract = view.content(key.node, at), view.value(value, inside)
        result.found.append(
            DictEntry(name, key.node, span, value, inside, abstract, Form.ITEM, place.statement, element.own, at)
        )
    return result


@dataclass(slots=True)
class _Work:
    """What was done in one reading to follow names to their dicts."""

    entries: dict[tuple[str, int, Branch], Entries] = field(default_factory=dict)
    """By name, line and branch."""
    followed: int = 0
    """Entries that names led to."""
    changes: int = 0
    """Lines that were asked what they change in a dict."""


@Memoized
def _work(_view: SourceView) -> _Work:
    return _Work()


def _named(view: SourceView, node: cst.Name, place: Place, depth: int) -> Entries:
    key = node.value, place.line.index, place.branch
    work = _work(view)
    known = work.entries.get(key)
    if known is None:
        if work.followed > _MOST:
            return Entries(complete=False)
        known = work.entries[key] = _under_name(view, node, place, depth)
        work.followed += len(known.found)
    return Entries(list(known.found), known.complete)


def _under_name(view: SourceView, node: cst.Name, place: Place, depth: int) -> Entries:
    built = view.names.built(node.value, place.line.index, place.branch)
    binding = built[0] if built else None
    if binding is None or binding.line is None or binding.value is None:
        return _one_of(view, node, place, depth)
    line = binding.line
    result = entries_of(view, binding.value, Place(line, binding.branch), depth + 1)
    scopes, work = view.source.scopes, _work(view)
    scope = scopes.scope(place.line.index)
    for index in view.source.lines_with(node.value, whole=True):
        # What the module does to its own dict is done before a function of it runs.
        if index <= binding.index or (index > place.line.index and binding.scope == scope):
            continue
        work.changes += 1
        if work.changes > _MOST:
            result.complete = False
            break
        changing = view.source.line(index)
        if changing is None:
            result.complete = False
            continue
        if scopes.scope(index) != binding.scope:
            if None in _changes(view, node.value, Place(changing), place.branch, depth):
                return Entries(complete=False)
            result.complete = False
            continue
        for more in _changes(view, node.value, Place(changing), place.branch, depth):
            if more is None:
                return Entries(complete=False)
            result = _joined(result, more)
    return result


def _one_of(view: SourceView, node: cst.Name, place: Place, depth: int) -> Entries:
    """Return the entries of the dicts that a name may stand for: one that is there first, others that an `if` makes."""
    index, scopes = place.line.index, view.source.scopes
    found = view.names.visible(node.value, index)
    first, others = found[0] if found else None, found[1:]
    if first is None or not others or found[-1].index >= index or first.scope != scopes.scope(index):
        return Entries(complete=False)
    result = Entries(complete=False)
    for position, binding in enumerate(found):
        if binding.line is None or not isinstance(binding.value, cst.Dict) or binding.augments:
            return Entries(complete=False)
        branch = binding.branch
        rest = found[position + 1 :]
        if all(exclusive(branch, b.branch) for b in rest):
            pass
        elif position or not dominates(branch, place.branch) or any(not b.branch[len(branch) :] for b in others):
            return Entries(complete=False)
        else:
            # It is left only where none of the others is made.
            branch += tuple(b.branch[len(branch)]._replace(arm=UNWRITTEN) for b in others)
        result = _joined(result, _literal(view, binding.value, Place(binding.line, branch), depth + 1))
    for at in view.source.lines_with(node.value, whole=True):
        line = view.source.line(at) if found[0].index < at < index else None
        for more in _changes(view, node.value, Place(line), place.branch, depth) if line is not None else ():
            if more is None:
                return Entries(complete=False)
            result = _joined(result, more)
    return result


def _changes(view: SourceView, name: str, place: Place, branch: Branch, depth: int) -> Iterator[Entries | None]:
    """Yield what one line adds to the dict called `name`; `None` where it may take something out."""
    line = place.line
    for assignment in line.statement.assignments:
        target = assignment.target
        where = view.place(line, assignment)
        if isinstance(target, cst.Subscript) and is_name(target.value) and target.value.value == name:
            yield _put(view, target, assignment, where, branch)
        elif is_name(target) and target.value == name and isinstance(assignment.statement, cst.AugAssign):
            yield entries_of(view, assignment.statement.value, where, depth + 1)
    for call in line.statement.calls:
        function = call.node.func
        if isinstance(function, cst.Attribute) and path(function.value) == name:
            yield from _done(view, function.attr.value, call, line, depth)
    for stmt, _ in line.statement.statements:
        if isinstance(stmt, cst.Del) and any(
            isinstance(t, cst.Subscript) and last(t.value) == name for t in _deleted(stmt.target)
        ):
            yield None


def _done(view: SourceView, method: str, call: Call, line: LogicalLine, depth: int) -> Iterator[Entries | None]:
    """Yield what a method of a dict does to it."""
    if method in _LOSES:
        yield None
    elif method == "update":
        yield made_of(view, call.node, view.place(line, call), depth + 1)
    elif method == "setdefault":
        yield Entries(complete=False)


def _put(view: SourceView, target: cst.Subscript, assignment: Assignment, where: Place, branch: Branch) -> Entries:
    """Return what `name[key] = value` adds."""
    index = index_of(target)
    key = view.text(index, where) if index is not None else None
    if index is None or key is None or assignment.value is None:
        return Entries(complete=False)
    value = view.value(assignment.value, where)
    span = where.statement
    at = view.content(index, where)
    entry = DictEntry(key, index, at, assignment.value, where, value, Form.SUBSCRIPT, span, span)
    # What only some runs add is not set for sure.
    return Entries([entry], complete=dominates(where.branch, branch))


def _deleted(target: cst.BaseExpression) -> list[cst.BaseExpression]:
    return parts(target) if isinstance(target, cst.Tuple) else [target]
