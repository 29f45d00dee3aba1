"""The comment that silences one finding, put where it does."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from npu_lsp.languages.registry import kinds
from npu_lsp.linter.findings import Finding
from npu_lsp.lsp.session import View
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span, apply_edits

_COMMENT = re.compile(r"[ \t]*#[ \t]*npu-lsp:[ \t]*ignore[ \t]*\[[^\]]*(?P<end>\])[^\r\n]*")


class Comments:
    """Makes the comments that silence findings of one document."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._statements = list(_statements(view))
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
        line = document.line_of(self._start(finding))
        while line > 0 and document.line_text(line - 1).rstrip().endswith("\\"):
            line -= 1  # a comment can't stand behind a backslash, nor between it and the next line
        if line > 0:
            above = _COMMENT.fullmatch(document.line_text(line - 1))
            if above is not None:
                end = document.line_span(line - 1).start + above.start("end")
                return Edit(Span(end, end), f", {code}")
        start, end = document.line_span(line)
        text = document.text[start:end]
        indent = text[: len(text) - len(text.lstrip(" \t"))]
        return Edit(Span(start, start), f"{indent}# npu-lsp: ignore[{code}]{document.newline_at(start)}")

    def _start(self, finding: Finding) -> int:
        """Return where the statement or the command around a finding starts."""
        at = finding.span.start
        return max((s.start for s in self._statements if s.start <= at <= s.end), default=at)


def _statements(view: View) -> Iterator[Span]:
    for block in view.reading.blocks:
        if block.command is not None:
            yield block.command
        for setting in block.settings:
            yield setting.statement
