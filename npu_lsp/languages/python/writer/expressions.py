"""Expressions that take the place of a value: as bytes where bytes are wanted, with the import that they need."""

from __future__ import annotations

import re

from npu_lsp.languages.python.writer.literals import wrapper_of
from npu_lsp.text.document import Document

_LITERAL = re.compile(
    r"""(?P<prefix>[rRuU]?)(?P<quote>\"\"\"|'''|"|')(?:[^\\"']|\\[\s\S]|(?!(?P=quote))["'])*(?P=quote)\Z"""
)
_BYTES = re.compile(r"""[\w.]*as_bytes\(|[rR]?[bB][rR]?["']""")
_SIMPLE = re.compile(r"[\w.]+(?:\([^()]*\))?\Z")


def as_bytes(expression: str, document: Document) -> str:
    """Return an expression for the same text as bytes."""
    if _BYTES.match(expression) or expression.endswith(".encode()"):
        return expression
    wrapper = wrapper_of(document)
    if wrapper is not None:
        return f"{wrapper}({expression})"
    literal = _LITERAL.match(expression)
    if literal and expression.isascii() and len(literal["quote"]) in (1, 3):
        prefix = "" if literal["prefix"] in ("u", "U") else literal["prefix"]
        return "b" + prefix + expression[len(literal["prefix"]) :]
    if literal or _SIMPLE.match(expression):
        return expression + ".encode()"
    return f"({expression}).encode()"


def joined(base: str, path: str) -> str:
    """Return the expression for `path` beside the script, or below the folder that an environment variable names."""
    folder = "os.path.dirname(os.path.abspath(__file__))" if base == "script" else f'os.environ["{base}"]'
    return f'os.path.join({folder}, "{path}")'
