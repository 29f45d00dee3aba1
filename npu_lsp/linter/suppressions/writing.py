"""The comments that silence findings, put where they do; each is tried before it is written."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from npu_lsp.languages import read
from npu_lsp.languages.hosts.cells import looks_like_notebook
from npu_lsp.languages.hosts.yaml_lines import head_of_folded
from npu_lsp.languages.model import ParseResult
from npu_lsp.languages.registry import kinds
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.fixing.gate import after_edits
from npu_lsp.linter.fixing.rounds import Fixed
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span, apply_edits

Find = Callable[[Document], Iterable[Finding]]

_COMMENT = re.compile(r"[ \t]*#[ \t]*npu-lsp:[ \t]*ignore[ \t]*\[[^\]]*(?P<end>\])[^\r\n]*")
_COMMENTED = kinds(hash_comments=True)


def silenced(document: Document, find: Find) -> Fixed:
    """Return `document` with a comment for every finding that one can silence, and with nothing else changed."""
    result, counts = document, Counter[str]()
    if document.kind in _COMMENTED:
        for places in (_lines_above, _statements_around):
            groups = _that_hold(result, find, list(places(result, find(result))))
            counts.update(finding.code for group in groups for finding in group.findings)
            result = _written(result, groups)
    return Fixed(result, counts)


class _Group(NamedTuple):
    """Findings that one comment silences, or two that stand around them."""

    findings: tuple[Finding, ...]
    edits: tuple[Edit, ...]


def _lines_above(document: Document, found: Iterable[Finding]) -> Iterator[_Group]:
    """Yield the comments in the lines above statements."""
    above = Above(document, read(document))
    lines: dict[int, list[Finding]] = {}
    for finding in found:
        if not finding.suppressed:
            lines.setdefault(above.line(finding.span), []).append(finding)
    for line, findings in lines.items():
        codes = list(dict.fromkeys(finding.code for finding in findings))
        yield _Group(tuple(findings), (comment(document, line, codes),))


def _statements_around(document: Document, found: Iterable[Finding]) -> Iterator[_Group]:
    """Yield the comments around Python statements: what a text inside of one holds has no line for a comment."""
    if document.kind is not Kind.PYTHON:
        return
    statements: dict[tuple[int, int], list[Finding]] = {}
    spans = _python_statements(document)
    for finding in found:
        line = document.line_of(finding.span.start)
        around = [(first, last) for first, last in spans if first <= line <= last]
        if around and not finding.suppressed:
            statements.setdefault(min(around, key=lambda span: span[1] - span[0]), []).append(finding)
    for (first, last), findings in statements.items():
        codes = ", ".join(dict.fromkeys(finding.code for finding in findings))
        start = document.line_span(first).start
        indent = _indent(document, first)
        end = document.line_span(last).end
        newline = document.newline_at(start)
        yield _Group(
            tuple(findings),
            (
                Edit(Span(start, start), f"{indent}# npu-lsp: off[{codes}]{newline}"),
                Edit(Span(end, end), f"{newline}{indent}# npu-lsp: on[{codes}]"),
            ),
        )


def _python_statements(document: Document) -> list[tuple[int, int]]:
    """Return the first and the last line of each statement."""
    from npu_lsp.languages.python.lines.logical_lines import scan

    lines = scan(document.text)
    return [
        (document.line_of(start), document.line_of(end)) for start, end in zip(lines.starts, lines.ends, strict=True)
    ]


# -- what holds ---------------------------------------------------------------------------------------------


def _that_hold(document: Document, find: Find, groups: list[_Group]) -> list[_Group]:
    """Return the groups that silence their findings, bring none, and leave what runs as it is."""
    kept: list[_Group] = []
    todo = [groups]
    while todo:
        some = todo.pop()
        if not some:
            continue
        if _hold(document, find, [*kept, *some]):
            kept += some
        elif len(some) > 1:
            half = len(some) // 2
            todo += [some[half:], some[:half]]
    return kept


def _hold(document: Document, find: Find, groups: Sequence[_Group]) -> bool:
    edits = [edit for group in groups for edit in group.edits]
    after = after_edits(document, edits)
    if after is None or not _runs_the_same(document, after, edits):
        return False
    old, new = list(find(document)), list(find(after))
    gone = Counter(finding.about for group in groups for finding in group.findings)
    still_open = Counter(finding.about for finding in old if not finding.suppressed) - gone
    return (
        Counter(finding.about for finding in old) == Counter(finding.about for finding in new)
        and Counter(finding.about for finding in new if not finding.suppressed) == still_open
    )


def _runs_the_same(before: Document, after: Document, edits: Sequence[Edit]) -> bool:
    """Return whether a text sets what it set, and, in Python, all that was written stands in comments."""
    if _settings(before) != _settings(after):
        return False
    return before.kind is not Kind.PYTHON or _only_comments(after.text, edits)


def _settings(document: Document) -> list[tuple[object, ...]]:
    return [(s.name, s.value.kind, s.value.known, s.value.data) for s in read(document).settings]


def _only_comments(text: str, edits: Sequence[Edit]) -> bool:
    """Return whether what `edits` wrote into a Python text stands in its comments, and in none of its strings."""
    from npu_lsp.languages.python.completing.fragment import comments_in
    from npu_lsp.languages.python.lines.logical_lines import scan

    lines = scan(text)
    grown = 0
    for edit in sorted(edits):
        at = edit.span.start + grown + len(edit.text) - len(edit.text.lstrip())
        grown += len(edit.text)
        index = lines.before(at)
        if index >= 0 and at < lines.ends[index]:
            inside = comments_in(text, lines.starts[index], lines.ends[index])
            if not any(each.start <= at < each.end for each in inside):
                return False
    return True


def _written(document: Document, groups: Iterable[_Group]) -> Document:
    return document.with_text(apply_edits(document.text, tuple(edit for group in groups for edit in group.edits)))


# -- where a comment goes -----------------------------------------------------------------------------------


class Above:
    """Finds the lines that comments go above."""

    def __init__(self, document: Document, parsed: ParseResult) -> None:
        """Take a text and what it sets."""
        self._document = document
        self._statements = sorted(set(parsed.statements()))
        self._starts = [statement.start for statement in self._statements]

    def line(self, span: Span) -> int:
        """Return the line of the statement or the command around `span`, or of the first one that it is joined to."""
        line = self._document.line_of(self.start(span))
        while line > 0 and self._document.line_text(line - 1).rstrip().endswith("\\"):
            line -= 1  # a comment can't stand behind a backslash, nor between it and the next line
        return head_of_folded(self._document, line) if self._document.kind is Kind.YAML else line

    def start(self, span: Span) -> int:
        """Return where the statement or the command around `span` starts."""
        at = bisect_right(self._starts, span.start)
        for statement in reversed(self._statements[:at]):
            if span.start <= statement.end:
                return statement.start
        return span.start


def comment(document: Document, line: int, codes: Sequence[str]) -> Edit:
    """Return what names `codes` in a comment above `line`: in one that is there, or in a new one."""
    listed = ", ".join(codes)
    if line > 0:
        above = _COMMENT.fullmatch(document.line_text(line - 1))
        if above is not None:
            end = document.line_span(line - 1).start + above.start("end")
            return Edit(Span(end, end), f", {listed}")
    start = document.line_span(line).start
    written = f"# npu-lsp: ignore[{listed}]"
    if document.kind is Kind.NOTEBOOK and looks_like_notebook(document.text):
        written = f'"{written}\\n",'
    return Edit(Span(start, start), f"{_indent(document, line)}{written}{document.newline_at(start)}")


def _indent(document: Document, line: int) -> str:
    text = document.line_text(line)
    return text[: len(text) - len(text.lstrip(" \t"))]
