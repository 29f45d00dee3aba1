"""All safe fixes of a document in one edit."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.linter.findings import NewFile
from npu_lsp.linter.fixing.gate import Proven
from npu_lsp.linter.fixing.rounds import Find, fixed
from npu_lsp.lsp.features.edits import can_write, let_through
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.spans import Edit, Span, begun_alike


def fix_all(view: DocumentView) -> tuple[Proven | None, list[NewFile]]:
    """Return the edits that mend everything that is safe to mend, and the files that they need."""
    return mended(view, view.project.analyzer.findings, unsafe=False, creates=can_write(view))


def mended(view: DocumentView, find: Find, *, unsafe: bool, creates: bool) -> tuple[Proven | None, list[NewFile]]:
    """Return the edits that make the fixes of what is found, and the files that they need, where these can be made."""
    done = fixed(view.document, find, unsafe=unsafe, may_create=lambda _: creates)
    files = [NewFile(path, text) for path, text in done.files.items()]
    return let_through(view, list(_difference(view.document.text, done.document.text))), files


def has_safe_fix(view: DocumentView) -> bool:
    """Return whether `fix_all` would do something."""
    creates = can_write(view)
    fixes = (f.choice(unsafe=False) for f in view.project.analyzer.findings(view.document) if not f.suppressed)
    return any(fix is not None and (creates or not fix.files) for fix in fixes)


def _difference(old: str, new: str) -> Iterator[Edit]:
    """Yield the lines that differ: an editor keeps its cursor and its folds where nothing changed."""
    from difflib import SequenceMatcher

    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    first = begun_alike(before, after)
    start = sum(map(len, before[:first]))
    before, after = before[first:], after[first:]
    last = begun_alike(before[::-1], after[::-1])
    before, after = before[: len(before) - last], after[: len(after) - last]
    starts = [start]
    for line in before:
        starts.append(starts[-1] + len(line))
    for tag, low, high, new_low, new_high in SequenceMatcher(None, before, after).get_opcodes():
        if tag != "equal":
            yield Edit(Span(starts[low], starts[high]), "".join(after[new_low:new_high]))
