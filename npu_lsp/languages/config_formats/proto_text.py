"""Text protobuf, as far as configuration files use it: `field: value`, `field { ... }`, `#` comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.config_formats.entries import entry
from npu_lsp.languages.model import Setting, Value, ValueKind
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_TOKEN = re.compile(
    r"#[^\r\n]*|\"(?P<double>[^\"\\\r\n]*(?:\\.[^\"\\\r\n]*)*)\"?|'(?P<single>[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*)'?"
    r"|[{}<>\[\]:,;]|[^\s\"'{}<>\[\]:,;#]+"
)
_FIELD = re.compile(r"[A-Za-z_]\w*")
_DEEPEST = 64
_OPEN, _CLOSE = "{<", "}>"


@dataclass(frozen=True, slots=True)
class ProtoField:
    """One field of a message."""

    path: tuple[str, ...]
    """The names of the messages around it."""
    name: str
    key: Span
    value: Value
    own: Span
    message: int
    """Which top-level message it stands in, counted from 0; -1 outside of any."""


def fields(document: Document) -> Iterator[ProtoField]:
    """Yield the fields in the order of the text; what can't be understood is stepped over."""
    text = document.text
    path: list[str] = []
    message = -1
    key: Span | None = None
    colon = False
    for match in _TOKEN.finditer(text):
        piece, span = match.group(), Span(*match.span())
        if piece[0] == "#":
            continue
        if piece in _OPEN and key is not None:
            name = text[key.start : key.end]
            message += 0 if path else 1
            yield ProtoField(tuple(path), name, key, Value(ValueKind.DICT, span), Span(key.start, span.end), message)
            path.append(name)
            key, colon = None, False
            if len(path) > _DEEPEST:
                return
        elif piece in _CLOSE:
            path = path[:-1]
            key, colon = None, False
        elif piece == ":":
            colon = key is not None
        elif colon and key is not None and piece not in "[],;":
            own = Span(key.start, span.end)
            name = text[key.start : key.end]
            yield ProtoField(tuple(path), name, key, _value(match), own, message if path else -1)
            key, colon = None, False
        elif not colon and _FIELD.fullmatch(piece):
            key = span


def _value(match: re.Match[str]) -> Value:
    span = Span(*match.span())
    for group in ("double", "single"):
        inner = match[group]
        if inner is not None:
            plain = "\\" not in inner and match.group()[-1:] in "\"'" and len(match.group()) > 1
            content = Span(*match.span(group)) if plain else None
            return Value(ValueKind.STRING, span, plain, inner if plain else None, content)
    return Value(ValueKind.WORD, span, True, match.group(), span)


def setting(surface: Surface, name: str, field: ProtoField) -> Setting:
    """Return the setting that a field is."""
    return entry(surface, name, field.key, field.value, field.own)


def cursor_in(document: Document, offset: int) -> tuple[tuple[str, ...], str | None, Span, bool] | None:
    """Return the messages around `offset`, whose value is typed (`None`: a name is), what, and whether a sign follows."""
    text = document.text
    line = document.line_span(document.line_of(offset))
    before = text[line.start : offset]
    if "#" in before:
        return None
    path: list[str] = []
    last = ""
    for match in chain(_TOKEN.finditer(text, 0, line.start), _TOKEN.finditer(text, line.start, offset)):
        piece = match.group()
        if piece in _OPEN:
            path.append(last)
        elif piece in _CLOSE:
            path = path[:-1]
        elif _FIELD.fullmatch(piece):
            last = piece
    typing = re.search(r"(?<![\w./-])[\w./-]*$", before)
    start = line.start + (typing.start() if typing else len(before))
    end = start
    while end < line.end and (text[end].isalnum() or text[end] in "_./-"):
        end += 1
    owner = re.search(r"(?<!\w)([A-Za-z_]\w*)[ \t]*:[ \t]*[\"']?$", text[line.start : start])
    behind = text[end : line.end].lstrip()[:1]
    return tuple(path), owner.group(1) if owner else None, Span(start, end), behind in (":", "{") and bool(behind)


def cursor(document: Document, offset: int, surface: Surface, *, nested: bool) -> CompletionContext | None:
    """Return what can be completed at `offset`; `nested`: names have those of the messages around them in front."""
    found = cursor_in(document, offset)
    if found is None:
        return None
    path, owner, replace, signed = found
    typed = document.text[replace.start : max(offset, replace.start)]
    prefix = "".join(f"{name}." for name in path) if nested else ""
    if owner is not None:
        return CompletionContext(CompletionKind.VALUE, surface, replace, typed, option=prefix + owner)
    after = "" if signed else ": "
    return CompletionContext(CompletionKind.KEY, surface, replace, typed, after=after, prefix=prefix)
