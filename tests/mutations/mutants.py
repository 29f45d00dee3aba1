"""What can be changed in a file: each change alone makes a program that is wrong, or says the same in another way."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
_COMPARED = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.In: "not in",
    ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
_MEMBERS = {
    "Safety": {"SAFE": "UNSAFE", "UNSAFE": "SAFE"},
    "Severity": {"ERROR": "WARNING", "WARNING": "ERROR", "INFO": "WARNING", "HINT": "WARNING"},
    "Kind": {"PYTHON": "SHELL", "": "PYTHON"},
    "Surface": {"ATC": "AOE", "": "ATC"},
    "ValueKind": {"LIST": "DICT", "": "LIST"},
    "Tag": {"DEPRECATED": "UNNECESSARY", "": "DEPRECATED"},
}
"""What takes the place of a member: by its enumeration and name, an empty one standing for all others."""
_EMPTY = {
    "list": "[]",
    "tuple": "()",
    "dict": "{}",
    "str": '""',
    "set": "set()",
    "frozenset": "frozenset()",
    "Iterator": "iter(())",
}
"""What says nothing, by how a function's annotation begins; where it ends with None that does."""
_SHOWN = frozenset(
    {"VALID", "INVALID", "examples_in", "examples_say", "messages", "title", "code", "name", "__slots__"}
)
"""Class attributes that are examples, texts and names: they have tests of their own."""
_FORMS: dict[type[ast.expr], str] = {ast.Set: "{{{}}}", ast.Tuple: "({},)", ast.List: "[{}]"}
_LISTS = (ast.Set, ast.Tuple, ast.List)
_LEAVES = (ast.Return, ast.Continue, ast.Break)
_PLAIN = (ast.Constant, ast.Attribute)
_LIMIT = 20
"""Numbers with a name from here on keep the work small: one more or less is the same to everybody."""
_MOST_PARTS = 12
"""Parts of a list that is written down, of which each is left out once."""


class Mutant(NamedTuple):
    """One change to one file."""

    path: str
    kind: str
    where: str
    """The function or class that it is in, and which one of those that read alike there."""
    start: int
    end: int
    """What is replaced, in code points."""
    old: str
    new: str
    line: str
    """The first line of what is changed, as it was."""
    lines: frozenset[int]
    """The lines of the statement, or of its head, from 1; of a value outside of functions those that use its name."""
    function: tuple[str, int] | None
    """The name of the outermost function around it, and its first line."""

    @property
    def name(self) -> str:
        """What tells it from others, also when lines above it come and go."""
        old, new = (" ".join(text.split())[:60] for text in (self.old, self.new))
        return f"{self.path} {self.where}: {self.line[:100]} | {old} -> {new}"

    def made(self, text: str) -> str:
        """Return the file's `text` with the change."""
        return text[: self.start] + self.new + text[self.end :]


def mutants(pattern: str) -> Iterator[Mutant]:
    """Yield the changes to the Python files that fit a pattern, below the repository."""
    for path in sorted(ROOT.glob(pattern)):
        alike: Counter[str] = Counter()
        for mutant in of_python(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")):
            alike[mutant.name] += 1
            count = alike[mutant.name]
            yield mutant if count == 1 else mutant._replace(where=f"{mutant.where} ({count})")


def of_python(path: str, text: str) -> Iterator[Mutant]:
    """Yield the changes to a Python file."""
    tree = ast.parse(text)
    used: dict[str, set[int]] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            used.setdefault(node.id if isinstance(node, ast.Name) else node.attr, set()).add(node.lineno)
    shown = _only_shown(tree)
    for place in _places(tree, _Place()):
        if (place.function[0] if place.function else place.named) in shown and "." not in place.where:
            continue
        touched = frozenset(place.lines if place.function else used.get(place.named, ()))
        for kind, part, new in _changes(place, text):
            start, end = _span(text, part)
            if text[start:end] != new:
                line = _lines(text)[part.lineno - 1][1].strip()
                yield Mutant(path, kind, place.where, start, end, text[start:end], new, line, touched, place.function)


@lru_cache(maxsize=1)
def _lines(text: str) -> list[tuple[int, str]]:
    """Return the lines of a text, each with where it begins."""
    lines = text.splitlines(keepends=True)
    return list(zip(accumulate(map(len, lines), initial=0), lines, strict=False))


def _span(text: str, node: ast.expr | ast.stmt) -> tuple[int, int]:
    """Return where a node of a text begins and ends, in code points; columns of `ast` are bytes of UTF-8."""
    places = ((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0))
    start, end = (
        begins + len(line.encode()[:column].decode())
        for (begins, line), column in ((_lines(text)[number - 1], column) for number, column in places)
    )
    return start, end


def _only_shown(tree: ast.Module) -> frozenset[str]:
    """Return the names of a module that nothing uses but examples, texts and others of these names."""
    users: dict[str, set[str]] = {}
    for each in tree.body:
        for statement in each.body if isinstance(each, ast.ClassDef) else [each]:
            user = _names(statement)
            if isinstance(each, ast.ClassDef) and user not in _SHOWN:
                user = ""
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                    users.setdefault(node.id, set()).add(user)
    shown: set[str] = set()
    while found := {name for name, its in users.items() if name not in shown and its <= _SHOWN | shown | {name}}:
        shown |= found
    return frozenset(shown)


def _names(statement: ast.stmt) -> str:
    """Return the name that a statement of a module or class gives a value; empty where it gives none, or several."""
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return ast.unparse(statement.targets[0] if isinstance(statement, ast.Assign) else statement.target)
    return statement.name if isinstance(statement, ast.FunctionDef) else ""


class _Place(NamedTuple):
    """A node, and what is around it."""

    node: ast.AST = ast.Pass()
    where: str = ""
    function: tuple[str, int] | None = None
    returns: str = ""
    """The annotation of the function."""
    named: str = ""
    """The name that gets a value, outside of functions."""
    lines: range = range(0)
    within: ast.AST = ast.Pass()
    """What it is a part of."""


def _places(tree: ast.AST, around: _Place) -> Iterator[_Place]:
    """Yield every node that runs, or that gives a name in a module or a class its value, but for what people read."""
    for child in ast.iter_child_nodes(tree):
        place = around._replace(node=child, within=tree)
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            place = place._replace(where=f"{around.where}.{child.name}".strip("."))
        if isinstance(child, ast.FunctionDef):
            first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
            place = place._replace(
                function=around.function or (child.name, first),
                returns=ast.unparse(child.returns) if child.returns is not None else "",
            )
        if isinstance(child, (ast.Assign, ast.AnnAssign)):
            place = place._replace(named=_names(child))
        if isinstance(child, ast.stmt):
            inner = getattr(child, "body", [])
            last = inner[0].lineno - 1 if inner else child.end_lineno or child.lineno
            place = place._replace(lines=range(child.lineno, max(last, child.lineno) + 1))
        if not _is_read(child, tree, around):
            yield place
            yield from _places(child, place)


def _is_read(node: ast.AST, within: ast.AST, around: _Place) -> bool:
    """Return whether a node says something to people or to a checker of types, and does nothing."""
    if isinstance(node, (ast.arguments, ast.Import, ast.ImportFrom, ast.JoinedStr)):
        return True
    if isinstance(within, (ast.FunctionDef, ast.AnnAssign)) and node in (
        getattr(within, "returns", None),
        getattr(within, "annotation", None),
    ):
        return True
    if isinstance(within, ast.ClassDef) and isinstance(node, ast.expr):
        return True
    if isinstance(within, ast.FunctionDef) and node in within.decorator_list:
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(within, ast.Call) and isinstance(within.func, ast.Name) and within.func.id == "cast":
        return node is within.args[0]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Text":
        return True
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(within, ast.ClassDef):
        return ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target) in _SHOWN
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _changes(place: _Place, text: str) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    """Yield (kind, what is replaced, what takes its place)."""
    node = place.node
    if isinstance(node, ast.expr):
        yield from ((kind, node, new) for kind, new in _expressions(node, place, text))
    elif isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield "condition", test, "True"
    elif isinstance(node, ast.If):
        if isinstance(node.body[0], _LEAVES):
            yield "condition", node.test, "False"
        elif not isinstance(node.test, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
            yield "condition", node.test, f"not ({_said(text, node.test)})"
    elif isinstance(node, ast.Return) and node.value is not None:
        yield from _returned(node.value, place)
    elif isinstance(node, ast.Expr) and isinstance(node.value, (ast.Yield, ast.YieldFrom)):
        yield "deleted", node, "yield from ()"
    elif place.function and (isinstance(node, (ast.Expr, ast.AugAssign, ast.Delete)) or _is_kept(node)):
        assert isinstance(node, ast.stmt)
        yield "deleted", node, "pass"


def _is_kept(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Attribute, ast.Subscript))


def _returned(value: ast.expr, place: _Place) -> Iterator[tuple[str, ast.expr, str]]:
    if isinstance(value, ast.Constant) and isinstance(value.value, bool):
        yield "returned", value, str(not value.value)
    elif place.returns == "bool" and not isinstance(value, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
        yield "returned", value, f"not ({ast.unparse(value)})"
    elif place.returns.endswith("| None"):
        yield "returned", value, "None"
    elif place.returns.partition("[")[0] in _EMPTY and not (isinstance(value, ast.Constant) and not value.value):
        yield "returned", value, _EMPTY[place.returns.partition("[")[0]]


def _expressions(node: ast.expr, place: _Place, text: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        new = _COMPARED[type(node.ops[0])]
        left = _said(text, node.left)
        left = f"({left})" if isinstance(node.left, ast.NamedExpr) else left
        yield "comparison", f"{left} {new} {_said(text, node.comparators[0])}"
    elif isinstance(node, ast.BoolOp):
        joint, other = (" and ", " or ") if isinstance(node.op, ast.And) else (" or ", " and ")
        parts = [f"({_said(text, value)})" for value in node.values]
        for at, value in enumerate(node.values):
            # Without what takes the place of None the checker of types complains.
            if not (
                isinstance(node.op, ast.Or) and isinstance(value, (ast.Constant, ast.Tuple)) and at == len(parts) - 1
            ):
                yield "condition", "(" + joint.join(parts[:at] + parts[at + 1 :]) + ")"
        yield "connective", "(" + other.join(parts) + ")"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "negation", f"({_said(text, node.operand)})"
    elif isinstance(node, ast.IfExp) and not isinstance(node.test, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
        parts = [_said(text, each) for each in (node.orelse, node.test, node.body)]
        yield "condition", "({} if {} else {})".format(*parts)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in _MEMBERS:
        if isinstance(place.within, _LISTS):
            return  # It is left out, too.
        members = _MEMBERS[node.value.id]
        kind = node.value.id.lower() if node.value.id in ("Safety", "Severity") else "swapped"
        yield kind, f"{node.value.id}.{members.get(node.attr) or members.get('', node.attr)}"
    elif isinstance(node, ast.Constant):
        yield from _constants(node, place)
    elif isinstance(node, _LISTS):
        written = isinstance(getattr(node, "ctx", None), (ast.Load, type(None)))
        if written and 1 < len(node.elts) <= _MOST_PARTS and all(isinstance(each, _PLAIN) for each in node.elts):
            # A test for each word of a list would be a copy of the list.
            words = place.function is None and all(isinstance(each, ast.Constant) for each in node.elts)
            for at in range(1 if words else len(node.elts)):
                kept = ", ".join(_said(text, each) for number, each in enumerate(node.elts) if number != at)
                yield "dropped", _FORMS[type(node)].format(kept)


def _constants(node: ast.Constant, place: _Place) -> Iterator[tuple[str, str]]:
    if isinstance(node.value, bool):
        if not isinstance(place.within, ast.Return):
            yield "swapped", str(not node.value)
    elif isinstance(node.value, int) and (place.function or node.value < _LIMIT):
        yield "number", str(node.value + 1)
    elif isinstance(node.value, str) and not isinstance(place.within, _LISTS):
        yield "swapped", repr(f"{node.value}_")


def _said(text: str, node: ast.expr) -> str:
    # `ast.get_source_segment` divides the whole text into lines anew for each node.
    return text[slice(*_span(text, node))]
