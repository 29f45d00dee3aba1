"""Trees of Python modules, and what their literals say."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

UNKNOWN = object()
"""No value that the text shows."""


def parse(text: str) -> cst.Module | None:
    """Return the tree of a module, or `None` for a text that is none."""
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError:
        return None


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield a node and all that is in it, in the order of the text."""
    todo = [node]
    while todo:
        each = todo.pop()
        yield each
        todo += reversed(each.children)


def code(node: cst.CSTNode) -> str:
    """Return a node as it is written."""
    return cst.Module([]).code_for_node(node).strip()


def literal(node: cst.BaseExpression | None) -> object:
    """Return the value of a literal; `UNKNOWN` where an expression is none."""
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        text = node.evaluated_value
        return UNKNOWN if text is None else text
    if isinstance(node, (cst.Integer, cst.Float)):
        return node.evaluated_value
    if isinstance(node, cst.Name):
        return {"True": True, "False": False, "None": None}.get(node.value, UNKNOWN)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        value = literal(node.expression)
        return -value if isinstance(value, (int, float)) else UNKNOWN
    if isinstance(node, (cst.List, cst.Tuple)):
        items = [literal(each.value) for each in node.elements]
        made = items if isinstance(node, cst.List) else tuple(items)
        return UNKNOWN if UNKNOWN in items else made
    if isinstance(node, cst.Dict):
        pairs = [(literal(key), literal(value)) for key, value in entries(node)]
        return UNKNOWN if any(UNKNOWN in pair for pair in pairs) else dict(pairs)
    return UNKNOWN


def entries(node: cst.Dict) -> Iterator[tuple[cst.BaseExpression | None, cst.BaseExpression]]:
    """Yield the keys and values of a dict; what it spreads has no key."""
    for each in node.elements:
        yield each.key if isinstance(each, cst.DictElement) else None, each.value


def positional(call: cst.Call) -> list[cst.BaseExpression]:
    """Return the arguments without a name."""
    return [each.value for each in call.args if each.keyword is None and each.star != "**"]


def statements(owner: cst.Module | cst.ClassDef) -> Iterator[cst.CSTNode]:
    """Yield what stands directly in a module or a class."""
    body = owner.body.body if isinstance(owner, cst.ClassDef) else owner.body
    for each in body:
        yield from each.body if isinstance(each, cst.SimpleStatementLine) else (each,)


def method(owner: cst.ClassDef, name: str) -> cst.FunctionDef | None:
    """Return the method of a class that has that name."""
    found = (each for each in statements(owner) if isinstance(each, cst.FunctionDef))
    return next((each for each in found if each.name.value == name), None)
