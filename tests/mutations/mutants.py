"""What can be changed in a file: each change alone makes a program that is wrong, or says the same in another way."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_COMPARED = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.In: "not in",
    ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
_NAMES = {
    "Safety": {"SAFE": "UNSAFE", "UNSAFE": "SAFE"},
    "Severity": {"ERROR": "WARNING", "WARNING": "ERROR", "INFO": "WARNING", "HINT": "WARNING"},
}
_SHOWN = frozenset({"VALID", "INVALID", "messages", "title", "__slots__"})
"""Class attributes that are examples and texts: they have tests of their own."""
_RELATION = re.compile(r"^\[\[(?:[^\]\n]*\.)?relations\]\]\n(?:(?!\[).*\n?)*", re.MULTILINE)
_OTHER = re.compile(r"^(?:kind|other|values|other_values) = .*$", re.MULTILINE)


class Mutant(NamedTuple):
    """One change to one file."""

    path: str
    where: str
    """The function or class that it is in, and which one of those that read alike there."""
    start: int
    end: int
    """What is replaced, in code points."""
    old: str
    new: str
    line: str
    """The first line of what is changed, as it was."""

    @property
    def name(self) -> str:
        """What tells it from others, also when lines above it come and go."""
        old, new = (" ".join(text.split())[:60] for text in (self.old, self.new))
        return f"{self.path} {self.where}: {self.line[:100]} | {old} -> {new}"


def of_python(path: str, text: str) -> Iterator[Mutant]:
    """Yield the changes to a Python file."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = text.splitlines()

    def offset(line: int, column: int) -> int:
        # Columns of `ast` are bytes of UTF-8.
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    def changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
        yield from _expressions(node, lambda part: ast.get_source_segment(text, part) or "")

    for where, node in _inside(ast.parse(text), ""):
        for part, new in changes(node):
            start = offset(part.lineno, part.col_offset)  # type: ignore[attr-defined]
            end = offset(part.end_lineno, part.end_col_offset)  # type: ignore[attr-defined]
            if text[start:end] != new:
                yield Mutant(path, where, start, end, text[start:end], new, lines[part.lineno - 1].strip())  # type: ignore[attr-defined]


def of_relations(path: str, text: str) -> Iterator[Mutant]:
    """Yield the relations of an option, each taken out."""
    for match in _RELATION.finditer(text):
        yield Mutant(path, "relations", *match.span(), match.group(), "", "; ".join(_OTHER.findall(match.group())))


def _inside(tree: ast.AST, where: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield every node in functions, and the values of a rule's attributes, with the names around it."""
    for child in ast.iter_child_nodes(tree):
        name = where
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            name = f"{where}.{child.name}".strip(".")
        elif isinstance(child, (ast.Assign, ast.AnnAssign)) and isinstance(tree, ast.ClassDef):
            target = child.targets[0] if isinstance(child, ast.Assign) else child.target
            if isinstance(target, ast.Name) and target.id in _SHOWN:
                continue
        elif isinstance(child, (ast.arg, ast.arguments, ast.Import, ast.ImportFrom)):
            continue
        if where or name:
            yield name, child
        yield from _inside(child, name)


def _expressions(node: ast.AST, said: Callable[[ast.AST], str]) -> Iterator[tuple[ast.AST, str]]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        new = _COMPARED[type(node.ops[0])]
        yield node, f"{said(node.left)} {new} {said(node.comparators[0])}"
    elif isinstance(node, ast.BoolOp):
        for left in range(len(node.values)):
            kept = [value for number, value in enumerate(node.values) if number != left]
            joint = " and " if isinstance(node.op, ast.And) else " or "
            yield node, "(" + joint.join(f"({said(value)})" for value in kept) + ")"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, f"({said(node.operand)})"
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in _NAMES:
        yield node, f"{node.value.id}.{_NAMES[node.value.id].get(node.attr, node.attr)}"
    elif isinstance(node, ast.If) and isinstance(node.body[0], (ast.Return, ast.Continue, ast.Break)):
        yield node.test, "False"
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool):
        yield node.value, str(not node.value.value)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield node, str(node.value + 1)
