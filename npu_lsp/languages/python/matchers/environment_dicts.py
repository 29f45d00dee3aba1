"""Dicts of environment variables that something else gets: a server, Ray's workers, a test.

A dict is one by its shape, its names and where it goes: names of variables, values that are no tables of their own, and
a destination that is called an environment, or is one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.elements import DictEntry
from npu_lsp.languages.python.dataflow.entries import entries_of, made_of
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.source import LogicalLine
from npu_lsp.languages.python.tree.constants import Constant, constant, text_of
from npu_lsp.languages.python.tree.nodes import (
    Stmt,
    callee,
    index_of,
    inner_nodes,
    is_name,
    last,
    path,
    positional,
    walk,
)
from npu_lsp.languages.python.tree.statement import Assignment
from npu_lsp.languages.python.view import SourceView
from npu_lsp.languages.variable_names import is_environment, is_variable, named
from npu_lsp.languages.variable_texts import NUMBERS
from npu_lsp.text import lazy_re as re

_COPIES = frozenset({"copy", "deepcopy", "dict"})
_READS = frozenset({"items", "keys", "values", "get"})


class Going(NamedTuple):
    """An expression and what its destination is called; nothing where nobody calls it anything."""

    node: cst.BaseExpression
    label: str
    bound: str = ""
    """The plain name that is bound to it."""


def _label_of(target: cst.BaseExpression) -> str:
    """Return what a target of an assignment is called: the last name, or the key behind it."""
    if isinstance(target, cst.Subscript):
        index = index_of(target)
        return (text_of(index) if index is not None else None) or _label_of(target.value)
    return last(target) or ""


def _destinations(stmt: Stmt, function: str) -> Iterator[Going]:
    """Yield each dict, each `dict(...)` and each name that a statement hands on; `function` is the one it stands in."""
    todo: list[Going] = []
    if isinstance(stmt, cst.Assign):
        target = stmt.targets[0].target
        todo.append(Going(stmt.value, _label_of(target), target.value if is_name(target) else ""))
    elif isinstance(stmt, (cst.AnnAssign, cst.AugAssign)):
        if stmt.value is not None:
            bound = stmt.target.value if is_name(stmt.target) and isinstance(stmt, cst.AnnAssign) else ""
            todo.append(Going(stmt.value, _label_of(stmt.target), bound))
    elif isinstance(stmt, cst.Return):
        if stmt.value is not None:
            todo.append(Going(stmt.value, function))
    else:
        todo += _unnamed(stmt)
    while todo:
        going = todo.pop()
        node = going.node
        if isinstance(node, (cst.Dict, cst.Name)) or callee(node) == "dict":
            yield going
        todo += _inside(node, going)


def _inside(node: cst.BaseExpression, going: Going) -> list[Going]:
    """Return what the parts of an expression go to."""
    if isinstance(node, cst.Dict):
        return [
            Going(e.value, text_of(e.key) or "" if isinstance(e, cst.DictElement) else going.label)
            for e in node.elements
        ]
    if isinstance(node, cst.Call):
        return _arguments(node, going)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
        return [Going(node.left, going.label), Going(node.right, going.label)]
    if isinstance(node, cst.BooleanOperation):
        return [Going(node.left, going.label), Going(node.right, going.label)]
    if isinstance(node, cst.IfExp):
        return [Going(node.body, going.label), Going(node.orelse, going.label)]
    if isinstance(node, (cst.List, cst.Tuple)):
        return [Going(element.value, going.label) for element in node.elements]
    if isinstance(node, (cst.Lambda, cst.BaseComp)):
        return []
    return _unnamed(node)


def _arguments(node: cst.Call, going: Going) -> list[Going]:
    function = node.func
    name = last(function)
    found = [Going(function, "")] if not is_name(function) else []
    if isinstance(function, cst.Attribute) and name in _COPIES and not node.args:
        return [Going(function.value, going.label)]
    for argument in node.args:
        label = argument.keyword.value if argument.keyword is not None else ""
        if not label and name in _COPIES:
            label = going.label
        elif not label and name == "update" and isinstance(function, cst.Attribute):
            label = _label_of(function.value)
        found.append(Going(argument.value, label))
    return found


def _unnamed(node: cst.CSTNode) -> list[Going]:
    """Return the expressions right in a node, whose destinations have no name."""
    found: list[Going] = []
    todo = [inner for inner in inner_nodes(node) if not isinstance(inner, cst.BaseSuite)]
    while todo:
        inner = todo.pop()
        if isinstance(inner, cst.BaseExpression):
            found.append(Going(inner, ""))
        else:
            todo += [each for each in inner_nodes(inner) if not isinstance(each, cst.BaseSuite)]
    return found


class Uses(NamedTuple):
    """How often a statement looks into what a name stands for, and how often it hands it on or changes it."""

    reads: int = 0
    others: int = 0


def uses(stmt: Stmt, name: str) -> Uses:
    """Count what a statement does with a name."""
    reads = others = 0
    for node in walk(stmt, suites=False):
        for inner in inner_nodes(node):
            if is_name(inner) and inner.value == name:
                if _is_read(node, inner):
                    reads += 1
                else:
                    others += 1
    return Uses(reads, others)


def _is_read(node: cst.CSTNode, inner: cst.Name) -> bool:
    """Return whether `node` only looks at what the name in it stands for."""
    if isinstance(node, cst.Attribute):
        return node.attr.value in _READS
    if isinstance(node, (cst.Comparison, cst.ComparisonTarget)):
        return True
    if isinstance(node, (cst.For, cst.CompFor)):
        return node.iter is inner
    return False


_NAME = re.compile(r"[A-Z][A-Z0-9_]{2}[A-Za-z0-9_]*")
# What stands before is asked behind the first letter, so that only capital letters are looked at.
_KEY = re.compile(
    r"[A-Z](?:(?<=['\"].)[A-Z0-9_]{2}[A-Za-z0-9_]*(?=['\"])|(?<![A-Za-z0-9_].)[A-Z0-9_]{2}[A-Za-z0-9_]+(?=[ ]?=(?!=)))"
)
"""The name of a variable that seems to be a key: `"X"`, `X=`."""
_TABLES = (cst.Lambda, cst.Dict, cst.List, cst.Tuple, cst.Set, cst.BaseComp)
_PUTS = frozenset({"setenv", "setdefault"})
_OWN = frozenset({"os.environ", "environ"})
_SEVERAL = 2
_MOST_NAMES = 200
"""Names of dicts that are followed in one file."""


def find(view: SourceView) -> None:
    """Add a block for each dict of variables that isn't read as a process's or the script's own."""
    names = {match.group() for match in named(_KEY, view.source.text)}
    if names:
        _Dicts(view).find(view.lines_with(*sorted(names)))


class _Dicts:
    def __init__(self, view: SourceView) -> None:
        self._view = view
        self._bound: dict[str, None] = {}

    def find(self, lines: list[LogicalLine]) -> None:
        """Add what `lines`, which name variables, put into dicts."""
        literals: list[tuple[LogicalLine, Going]] = []
        for line in lines:
            found = [going for going in self._goings(line) if self._is_literal(line, going)]
            literals += [(line, going) for going in found]
            self._bound |= dict.fromkeys(going.bound for going in found if going.bound)
            for assignment in line.statement.assignments:
                owner = assignment.target.value if isinstance(assignment.target, cst.Subscript) else None
                if is_name(owner) and is_variable(_label_of(assignment.target)):
                    self._bound.setdefault(owner.value)
        followed = list(self._bound)[:_MOST_NAMES]
        more = self._view.lines_with(*followed, whole=True) if followed else []
        every = {line.index: line for line in (*lines, *more)}
        for index in sorted(every):
            self._handed_on(every[index])
        for line, going in literals:
            if self._goes_to_environment(line, going):
                self._add_dict(line, going.node)
        for line in lines:
            for assignment, place in self._view.assignments([line]):
                self._subscript(assignment, place)
            for call, place in self._view.calls([line], *_PUTS):
                self._put(call, place)

    def _is_literal(self, line: LogicalLine, going: Going) -> bool:
        return not is_name(going.node) and self._names_variable(line, going.node)

    # -- where dicts go -------------------------------------------------------------------------------------

    def _goings(self, line: LogicalLine) -> Iterator[Going]:
        for stmt, _ in line.statement.statements:
            yield from _destinations(stmt, self._function(line))

    def _function(self, line: LogicalLine) -> str:
        """Return the name of the function around a line."""
        scopes = self._view.source.scopes
        header = scopes.function(line.index)
        above = self._view.source.line(header) if header != MODULE else None
        found = above.statement.header if above is not None else None
        return found.name.value if isinstance(found, cst.FunctionDef) else ""

    def _names_variable(self, line: LogicalLine, node: cst.BaseExpression) -> bool:
        """Return whether a dict itself, and not one in it, has a variable among its names."""
        if isinstance(node, cst.Dict):
            keys = (e.key for e in node.elements if isinstance(e, cst.DictElement))
            texts = (self._view.text(key, Place(line)) for key in keys)
            return any(text is not None and is_variable(text) for text in texts)
        given = node.args if isinstance(node, cst.Call) else ()
        return any(a.keyword is not None and is_variable(a.keyword.value) for a in given)

    def _handed_on(self, line: LogicalLine) -> None:
        """Add the dicts that a line hands on under a name: `start(env_dict=env)`, `patch.dict(os.environ, env)`."""
        for call, place in self._view.calls([line]):
            if _patches(call):
                found = made_of(self._view, call, place).found
                self._add(("patched", place.statement, line.span(call)), found)
        for going in self._goings(line):
            if is_name(going.node) and going.node.value in self._bound and is_environment(going.label):
                self._add_dict(line, going.node)

    def _goes_to_environment(self, line: LogicalLine, going: Going) -> bool:
        """Return whether a literal is a table of variables for others, and not one for the script to look into."""
        if not is_environment(going.label):
            return False
        if not going.bound:
            return True
        found = Uses()
        lines = self._view.lines_with(going.bound, whole=True)
        if len(lines) < len(self._view.source.lines_with(going.bound, whole=True)):
            return False  # A line that can't be read says what the table is for.
        for other in lines:
            if self._pours(other, going.bound):
                return True
            for stmt, _ in other.statement.statements if other.index != line.index else ():
                one = uses(stmt, going.bound)
                found = Uses(found.reads + one.reads, found.others + one.others)
        if found == Uses():
            return sum(map(is_variable, _NAME.findall(line.source(going.node)))) >= _SEVERAL
        return found.others > 0

    def _pours(self, line: LogicalLine, bound: str) -> bool:
        """Return whether a line begins a loop that sets each variable: `for k, v in more.items(): os.environ[k] = v`."""
        loop = line.statement.header
        if (
            not isinstance(loop, cst.For)
            or not isinstance(loop.target, cst.Tuple)
            or path(loop.iter) != f"{bound}.items()"
        ):
            return False
        key = loop.target.elements[0].value
        scopes = self._view.source.scopes
        scope = scopes.scope(line.index)
        targets = (
            assignment.target
            for each in self._view.lines_with("environ")
            if each.index >= line.index and scopes.scope(each.index) == scope
            for assignment in each.statement.assignments
        )
        return any(
            isinstance(target, cst.Subscript)
            and path(target.value) in _OWN
            and (index := index_of(target)) is not None
            and path(index) == path(key)
            for target in targets
        )

    # -- what is in them ------------------------------------------------------------------------------------

    def _add_dict(self, line: LogicalLine, node: cst.BaseExpression) -> None:
        span = line.span(node)
        place = self._view.place(line)._replace(stmt=line.statement.header)
        found = entries_of(self._view, node, place).found
        self._add(("environment", span), map(_as_text, found))

    def _subscript(self, assignment: Assignment, place: Place) -> None:
        """Add `env["X"] = v`."""
        target, value = assignment.target, assignment.value
        if not isinstance(target, cst.Subscript) or value is None or not is_environment(_label_of(target.value)):
            return
        key = index_of(target)
        if key is not None:
            self._one(target.value, key, value, place, Form.SUBSCRIPT)

    def _put(self, call: cst.Call, place: Place) -> None:
        """Add `monkeypatch.setenv("X", v)` and `env.setdefault("X", v)`."""
        function, given = call.func, [a.value for a in positional(call)]
        if not isinstance(function, cst.Attribute) or function.attr.value not in _PUTS or len(given) < 2:
            return
        if function.attr.value == "setenv":
            self._one(call, given[0], given[1], place, Form.ITEM)
        elif is_environment(_label_of(function.value)):
            self._one(function.value, given[0], given[1], place, Form.ITEM)

    def _one(
        self, owner: cst.BaseExpression, key: cst.BaseExpression, value: cst.BaseExpression, place: Place, form: Form
    ) -> None:
        name = self._view.text(key, place)
        if name is None:
            return
        at, said = self._view.content(key, place), self._view.value(value, place)
        where: Hashable = path(owner) or place.line.span(owner)
        block = ("environment", self._view.source.scopes.scope(place.line.index), where)
        span = place.statement
        self._add(block, [_as_text(DictEntry(name, key, at, value, place, said, form, span, span))])

    def _add(self, block: Hashable, entries: Iterable[DictEntry]) -> None:
        found = [entry for entry in entries if is_variable(entry.name)]
        if any(isinstance(e.node, _TABLES) for e in found):
            # A table of what is known about variables.
            return
        for entry in found:
            if _keeps(entry) or not self._view.first_sight("variable", entry.key):
                continue
            self._view.blocks.begin(block, Surface.ENV, entry.key)
            # Whoever gets them may have others from elsewhere.
            self._view.blocks.leave_open(block)
            self._view.blocks.add(block, entry.setting(Surface.ENV))


def _as_text(entry: DictEntry) -> DictEntry:
    """Return an entry with a number as the text that its taker may make of it: `{k: str(v) for k, v in env.items()}`."""
    said = entry.value
    if said.kind not in NUMBERS:
        return entry
    return entry._replace(value=said._replace(kind=ValueKind.STRING, data=str(said.data) if said.known else None))


def _keeps(entry: DictEntry) -> bool:
    """Return whether an entry keeps what the variable is already: `{"X": os.getenv("X")}`.

    With a default of its own, `env.pop("X", "1")`, it is set where it wasn't.
    """
    node = entry.node
    if not isinstance(node, (cst.Call, cst.Subscript)):
        return False
    texts = (inner.raw_value for inner in walk(node) if isinstance(inner, cst.SimpleString))
    if entry.name not in texts:
        return False
    default = positional(node)[1:2] if isinstance(node, cst.Call) else []
    return not default or text_of(default[0].value) == "" or constant(default[0].value) == Constant(None)


def _patches(call: cst.Call) -> bool:
    """Return whether it is `patch.dict(os.environ, ...)`."""
    given = positional(call)
    if not (path(call.func) or "").endswith("patch.dict") or not given:
        return False
    owner = given[0].value
    written = owner.raw_value if isinstance(owner, cst.SimpleString) else path(owner)
    return written in _OWN
