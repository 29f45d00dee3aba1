"""The parts of calls and dicts, as places: what stands between their commas."""

from __future__ import annotations

import libcst as cst

from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.tree.nodes import parts
from npu_lsp.text.spans import Span

Holder = cst.Call | cst.Dict | cst.List | cst.Tuple | cst.Set


def items(node: Holder, line: Line) -> list[Span]:
    """Return the places of the arguments of a call, the pairs of a dict or the elements of a list, in order."""
    if isinstance(node, cst.Dict):
        return [line.span(e) for e in node.elements]
    if isinstance(node, cst.Call):
        return [line.span(a if a.keyword is not None or a.star else a.value) for a in node.args]
    return [line.span(e) for e in parts(node)]
