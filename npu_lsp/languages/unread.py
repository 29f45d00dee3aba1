"""What there is to say about a file that isn't read, or not as a whole, since that would take too long."""

from __future__ import annotations

from npu_lsp.languages.density import CHECKED, MOST, MOST_ENTRIES, Beginning
from npu_lsp.languages.model import ParseResult, SyntaxFault, SyntaxFinding
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

PARTLY = "beginning"
"""Why nothing is said about a file but its beginning."""
_SHOWN = 100
"""Characters that are underlined."""


def unread(document: Document, part: Beginning | None = None) -> ParseResult:
    """Return what there is to say about a file that sets too much to be read; `part` of it is."""
    if part is not None:
        return _only(document, _left(part.places, part.checked))
    entries = BY_KIND[document.kind].words is None
    most, reason = (MOST_ENTRIES, "entries") if entries else (CHECKED, "places")
    return _only(document, {"most": f"{most:,}", "reason": reason})


def unparsed(document: Document) -> ParseResult:
    """Return what there is to say about a script that its parser would take too long for."""
    return _only(document, {"reason": "time"})


def bounded(parsed: ParseResult, document: Document) -> ParseResult:
    """Return `parsed` with as many settings as rules are asked about, the first ones, and what there is to say of the others."""
    starts = sorted(setting.key.start for block in parsed.blocks for setting in block.settings)
    entries = BY_KIND[document.kind].words is None
    if len(starts) <= (MOST_ENTRIES if entries else MOST):
        return parsed
    end = starts[MOST_ENTRIES if entries else CHECKED]
    blocks = tuple(
        block._replace(settings=tuple(each for each in block.settings if each.key.start < end), open=True)
        for block in parsed.blocks
        if block.head.start < end
    )
    checked = sum(len(block.settings) for block in blocks)
    if not checked:
        return unread(document)
    told = _only(document, _left(len(starts), checked))
    syntax = (each for each in parsed.syntax if each.span.start < end)
    return parsed._replace(blocks=blocks, syntax=(*told.syntax, *syntax), damaged=True)


def _left(places: int, checked: int) -> dict[str, str]:
    counts = {"places": places, "checked": checked, "left": places - checked}
    return {"reason": PARTLY, **{name: f"{count:,}" for name, count in counts.items()}}


def _only(document: Document, arguments: dict[str, str]) -> ParseResult:
    end = min(document.line_span(0).end, _SHOWN) or min(1, len(document.text))
    found = SyntaxFinding(SyntaxFault.LARGE_STATEMENT, Span(0, end), arguments)
    return ParseResult(syntax=(found,), damaged=True)
