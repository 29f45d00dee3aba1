"""The parts of calls and dicts, as places: what stands between their commas."""

from __future__ import annotations

import ast
import re

from npu_lsp.languages.python.source import Line
from npu_lsp.text.spans import Span

_CLOSING = re.compile(r"(?:[ \t\f\r\n]|\\[\r\n]|#[^\r\n]*[\r\n])*\)")


def pair_span(key: ast.expr | None, value: ast.expr, line: Line) -> Span:
    """Return the place of `key: value` in a dict, with brackets around the value."""
    text = line.statement.text
    end = line.span(value).end
    start = line.span(key).start if key is not None else line.span(value).start
    if key is None:
        # `**other`
        start = line.start + text.rfind("**", 0, start - line.start)
    return Span(start, _with_brackets(text, start - line.start, end - line.start) + line.start)


Holder = ast.Call | ast.Dict | ast.List | ast.Tuple | ast.Set


def parts(node: Holder, line: Line) -> list[Span]:
    """Return the places of the arguments of a call, the pairs of a dict or the elements of a list, in order."""
    if isinstance(node, ast.Dict):
        return [pair_span(k, v, line) for k, v in zip(node.keys, node.values, strict=True)]
    if not isinstance(node, ast.Call):
        return [line.span(e) for e in node.elts]
    return sorted([line.span(a) for a in node.args] + [line.span(k) for k in node.keywords])


def _with_brackets(text: str, start: int, end: int) -> int:
    """Return `end`, or where the brackets end that the tree leaves out: `{"a": (1)}`."""
    while text.count("(", start, end) > text.count(")", start, end):
        found = _CLOSING.match(text, end)
        if found is None:
            break
        end = found.end()
    return end
