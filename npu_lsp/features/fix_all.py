"""All safe fixes of a document in one edit."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.document import Document
from npu_lsp.features.edits import can_create
from npu_lsp.findings import Fix, NewFile, Safety
from npu_lsp.lsp.session import View
from npu_lsp.spans import Edit, Span, apply_edits

_ROUNDS = 10
"""A fix can make way for the next one so many times."""


def fix_all(view: View) -> tuple[list[Edit], list[NewFile]]:
    """Return the edits that mend everything that is safe to mend, and the files that they need."""
    document, files = view.document, list[NewFile]()
    for _ in range(_ROUNDS):
        fixes = list(_together(view, document, files))
        if not fixes:
            break
        text = apply_edits(document.text, tuple(edit for fix in fixes for edit in fix.edits))
        files += [file for fix in fixes for file in fix.files if file not in files]
        document = Document(text, path=document.path, uri=document.uri, kind=document.kind)
    return list(_difference(view.document.text, document.text)), files


def has_safe_fix(view: View) -> bool:
    """Tell whether `fix_all` would do something."""
    return next(_together(view, view.document, []), None) is not None


def _together(view: View, document: Document, made: list[NewFile]) -> Iterator[Fix]:
    """Yield each finding's first safe fix, as far as they don't get in each other's way."""
    taken: list[Edit] = []
    paths = {file.path: file.text for file in made}
    for finding in view.project.analyzer.findings(document):
        fix = next((f for f in finding.fixes if f.safety is Safety.SAFE), None)
        if fix is None or finding.suppressed or (fix.files and not can_create(view)):
            continue
        if any(paths.get(file.path, file.text) != file.text for file in fix.files):
            continue
        if any(_clash(edit, other) for edit in fix.edits for other in taken):
            continue
        taken += fix.edits
        paths |= {file.path: file.text for file in fix.files}
        yield fix


def _clash(one: Edit, other: Edit) -> bool:
    return one.span.start <= other.span.end and other.span.start <= one.span.end


def _difference(old: str, new: str) -> Iterator[Edit]:
    """Yield the lines that differ: an editor keeps its cursor and its folds where nothing changed."""
    from difflib import SequenceMatcher

    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    first = _alike(before, after)
    last = _alike(before[first:][::-1], after[first:][::-1])
    before, after = before[first : len(before) - last], after[first : len(after) - last]
    starts = [sum(map(len, old.splitlines(keepends=True)[:first]))]
    for line in before:
        starts.append(starts[-1] + len(line))
    for tag, low, high, new_low, new_high in SequenceMatcher(None, before, after).get_opcodes():
        if tag != "equal":
            yield Edit(Span(starts[low], starts[high]), "".join(after[new_low:new_high]))


def _alike(one: list[str], other: list[str]) -> int:
    """Return how many lines both start with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
