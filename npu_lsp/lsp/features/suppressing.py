"""The comment that silences one finding, put where it does."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from npu_lsp.languages.registry import kinds
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.fixing.soundness import as_sound
from npu_lsp.linter.suppressions.writing import Above, comment
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memo
from npu_lsp.text.spans import Edit, Span, apply_edits

_HELPS: Memo[Document, tuple[Analyzer, dict[tuple[str, Span, Edit], bool]]] = Memo()
"""Which comments silence what they are for: whoever moves the cursor along a line asks again and again."""


class Comments:
    """Makes the comments that silence findings of one document."""

    def __init__(self, view: DocumentView) -> None:
        self._view = view
        self._above = Above(view.document, view.parsed)
        self._options: dict[tuple[str, int], set[str | None]] = {}
        """What the findings of one rule in one statement are about, those that are silenced included."""
        for each in view.project.analyzer.findings(view.document):
            self._options.setdefault((each.code, self._start(each)), set()).add(each.option)

    def that_help(self, findings: Sequence[Finding]) -> list[tuple[Finding, Edit]]:
        """Return the edits that make `findings`, and no other rule's, go; those that no comment silences are left out.

        Comments have rules of their own in each language. All of them are tried in one text: to read it anew for each
        takes as many times as long.
        """
        document, analyzer = self._view.document, self._view.project.analyzer
        if document.kind not in kinds(hash_comments=True):
            return []
        known = _HELPS.known(document)
        if known is None or known[0] is not analyzer:
            known = _HELPS.keep(document, (analyzer, {}))
        helps, edits = known[1], [(finding, self._edit(finding)) for finding in findings]
        new = [each for each in edits if _key(*each) not in helps]
        helps |= zip((_key(*each) for each in new), self._tried(new), strict=True)
        return [each for each in edits if helps[_key(*each)]]

    def _tried(self, edits: Sequence[tuple[Finding, Edit]]) -> list[bool]:
        """Tell of each edit whether it silences its finding, with all of them in the text."""
        document = self._view.document
        joined: dict[Span, dict[str, None]] = {}
        for _, edit in edits:
            joined.setdefault(edit.span, {})[edit.text] = None
        made = tuple(Edit(span, "".join(texts)) for span, texts in sorted(joined.items()))
        if not made:
            return []
        starts, lengths = [e.span.start for e in made], [0, *accumulate(len(e.text) for e in made)]
        # One edit is as when it is typed: what is known of the rest of the text stays.
        one = len(made) == 1
        after = document.edited(*made[0]) if one else document.with_text(apply_edits(document.text, made))
        if not as_sound(document, after):
            half = len(edits) // 2
            return [*self._tried(edits[:half]), *self._tried(edits[half:])] if half else [False]
        silent = {(f.code, f.span) for f in self._view.project.analyzer.findings(after) if f.suppressed}

        def moved(span: Span) -> Span:
            return span.shifted(lengths[bisect_right(starts, span.start)])

        return [(finding.code, moved(finding.span)) in silent for finding, _ in edits]

    def option(self, finding: Finding) -> str | None:
        """Return the option that a comment names, since its statement has more findings of that rule."""
        return finding.option if len(self._options.get((finding.code, self._start(finding)), ())) > 1 else None

    def _edit(self, finding: Finding) -> Edit:
        document, option = self._view.document, self.option(finding)
        code = f"{finding.code}: {option}" if option is not None else finding.code
        return comment(document, self._above.line(finding.span), [code])

    def _start(self, finding: Finding) -> int:
        """Return where the statement or the command around a finding starts."""
        return self._above.start(finding.span)


def _key(finding: Finding, edit: Edit) -> tuple[str, Span, Edit]:
    return finding.code, finding.span, edit
