"""Makes a statement readable for an interpreter that is older than the Python it was written for.

What a file says must not depend on the Python that npu-lsp happens to run on. libcst knows the newest grammar on each
of them: texts in the fields of f-strings that have the quotes around them (Python 3.12), type parameters (3.12) and
template strings (3.14). It is asked only where such a thing may stand, for it takes its time to import.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from npu_lsp.text.spans import Span

if TYPE_CHECKING:
    import libcst

_TEMPLATE = re.compile(r"(?<!\w)(?:[rR]?[fFtT]|[fFtT][rR])[\"']")
_PARAMETERS = re.compile(r"(?:def|class)[ \t]+\w+[ \t]*\[")
_LARGEST = 10_000
_DEEPEST = 100
"""Brackets in a statement that is read: libcst ends the process where they are nested too deep."""
_NEEDS_MORE = re.compile(r"[\"'\\#]")
_LINE_END = re.compile(r"\r\n|\n|\r")
_UNKNOWN = "[]"
"""An expression that no setting can be worth."""


def _may_be_newer(code: str) -> bool:
    template = _TEMPLATE.search(code)
    return (template is not None and "{" in code[template.end() :]) or _PARAMETERS.search(code) is not None


def plain(code: str) -> str | None:
    """Return a statement of the same length that older versions read, or `None` where it isn't newer than they are.

    What they can't read in it is worth nothing there.
    """
    if len(code) > _LARGEST or sum(code.count(sign) for sign in "([{") > _DEEPEST or not _may_be_newer(code):
        return None
    found = code
    for start, end in _newer(code):
        if _LINE_END.search(code, start, end):
            return None
        filling = "" if code[start] == "[" else _UNKNOWN
        found = found[:start] + filling.ljust(end - start) + found[end:]
    return found if found != code else None


def _newer(code: str) -> Iterator[Span]:
    """Yield where something stands that only newer versions read: type parameters, fields and templates."""
    import libcst
    from libcst.metadata import MetadataWrapper, PositionProvider

    try:
        wrapper = MetadataWrapper(libcst.parse_module(code), unsafe_skip_copy=True)
        places = wrapper.resolve(PositionProvider)
    except (libcst.ParserSyntaxError, libcst.CSTLogicError, SyntaxError, ValueError, RecursionError):
        # The second and the third: what it parsed, and then found wrong in its own tree.
        return
    lines = [0, *(end.end() for end in _LINE_END.finditer(code))]
    for node in _nodes(wrapper.module):
        # From code points of lines that begin with 1.
        at = places[node]
        span = Span(lines[at.start.line - 1] + at.start.column, lines[at.end.line - 1] + at.end.column)
        if code[slice(*span)] not in wrapper.module.code_for_node(node):
            # It miscounts lines that end inside a text.
            return
        if isinstance(node, (libcst.TypeParameters, libcst.TemplatedString)) or _NEEDS_MORE.search(code, *span):
            yield span


def _nodes(module: libcst.Module) -> Iterator[libcst.CSTNode]:
    import libcst

    waiting: list[libcst.CSTNode] = [module]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (libcst.TypeParameters, libcst.TemplatedString)):
            yield node
        elif isinstance(node, libcst.FormattedStringExpression):
            yield node.expression
        else:
            waiting.extend(node.children)
