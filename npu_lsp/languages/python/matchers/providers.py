"""Options of ONNX Runtime's CANN provider: `("CANNExecutionProvider", {...})`, or `provider_options` beside `providers`.

ONNX Runtime makes texts of all values before it reads them.
Source: onnxruntime:onnxruntime/python/onnxruntime_inference_collection.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Value, ValueKind
from npu_lsp.languages.python.dataflow.entries import entries_of
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.tree.constants import text_of
from npu_lsp.languages.python.tree.nodes import keyword, parts, walk
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.spans import Span

NAME = "CANNExecutionProvider"
_WRITTEN = frozenset({ValueKind.BOOL, ValueKind.INT, ValueKind.FLOAT})
_TEXTS = frozenset({ValueKind.STRING, ValueKind.BYTES})


def find(view: SourceView) -> None:
    """Add a block for each dict of options."""
    for line in view.lines_with(NAME):
        for statement, inline in line.statement.statements:
            for node in walk(statement, suites=False):
                for options in _options(node):
                    _add(view, options, view.place(line, inline=inline), line.span(statement))


def _options(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    if isinstance(node, cst.Tuple) and len(node.elements) == 2:
        name, options = parts(node)
        if text_of(name) == NAME:
            yield options
    elif isinstance(node, cst.Call):
        names, given = keyword(node, "providers"), keyword(node, "provider_options")
        if isinstance(names, (cst.List, cst.Tuple)) and isinstance(given, (cst.List, cst.Tuple)):
            for name, options in zip(parts(names), parts(given), strict=False):
                if text_of(name) == NAME:
                    yield options


def _add(view: SourceView, node: cst.BaseExpression, place: Place, statement: Span) -> None:
    entries = entries_of(view, node, place, statement)
    if not entries.found:
        return
    key = NAME, place.line.start, place.line.span(node)
    view.blocks.begin(key, Surface.ONNXRUNTIME, entries.found[0].key)
    if not entries.complete:
        view.blocks.leave_open(key)
    for entry in entries.found:
        setting = entry.setting(Surface.ONNXRUNTIME)
        view.blocks.add(key, setting._replace(value=_written(setting.value)))


def _written(value: Value) -> Value:
    """Return a value as the text that becomes of it."""
    if value.kind in _WRITTEN and value.known:
        return value._replace(kind=ValueKind.STRING, data=str(value.data))
    return value if value.kind in _TEXTS else Value(ValueKind.UNKNOWN, value.span)
