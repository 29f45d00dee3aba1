"""Makes the fixes of a file that somebody agrees to, one by one, each as the text is by then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from npu_lsp.linter.findings import Finding, Fix, Safety
from npu_lsp.linter.fixing.edits import edits_of
from npu_lsp.linter.fixing.gate import after_edits
from npu_lsp.linter.fixing.rounds import Find, Fixed, MayCreate, holds
from npu_lsp.text.document import Document
from npu_lsp.text.moved import Moved
from npu_lsp.text.spans import Span

_MOST = 500
"""Fixes of one file that are asked about."""


class FixAnswer(Enum):
    """What somebody says to a fix."""

    YES = "y"
    NO = "n"
    ALL = "a"
    """This one, and all safe ones that follow."""
    QUIT = "q"
    """Neither this one nor any that follows."""


class Proposed(NamedTuple):
    """A fix that a person is asked about, with the text before and after it: its finding is gone in the second."""

    finding: Finding
    fix: Fix
    before: Document
    after: Document


Ask = Callable[[Proposed], FixAnswer]


def asked(document: Document, find: Find, ask: Ask, may_create: MayCreate) -> Fixed:
    """Return `document` with the fixes made that `ask` says yes to; it is asked in the order of the text."""
    now, counts, refused = document, Counter[str](), Counter[str]()
    files: dict[str, str] = {}
    decided: set[_Key] = set()
    for _ in range(_MOST):
        proposed = _next(now, find, decided, may_create, refused)
        answer = ask(proposed) if proposed is not None else FixAnswer.QUIT
        if proposed is None or answer is FixAnswer.QUIT:
            break
        decided.add(_key(proposed.finding, proposed.fix))
        if answer is not FixAnswer.NO:
            moved = Moved(edits_of(now, [proposed.fix]))
            decided = {each._replace(span=moved.span(each.span)) for each in decided}
            now = proposed.after
            counts[proposed.finding.code] += 1
            files |= {file.path: file.text for file in proposed.fix.files}
    return Fixed(now, counts, files, refused)


class _Key(NamedTuple):
    """What is the same when a fix is proposed again; its place moves with the edits above it."""

    code: str
    span: Span
    message: str
    title: str


def _next(
    now: Document, find: Find, decided: set[_Key], may_create: MayCreate, refused: Counter[str]
) -> Proposed | None:
    for finding in find(now):
        fix = finding.choice(unsafe=True)
        if fix is None or finding.suppressed or _key(finding, fix) in decided:
            continue
        edits = edits_of(now, [fix])
        after = after_edits(now, edits) if all(map(may_create, fix.files)) else None
        found = (tuple(find(now)), tuple(find(after))) if after is not None else ((), ())
        unsafe = fix.safety is Safety.UNSAFE
        if after is not None and holds(now, after, edits, found, [finding], unsafe=unsafe):
            return Proposed(finding, fix, now, after)
        refused[finding.code] += 1
        decided.add(_key(finding, fix))
    return None


def _key(finding: Finding, fix: Fix) -> _Key:
    return _Key(finding.code, finding.span, finding.message, fix.title)
