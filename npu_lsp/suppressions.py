"""`npu-lsp: ignore` comments: which findings they silence, and which of them silence nothing.

Forms, in any host language's comments:

    # npu-lsp: ignore[NPU301]            this line, or the whole next statement when the comment has its own line
    # npu-lsp: ignore                    every code
    # npu-lsp: ignore-file[NPU301]       the file
    # npu-lsp: off[NPU301] … # npu-lsp: on[NPU301]   a range

A name (`deprecated-option`) does as well as a code. What follows the brackets is the reason, for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from npu_lsp.document import Document
from npu_lsp.findings import Finding
from npu_lsp.kinds import Kind
from npu_lsp.readers.model import Comment, Reading
from npu_lsp.spans import Span

_FORM = re.compile(
    r"npu-lsp:[ \t]*(?P<word>ignore-file|ignore|off|on)\b[ \t]*(?:\[(?P<codes>[^\[\]\r\n]*)\])?", re.IGNORECASE
)
_COMMENT_SIGNS = ("#", ";", "//", "<!--")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)


@dataclass(slots=True)
class Suppression:
    """One comment that silences findings."""

    comment: Comment
    word: str
    """`ignore`, `ignore-file` or `off`."""
    span: Span
    """From `npu-lsp:` to the closing bracket."""
    codes: tuple[tuple[str, Span], ...]
    """The codes and names as written, each with its place; empty means all."""
    reach: Span
    """Findings that start in it are silenced."""
    used: set[str] = field(default_factory=set)
    """The codes as written that silenced something; an empty word stands for all."""
    end: Suppression | None = None
    """The `on` that ends an `off`, where it ends no other one."""

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
    """Return the file's suppressions with what each reaches, in the order of the text."""
    found: list[Suppression] = []
    for comment in reading.comments:
        match = _FORM.search(document.text, comment.span.start, comment.span.end)
        if match:
            word = match["word"].lower()
            reach = _reach(document, reading, comment, word)
            found.append(Suppression(comment, word, Span(*match.span()), tuple(_codes(match)), reach))
    _close_ranges(found)
    return [s for s in found if s.word != "on"]


def silenced(findings: Iterable[Finding], written: Sequence[Suppression]) -> Iterator[Finding]:
    """Yield `findings`, those marked that a comment silences; the comments remember it."""
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
    if document.kind is Kind.MARKDOWN and comment.own_line and _FENCE.match(document.text, start, end):
        return Span(start, _fence_end(document, start))
    # A statement that starts on the line counts as a whole, as do the lines that a backslash joins to it: in a shell no
    # comment can follow one.
    end = _joined_end(document, line)
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
    for following in range(line + 1, document.line_count):
        text = document.line_text(following).strip()
        if text and not text.startswith(_COMMENT_SIGNS):
            return following
    return line


def _joined_end(document: Document, line: int) -> int:
    """Return the end of the last one of the lines that backslashes join to `line`."""
    while line + 1 < document.line_count and document.line_text(line).endswith("\\"):
        line += 1
    return document.line_span(line)[1]


def _fence_end(document: Document, start: int) -> int:
    """Return where the code block ends whose opening fence stands at `start`."""
    opening = _FENCE.match(document.text, start)
    assert opening is not None  # noqa: S101 - the caller saw it
    for fence in _FENCE.finditer(document.text, opening.end()):
        if fence[1].startswith(opening[1]):
            return fence.end()
    return len(document.text)


def _close_ranges(found: list[Suppression]) -> None:
    """End each `off` at the next `on` that speaks of the same codes, or of all."""
    ended: set[int] = set()
    for index, start in enumerate(found):
        if start.word != "off":
            continue
        for end in found[index + 1 :]:
            codes = {c.upper() for c, _ in end.codes}
            if end.word == "on" and (not codes or codes >= {c.upper() for c, _ in start.codes}):
                start.reach = Span(start.reach.start, end.comment.span.start)
                start.end = end
                if id(end) in ended:
                    for each in found:
                        each.end = None if each.end is end else each.end
                ended.add(id(end))
                break
