"""Where a stretch of a text is, as JSON: ranges are made by the hundred after each key stroke."""

from __future__ import annotations

from typing import Any

from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.document import Document, PositionEncoding
from npu_lsp.text.spans import Span


def range_json(view: DocumentView, span: Span) -> dict[str, Any]:
    """Return where `span` is, as JSON."""
    return span_json(view.source.text, span.shifted(-view.source.unit.start_of(view.source)), view.source.encoding)


def span_json(text: Document, span: Span, encoding: PositionEncoding) -> dict[str, Any]:
    """Return where `span` of `text` is, as JSON, with columns in units of `encoding`."""
    line, column = text.position(span.start, encoding)
    end_line, end_column = text.position(span.end, encoding)
    return {"start": {"line": line, "character": column}, "end": {"line": end_line, "character": end_column}}
