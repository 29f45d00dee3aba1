"""`npu-lsp: ignore` comments: which findings they silence, and which of them silence nothing.

Forms, in any host language's comments:

    # npu-lsp: ignore[NPU301]            this line, or the whole next statement when the comment has its own line
    # npu-lsp: ignore                    every code
    # npu-lsp: ignore-file[NPU301]       the file
    # npu-lsp: off[NPU301] … # npu-lsp: on[NPU301]   a range
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from npu_lsp.document import Document
from npu_lsp.findings import Finding
from npu_lsp.readers.model import Comment, Reading
from npu_lsp.rules.context import Context
from npu_lsp.spans import Span

_FORM = re.compile(
    r"npu-lsp:[ \t]*(?P<word>ignore-file|ignore|off|on)\b[ \t]*(?:\[(?P<codes>[^\]\r\n]*)\])?", re.IGNORECASE
)


@dataclass(slots=True)
class Suppression:
    """One comment that silences findings."""

    comment: Comment
    word: str
    codes: tuple[tuple[str, Span], ...]
    """The codes as written, each with its place; empty means all."""
    reach: Span
    """Findings that start in it are silenced."""
    used: set[str] = field(default_factory=set)

    def silences(self, finding: Finding) -> bool:
        """Tell whether the comment speaks of `finding`, and remember that it was of use."""
        if not self.reach.start <= finding.span.start <= self.reach.end:
            return False
        if not self.codes:
            self.used.add("")
            return True
        for written, _ in self.codes:
            if written.upper() == finding.code or written.lower() == finding.name:
                self.used.add(written)
                return True
        return False


def suppressions(document: Document, reading: Reading) -> list[Suppression]:
    """Return the file's suppressions with what each reaches."""
    found: list[Suppression] = []
    for comment in reading.comments:
        match = _FORM.search(document.text, comment.span.start, comment.span.end)
        if match:
            word = match["word"].lower()
            found.append(Suppression(comment, word, tuple(_codes(match)), _reach(document, reading, comment, word)))
    _close_ranges(found)
    return [s for s in found if s.word != "on"]


def suppressed(findings: Iterable[Finding], context: Context, _active: set[str]) -> Iterator[Finding]:
    """Yield `findings` with those marked that a comment silences."""
    written = suppressions(context.document, context.reading) if context.reading.comments else []
    for finding in findings:
        # No short cut: every comment that fits is of use.
        hits = [s.silences(finding) for s in written]
        yield replace(finding, suppressed=True) if any(hits) else finding


def _codes(match: re.Match[str]) -> Iterator[tuple[str, Span]]:
    if match["codes"] is None:
        return
    for word in re.finditer(r"[^\s,]+", match["codes"]):
        start = match.start("codes") + word.start()
        yield word.group(), Span(start, start + len(word.group()))


def _reach(document: Document, reading: Reading, comment: Comment, word: str) -> Span:
    text_end = len(document.text)
    if word == "ignore-file":
        return Span(0, text_end)
    if word in ("off", "on"):
        return Span(comment.span.end, text_end)
    line = document.line_of(comment.span.start)
    if comment.own_line:
        line = _next_code_line(document, line)
    start, end = document.line_span(line)
    # A statement that starts on the line counts as a whole: in a shell no comment can follow a backslash.
    for statement in _statements(reading):
        if start <= statement.start <= end:
            end = max(end, statement.end)
        elif not comment.own_line and statement.start <= start <= statement.end:
            start, end = min(start, statement.start), max(end, statement.end)
    return Span(start, end)


def _statements(reading: Reading) -> Iterator[Span]:
    for block in reading.blocks:
        if block.command is not None:
            yield block.command
        for setting in block.settings:
            yield setting.statement


def _next_code_line(document: Document, line: int) -> int:
    following = line + 1
    while following < document.line_count:
        text = document.line_text(following).strip()
        if text and not text.startswith("#"):
            return following
        following += 1
    return line


def _close_ranges(found: list[Suppression]) -> None:
    """End each `off` at the next `on` that speaks of the same codes, or of all."""
    for index, start in enumerate(found):
        if start.word != "off":
            continue
        for end in found[index + 1 :]:
            codes = {c.upper() for c, _ in end.codes}
            if end.word == "on" and (not codes or codes >= {c.upper() for c, _ in start.codes}):
                start.reach = Span(start.reach.start, end.comment.span.start)
                break
