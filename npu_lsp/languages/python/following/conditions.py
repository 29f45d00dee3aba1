"""Whether a condition holds, where that can be told: it picks the arm of a helper function that a call runs."""

from __future__ import annotations

import libcst as cst

from npu_lsp.languages.branches import Branch, Branching
from npu_lsp.languages.model import ValueKind
from npu_lsp.languages.python.place import Place
from npu_lsp.languages.python.source import Source
from npu_lsp.languages.python.tree.nodes import parts, positional
from npu_lsp.languages.python.tree.paths import last
from npu_lsp.languages.python.values.abstract_value import AbstractValue
from npu_lsp.languages.python.values.evaluate import Evaluator

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
        return _is_instance(evaluate.abstract(given[0].value, place), given[1].value)
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        return _compare(test, place, evaluate)
    abstract = evaluate.abstract(test, place)
    return bool(abstract.data) if abstract.known else None


def _is_instance(abstract: AbstractValue, types: cst.BaseExpression) -> bool | None:
    if abstract.kind in _UNTOLD:
        return None
    names = [last(e) for e in parts(types)] if isinstance(types, cst.Tuple) else [last(types)]
    kinds = [_TYPES.get(name or "") for name in names]
    if any(k is not None and abstract.kind in k for k in kinds):
        return True
    return None if None in kinds else False


def _compare(test: cst.Comparison, place: Place, evaluate: Evaluator) -> bool | None:
    left = evaluate.abstract(test.left, place)
    op, right_node = test.comparisons[0].operator, test.comparisons[0].comparator
    if isinstance(op, (cst.In, cst.NotIn)) and isinstance(right_node, (cst.Tuple, cst.List, cst.Set)):
        members = [evaluate.abstract(e, place) for e in parts(right_node)]
        if not left.known or not all(m.known for m in members):
            return None
        found = any(m.kind is left.kind and m.data == left.data for m in members)
        return found if isinstance(op, cst.In) else not found
    right = evaluate.abstract(right_node, place)
    if isinstance(op, (cst.Is, cst.IsNot)) and ValueKind.NONE in (left.kind, right.kind):
        if ValueKind.UNKNOWN in (left.kind, right.kind):
            return None
        return (left.kind is right.kind) == isinstance(op, cst.Is)
    if not (left.known and right.known) or not isinstance(op, (cst.Equal, cst.NotEqual)):
        return None
    return (left.kind is right.kind and left.data == right.data) == isinstance(op, cst.Equal)


def reaches(rest: Branch, place: Place, root: int, source: Source, evaluate: Evaluator) -> bool | None:
    """Tell whether the statement under the branches `rest` runs, as far as literals decide it."""
    answer: bool | None = True
    for kind, (owner, *_), arm in rest:
        if kind is not Branching.CONDITION or owner <= root or source.scopes.header(owner) != "if":
            return None
        found = _arm_holds(owner, arm or owner, place, source, evaluate)
        if found is False:
            return False
        if found is None:
            answer = None
    return answer


def _arm_holds(owner: int, arm: int, place: Place, source: Source, evaluate: Evaluator) -> bool | None:
    sure = True
    for index in source.scopes.arms(owner):
        line = source.line(index)
        if source.scopes.header(index) == "else":
            found: bool | None = True
        elif line is None or not isinstance(line.statement.header, cst.If):
            return None
        else:
            found = holds(line.statement.header.test, Place(line, place.branch, place.given), evaluate)
        if index == arm:
            return found if sure or found is False else None
        if found:
            return False
        sure = sure and found is False
    return None
