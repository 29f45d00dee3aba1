"""Where expressions of a statement go: under which name, as which argument, under which key of another dict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from npu_lsp.languages.python.tree.constants import text_of
from npu_lsp.languages.python.tree.nodes import Stmt, callee, index_of, inner_nodes, is_name, walk
from npu_lsp.languages.python.tree.paths import last

_COPIES = frozenset({"copy", "deepcopy", "dict"})
_READS = frozenset({"items", "keys", "values", "get"})


class Going(NamedTuple):
    """An expression and what its destination is called; nothing where nobody calls it anything."""

    node: cst.BaseExpression
    label: str
    bound: str = ""
    """The plain name that is bound to it."""


def label_of(target: cst.BaseExpression) -> str:
    """Return what a target of an assignment is called: the last name, or the key behind it."""
    if isinstance(target, cst.Subscript):
        index = index_of(target)
        return (text_of(index) if index is not None else None) or label_of(target.value)
    return last(target) or ""


def goings(stmt: Stmt, function: str) -> Iterator[Going]:
    """Yield each dict, each `dict(...)` and each name that a statement hands on; `function` is the one it stands in."""
    todo: list[Going] = []
    if isinstance(stmt, cst.Assign):
        target = stmt.targets[0].target
        todo.append(Going(stmt.value, label_of(target), target.value if is_name(target) else ""))
    elif isinstance(stmt, (cst.AnnAssign, cst.AugAssign)):
        if stmt.value is not None:
            bound = stmt.target.value if is_name(stmt.target) and isinstance(stmt, cst.AnnAssign) else ""
            todo.append(Going(stmt.value, label_of(stmt.target), bound))
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
            label = label_of(function.value)
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
    """Tell whether `node` only looks at what the name in it stands for."""
    if isinstance(node, cst.Attribute):
        return node.attr.value in _READS
    if isinstance(node, (cst.Comparison, cst.ComparisonTarget)):
        return True
    if isinstance(node, (cst.For, cst.CompFor)):
        return node.iter is inner
    return False
