"""YAML's flow style, `{a: b, c: [d, e]}`, as a tree with places; what isn't well formed is no tree."""

from __future__ import annotations

from typing import NamedTuple

from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

# What is longer, or deeper, is no list of words that a person wrote.
_LONGEST = 20_000
_DEEPEST = 8
_BLANK = re.compile(r"(?:\s|(?:(?<=\s)|^)#[^\r\n]*(?![^\r\n]))*")
_DECORATION = re.compile(r"[&!][^\s,\[\]{}]*\s+")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'", re.DOTALL)
_SIGN = r"\$\{\{?[^{}\r\n]*\}\}?|[^\s,\[\]{}:#\"'`@%|>*&!]|:(?=[^\s,\[\]{}])|(?<=\S)#"
_PLAIN = re.compile(rf"(?:{_SIGN})(?:{_SIGN}|[ \"'`@%|>*&!\t])*")
_ALIAS = re.compile(r"\*[^\s,\[\]{}]+")
_COLON = re.compile(r"\s*:")


class Flow(NamedTuple):
    """One node."""

    kind: str
    """`{`, `[`, `*` for an alias, or nothing for a scalar."""
    span: Span
    keys: tuple[Span | None, ...] = ()
    """Of a mapping, or of a pair in a list: where the keys stand, quotes included."""
    items: tuple[Flow, ...] = ()


def parse(text: str, start: int, limit: int | None = None) -> Flow | None:
    """Return the node at `start`, or `None` where there is none that ends before `limit`."""
    return _node(text, start, min(len(text) if limit is None else limit, start + _LONGEST), 0)


def _node(text: str, at: int, limit: int, depth: int) -> Flow | None:
    decoration = _DECORATION.match(text, at, limit)
    at = decoration.end() if decoration else at
    if at >= limit:
        return None
    if text[at] in "{[":
        return _collection(text, at, limit, depth) if depth < _DEEPEST else None
    alias = _ALIAS.match(text, at, limit)
    if alias:
        return Flow("*", Span(*alias.span()))
    match = _QUOTED.match(text, at, limit) or _PLAIN.match(text, at, limit)
    if match is None:
        return None
    return Flow("", Span(at, at + len(match.group().rstrip())))


def _collection(text: str, start: int, limit: int, depth: int) -> Flow | None:
    kind, closer = text[start], "}" if text[start] == "{" else "]"
    keys: list[Span | None] = []
    items: list[Flow] = []
    at = _behind_blank(text, start + 1, limit)
    while at < limit and text[at] != closer:
        node = _node(text, at, limit, depth + 1)
        if node is None:
            return None
        key: Span | None = None
        at = _behind_blank(text, node.span.end, limit)
        colon = _COLON.match(text, at, limit)
        if colon and not node.kind:
            key = node.span
            at = _behind_blank(text, colon.end(), limit)
            empty = at < limit and text[at] in ",}]"
            node = Flow("", Span(colon.end(), colon.end())) if empty else _node(text, at, limit, depth + 1)
            if node is None:
                return None
            at = at if empty else _behind_blank(text, node.span.end, limit)
        elif kind == "{":
            key, node = node.span, Flow("", Span(node.span.end, node.span.end))
        keys.append(key)
        items.append(node)
        if at < limit and text[at] == ",":
            at = _behind_blank(text, at + 1, limit)
        elif at >= limit or text[at] != closer:
            return None
    return Flow(kind, Span(start, at + 1), tuple(keys), tuple(items)) if at < limit else None


def _behind_blank(text: str, at: int, limit: int) -> int:
    match = _BLANK.match(text, at, limit)
    return match.end() if match else at
