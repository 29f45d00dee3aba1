"""`torch.npu.set_option({...})`, `torch_npu.npu.set_compile_mode(...)` and TorchAir's `CompilerConfig`."""

from __future__ import annotations

import libcst as cst

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, Setting
from npu_lsp.languages.python.attributes import Attributes
from npu_lsp.languages.python.call_contexts import CallContexts
from npu_lsp.languages.python.mapping_entries import Entry, keyword_entry
from npu_lsp.languages.python.mappings import entries_of
from npu_lsp.languages.python.nodes import keyword, module_of, positional
from npu_lsp.languages.python.paths import last, path
from npu_lsp.languages.python.place import Place
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.statement import Call
from npu_lsp.languages.python.view import View
from npu_lsp.text.spans import Span

_OPTION = "set_option"
_MODE = "set_compile_mode"
_MODE_ARGUMENT = "jit_compile"
_CONFIG = "CompilerConfig"
_KEY = "torch_npu"


def find(view: View, contexts: CallContexts) -> None:
    """Add one block for what holds for the process, and one for each compiler config."""
    for line in view.lines_with(_OPTION, _MODE):
        for call in line.statement.calls:
            if _is_ours(view, call):
                _add(view, line, call)
    if view.source.occurrences.substring("torchair"):
        Attributes(view, contexts, Surface.TORCHAIR, (_CONFIG,), _is_config).find()


def _is_config(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and last(node.func) == _CONFIG and not positional(node)


def _is_ours(view: View, call: Call) -> bool:
    """Tell whether it is torch_npu's function: other libraries have a `set_option`, too."""
    written = path(call.node.func) or ""
    module, _, name = written.rpartition(".")
    if name not in (_OPTION, _MODE):
        return False
    if module:
        return module.rpartition(".")[2] in ("npu", "torch_npu")
    bindings = view.names.bindings(name)
    return len(bindings) == 1 and _is_imported(bindings[0].line)


def _is_imported(line: Line | None) -> bool:
    header = line.statement.header if line is not None else None
    return isinstance(header, cst.ImportFrom) and "npu" in module_of(header)


def _add(view: View, line: Line, call: Call) -> None:
    node = call.node
    place = view.place(line, inline=call.inline)
    statement = line.span(call.statement)
    listed = positional(node)
    if last(node.func) == _OPTION:
        argument = listed[0].value if listed else keyword(node, "option")
        if argument is None:
            return
        entries = entries_of(view, argument, place, statement)
        _begin(view, node, line)
        if not entries.complete:
            view.drafts.opened(_KEY)
        for entry in entries.found:
            _setting(view, entry)
        return
    _begin(view, node, line)
    for given in node.args:
        found = keyword_entry(view, given, place, statement, Form.KEYWORD)
        if found is not None:
            _setting(view, found)
    if listed and not listed[0].star:
        _setting(view, _positional(view, listed[0].value, place, statement))


def _begin(view: View, node: cst.Call, line: Line) -> None:
    end = line.span(node.func).end
    view.drafts.draft(_KEY, Surface.TORCH_NPU, Span(end - len(last(node.func) or ""), end))


def _positional(view: View, node: cst.BaseExpression, place: Place, statement: Span) -> Entry:
    """Return the only argument that `set_compile_mode` has, written without its name."""
    span = place.line.span(node)
    value = view.evaluate.value(node, place)
    return Entry(_MODE_ARGUMENT, node, span, node, place, value, Form.KEYWORD, statement, span)


def _setting(view: View, entry: Entry) -> None:
    view.drafts.setting(
        _KEY,
        Setting(
            surface=Surface.TORCH_NPU,
            name=entry.name,
            key=entry.key,
            value=entry.value,
            form=entry.form,
            statement=entry.statement,
            own=entry.own,
            branch=entry.place.branch,
        ),
    )
