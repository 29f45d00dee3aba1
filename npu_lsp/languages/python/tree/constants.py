"""Text literals in source code: their prefix, their quotes, and where their characters stand."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from npu_lsp.languages.python.concrete import cst
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_LITERAL = re.compile(r"(?P<prefix>[A-Za-z]{0,2})(?P<quote>\"\"\"|'''|\"|')")
ESCAPE = re.compile(
    r"\\(?:\r\n|\n|\r|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}\r\n]{0,100}\}|[\s\S])"
)
_LINE_END = re.compile(r"\r\n|\r")
_PLAIN = {"\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_NAMED = {"True": True, "False": False, "None": None}
_ONLY_IN_TEXTS = "uUN"


class Constant(NamedTuple):
    """The value of a literal."""

    value: object


UNTOLD = object()
"""The value of a literal that Python would refuse, or not turn into one."""
_ELLIPSIS = Constant(...)


def constant(node: cst.CSTNode | None) -> Constant | None:
    """Return the value of a literal, or `None` where the expression is none."""
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        return _text(node)
    if isinstance(node, cst.Name):
        return Constant(_NAMED[node.value]) if node.value in _NAMED else None
    if isinstance(node, (cst.Integer, cst.Float, cst.Imaginary)):
        return Constant(_number(node))
    return _ELLIPSIS if isinstance(node, cst.Ellipsis) else None


def _number(node: cst.Integer | cst.Float | cst.Imaginary) -> object:
    try:
        if isinstance(node, cst.Integer):
            return int(node.value.replace("_", ""), 0)
        return float(node.value) if isinstance(node, cst.Float) else complex(node.value.replace("_", ""))
    except ValueError:
        # It has more digits than Python turns into a number.
        return UNTOLD


def text_of(node: cst.CSTNode | None) -> str | None:
    """Return the text that a literal is."""
    found = constant(node) if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)) else None
    return found.value if found is not None and isinstance(found.value, str) else None


def is_text(node: cst.CSTNode) -> bool:
    """Return whether an expression is a text literal, with fields or without."""
    if not isinstance(node, cst.BaseString):
        return False
    return isinstance(node, cst.FormattedString) or all(
        isinstance(p, cst.FormattedString) or (isinstance(p, cst.SimpleString) and text_of(p) is not None)
        for p in pieces_of(node)
    )


def _text(node: cst.SimpleString | cst.ConcatenatedString) -> Constant | None:
    pieces: list[str | bytes] = []
    for piece in pieces_of(node):
        if not isinstance(piece, cst.SimpleString):
            return None
        value = _evaluated(piece.value)
        if value is None:
            return Constant(UNTOLD)
        pieces.append(value)
    texts = [p for p in pieces if isinstance(p, str)]
    if texts and len(texts) == len(pieces):
        return Constant("".join(texts))
    return Constant(b"".join(p for p in pieces if isinstance(p, bytes)) if not texts else UNTOLD)


def pieces_of(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Return the literals that stand side by side."""
    found: list[cst.BaseExpression] = []
    while isinstance(node, cst.ConcatenatedString):
        found.append(node.left)
        node = node.right
    return [*found, node]


def text_in_format(written: str, prefix: str) -> str | None:
    """Return what a part of a format string says that is no field."""
    return _content(written.replace("{{", "{").replace("}}", "}"), prefix.lower())


def _evaluated(written: str) -> str | bytes | None:
    """Return the value of one literal; `None` where one of its escapes says nothing."""
    opening = _LITERAL.match(written)
    if opening is None:
        return None
    prefix, quote = opening["prefix"].lower(), opening["quote"]
    content = _content(written[opening.end() : -len(quote)], prefix)
    if content is None or "b" not in prefix:
        return content
    try:
        return content.encode("latin-1")
    except UnicodeEncodeError:
        return None


def _content(content: str, prefix: str) -> str | None:
    """Return what stands between quotes, with its escapes read; `None` where one of them says nothing."""
    if "\r" in content:
        content = _LINE_END.sub("\n", content)
    if "\\" in content and "r" not in prefix:
        pieces: list[str] = []
        done = 0
        for escape in ESCAPE.finditer(content):
            said = unescaped(escape.group(), is_bytes="b" in prefix)
            if said is None:
                return None
            pieces += (content[done : escape.start()], said)
            done = escape.end()
        content = "".join(pieces) + content[done:]
    return content


def unescaped(escape: str, *, is_bytes: bool = False) -> str | None:
    """Return what an escape says, `None` where it is none that Python takes."""
    sign = escape[1]
    if sign in "\r\n":
        return ""
    if is_bytes and sign in _ONLY_IN_TEXTS:
        return escape
    if sign in _PLAIN:
        return _PLAIN[sign]
    if sign in "01234567":
        code = int(escape[1:], 8)
        return chr(code & 0xFF if is_bytes else code)
    if sign not in "xuUN":
        return escape
    try:
        return unicodedata.lookup(escape[3:-1]) if sign == "N" else chr(int(f"0x{escape[2:]}", 0))
    except (KeyError, ValueError, OverflowError):
        return None


_OPENING = re.compile(r"""(?P<prefix>[A-Za-z]{0,3})(?P<quote>\"\"\"|'''|"|')""")


class Literal(NamedTuple):
    """One text literal as written."""

    prefix: str
    quote: str
    content: Span
    """What stands between the quotes."""


def single_literal(text: str, span: Span) -> Literal | None:
    """Return the literal that fills `span` of `text`, or `None` where there are several, or none."""
    found = _OPENING.match(text, span.start, span.end)
    if found is None:
        return None
    quote = found["quote"]
    start, end = found.end(), span.end - len(quote)
    if end < start or not text.startswith(quote, end):
        return None
    content = text[start:end]
    inner = content.replace("\\\\", "").replace("\\" + quote[0], "") if "\\" in content else content
    # Literals side by side look like one that holds its own quotes.
    if quote in inner or (len(quote) == 1 and ("\n" in inner.replace("\\\n", "") or "\r" in inner.replace("\\\r", ""))):
        return None
    return Literal(found["prefix"].lower(), quote, Span(start, end))
