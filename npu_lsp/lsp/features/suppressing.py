"""The comment that silences one finding, put where it does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.languages.registry import kinds
from npu_lsp.linter.findings import Finding
from npu_lsp.lsp.session import View
from npu_lsp.text.spans import Edit, Span

_COMMENT = re.compile(r"[ \t]*#[ \t]*npu-lsp:[ \t]*ignore[ \t]*\[[^\]]*(?P<end>\])[^\r\n]*")


def suppression(view: View, finding: Finding) -> Edit | None:
    """Return the edit that makes `finding`, and no other rule's, go; `None` where no comment would do it."""
    document = view.document
    if document.kind not in kinds(hash_comments=True):
        return None
    edit = _edit(view, finding)
    after = document.edited(edit.span, edit.text)
    moved = finding.span.shifted(len(edit.text))
    # Comments have rules of their own in each language: what doesn't help is not offered.
    for found in view.project.analyzer.findings(after):
        if found.code == finding.code and found.span == moved:
            return edit if found.suppressed else None
    return None


def _edit(view: View, finding: Finding) -> Edit:
    document = view.document
    line = document.line_of(_statement_start(view, finding.span))
    while line > 0 and document.line_text(line - 1).rstrip().endswith("\\"):
        line -= 1  # a comment can't stand behind a backslash, nor between it and the next line
    if line > 0:
        above = _COMMENT.fullmatch(document.line_text(line - 1))
        if above is not None:
            end = document.line_span(line - 1).start + above.start("end")
            return Edit(Span(end, end), f", {finding.code}")
    start, end = document.line_span(line)
    text = document.text[start:end]
    indent = text[: len(text) - len(text.lstrip(" \t"))]
    return Edit(Span(start, start), f"{indent}# npu-lsp: ignore[{finding.code}]{document.newline_at(start)}")


def _statement_start(view: View, span: Span) -> int:
    """Return where the statement or the command around `span` starts."""
    around = [s.start for s in _statements(view) if s.start <= span.start <= s.end]
    return max(around, default=span.start)


def _statements(view: View) -> Iterator[Span]:
    for block in view.reading.blocks:
        if block.command is not None:
            yield block.command
        for setting in block.settings:
            yield setting.statement
