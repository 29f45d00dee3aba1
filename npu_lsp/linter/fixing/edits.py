"""The edits of several fixes of one text: which can be made together, and with which line ends."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping

from npu_lsp.linter.findings import Fix
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span


def compatible(fixes: Iterable[Fix]) -> tuple[Fix, ...]:
    """Return those of `fixes` that can be made together: each one that doesn't touch what an earlier one changes."""
    made: set[Edit] = set()
    spans: list[Span] = []
    found: list[Fix] = []
    for fix in fixes:
        new = [edit for edit in fix.edits if edit not in made]
        if any(_is_taken(edit.span, spans) for edit in new):
            continue
        found.append(fix)
        made.update(new)
        for edit in new:
            insort(spans, edit.span)
    return tuple(found)


def edits_of(document: Document, fixes: Iterable[Fix]) -> tuple[Edit, ...]:
    """Return the edits of compatible `fixes`, each once, with the line ends that `document` has in their places."""
    edits: Mapping[Edit, None] = dict.fromkeys(edit for fix in fixes for edit in fix.edits)
    return tuple(_with_line_ends(document, edit) for edit in edits)


def _with_line_ends(document: Document, edit: Edit) -> Edit:
    if "\n" not in edit.text:
        return edit
    start, end = edit.span
    if "\n" in document.text[start:end] or "\r" in document.text[start:end]:
        # It puts lines in the place of lines, and may be about nothing but their ends.
        return edit
    newline = document.newline_at(start)
    return Edit(edit.span, edit.text.replace("\r\n", "\n").replace("\n", newline))


def _is_taken(span: Span, spans: list[Span]) -> bool:
    """Return whether one of the sorted `spans`, none of which meet, has characters of `span`, or inserts at its place."""
    at = bisect_left(spans, span)
    return any(_meet(span, other) for other in spans[max(0, at - 1) : at + 1])


def _meet(one: Span, other: Span) -> bool:
    if one.start == one.end == other.start == other.end:
        return True
    return one.start < other.end and other.start < one.end
