"""Checks one file after the other. Nothing that takes time is imported before a file asks for it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from npu_lsp.checking.loading import State, TooLargeError, UnreadableError, load
from npu_lsp.checking.walking import Candidate
from npu_lsp.config.model import Config
from npu_lsp.decoding import Decoded, UndecodableError, decode
from npu_lsp.kinds import Kind, detect
from npu_lsp.language import Language
from npu_lsp.readers.triggers import may_hold
from npu_lsp.reports.model import Entry

if TYPE_CHECKING:
    from npu_lsp.analysis import Analyzer
    from npu_lsp.checking.problems import Problem

_log = logging.getLogger(__name__)


class Settings(NamedTuple):
    """How every file of a run is checked."""

    language: Language = "en"
    fix: bool = False
    """Make the fixes that are safe."""
    unsafe: bool = False
    """With `fix`: make the others too."""
    write: bool = False
    """With `fix`: write the files. Otherwise only tell what would change."""


class Checked(NamedTuple):
    """What came of one file."""

    entries: tuple[Entry, ...] = ()
    state: State | None = None
    """What the file looked like when it was read."""
    fixed: Mapping[str, int] = {}
    """How many findings of which code were fixed, or would be."""
    diff: str = ""
    """What fixing would change, where it isn't written."""
    data: bytes | None = None
    """The content after fixing, where it isn't written."""
    failed: bool = False
    """An error of ours kept the file, or a rule, from being checked."""


class Checker:
    """Checks files; keeps one analysis for each configuration."""

    def __init__(self, configs: Sequence[Config], settings: Settings) -> None:
        """Take a list of configurations that may grow; candidates refer to it by number."""
        self._configs = configs
        self._settings = settings
        self._analyzers: dict[int, Analyzer] = {}

    def check(self, candidate: Candidate) -> Checked:
        """Return what there is to say about a file; never raises for what a file can be."""
        config = self._configs[candidate.config]
        try:
            data, state = load(candidate.absolute, config.max_file_size)
        except UnreadableError as error:
            return Checked(self._problem(candidate, "unreadable", reason=str(error)))
        except TooLargeError as error:
            return Checked(self._problem(candidate, "too_large", size=error.size, limit=config.max_file_size))
        return self.check_data(candidate, data, state)._replace(state=state)

    def check_data(self, candidate: Candidate, data: bytes, state: State | None = None) -> Checked:
        """Return what there is to say about a file with that content; `state` is what it looked like on disk."""
        marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        kind = candidate.kind or detect(candidate.path, data[:2048].decode("latin-1").removeprefix("ï»¿"))
        if not marked and not candidate.explicit and not may_hold(kind, data):
            return Checked()
        try:
            decoded = decode(data)
        except UndecodableError as error:
            entries = self._problem(candidate, "undecodable", reason=str(error)) if candidate.explicit else ()
            return Checked(entries)
        if candidate.explicit and not marked and not may_hold(kind, data):
            return Checked()
        try:
            return self._analyse(candidate, kind, decoded, state)
        except Exception:
            # The boundary of a file: what goes wrong in one must not keep the others from being checked.
            _log.exception("%s: could not be checked", candidate.path)
            return Checked(failed=True)

    def _analyse(self, candidate: Candidate, kind: Kind, decoded: Decoded, state: State | None) -> Checked:
        from npu_lsp.checking.entries import entries
        from npu_lsp.document import Document

        document = Document(decoded.text, path=candidate.absolute, kind=kind)
        analyzer = self._analyzer(candidate.config)
        before = analyzer.failures
        if self._settings.fix:
            from npu_lsp.checking.mending import mend

            checked = mend(candidate, document, decoded, analyzer, self._settings, state)
        else:
            checked = Checked(entries(candidate.path, document, analyzer.findings(document)))
        return checked._replace(failed=analyzer.failures > before)

    def _analyzer(self, number: int) -> Analyzer:
        analyzer = self._analyzers.get(number)
        if analyzer is None:
            from npu_lsp.analysis import Analyzer

            config = self._configs[number]
            analyzer = self._analyzers[number] = Analyzer(config, language=self._settings.language)
        return analyzer

    def _problem(self, candidate: Candidate, what: Problem, **arguments: object) -> tuple[Entry, ...]:
        from npu_lsp.checking.problems import problem_entry

        config = self._configs[candidate.config]
        entry = problem_entry(
            candidate.path, what, config, self._settings.language, absolute=candidate.absolute, **arguments
        )
        return (entry,) if entry is not None else ()
