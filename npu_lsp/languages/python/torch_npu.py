"""`torch_npu.npu.set_compile_mode(...)` and TorchAir's `CompilerConfig`; `set_option({...})` is one of the calls with a dict."""

from __future__ import annotations

import libcst as cst

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form
from npu_lsp.languages.python.attributes import Attributes
from npu_lsp.languages.python.call_contexts import CallContexts
from npu_lsp.languages.python.dict_calls import add_setting, begin, is_of
from npu_lsp.languages.python.mapping_entries import Entry, keyword_entry
from npu_lsp.languages.python.nodes import positional
from npu_lsp.languages.python.paths import last
from npu_lsp.languages.python.place import Place
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.statement import Call
from npu_lsp.languages.python.view import View
from npu_lsp.text.spans import Span

_MODE = "set_compile_mode"
_MODE_ARGUMENT = "jit_compile"
_MODULES = ("npu", "torch_npu")
_CONFIG = "CompilerConfig"
_KEY = Surface.TORCH_NPU.value
"""One block for what holds for the process, with what `set_option` sets."""


def find(view: View, contexts: CallContexts) -> None:
    """Add what holds for the process to its block, and one block for each compiler config."""
    for line in view.lines_with(_MODE):
        for call in line.statement.calls:
            if is_of(view, call.node, _MODE, _MODULES):
                _add(view, line, call)
    if view.source.occurrences.substring("torchair"):
        Attributes(view, contexts, Surface.TORCHAIR, (_CONFIG,), _is_config).find()


def _is_config(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and last(node.func) == _CONFIG and not positional(node)


def _add(view: View, line: Line, call: Call) -> None:
    node = call.node
    place = view.place(line, inline=call.inline)
    statement = line.span(call.statement)
    listed = positional(node)
    begin(view, _KEY, Surface.TORCH_NPU, node, line)
    for given in node.args:
        found = keyword_entry(view, given, place, statement, Form.KEYWORD)
        if found is not None:
            add_setting(view, _KEY, Surface.TORCH_NPU, found)
    if listed and not listed[0].star:
        add_setting(view, _KEY, Surface.TORCH_NPU, _positional(view, listed[0].value, place, statement))


def _positional(view: View, node: cst.BaseExpression, place: Place, statement: Span) -> Entry:
    """Return the only argument that `set_compile_mode` has, written without its name."""
    span = place.line.span(node)
    value = view.evaluate.value(node, place)
    return Entry(_MODE_ARGUMENT, node, span, node, place, value, Form.KEYWORD, statement, span)
