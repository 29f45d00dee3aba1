"""What a function's parameters stand for in one call of it."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from npu_lsp.languages.python.following.keyword_entries import keyword_name
from npu_lsp.languages.python.place import Bound
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.tree.nodes import keywords, parameters, positional, taking_names
from npu_lsp.languages.python.tree.statement import Statement
from npu_lsp.text.kept import Derived


def names_of_parameters(function: cst.FunctionDef | cst.Lambda) -> list[str]:
    """Return what a function calls what is handed to it."""
    more = taking_names(function)
    return [p.name.value for p in parameters(function)] + ([more] if more is not None else [])


def arguments(
    function: cst.FunctionDef | cst.Lambda,
    line: Line,
    call: cst.Call,
    call_line: Line,
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


@Derived
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
