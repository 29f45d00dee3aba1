"""What the reader finds in a text, in a form that is easy to compare."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import cursor, read
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.model import Block, ParseResult, Setting
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

UNKNOWN = "?"
Row = tuple[str, str]


def script(text: str) -> Document:
    return Document(text, kind=Kind.SHELL)


def reading(text: str) -> ParseResult:
    return read(script(text))


def blocks(text: str, surface: Surface = Surface.ATC) -> list[Block]:
    return [block for block in reading(text).blocks if block.surface is surface]


def settings(text: str, surface: Surface | None = None) -> Iterator[Setting]:
    for block in reading(text).blocks:
        if surface is None or block.surface is surface:
            yield from block.settings


def value(setting: Setting) -> str:
    return str(setting.value.data) if setting.value.known else UNKNOWN


def flags(text: str) -> list[list[Row]]:
    """Return name and value of each flag, by command."""
    return [[(s.name, value(s)) for s in block.settings] for block in blocks(text)]


def exports(text: str) -> list[Row]:
    return [(s.name, value(s)) for s in settings(text, Surface.ENV)]


def cut(text: str, span: Span | None) -> str:
    assert span is not None
    return text[span.start : span.end]


def at_bar(text: str) -> CompletionContext | None:
    """Return what can be completed at the `|` in `text`."""
    offset = text.index("|")
    return cursor(script(text[:offset] + text[offset + 1 :]), offset)
