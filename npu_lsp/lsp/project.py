"""The files under one configuration, what is kept for all of them, and what was found in each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic, perf_counter
from typing import TYPE_CHECKING

from npu_lsp.catalog import environment
from npu_lsp.linter.analysis import FINDINGS, Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding
from npu_lsp.rules import all_rules
from npu_lsp.text.bilingual import Language
from npu_lsp.text.dependencies import Fingerprint, Memory, recording
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memo, Memos

if TYPE_CHECKING:
    from npu_lsp.catalog.toolkit import Toolkit

_HOLDS = 1.0
"""Seconds for which what the files around a text say is taken to hold: between two letters nobody changes what is required, and
to look for thirty files with each takes a tenth of the time that all else takes."""
_LOOKED_AT: Memo[Document, Mapping[str, Fingerprint]] = Memo()


def looked_at(document: Document) -> Mapping[str, Fingerprint]:
    """Return the files that the findings of `document` rest on, with what they looked like."""
    return _LOOKED_AT.known(document) or {}


def forget_findings(document: Document) -> None:
    """Have `document` looked at anew, though its text is the same."""
    FINDINGS.drop(document)


class Project:
    """The files under one configuration."""

    def __init__(self, number: int, config: Config, language: Language, toolkit: Toolkit | None) -> None:
        self.number = number
        """Names the project in what is sent to the client and comes back; it is never given again."""
        self.config = config
        self.wanted = config
        """What the files say; `config` leaves out what can't be used."""
        self.analyzer = Analyzer(
            config, all_rules, language=language, toolkit=toolkit, packages=environment.installed(), in_editor=True
        )
        self._excluded: dict[str, bool] = {}
        self._around: Memory = {}
        self._looked_around = monotonic()
        self.memos = Memos()
        """What features made from the catalog for this configuration, such as the text of a hover."""

    def findings(self, document: Document, stop: Callable[[], bool] | None = None) -> tuple[Finding, ...]:
        """Return what there is to say about `document`, and remember which files that rests on.

        Raises `Abandoned` when `stop` tells that nobody wants to know any more.
        """
        if self.checked(document):
            return self.analyzer.findings(document)
        began = perf_counter()
        if monotonic() - self._looked_around > _HOLDS:
            self.look_around()
        with recording(self._around) as looked_at:
            found = self.analyzer.findings(document, stop)
        _LOOKED_AT.keep(document, looked_at)
        document.effort = perf_counter() - began
        return found

    def look_around(self) -> None:
        """Forget what the files around others say: it is looked at anew when the next one is checked."""
        self._around, self._looked_around = {}, monotonic()

    def checked(self, document: Document) -> bool:
        """Return whether the findings of `document` are known."""
        known = FINDINGS.known(document)
        return known is not None and known.analyzer is self.analyzer

    def excludes(self, path: str) -> bool:
        """Return whether the configuration says not to check the file at `path`."""
        if not path:
            return False
        found: bool | None = self._excluded.get(path)
        if found is None:
            from npu_lsp.text.globs import globs

            found = self._excluded[path] = globs(self.config.exclude).matches(self.config.relative(path))
        return found

    @property
    def language(self) -> Language:
        """The language that this project's messages are in."""
        return self.analyzer.language
