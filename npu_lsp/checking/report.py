"""What a report is made of: findings with their places in lines and columns, free of the document they came from.

Lines and columns are 1-based, columns in code points; an end is the place behind the last character.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Language

Silenced = Literal["", "comment", "baseline"]
"""What silences a finding; empty: nothing does."""


class Range(NamedTuple):
    """A stretch of a file."""

    line: int
    column: int
    end_line: int
    end_column: int


class Replacement(NamedTuple):
    """Puts `text` in place of what stands at `place`."""

    place: Range
    text: str


class Creation(NamedTuple):
    """A file that a fix makes; `path` is relative to the folder of the file that is fixed."""

    path: str
    text: str


class ReportedFix(NamedTuple):
    """One way to mend a finding."""

    title: str
    safe: bool
    replacements: tuple[Replacement, ...]
    creations: tuple[Creation, ...] = ()
    note: str = ""


class Note(NamedTuple):
    """Another place in the same file that a finding is about."""

    place: Range
    message: str


class InCell(NamedTuple):
    """Where a place in a notebook's file is for those who see its cells, all counted from 1."""

    cell: int
    line: int
    column: int


class ReportedFinding(NamedTuple):
    """One finding in one file."""

    path: str
    """As given on the command line, or below the folder that was given."""
    place: Range
    code: str
    name: str
    severity: Severity
    message: str
    option: str | None = None
    fixable: bool = False
    """A safe fix exists."""
    silenced: Silenced = ""
    reported_fixes: tuple[ReportedFix, ...] = ()
    notes: tuple[Note, ...] = ()
    source: tuple[str, ...] = ()
    """The lines of the file around the place and around what the first remedy changes."""
    source_line: int = 1
    """The number of the first of them."""
    in_cell: InCell | None = None
    """In a notebook: where it is."""
    surface: str = ""
    """Where the option is set: a `Surface`."""
    tags: tuple[str, ...] = ()
    """How an editor shows it besides: each a `Tag`."""


def order(entry: ReportedFinding) -> tuple[object, ...]:
    """Return the key by which entries are sorted."""
    return (entry.path, entry.place, entry.code, entry.message)


class RuleFacts(NamedTuple):
    """What a report says of a rule."""

    code: str
    name: str
    title: str
    severity: Severity
    page: str
    """In Markdown."""
    fixable: bool


class Result(NamedTuple):
    """What a run found."""

    entries: tuple[ReportedFinding, ...]
    """Sorted, silenced ones included."""
    empty: bool = False
    """There was no file to check."""
    language: Language = "en"
    rules: Mapping[str, RuleFacts] = MappingProxyType({})
    """The rules of the codes that occur, for formats that tell of rules."""
    failed: bool = False
    """An error of npu-lsp kept something from being checked."""
    here: str = ""
    """The folder that the entries' paths are relative to, absolute."""
    root: str = ""
    """The folder that other programs expect paths to be relative to: the repository's in CI, else `here`."""

    @property
    def open(self) -> tuple[ReportedFinding, ...]:
        """The entries that nothing silences."""
        return tuple(entry for entry in self.entries if not entry.silenced)
