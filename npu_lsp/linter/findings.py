"""What npu-lsp says about a file: findings and the fixes they offer."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.linter.severity import Severity as Severity
from npu_lsp.text.spans import Edit, IntervalIndex, Span


class Safety(str, Enum):
    """Whether a fix may change what the program does."""

    SAFE = "safe"
    """What runs afterwards is the same, or certainly what was meant."""
    UNSAFE = "unsafe"
    """The result may behave differently: a person has to look at it."""


class Tag(str, Enum):
    """How an editor shows the place besides underlining it."""

    DEPRECATED = "deprecated"
    UNNECESSARY = "unnecessary"


class NewFile(NamedTuple):
    """A file that a fix creates. It never replaces one that exists."""

    path: str
    """Relative to the folder of the document, with `/`."""
    text: str


class Fix(NamedTuple):
    """One way to mend a finding."""

    title: str
    """What it does, in the reader's language."""
    edits: tuple[Edit, ...]
    safety: Safety
    files: tuple[NewFile, ...] = ()
    note: str = ""
    """What a person still has to do; shown where files can't be created."""


class Related(NamedTuple):
    """Another place in the file that a finding is about."""

    span: Span
    message: str


class Finding(NamedTuple):
    """What one rule says about one place. Spans are code points from 0 in the document's text."""

    code: str
    name: str
    severity: Severity
    span: Span
    message: str
    option: str | None = None
    surface: Surface | None = None
    fixes: tuple[Fix, ...] = ()
    """The first one is *the* fix: what a report shows, and a command or an editor makes unasked when it is safe."""
    tags: tuple[Tag, ...] = ()
    related: tuple[Related, ...] = ()
    suppressed: bool = False

    @property
    def about(self) -> tuple[str, str | None]:
        """What is found of what: the same before and after an edit elsewhere."""
        return self.code, self.option

    @property
    def fixable(self) -> bool:
        """Return whether the fix is safe."""
        return self.choice(unsafe=False) is not None

    def choice(self, *, unsafe: bool) -> Fix | None:
        """Return the fix that is made without asking: the first one, if it is safe or may be `unsafe`."""
        first = self.fixes[0] if self.fixes else None
        return first if first is not None and (unsafe or first.safety is Safety.SAFE) else None


def in_order(finding: Finding) -> tuple[object, ...]:
    """Return what findings are sorted by: where they stand, and what they say."""
    return (finding.span, finding.code, finding.message)


def without_weak(found: list[Finding], weak: Collection[str]) -> list[Finding]:
    """Return findings without those of the `weak` rules that stand where another one does."""
    if not any(each.code in weak for each in found):
        return found
    others = IntervalIndex(each.span for each in found if each.code not in weak)
    return [each for each in found if each.code not in weak or not others.touches(each.span)]
