"""What there is to say about a file that isn't read, since it would take too long."""

from __future__ import annotations

from npu_lsp.languages.density import MOST, MOST_ENTRIES
from npu_lsp.languages.model import ParseResult, SyntaxFault, SyntaxFinding
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

PARTLY = "beginning"
"""Why nothing is said about a file but its beginning."""
_SHOWN = 100
"""Characters that are underlined."""


def unread(document: Document, *, partly: bool = False) -> ParseResult:
    """Return what there is to say about a file that sets too much to be read; `partly`: its beginning is."""
    entries = BY_KIND[document.kind].words is None
    most, of = (MOST_ENTRIES, "entries") if entries else (MOST, PARTLY if partly else "places")
    return _only(document, {"most": f"{most:,}", "reason": of})


def unparsed(document: Document) -> ParseResult:
    """Return what there is to say about a script that its parser would take too long for."""
    return _only(document, {"reason": "time"})


def _only(document: Document, arguments: dict[str, str]) -> ParseResult:
    end = min(document.line_span(0).end, _SHOWN) or min(1, len(document.text))
    found = SyntaxFinding(SyntaxFault.LARGE_STATEMENT, Span(0, end), arguments)
    return ParseResult(syntax=(found,), damaged=True)


def bounded(parsed: ParseResult, document: Document) -> ParseResult:
    """Return `parsed`, or what there is to say where it has more settings than rules are asked about."""
    most = MOST_ENTRIES if BY_KIND[document.kind].words is None else MOST
    many = sum(len(block.settings) for block in parsed.blocks) > most
    return unread(document) if many else parsed
