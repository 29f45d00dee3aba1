"""Tells whether fixes that were made did what they are for: their findings are gone, and no other ones came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from npu_lsp.languages import read
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.fixing.gate import are_gone
from npu_lsp.text.document import Document
from npu_lsp.text.moved import Moved
from npu_lsp.text.spans import Edit


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

    `found` are the findings before and after. One that the next round mends is none that was brought; nor, where fixes may
    be unsafe, is one in a text that says more now than it did, because a slip in its syntax hid a part of it, or one in what
    the edits wrote that is less bad than what they mend, as a name that works for one that doesn't. What a slip hides that
    has a safe fix is told before.
    """
    old, new = ([f for f in findings if not f.suppressed] for findings in found)
    moved = Moved(edits)
    mended = list(mended)
    if not are_gone(moved, new, mended):
        return False
    gone = Counter(each.about for each in mended)
    more = Counter(each.about for each in new)
    more.subtract(each.about for each in old)
    more.update(gone)
    brought = {about for about, count in more.items() if count > 0}
    if not brought or (unsafe and _says_more(before, after, moved)):
        return True
    codes = {code for code, _ in gone}
    least = max((finding.severity.rank for finding in mended), default=0)

    def may_stand(finding: Finding) -> bool:
        better = unsafe and finding.severity.rank > least and moved.wrote(finding.span)
        return finding.code not in codes and (better or finding.choice(unsafe=unsafe) is not None)

    return all(may_stand(f) for f in new if f.about in brought)


def _says_more(before: Document, after: Document, moved: Moved) -> bool:
    """Tell whether `after` has fewer slips than `before`, or settings that were hidden, beside those that edits wrote."""
    if len(read(after).syntax) < len(read(before).syntax):
        return True
    known = {(s.name, moved.at(s.key.start)) for s in read(before).settings}
    return any((s.name, s.key.start) not in known and not moved.wrote(s.key) for s in read(after).settings)
