"""What is asked of files that are checked, and what comes of each: what the steps of a run hand to each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from npu_lsp.checking.loading import State
from npu_lsp.checking.report import ReportedFinding
from npu_lsp.text.bilingual import Language
from npu_lsp.text.decoding import Decoded
from npu_lsp.text.kinds import Kind

if TYPE_CHECKING:
    from npu_lsp.checking.inventory import Row
    from npu_lsp.checking.launch_rows import LaunchRow
    from npu_lsp.checking.wishes import Wish
    from npu_lsp.linter.fixing.asked import FixAnswer, Proposed
    from npu_lsp.text.dependencies import Fingerprint


class FixMode(Enum):
    """Which fixes a run makes, or that it silences findings with comments."""

    NOTHING = "nothing"
    SAFE = "safe"
    """The fixes are made that are safe."""
    ALL = "all"
    """The others are made, too."""
    ASKED = "asked"
    """Those are made that somebody says yes to."""
    SILENCED = "silenced"
    """Comments are written that silence what is found."""


class Request(NamedTuple):
    """What to do with each file of a run: report, fix, write, list its settings or launches."""

    language: Language = "en"
    mending: FixMode = FixMode.NOTHING
    write: bool = False
    """Write the files that are changed. Otherwise only tell what would change."""
    check: bool = True
    """Tell what is wrong."""
    inventory: bool = False
    """List the settings."""
    launches: bool = False
    """List what commands and calls start."""
    ask: Callable[[str, Proposed], FixAnswer] | None = None
    """`ASKED`: who is asked about each fix of the file at a shown path; in this process alone."""
    remember: bool = False
    """Results are kept for later runs."""
    wishes: tuple[Wish, ...] = ()
    """What a log asks for, by absolute paths: it is written instead of what rules would mend."""


class Checked(NamedTuple):
    """The result of checking one file."""

    entries: tuple[ReportedFinding, ...] = ()
    state: State | None = None
    """What the file looked like when it was read."""
    fixed: Mapping[str, int] = {}
    """How many findings of which code were fixed, or would be."""
    diff: str = ""
    """What fixing would change, where it isn't written."""
    data: bytes | None = None
    """The content after fixing, where it isn't written."""
    digest: str = ""
    """What stands for the content, where the result is to be remembered."""
    looked_at: Mapping[str, Fingerprint] = {}
    """The other files that the entries depend on."""
    rows: tuple[Row, ...] = ()
    """The settings, where they are listed."""
    launches: tuple[LaunchRow, ...] = ()
    """What commands and calls start, where that is listed."""
    points_to: Mapping[str, str] = {}
    """The files that exist and that settings name, absolute, with what kind of file each must be."""
    failed: bool = False
    """An error of ours kept the file, or a rule, from being checked."""


NOTHING = Checked()
"""What is remembered of a file that holds nothing."""


class SourceText(NamedTuple):
    """A file that holds words which make it worth an analysis."""

    kind: Kind
    decoded: Decoded
    state: State | None
    data: bytes
