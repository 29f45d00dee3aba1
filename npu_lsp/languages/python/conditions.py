"""Whether a condition holds, where that can be told: it picks the arm of a helper function that a call runs."""

from __future__ import annotations

import ast

from npu_lsp.languages.model import ValueKind
from npu_lsp.languages.python.evaluate import Evaluator, Place
from npu_lsp.languages.python.paths import last
from npu_lsp.languages.python.worth import Worth

_TYPES = {
    "str": frozenset({ValueKind.STRING}),
    "bytes": frozenset({ValueKind.BYTES}),
    "bool": frozenset({ValueKind.BOOL}),
    "int": frozenset({ValueKind.INT, ValueKind.BOOL}),
    "float": frozenset({ValueKind.FLOAT}),
    "list": frozenset({ValueKind.LIST}),
    "dict": frozenset({ValueKind.DICT}),
    "string_types": frozenset({ValueKind.STRING}),
}
_UNTOLD = frozenset({ValueKind.UNKNOWN, ValueKind.OBJECT, ValueKind.WORD, ValueKind.LIST})


def holds(test: ast.expr, place: Place, evaluate: Evaluator) -> bool | None:
    """Tell whether `test` is true, or `None` where the text doesn't tell."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = holds(test.operand, place, evaluate)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        found = [holds(v, place, evaluate) for v in test.values]
        stop = isinstance(test.op, ast.Or)
        if stop in found:
            return stop
        return None if None in found else not stop
    if isinstance(test, ast.Call) and last(test.func) == "isinstance" and len(test.args) == 2:
        return _is_instance(evaluate.worth(test.args[0], place), test.args[1])
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compare(test, place, evaluate)
    worth = evaluate.worth(test, place)
    return bool(worth.data) if worth.known else None


def _is_instance(worth: Worth, types: ast.expr) -> bool | None:
    if worth.kind in _UNTOLD:
        return None
    names = [last(e) for e in types.elts] if isinstance(types, ast.Tuple) else [last(types)]
    kinds = [_TYPES.get(name or "") for name in names]
    if any(k is not None and worth.kind in k for k in kinds):
        return True
    return None if None in kinds else False


def _compare(test: ast.Compare, place: Place, evaluate: Evaluator) -> bool | None:
    left = evaluate.worth(test.left, place)
    op, right_node = test.ops[0], test.comparators[0]
    if isinstance(op, (ast.In, ast.NotIn)) and isinstance(right_node, (ast.Tuple, ast.List, ast.Set)):
        members = [evaluate.worth(e, place) for e in right_node.elts]
        if not left.known or not all(m.known for m in members):
            return None
        found = any(m.kind is left.kind and m.data == left.data for m in members)
        return found if isinstance(op, ast.In) else not found
    right = evaluate.worth(right_node, place)
    if isinstance(op, (ast.Is, ast.IsNot)) and ValueKind.NONE in (left.kind, right.kind):
        if ValueKind.UNKNOWN in (left.kind, right.kind):
            return None
        return (left.kind is right.kind) == isinstance(op, ast.Is)
    if not (left.known and right.known) or not isinstance(op, (ast.Eq, ast.NotEq)):
        return None
    return (left.kind is right.kind and left.data == right.data) == isinstance(op, ast.Eq)
