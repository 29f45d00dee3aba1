"""What a slip in the syntax hides: findings of the text with the slips mended, told beside the slips themselves.

A command that a lost backslash cuts off is run without the flags below, and so nothing is wrong with these flags until the
slip is mended. Whoever mends it wants to know now, and a run that mends it must bring no finding that nobody was told of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from npu_lsp.linter.findings import Finding
from npu_lsp.linter.fixing.edits import compatible, edits_of
from npu_lsp.linter.fixing.gate import after_edits
from npu_lsp.text.document import Document
from npu_lsp.text.moved import Moved
from npu_lsp.text.spans import Edit, IntervalIndex, Span


class Mended(NamedTuple):
    """A text without its slips."""

    document: Document
    moved: Moved


def mended(document: Document, found: Iterable[Finding], slips: Collection[str]) -> Mended | None:
    """Return `document` with the safe fixes of `slips` made, which are codes; `None` where there is none."""
    fixes = compatible(f.fixes[0] for f in found if f.code in slips and f.fixable)
    edits = edits_of(document, fixes)
    after = after_edits(document, edits) if edits else None
    if after is None:
        return None
    return Mended(after, Moved([each for edit in edits for each in _finest(edit, document.text)]))


def _finest(edit: Edit, text: str) -> Iterator[Edit]:
    """Yield an edit; one that changes all line ends in parts, since what stands between them was not written by it."""
    start, end = edit.span
    if "\r\n" not in text[start:end] or edit.text != text[start:end].replace("\r\n", "\n"):
        yield edit
        return
    at = text.find("\r\n", start, end)
    while at >= 0:
        yield Edit(Span(at, at + 1), "")
        at = text.find("\r\n", at + 2, end)


def hidden(found: Iterable[Finding], new: Iterable[Finding], moved: Moved) -> Iterator[Finding]:
    """Yield those of the `new` findings, which the mended text has, that none of the `found` ones says.

    They stand where the text is that they are about. Their fixes are for the mended text, and are left out.
    """
    spans: dict[tuple[str, str | None], list[Span]] = {}
    for finding in found:
        spans.setdefault(finding.about, []).append(finding.span)
    told = {about: IntervalIndex(where) for about, where in spans.items()}
    for finding in new:
        span = moved.origin(finding.span)
        same = told.get(finding.about)
        if span is not None and not (same is not None and same.touches(span)):
            yield finding._replace(span=span, fixes=(), related=())
