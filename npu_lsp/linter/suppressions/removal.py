"""Takes `npu-lsp: ignore` comments back, in whole or in part."""

from __future__ import annotations

from collections.abc import Collection

from npu_lsp.linter.suppressions.comments import Suppression
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_WORDS = re.compile(r"\w")
_SIGN = re.compile(r"(?:#+|;+|//|<!--)[ \t]*")
_NEXT = re.compile(r"(?<![ \t])[ \t]+#")


def without(document: Document, suppression: Suppression, dropped: Collection[Span]) -> tuple[Edit, ...]:
    """Return the edits that take the codes at `dropped` out, and the whole comment when none is left.

    Empty where that can't be done for sure.
    """
    if document.kind is Kind.NOTEBOOK and "\\" in _text(document, suppression.comment.span):
        return ()
    kept = [each.text for each in suppression.codes if each.span not in dropped]
    if kept:
        codes = suppression.codes
        return (Edit(Span(codes[0].span.start, codes[-1].span.end), ", ".join(kept)),)
    # Without what it ends, the comment that ends a range says nothing.
    ending = _whole(document, suppression.end) if suppression.end is not None else ()
    return (*_whole(document, suppression), *ending)


def _whole(document: Document, suppression: Suppression) -> tuple[Edit, ...]:
    """Return the edit that takes a whole comment out."""
    text, comment = document.text, suppression.comment.span
    before = text[comment.start : suppression.span.start]
    other = _NEXT.search(text, suppression.span.end, comment.end)
    alone = _SIGN.fullmatch(before) is not None
    if other is not None:
        # Another comment behind this one stays.
        start = comment.start if alone else suppression.span.start
        return (Edit(Span(start, other.end() - 1), ""),)
    start = comment.start if alone else comment.start + len(before.rstrip())
    end = comment.end
    line = document.line_span(document.line_of(comment.start))
    # In a string of another language the first line has words of that one in front.
    own = suppression.comment.own_line and _WORDS.search(text, line.start, start) is None
    if own and (end >= line.end or _is_own_item(document, line, comment)):
        starts = document.line_starts
        following = document.line_of(comment.start) + 1
        return (Edit(Span(line.start, starts[following] if following < len(starts) else len(text)), ""),)
    while start > line.start and text[start - 1] in " \t":
        start -= 1
    return (Edit(Span(start, end), ""),)


def _is_own_item(document: Document, line: Span, comment: Span) -> bool:
    """Return whether a line, as of a notebook's file, is an item of its own, one with another behind it, for the comment alone."""
    return _text(document, line).strip() == f'"{_text(document, comment)}\\n",'


def _text(document: Document, span: Span) -> str:
    return document.text[span.start : span.end]
