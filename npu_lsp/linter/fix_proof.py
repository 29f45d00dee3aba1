"""Tells whether fixes that were made did what they are for: their findings are gone, and no other ones came."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate

from npu_lsp.languages import read
from npu_lsp.linter.findings import Finding
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span


def holds(
    before: Document,
    after: Document,
    edits: Sequence[Edit],
    found: tuple[Collection[Finding], Collection[Finding]],
    mended: Iterable[Finding],
    *,
    unsafe: bool,
) -> bool:
    """Tell whether `edits`, which made `after` of `before`, mend the findings `mended` and bring none.

    `found` are the findings before and after. One that the next round mends is none that was brought; nor is one in a
    text that says more now than it did, because a slip in its syntax hid a part of it.
    """
    old, new = ([f for f in findings if not f.suppressed] for findings in found)
    moved = _Moved(edits)
    left: dict[str, list[Finding]] = {}
    for finding in new:
        left.setdefault(finding.code, []).append(finding)
    gone: Counter[tuple[str, str | None]] = Counter()
    for finding in mended:
        gone[finding.code, finding.option] += 1
        if any(_is_same(other, finding, moved) for other in left.get(finding.code, ())):
            return False
    more = Counter(map(_about, new))
    more.subtract(Counter(map(_about, old)))
    more.update(gone)
    brought = {about for about, count in more.items() if count > 0}
    if not brought or _says_more(before, after, moved):
        return True
    codes = {code for code, _ in gone}
    return all(f.choice(unsafe=unsafe) and f.code not in codes for f in new if _about(f) in brought)


def _about(finding: Finding) -> tuple[str, str | None]:
    return finding.code, finding.option


def _is_same(new: Finding, old: Finding, moved: _Moved) -> bool:
    """Tell whether `new` says what `old` said, in the place to which that one's has moved."""
    place = moved.span(old.span)
    return new.message == old.message and new.span.start < place.end and place.start < new.span.end


def _says_more(before: Document, after: Document, moved: _Moved) -> bool:
    """Tell whether `after` has fewer slips than `before`, or settings that were hidden, beside those that edits wrote."""
    if len(read(after).syntax) < len(read(before).syntax):
        return True
    known = {(s.name, moved.at(s.key.start)) for block in read(before).blocks for s in block.settings}
    return any(
        (s.name, s.key.start) not in known and not moved.wrote(s.key)
        for block in read(after).blocks
        for s in block.settings
    )


class _Moved:
    """Where things stand after edits."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = sorted(edits, key=lambda edit: edit.span)
        self._ends = [edit.span.end for edit in self._edits]
        grown = (len(edit.text) - (edit.span.end - edit.span.start) for edit in self._edits)
        self._by = list(accumulate(grown, initial=0))
        self._written = [
            Span(edit.span.start + by, edit.span.start + by + len(edit.text))
            for edit, by in zip(self._edits, self._by, strict=False)
        ]

    def at(self, offset: int) -> int:
        """Return where a character goes; one that is replaced goes where its edit starts."""
        index = bisect_right(self._ends, offset)
        if index < len(self._edits) and self._edits[index].span.start <= offset:
            offset = self._edits[index].span.start
        return offset + self._by[index]

    def span(self, span: Span) -> Span:
        """Return where a text goes, with what is written into it."""
        start, end = self.at(span.start), self.at(span.end)
        first = bisect_right(self._ends, span.start)
        for edit, written in zip(self._edits[first:], self._written[first:], strict=True):
            if edit.span.start >= span.end:
                break
            start, end = min(start, written.start), max(end, written.end)
        return Span(start, end)

    def wrote(self, span: Span) -> bool:
        """Tell whether a text of the new version has a part that was written."""
        return any(each.start < span.end and span.start < each.end for each in self._written)
