"""Fuzzes readers, rules and fixes: whatever is typed, nothing fails, nothing hangs, and what is found is where it is said to be."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from npu_lsp.languages import cursor, read
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.fixing.edits import edits_of
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span, apply_edits
from tests.languages.python.test_properties import plain
from tests.robustness.aimed import aimed
from tests.robustness.steps import steps
from tests.robustness.texts import edit, is_too_long, texts

_T = TypeVar("_T")

SLOW = 0.1
"""Seconds of the processor after which the steps of a change are counted: few enough that every machine counts what has
too many of them."""
MANY = 5_000_000
"""Steps that one change may take."""
_EDITS = 25


class BrokenError(AssertionError):
    """Something that must not happen, with the text that made it happen."""

    def __init__(self, what: str, kind: Kind, text: str) -> None:
        super().__init__(f"{what}\nin {kind.value}: {text!r}")


def walk(seed: int, analyzer: Analyzer | None = None) -> int:
    """Take one text through many edits, checking after each; return how many there were. Raises `BrokenError`."""
    rng = random.Random(f"reading {seed}")
    analyzer = analyzer or Analyzer(Config(), all_rules)
    kind, text = rng.choice(texts())
    document = Document(text, kind=kind, path="/nowhere/file")
    undo: tuple[int, int, str] | None = None
    for number in range(_EDITS):
        if number:
            start, end, new = edit(rng, document.text) if rng.random() < 0.4 else aimed(rng, document)
            if undo is not None and rng.random() < 0.1:
                start, end, new = undo
            undo = start, start + len(new), document.text[start:end]
            document = document.edited(Span(start, end), new)
            if is_too_long(document.text):
                return number
            if rng.random() < 0.2:
                continue  # two edits between two looks
        check(document, analyzer, rng)
    return _EDITS


def check(document: Document, analyzer: Analyzer, rng: random.Random) -> None:
    """Analyse a document and prove what must hold for any. Raises `BrokenError`."""
    kind, text = document.kind, document.text

    def broken(what: str) -> BrokenError:
        return BrokenError(what, kind, text)

    before = analyzer.failures
    found = _timed(lambda: analyzer.findings(document), broken)
    if analyzer.failures > before:
        raise broken("a rule failed")
    for finding in found:
        if not 0 <= finding.span.start <= finding.span.end <= len(text):
            raise broken(f"{finding.code} at {finding.span} lies outside")
    reading = read(document)
    for block in reading.blocks:
        for setting in block.settings:
            spans = (
                setting.key,
                setting.value.span,
                setting.statement,
                *([setting.value.content] if setting.value.content else []),
            )
            if not all(0 <= span.start <= span.end <= len(text) for span in spans):
                raise broken(f"{setting.name} lies outside")
    fresh = Document(text, kind=kind, path=document.path)
    again = _timed(lambda: analyzer.findings(fresh), broken)
    if _told(again) != _told(found):
        raise broken(f"read anew, there is something else to say: {_told(found)} is now {_told(again)}")
    if plain(reading) != plain(read(fresh)):
        raise broken(f"read anew, it is something else: {reading} is now {read(fresh)}")
    _timed(lambda: cursor(document, rng.randrange(len(text) + 1)), broken)
    _apply_a_fix(found, document, analyzer, rng, broken)


def _apply_a_fix(
    found: tuple[Finding, ...],
    document: Document,
    analyzer: Analyzer,
    rng: random.Random,
    broken: Callable[[str], BrokenError],
) -> None:
    fixes = [fix for finding in found for fix in finding.fixes]
    if not fixes:
        return
    fix = rng.choice(fixes)
    try:
        text = apply_edits(document.text, edits_of(document, [fix]))
    except ValueError as error:
        raise broken(f"a fix can't be applied: {error}") from error
    before = analyzer.failures
    _timed(lambda: analyzer.findings(Document(text, kind=document.kind, path=document.path)), broken)
    if analyzer.failures > before:
        raise broken("a rule failed after a fix")


def _told(found: tuple[Finding, ...]) -> list[tuple[object, ...]]:
    return [(f.code, f.span, f.message, f.suppressed, f.fixes) for f in found]


def _timed(work: Callable[[], _T], broken: Callable[[str], BrokenError]) -> _T:
    start = time.thread_time()
    try:
        result = work()
    except Exception as error:
        raise broken(f"{type(error).__name__}: {error}") from error
    # On a slow machine everything takes long: what counts is how much is done.
    if (took := time.thread_time() - start) > SLOW and (count := steps(work)) > MANY:
        raise broken(f"took {took:.1f} s and {count} steps")
    return result
