"""Findings, which count code points of a document, as entries of a report, which have lines and columns."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import TYPE_CHECKING

from npu_lsp.checking.report import Creation, InCell, Note, Range, Replacement, ReportedFinding, ReportedFix
from npu_lsp.linter.findings import Finding, Fix, Safety
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

if TYPE_CHECKING:
    from npu_lsp.languages.hosts.cells import Cell

_AROUND = 2
"""Lines before and after that a report may show."""
_MOST_LINES = 60
_LONGEST = 2000
"""Code points of a line that is shown; a file with longer ones shows none."""


def entries(path: str, document: Document, findings: Iterable[Finding]) -> tuple[ReportedFinding, ...]:
    """Return an entry for each finding in `document`, which reports call `path`."""
    cells = _Cells(document)
    return tuple(_entry(path, document, finding, cells) for finding in findings)


def _entry(path: str, document: Document, finding: Finding, cells: _Cells) -> ReportedFinding:
    place = _place(document, finding.span)
    reported_fixes = tuple(_remedy(document, fix) for fix in finding.fixes)
    first, source = _source(document, place, reported_fixes)
    return ReportedFinding(
        path=path,
        place=place,
        code=finding.code,
        name=finding.name,
        severity=finding.severity,
        message=finding.message,
        option=finding.option,
        fixable=finding.fixable,
        silenced="comment" if finding.suppressed else "",
        reported_fixes=reported_fixes,
        notes=tuple(Note(_place(document, each.span), each.message) for each in finding.related),
        source=source,
        source_line=first,
        in_cell=cells.place(finding.span.start),
        surface=finding.surface.value if finding.surface is not None else "",
        tags=tuple(tag.value for tag in finding.tags),
    )


class _Cells:
    """The cells of a notebook, which are looked for when there is a finding."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._cells: list[Cell] | None = None if document.kind is Kind.NOTEBOOK else []

    def place(self, offset: int) -> InCell | None:
        """Return where `offset` of the file is for those who see its cells."""
        if self._cells is None:
            from npu_lsp.languages.hosts.cells import cells_of

            self._cells = list(cells_of(self._document.text))
        for cell in self._cells:
            if cell.starts and cell.starts[0] <= offset <= cell.ends[-1]:
                before = cell.text[: bisect_left(cell.starts, offset)]
                return InCell(cell.number, before.count("\n") + 1, len(before) - before.rfind("\n"))
        return None


def _place(document: Document, span: Span) -> Range:
    return Range(*document.line_column(span.start), *document.line_column(span.end))


def _remedy(document: Document, fix: Fix) -> ReportedFix:
    return ReportedFix(
        fix.title,
        fix.safety is Safety.SAFE,
        tuple(Replacement(_place(document, edit.span), edit.text) for edit in fix.edits),
        tuple(Creation(file.path, file.text) for file in fix.files),
        fix.note,
    )


def _source(document: Document, place: Range, reported_fixes: tuple[ReportedFix, ...]) -> tuple[int, tuple[str, ...]]:
    """Return the lines around a finding and around what its first fix changes, and the number of the first one."""
    places = [place, *(r.place for remedy in reported_fixes[:1] for r in remedy.replacements)]
    first = max(1, min(p.line for p in places) - _AROUND)
    last = min(document.line_count, max(p.end_line for p in places) + _AROUND)
    if last - first >= _MOST_LINES:
        first, last = max(1, place.line - _AROUND), min(document.line_count, place.end_line + _AROUND)
    lines = tuple(document.line_text(number - 1) for number in range(first, min(last, first + _MOST_LINES) + 1))
    return (first, lines) if all(len(line) <= _LONGEST for line in lines) else (place.line, ())
