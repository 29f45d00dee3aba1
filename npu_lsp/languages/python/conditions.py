"""Whether a condition holds, where that can be told: it picks the arm of a helper function that a call runs."""

from __future__ import annotations

import libcst as cst

from npu_lsp.languages.model import ValueKind
from npu_lsp.languages.python.evaluate import Evaluator, Place
from npu_lsp.languages.python.nodes import parts, positional
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


def holds(test: cst.BaseExpression, place: Place, evaluate: Evaluator) -> bool | None:
    """Tell whether `test` is true, or `None` where the text doesn't tell."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = holds(test.expression, place, evaluate)
        return None if inner is None else not inner
    if isinstance(test, cst.BooleanOperation):
        found = [holds(side, place, evaluate) for side in (test.left, test.right)]
        stop = isinstance(test.operator, cst.Or)
        if stop in found:
            return stop
        return None if None in found else not stop
    if isinstance(test, cst.Call) and last(test.func) == "isinstance" and len(given := positional(test)) == 2:
        return _is_instance(evaluate.worth(given[0].value, place), given[1].value)
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        return _compare(test, place, evaluate)
    worth = evaluate.worth(test, place)
    return bool(worth.data) if worth.known else None


def _is_instance(worth: Worth, types: cst.BaseExpression) -> bool | None:
    if worth.kind in _UNTOLD:
        return None
    names = [last(e) for e in parts(types)] if isinstance(types, cst.Tuple) else [last(types)]
    kinds = [_TYPES.get(name or "") for name in names]
    if any(k is not None and worth.kind in k for k in kinds):
        return True
    return None if None in kinds else False


def _compare(test: cst.Comparison, place: Place, evaluate: Evaluator) -> bool | None:
    left = evaluate.worth(test.left, place)
    op, right_node = test.comparisons[0].operator, test.comparisons[0].comparator
    if isinstance(op, (cst.In, cst.NotIn)) and isinstance(right_node, (cst.Tuple, cst.List, cst.Set)):
        members = [evaluate.worth(e, place) for e in parts(right_node)]
        if not left.known or not all(m.known for m in members):
            return None
        found = any(m.kind is left.kind and m.data == left.data for m in members)
        return found if isinstance(op, cst.In) else not found
    right = evaluate.worth(right_node, place)
    if isinstance(op, (cst.Is, cst.IsNot)) and ValueKind.NONE in (left.kind, right.kind):
        if ValueKind.UNKNOWN in (left.kind, right.kind):
            return None
        return (left.kind is right.kind) == isinstance(op, cst.Is)
    if not (left.known and right.known) or not isinstance(op, (cst.Equal, cst.NotEqual)):
        return None
    return (left.kind is right.kind and left.data == right.data) == isinstance(op, cst.Equal)
