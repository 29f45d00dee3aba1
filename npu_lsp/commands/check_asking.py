"""`npu-lsp check --fix --interactive`: shows each fix as a patch and asks whether to make it."""

from __future__ import annotations

import sys

from npu_lsp.checking import stderr
from npu_lsp.checking.fixing import difference
from npu_lsp.linter.findings import Safety
from npu_lsp.linter.fixing.asked import FixAnswer, Proposed
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import shown, shown_path

_ASK = Text("Make this fix? [y, n, a, q, ?] ", "执行此修复？[y, n, a, q, ?] ")
_REVIEW = Text("(review) ", "（需审阅）")
_HELP = Text(
    "y: make it   n: leave it   a: make it and all safe ones that follow   q: make it not, nor any that follows",
    "y：执行   n：跳过   a：执行该修复及后续所有安全修复   q：不再执行任何修复",
)
_HELP_ALL = Text(
    "y: make it   n: leave it   a: make it and all that follow   q: make it not, nor any that follows",
    "y：执行   n：跳过   a：执行该修复及后续所有修复   q：不再执行任何修复",
)


class Asking:
    """Asks on stderr and reads answers from stdin, so that stdout is the report's. The end of stdin is a `q`."""

    def __init__(self, language: Language, *, unsafe: bool) -> None:
        """`unsafe`: whoever says `a` means the fixes to review, too."""
        self._language = language
        self._unsafe = unsafe
        self._all = False
        self._over = False

    def __call__(self, path: str, proposed: Proposed) -> FixAnswer:
        """Return what is said to a fix of the file at a shown path."""
        if self._over:
            return FixAnswer.QUIT
        finding, fix, before, after = proposed
        safe = fix.safety is Safety.SAFE
        if self._all and (safe or self._unsafe):
            return FixAnswer.YES
        line, column = before.line_column(finding.span.start)
        review = "" if safe else _REVIEW.to(self._language)
        stderr.tell(f"{shown_path(path)}:{line}:{column}: {finding.code} {shown(finding.message)}")
        stderr.tell(f"  {review}{shown(fix.title)}")
        for said in difference(path, before, after).splitlines()[2:]:
            stderr.tell(f"  {shown(said)}")
        answer = self._answer()
        self._all = self._all or answer is FixAnswer.ALL
        self._over = answer is FixAnswer.QUIT
        return answer

    def _answer(self) -> FixAnswer:
        while True:
            sys.stderr.write(_ASK.to(self._language))
            sys.stderr.flush()
            said = sys.stdin.readline()
            if not sys.stdin.isatty():
                stderr.tell(shown(said.strip()))
            word = said.strip().lower()[:1] if said else FixAnswer.QUIT.value
            if word and word in {each.value for each in FixAnswer}:
                return FixAnswer(word)
            stderr.tell((_HELP_ALL if self._unsafe else _HELP).to(self._language))
