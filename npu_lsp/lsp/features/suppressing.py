"""The comment that silences one finding, put where it does."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from npu_lsp.languages.registry import kinds
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.suppression_writing import Above, comment
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span, apply_edits


class Comments:
    """Makes the comments that silence findings of one document."""

    def __init__(self, view: DocumentView) -> None:
        self._view = view
        self._above = Above(view.document, view.reading)
        self._options: dict[tuple[str, int], set[str | None]] = {}
        """What the findings of one rule in one statement are about, those that are silenced included."""
        for each in view.project.analyzer.findings(view.document):
            self._options.setdefault((each.code, self._start(each)), set()).add(each.option)

    def that_help(self, findings: Sequence[Finding]) -> list[tuple[Finding, Edit]]:
        """Return the edits that make `findings`, and no other rule's, go; those that no comment silences are left out.

        Comments have rules of their own in each language. All of them are tried in one text: to read it anew for each
        takes as many times as long.
        """
        document = self._view.document
        if document.kind not in kinds(hash_comments=True):
            return []
        edits = [(finding, self._edit(finding)) for finding in findings]
        joined: dict[Span, dict[str, None]] = {}
        for _, edit in edits:
            joined.setdefault(edit.span, {})[edit.text] = None
        made = tuple(Edit(span, "".join(texts)) for span, texts in sorted(joined.items()))
        starts, lengths = [e.span.start for e in made], [0, *accumulate(len(e.text) for e in made)]
        after = Document(apply_edits(document.text, made), path=document.path, uri=document.uri, kind=document.kind)
        silent = {(f.code, f.span) for f in self._view.project.analyzer.findings(after) if f.suppressed}

        def moved(span: Span) -> Span:
            return span.shifted(lengths[bisect_right(starts, span.start)])

        return [(finding, edit) for finding, edit in edits if (finding.code, moved(finding.span)) in silent]

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
