"""Files of `[section]` and `key=value` lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.config_formats.entries import lines, stripped
from npu_lsp.languages.model import Value, ValueKind
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span


@dataclass(frozen=True, slots=True)
class IniLine:
    """One line that says something."""

    span: Span
    """Without the blanks around it."""
    key: Span
    """A section's name between its brackets, else what stands before the `=`."""
    value: Span | None
    """`None` for a section and for a line without `=`."""
    is_section: bool = False


def parse(document: Document) -> Iterator[IniLine]:
    """Yield the lines that are neither empty nor a comment; a comment starts with `#` in the first column."""
    text = document.text
    for number, span in lines(document):
        first = document.line_starts[number]
        if span.start == span.end or text[first] == "#":
            continue
        if text[span.start] == "[" and "=" not in text[span.start : span.end]:
            end = span.end - 1 if text[span.end - 1] == "]" else span.end
            yield IniLine(span, stripped(text, Span(span.start + 1, end)), None, True)
            continue
        sign = text.find("=", span.start, span.end)
        if sign < 0:
            yield IniLine(span, span, None)
        else:
            yield IniLine(span, stripped(text, Span(span.start, sign)), stripped(text, Span(sign + 1, span.end)))


def nothing(span: Span) -> Value:
    """Return the value of an entry that has none of its own: a section."""
    return Value(ValueKind.OBJECT, span)


@dataclass(frozen=True, slots=True)
class Typed:
    """What of a line is typed at a place."""

    wanted: CompletionKind
    replace: Span
    key: str = ""
    """For a value: whose."""
    in_section: bool = False
    """The name of a section is typed."""
    has_sign: bool = False
    """The sign that ends what is typed (`=`, `]`) stands there already."""


def typed_at(document: Document, offset: int, sign: str = "=") -> Typed | None:
    """Return what is typed at `offset` in lines of keys and values with `sign` between them; `None` in a comment."""
    text = document.text
    line = document.line_span(document.line_of(offset))
    span = stripped(text, line)
    if text[line.start : line.start + 1] == "#":
        return None
    if text[span.start : span.start + 1] == "[" and offset > span.start:
        end = text.find("]", span.start, span.end)
        stop = end if end >= 0 else span.end
        if offset > stop:
            return None
        return Typed(CompletionKind.KEY, stripped(text, Span(span.start + 1, stop)), in_section=True, has_sign=end >= 0)
    at = text.find(sign, span.start, span.end)
    if 0 <= at < offset:
        key = stripped(text, Span(span.start, at))
        value = stripped(text, Span(at + 1, max(span.end, at + 1)))
        if not value.covers(offset):
            value = Span(offset, offset)
        return Typed(CompletionKind.VALUE, value, text[key.start : key.end])
    key = stripped(text, Span(span.start, at if at >= 0 else span.end))
    if not key.covers(offset):
        key = Span(offset, offset)
    return Typed(CompletionKind.KEY, key, has_sign=at >= 0)


def section_at(document: Document, offset: int) -> str:
    """Return the name of the section that `offset` stands in, empty above the first one."""
    found = ""
    for line in parse(document):
        if line.span.start >= offset:
            break
        if line.is_section:
            found = document.text[line.key.start : line.key.end]
    return found


def cursor(
    typed: Typed, document: Document, offset: int, surface: Surface, sign: str = "=", **more: Any
) -> CompletionContext:
    """Return the cursor for `typed` with `more` of its fields; a name brings the `sign` that is still to follow it."""
    said = document.text[typed.replace.start : max(typed.replace.start, offset)]
    done = typed.wanted is CompletionKind.VALUE or typed.has_sign
    after = "" if done else "]" if typed.in_section else sign
    return CompletionContext(typed.wanted, surface, typed.replace, said, after=after, **more)
