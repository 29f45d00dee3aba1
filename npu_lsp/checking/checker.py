"""Checks one file after the other. Nothing that takes time is imported before a file asks for it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from npu_lsp.checking import stderr
from npu_lsp.checking.checked import Checked, FixMode, Request, SourceText
from npu_lsp.checking.loading import State, TooLargeError, UnreadableError, digest, load, mapped
from npu_lsp.checking.report import ReportedFinding
from npu_lsp.checking.walking import Candidate
from npu_lsp.languages.detection import detect
from npu_lsp.languages.registry import SCRIPTS
from npu_lsp.languages.triggers import may_match
from npu_lsp.linter.configuration import Config
from npu_lsp.text.bilingual import Text as Told
from npu_lsp.text.decoding import UndecodableError, decode
from npu_lsp.text.kinds import Kind

if TYPE_CHECKING:
    from npu_lsp.checking.inventory import Row
    from npu_lsp.checking.launch_rows import LaunchRow
    from npu_lsp.checking.problems import Problem
    from npu_lsp.linter.analysis import Analyzer
    from npu_lsp.text.dependencies import Memory
    from npu_lsp.text.document import Document


_UNKNOWN = Told(
    en="{path}: neither name nor first line tells what it is; it was not checked",
    zh="{path}：无法从文件名或首行判断文件类型，未检查",
)
_FAILED = Told(en="{path}: could not be checked", zh="{path}：检查出错")
HEAD = 2048
"""Bytes of a file that hold its first line."""


class Checker:
    """Checks files; keeps one analysis for each configuration."""

    def __init__(self, configs: Sequence[Config], request: Request) -> None:
        """Take a list of configurations that may grow; candidates refer to it by number."""
        self._configs = configs
        self._request = request
        self._analyzers: dict[int, Analyzer] = {}
        self._around: Memory | None = None if request.write else {}

    def check(self, candidate: Candidate) -> Checked:
        """Return what there is to say about a file; never raises for what a file can be."""
        sifted = self.sift(candidate)
        return sifted if isinstance(sifted, Checked) else self.analyse(candidate, sifted)

    def sift(self, candidate: Candidate) -> Checked | SourceText:
        """Return the text of a file that has to be analysed, else what there is to say already."""
        config = self._configs[candidate.config]
        try:
            data, state = load(candidate.absolute, config.size_limit(candidate.kind), links=candidate.explicit)
        except UnreadableError as error:
            return self._unreadable(candidate, error.said)
        except TooLargeError as error:
            return self.too_large(candidate, error.size)
        return self.sift_data(candidate, data, state)

    def sift_data(self, candidate: Candidate, data: bytes, state: State | None = None) -> Checked | SourceText:
        """Do as `sift` for a file with that content; `state` is what it looked like on disk."""
        kind = candidate.kind or kind_of(candidate.path, data)
        if self._configs[candidate.config].catalog:
            self._analyzer(candidate.config).learn()
        # Two bytes a character: no trigger can be seen.
        wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        matches = wide or may_match(kind, data)
        if not matches and not candidate.explicit:
            return Checked(state=state)
        try:
            decoded = decode(data)
        except UndecodableError as error:
            # Below a folder there are files of all sorts; one that is named should be what it was named for.
            entries = self._problem(candidate, "undecodable", reason=error.said) if candidate.explicit else ()
            return Checked(entries, state)
        if kind is Kind.OTHER and candidate.explicit and not self._configs[candidate.config].force_exclude:
            # Hooks name every file that there is.
            stderr.warn(_UNKNOWN, path=candidate.path)
        return SourceText(kind, decoded, state, data) if matches else Checked(state=state)

    def analyse(self, candidate: Candidate, text: SourceText) -> Checked:
        """Return what the rules say about a file, and what became of it where it is fixed."""
        stderr.listen()
        from npu_lsp.text import dependencies as surroundings

        try:
            with surroundings.recording(self._around) as looked_at:
                checked = self._analyse(candidate, text)
        except Exception:
            # The boundary of a file: what goes wrong in one must not keep the others from being checked.
            stderr.fail(_FAILED, path=candidate.path)
            return Checked(failed=True)
        mark = digest(text.data) if self._request.remember else ""
        return checked._replace(state=text.state, digest=mark, looked_at=looked_at)

    def _analyse(self, candidate: Candidate, text: SourceText) -> Checked:
        from npu_lsp.checking.entries import entries
        from npu_lsp.text.document import Document

        document = Document(text.decoded.text, path=candidate.absolute, kind=text.kind)
        analyzer = self._analyzer(candidate.config)
        listed: tuple[Row, ...] = ()
        if self._request.inventory:
            from npu_lsp.checking.inventory import rows

            listed = tuple(rows(candidate.path, document, analyzer.catalog))
        started: tuple[LaunchRow, ...] = ()
        if self._request.launches:
            from npu_lsp.checking.launch_rows import launch_rows

            started = tuple(launch_rows(candidate.path, analyzer.context(document)))
        before = analyzer.failures
        if not self._request.check:
            checked = Checked()
        elif self._request.mending is not FixMode.NOTHING:
            from npu_lsp.checking.fixing import fix_file

            checked = fix_file(candidate, document, text, analyzer, self._request)
        else:
            from npu_lsp.linter.fixing.gate import offered

            found = analyzer.findings(document)
            checked = Checked(
                entries(candidate.path, document, offered(document, analyzer.findings_of, found, analyzer))
            )
        failed = analyzer.failures > before
        points_to = _points_to(document, analyzer)
        return checked._replace(failed=failed, rows=listed, launches=started, points_to=points_to)

    def _unreadable(self, candidate: Candidate, reason: Told) -> Checked:
        return Checked(self._problem(candidate, "unreadable", reason=reason))

    def too_large(self, candidate: Candidate, size: int) -> Checked:
        """Report a file of `size` bytes at least, too many, where it was named or seems to have something to check."""
        if not candidate.explicit:
            try:
                with mapped(candidate.absolute) as data:
                    kind = candidate.kind or kind_of(candidate.path, data[:HEAD])
                    if not may_match(kind, data):
                        return Checked()
            except UnreadableError as error:
                return self._unreadable(candidate, error.said)
        limit = self._configs[candidate.config].size_limit(candidate.kind)
        return Checked(self._problem(candidate, "too_large", size=size, limit=limit))

    def _analyzer(self, number: int) -> Analyzer:
        analyzer = self._analyzers.get(number)
        if analyzer is None:
            from npu_lsp.catalog import environment, toolkit
            from npu_lsp.linter.analysis import Analyzer
            from npu_lsp.rules import all_rules

            config, language = self._configs[number], self._request.language
            analyzer = self._analyzers[number] = Analyzer(
                config, all_rules, language=language, toolkit=toolkit.find(), packages=environment.installed()
            )
        return analyzer

    def _problem(self, candidate: Candidate, what: Problem, **arguments: object) -> tuple[ReportedFinding, ...]:
        from npu_lsp.checking.problems import problem_entry

        config = self._configs[candidate.config]
        entry = problem_entry(
            candidate.path, what, config, self._request.language, absolute=candidate.absolute, **arguments
        )
        return (entry,) if entry is not None else ()


def kind_of(path: str, data: bytes) -> Kind:
    """Return the kind of a file that its suffix doesn't tell: by the first line, or by the suffix before (`run.sh.in`)."""
    kind = detect(path, data[:HEAD].removeprefix(b"\xef\xbb\xbf").decode("latin-1"))
    return detect(path.rpartition(".")[0], "") if kind is Kind.OTHER else kind


def _points_to(document: Document, analyzer: Analyzer) -> Mapping[str, str]:
    from npu_lsp.languages import read

    if document.kind not in SCRIPTS or not read(document).blocks:
        return {}
    from npu_lsp.linter.files.referenced import referenced

    files = referenced(read(document), analyzer.catalog, os.path.dirname(document.path))
    return {path: kind.value for path, kind in files.items()}
