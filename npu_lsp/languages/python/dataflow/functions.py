"""Functions of the file and their calls: what parameters stand for in a call, and which arms of an `if` it runs."""

from __future__ import annotations

from collections.abc import Mapping

from npu_lsp.languages.branches import Branch, Branching
from npu_lsp.languages.model import ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.entries import keyword_name
from npu_lsp.languages.python.dataflow.names import Bound, Place
from npu_lsp.languages.python.dataflow.operations import AbstractValue
from npu_lsp.languages.python.dataflow.values import Evaluator
from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.source import LogicalLine, Source
from npu_lsp.languages.python.tree.nodes import is_name, keywords, last, parameters, parts, positional, taking_names
from npu_lsp.languages.python.tree.statement import Call, Statement
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.memo import Memoized


def names_of_parameters(function: cst.FunctionDef | cst.Lambda) -> list[str]:
    """Return what a function calls what is handed to it."""
    more = taking_names(function)
    return [p.name.value for p in parameters(function)] + ([more] if more is not None else [])


def arguments(
    function: cst.FunctionDef | cst.Lambda,
    line: LogicalLine,
    call: cst.Call,
    call_line: LogicalLine,
    given: Mapping[str, Bound] | None,
) -> dict[str, Bound] | None:
    """Return what a function's parameters stand for in one call, or `None` where stars hide it."""
    if any(a.star for a in call.args):
        return None
    params = function.params
    plain = [p.name.value for p in (*params.posonly_params, *params.params)]
    known = {p.name.value for p in parameters(function)}
    found = {p.name.value: Bound(p.default, line) for p in parameters(function) if p.default is not None}
    if plain[:1] in (["self"], ["cls"]) and isinstance(call.func, cst.Attribute):
        plain = plain[1:]
    for name, argument in zip(plain, positional(call), strict=False):
        found[name] = Bound(argument.value, call_line, given)
    found |= {name: Bound(argument.value, call_line, given) for name, argument in keywords(call)}
    more = taking_names(function)
    if more is not None:
        found[more] = Bound(_dict_of(call_line.statement, call, frozenset(known)), call_line, given)
    return found


@Memoized
def _dict_of(statement: Statement, call: cst.Call, known: frozenset[str]) -> cst.Dict:
    """Return the dict that `**more` is, in the place of the call; the same one each time, for places are kept by node."""
    elements = []
    for name, argument in keywords(call):
        if name not in known:
            element = cst.DictElement(keyword_name(statement, argument), argument.value)
            statement.stand(element, statement.span(argument))
            elements.append(element)
    made = cst.Dict(elements)
    statement.stand(made, statement.span(call))
    return made


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
    """Return whether `test` is true, or `None` where the text doesn't tell."""
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
    """Return whether the statement under the branches `rest` runs, as far as literals decide it."""
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


class FileFunctions:
    """Finds functions and their calls."""

    def __init__(self, view: SourceView) -> None:
        self._view = view
        self._calls: dict[str, list[tuple[LogicalLine, Call]]] = {}

    def calls_of(self, name: str) -> list[tuple[LogicalLine, Call]]:
        """Return the calls of the one function of that name in this file."""
        known = self._calls.get(name)
        if known is None:
            known = self._calls[name] = [
                (line, call)
                for line in self._view.lines_naming(name)
                for call in line.statement.calls
                if last(call.node.func) == name and self._may_mean(name, call.node.func, line)
            ]
        return known

    def _may_mean(self, name: str, written: cst.BaseExpression, line: LogicalLine) -> bool:
        """Return whether what is called can be this file's function: neither a module's (`subprocess.run`) nor itself."""
        scopes, names = self._view.source.scopes, self._view.names
        (binding, *_) = names.bindings(name) or (None,)
        if binding is None or scopes.function(line.index) == binding.index:
            return False
        if not isinstance(written, cst.Attribute):
            return True
        if binding.scope == MODULE or scopes.header(binding.scope) != "class":
            return False
        if not is_name(written.value):
            return True
        headers = [
            b.line.statement.header for b in names.visible(written.value.value, line.index) if b.line is not None
        ]
        return not any(isinstance(h, (cst.Import, cst.ImportFrom)) for h in headers)

    def only_call(self, header: cst.FunctionDef) -> tuple[LogicalLine, Call] | None:
        """Return the one call of a function of this file, if there is just one."""
        if not self.is_single(header.name.value):
            return None
        calls = self.calls_of(header.name.value)
        return calls[0] if len(calls) == 1 else None

    def function(self, name: str) -> tuple[cst.FunctionDef, LogicalLine] | None:
        """Return the one function of that name that the file defines, and the line of its header."""
        if not self.is_single(name):
            return None
        line = self._view.names.bindings(name)[0].line
        header = line.statement.header if line is not None else None
        if line is None or not isinstance(header, cst.FunctionDef):
            return None
        return header, line

    def is_single(self, name: str) -> bool:
        """Return whether the file defines one function of that name, and nothing else by it."""
        bindings = self._view.names.bindings(name)
        return len(bindings) == 1 and bindings[0].line is not None
