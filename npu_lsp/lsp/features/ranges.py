"""Where a stretch of a text is: as JSON, where ranges are made by the hundred after each key stroke."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.document import Document, PositionEncoding
from npu_lsp.text.spans import Span


def span_range(text: Document, span: Span, encoding: PositionEncoding) -> types.Range:
    """Return where `span` of `text` is, with columns in units of `encoding`."""
    return types.Range(*(types.Position(*text.position(offset, encoding)) for offset in span))


def range_json(view: DocumentView, span: Span) -> dict[str, Any]:
    """Return where `span` is, as JSON."""
    return span_json(view.source.text, span.shifted(-view.source.unit.start_of(view.source)), view.source.encoding)


def span_json(text: Document, span: Span, encoding: PositionEncoding) -> dict[str, Any]:
    """Return where `span` of `text` is, as JSON, with columns in units of `encoding`."""
    line, column = text.position(span.start, encoding)
    end_line, end_column = text.position(span.end, encoding)
    return {"start": {"line": line, "character": column}, "end": {"line": end_line, "character": end_column}}
