"""The one gate that edits go through, to a file or to an editor: the text parses as well as before, and what they mend is gone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from npu_lsp.linter.findings import Finding, Fix
from npu_lsp.linter.fixing.edits import compatible, edits_of
from npu_lsp.linter.fixing.soundness import as_sound
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memo
from npu_lsp.text.moved import Moved
from npu_lsp.text.spans import Edit, IntervalIndex, Span, apply_edits

Find = Callable[[Document, Collection[str]], Iterable[Finding]]
"""Returns what rules with these codes say about a text."""

_TRIALS = 40
"""Texts that are read to tell which of many fixes hold; what isn't known by then isn't offered."""


class Proven(NamedTuple):
    """Edits that are let through. Only `proven` makes one."""

    edits: tuple[Edit, ...]


class Claim(NamedTuple):
    """A fix, and the finding that it is to mend."""

    finding: Finding
    fix: Fix

    @property
    def key(self) -> tuple[object, ...]:
        """What is the same when the same text is asked about again."""
        return self.finding.code, self.finding.span, self.finding.message, self.fix.edits


_KNOWN: Memo[Document, tuple[object, dict[tuple[object, ...], bool]]] = Memo()
"""What was found out about claims, and by whom: whoever moves the cursor along a line asks again and again."""


def proven(
    document: Document, edits: Iterable[Edit], find: Find | None = None, mended: Sequence[Finding] = ()
) -> Proven | None:
    """Return `edits` where `document` may have them; `None` where they break it, change nothing, or leave what they mend."""
    edits = tuple(edits)
    after = after_edits(document, edits)
    if after is None:
        return None
    if find is not None and mended:
        found = find(after, {finding.code for finding in mended})
        return Proven(edits) if are_gone(Moved(edits), found, mended) else None
    return Proven(edits)


def after_edits(document: Document, edits: Sequence[Edit]) -> Document | None:
    """Return `document` with `edits` made; `None` where they don't fit, change nothing, or leave a text that parses worse."""
    try:
        text = apply_edits(document.text, tuple(edits))
    except ValueError:
        return None
    if text == document.text:
        return None
    # One change around all of them: what is known of the rest of the text stays.
    start, end = min(edit.span.start for edit in edits), max(edit.span.end for edit in edits)
    after = document.edited(Span(start, end), text[start : len(text) - (len(document.text) - end)])
    return after if as_sound(document, after) else None


def are_gone(moved: Moved, found: Iterable[Finding], mended: Collection[Finding]) -> bool:
    """Return whether none of the findings `mended` is said in the place to which its own has moved; `found` is what is said now."""
    said = {(finding.code, finding.message) for finding in mended}
    left: dict[tuple[str, str], list[Span]] = {}
    for finding in found:
        if not finding.suppressed and (finding.code, finding.message) in said:
            left.setdefault((finding.code, finding.message), []).append(finding.span)
    still = {each: IntervalIndex(spans) for each, spans in left.items()}
    return not any(
        (same := still.get((finding.code, finding.message))) is not None and same.touches(moved.span(finding.span))
        for finding in mended
    )


def that_hold(document: Document, find: Find, claims: Sequence[Claim], by: object) -> list[bool]:
    """Tell of each claim whether its fix can be offered; `by` is whoever finds.

    Those that can be made together are tried together, and in halves where they fail: to read the text anew for each would take
    as many times as long. Whoever chooses one has it proven alone.
    """
    kept = _KNOWN.known(document)
    if kept is None or kept[0] is not by:
        kept = _KNOWN.keep(document, (by, {}))
    known = kept[1]
    trials = _TRIALS
    # As many as can be tried: of a thousand that touch each other, each has to be looked at alone.
    todo = list(islice(_together({each.key: each for each in claims if each.key not in known}.values()), trials))
    while todo and trials > 0:
        some = todo.pop()
        trials -= 1
        edits = edits_of(document, (each.fix for each in some))
        holds = proven(document, edits, find, [each.finding for each in some]) is not None
        if holds or len(some) == 1:
            known |= {each.key: holds for each in some}
        else:
            half = len(some) // 2
            todo += [some[half:], some[:half]]
    return [known.get(each.key, False) for each in claims]


def offered(document: Document, find: Find, findings: Sequence[Finding], by: object) -> Iterator[Finding]:
    """Yield `findings` with those of their fixes that hold: what a report shows may be made as it stands."""
    claims = [Claim(finding, fix) for finding in findings for fix in finding.fixes]
    holds = {claim.key for claim, let in zip(claims, that_hold(document, find, claims, by), strict=True) if let}
    for finding in findings:
        fixes = tuple(fix for fix in finding.fixes if Claim(finding, fix).key in holds)
        yield finding if fixes == finding.fixes else finding._replace(fixes=fixes)


def _together(claims: Iterable[Claim]) -> Iterator[list[Claim]]:
    """Yield claims that can be made together: one for each finding, none of which touches what another one changes."""
    left = list(claims)
    while left:
        first: dict[tuple[object, ...], Claim] = {}
        for each in left:
            first.setdefault(each.key[:3], each)
        fitting = {id(fix) for fix in compatible(each.fix for each in first.values())}
        some = [each for each in first.values() if id(each.fix) in fitting]
        yield some
        taken = {id(each) for each in some}
        left = [each for each in left if id(each) not in taken]
