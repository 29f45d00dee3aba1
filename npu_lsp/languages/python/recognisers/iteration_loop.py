"""`set_iteration_per_loop(sess, train_op, 10)`: how many steps a script runs in one call of the device."""

from __future__ import annotations

import libcst as cst

from npu_lsp.languages.model import Fact, FactKind
from npu_lsp.languages.python.tree.nodes import keyword, positional
from npu_lsp.languages.python.tree.paths import last
from npu_lsp.languages.python.view import SourceView

# Where each function takes the number (tf: tf_adapter/python/npu_bridge/estimator/npu/util.py).
_CALLS = {"set_iteration_per_loop": 2, "load_iteration_per_loop_var": 1}
_KEYWORD = "iterations_per_loop"


def find(view: SourceView) -> None:
    """Add a fact with the number for each call, to the file as a whole: the calls don't name an optimizer."""
    for line in view.lines_with(*_CALLS):
        for call in line.statement.calls:
            place = _CALLS.get(last(call.node.func) or "")
            if place is None:
                continue
            given: cst.BaseExpression | None = keyword(call.node, _KEYWORD)
            if given is None and len(listed := positional(call.node)) > place:
                given = listed[place].value
            if given is not None:
                at = view.place(line, inline=call.inline)
                value = view.evaluate.value(given, at)
                view.facts.append(Fact(FactKind.ITERATION_LOOP, value.span, value, at.branch))
