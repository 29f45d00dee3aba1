"""Makes the fixes of a file, again and again until none is left, and takes back what would break the file."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from npu_lsp.document import Document
from npu_lsp.findings import Finding, Fix, NewFile, Safety
from npu_lsp.soundness import as_sound
from npu_lsp.spans import Edit, Span, apply_edits

Find = Callable[[Document], Iterable[Finding]]
MayCreate = Callable[[NewFile], bool]

_ROUNDS = 50
"""Each round makes the fixes of one rule; a fix may make room for another one, but not for ever."""

_GROWTH = 100_000
"""Code points by which a text may grow: one that is fixed grows by lines, one whose fixes feed each other explodes."""


@dataclass(slots=True)
class Fixed:
    """What became of a document."""

    document: Document
    counts: Counter[str] = field(default_factory=Counter)
    """How many findings of which code were fixed."""
    files: dict[str, str] = field(default_factory=dict)
    """The files that the fixes need, by path relative to the document's folder."""
    refused: Counter[str] = field(default_factory=Counter)
    """How many fixes of which code would have broken the file."""


def fixed(document: Document, find: Find, *, unsafe: bool, may_create: MayCreate = lambda _: True) -> Fixed:
    """Return `document` with every fix made that is safe, or that is there at all when `unsafe`.

    `may_create` tells whether a file that a fix needs can come to be; where it can't, the fix isn't made.
    """
    done = Fixed(document)
    refused: set[tuple[object, ...]] = set()
    seen = {document.text}
    limit = 2 * len(document.text) + _GROWTH
    for _ in range(_ROUNDS):
        chosen = list(_wanted(find(done.document), unsafe, may_create, refused))
        if not chosen:
            break
        # One rule at a time: what another one wants may look different after this one's fixes.
        first = min(finding.code for finding, _ in chosen)
        chosen = list(_compatible(pair for pair in chosen if pair[0].code == first))
        after, made = _applied(done.document, chosen, refused)
        done.refused.update(finding.code for finding, fix in chosen if _key(finding, fix) in refused)
        if len(after.text) > limit:
            break
        if after.text in seen:
            # Nothing came of it, or two fixes undo each other.
            if after.text == done.document.text and refused:
                continue
            break
        seen.add(after.text)
        done.document = after
        for finding, fix in made:
            done.counts[finding.code] += 1
            done.files |= {file.path: file.text for file in fix.files}
    return done


def fix_for(finding: Finding, *, unsafe: bool) -> Fix | None:
    """Return the fix that a command makes: the first safe one, or the first one when `unsafe`."""
    return next((fix for fix in finding.fixes if unsafe or fix.safety is Safety.SAFE), None)


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
    """Return the edits of compatible `fixes`, each once, with the line ends of `document`."""
    edits: Mapping[Edit, None] = dict.fromkeys(edit for fix in fixes for edit in fix.edits)
    newline = newline_of(document.text)
    if newline == "\n":
        return tuple(edits)
    return tuple(Edit(e.span, e.text.replace("\r\n", "\n").replace("\n", newline)) for e in edits)


def newline_of(text: str) -> str:
    """Return the line end that most lines of `text` have."""
    pairs = text.count("\r\n")
    feeds, returns = text.count("\n") - pairs, text.count("\r") - pairs
    if pairs > max(feeds, returns):
        return "\r\n"
    return "\r" if returns > feeds else "\n"


Chosen = tuple[Finding, Fix]


def _wanted(
    findings: Iterable[Finding], unsafe: bool, may_create: MayCreate, refused: set[tuple[object, ...]]
) -> Iterator[Chosen]:
    for finding in findings:
        fix = None if finding.suppressed else fix_for(finding, unsafe=unsafe)
        if fix is None or _key(finding, fix) in refused:
            continue
        if all(may_create(file) for file in fix.files):
            yield finding, fix


def _compatible(chosen: Iterable[Chosen]) -> Iterator[Chosen]:
    pairs = list(chosen)
    together = {id(fix) for fix in compatible(fix for _, fix in pairs)}
    contents: dict[str, str] = {}
    for finding, fix in pairs:
        # Two fixes that want different files of one name can't both have theirs.
        if id(fix) in together and all(contents.get(file.path, file.text) == file.text for file in fix.files):
            contents |= {file.path: file.text for file in fix.files}
            yield finding, fix


def _applied(
    document: Document, chosen: list[Chosen], refused: set[tuple[object, ...]]
) -> tuple[Document, list[Chosen]]:
    """Return the document with the fixes made that don't break it, and these."""
    after = _after(document, [fix for _, fix in chosen])
    if after is not None and as_sound(document, after):
        return after, chosen
    kept: list[Chosen] = []
    result = document
    for finding, fix in chosen:
        after = _after(document, [*(f for _, f in kept), fix])
        if after is not None and as_sound(document, after):
            kept.append((finding, fix))
            result = after
        else:
            refused.add(_key(finding, fix))
    return result, kept


def _after(document: Document, fixes: Iterable[Fix]) -> Document | None:
    try:
        text = apply_edits(document.text, edits_of(document, fixes))
    except ValueError:
        return None
    return Document(text, path=document.path, uri=document.uri, kind=document.kind)


def _is_taken(span: Span, spans: list[Span]) -> bool:
    """Tell whether one of the sorted `spans`, none of which meet, has characters of `span`, or inserts at its place."""
    at = bisect_left(spans, span)
    return any(_meet(span, other) for other in spans[max(0, at - 1) : at + 1])


def _meet(one: Span, other: Span) -> bool:
    if one.start == one.end == other.start == other.end:
        return True
    return one.start < other.end and other.start < one.end


def _key(finding: Finding, fix: Fix) -> tuple[object, ...]:
    return (finding.code, finding.message, fix.title, tuple(edit.text for edit in fix.edits))
