"""The files of a folder that `check` would look at, read one after the other, in the thread for work: the likely ones first."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from time import perf_counter
from typing import Any, NamedTuple

from npu_lsp.checking.checked import Request, SourceText
from npu_lsp.checking.checker import Checker
from npu_lsp.checking.loading import word_at
from npu_lsp.checking.walking import Candidate, Walk
from npu_lsp.config.errors import ConfigError
from npu_lsp.languages import read
from npu_lsp.languages.registry import SCRIPTS
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.files.referenced import referenced
from npu_lsp.lsp.features.diagnostics import diagnostics
from npu_lsp.lsp.features.indexer import entries
from npu_lsp.lsp.project import looked_at
from npu_lsp.lsp.projects import Workspace
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.text import lazy_re as re
from npu_lsp.text.dependencies import Fingerprint, look, recording
from npu_lsp.text.kinds import Kind
from npu_lsp.text.links import is_link

_log = logging.getLogger(__name__)

_LISTED = 20_000
"""Files that are listed before the first one is read; those of a larger tree come as they lie."""
_STARTS = re.compile(r"\.(?:sh|bash|env)\Z|\A(?:dockerfile|compose|docker-compose|\.env|makefile)(?:[._-]|\Z)")
_SETS = re.compile(r"\.(?:ya?ml|py|toml|ini|cfg|conf)\Z")
_ABOUT = re.compile(
    r"npu|ascend|hccl|cann|atc|aoe|vllm|sglang|mindie|mindspore|torchair|deploy|launch|serv|infer|train|convert|bench"
    r"|(?<![a-z])(?:run|start|env|config)(?![a-z])"
)
"""Words in the names of files and folders where options are set as a rule."""
_NEAR = 40
"""Characters of a folder's path that count: the names of the innermost ones."""
_PIECE = 0.02
"""Seconds after which others have their turn, as soon as the file at hand is done."""


class FileDiagnostics(NamedTuple):
    """What there is to say about one file."""

    path: str
    diagnostics: list[dict[str, Any]]


class _Known(NamedTuple):
    """What was found in a file, and what that rests on."""

    state: str
    """What the file looked like."""
    analyzer: Analyzer
    looks: Mapping[str, Fingerprint]
    """What the other files looked like that were looked at for it."""
    diagnostics: list[dict[str, Any]]
    named: Mapping[str, Kind]
    """The files that only its settings tell the kind of."""

    def holds(self, path: str, analyzer: Analyzer) -> bool:
        """Return whether the same would be found again."""
        return (
            self.analyzer is analyzer
            and self.state == word_at(path)
            and all(look(other) == looked for other, looked in self.looks.items())
        )


class Scan:
    """Goes through one folder. Everything but the making of it is done in the thread for work."""

    def __init__(
        self, session: Session, workspace: Workspace, pending: Callable[[], bool], before: Scan | None = None
    ) -> None:
        """`pending` tells whether messages of the client wait: then the file at hand is the last one of its piece.

        What `before` found in files that are as they were isn't looked for again.
        """
        self._session = session
        self._pending = pending
        discovery = session.projects.discovery(workspace)
        self._walk = Walk(discovery, os.fspath(workspace.folder))
        self._checker = Checker(self._walk.configs, Request())
        self._files: Iterator[Candidate] = self._walk.files([os.fspath(workspace.folder)])
        self._listed: list[tuple[tuple[int, int], int, Candidate]] = []
        """A heap of the files that the walk has come to, the likely ones first, else as they came."""
        self._walking = True
        """Whether the walk goes on before the next file is read."""
        self._again: deque[Candidate] = deque()
        """Files to look at besides those: what changed, and what settings name."""
        self.known: dict[tuple[str, Kind | None], _Known] = before.known if before is not None else {}
        self.seen = 0
        """How many files were looked at."""
        self.stopped = False
        """Whether nobody wants to know of more than what changes."""
        self._named: dict[str, Candidate] = {}
        """The files that only a setting tells the kind of."""

    def piece(self, changed: Sequence[str] = ()) -> tuple[list[FileDiagnostics], bool]:
        """Return what was found in the next files, and whether these were the last: at least one, as soon as files are listed.

        The `changed` ones are looked at first, whether or not that was done before.
        """
        again = (self._named.get(path) or self._walk.candidate(path) for path in changed)
        self._again.extend(candidate for candidate in again if candidate is not None)
        found: list[FileDiagnostics] = []
        begin = perf_counter()
        if self._walking and not self._again and not self.stopped:
            self._walk_on(begin)
            return found, False
        while not found or (perf_counter() - begin < _PIECE and not self._pending()):
            candidate = self._next()
            if candidate is None:
                return found, True
            found.append(FileDiagnostics(candidate.absolute, self._checked(candidate)))
        return found, False

    @property
    def listed(self) -> int:
        """How many files there are to look at, as far as is known."""
        return self.seen + len(self._again) + len(self._listed)

    def knows(self, path: str) -> bool:
        """Return whether the folder of a file was gone through, or is left out on purpose."""
        return os.path.dirname(path) in self._walk.folders or self._walk.leaves_out(path)  # noqa: PTH120 - as the walk has it

    def _walk_on(self, begin: float) -> None:
        """List more files; names are read in a hundredth of the time that files are, so that the likely ones can be read first."""
        while len(self._listed) < _LISTED and perf_counter() - begin < _PIECE:
            candidate = self._walked()
            if candidate is None:
                self._walking = False
                return
            heappush(self._listed, (likely(candidate), len(self._listed), candidate))
        self._walking = len(self._listed) < _LISTED

    def _walked(self) -> Candidate | None:
        try:
            return next(self._files, None)
        except ConfigError as error:
            _log.error("the folder is not checked any further: %s", error)
            return None

    def _next(self) -> Candidate | None:
        if self._again:
            return self._again.popleft()
        if self.stopped:
            return None
        return heappop(self._listed)[-1] if self._listed else self._walked()

    def _checked(self, candidate: Candidate) -> list[dict[str, Any]]:
        self.seen += 1
        analyzer = self._session.projects.find(candidate.absolute).analyzer
        at = (candidate.absolute, candidate.kind)
        known = self.known.get(at)
        if known is None or not known.holds(candidate.absolute, analyzer):
            known = self._found(candidate, analyzer)
            if known.state:
                self.known[at] = known
        self._follow(candidate, known.named)
        return known.diagnostics

    def _found(self, candidate: Candidate, analyzer: Analyzer) -> _Known:
        text = self._checker.sift(candidate)
        state = text.state.word if text.state is not None else ""
        if not isinstance(text, SourceText):
            return _Known(state, analyzer, {}, [], {})
        view = self._session.unopened(candidate.absolute, text.decoded.text, text.kind)
        if view.too_large:
            return _Known(state, analyzer, {}, [], {})
        found = diagnostics(view)
        if text.state is not None:
            outside = (text.state.modified, text.state.size)
            self._session.inventory.take(candidate.absolute, outside, tuple(entries(view)))
        with recording() as looks:
            named = self._named_in(candidate, view)
        return _Known(state, analyzer, {**looked_at(view.document), **looks}, found, named)

    def _named_in(self, candidate: Candidate, view: DocumentView) -> Mapping[str, Kind]:
        script = view.source.text
        if script.kind not in SCRIPTS or not read(script).blocks:
            return {}
        folder = os.path.dirname(candidate.absolute)  # noqa: PTH120 - as the walk has it
        return referenced(read(script), view.project.analyzer.catalog, folder)

    def _follow(self, candidate: Candidate, named: Mapping[str, Kind]) -> None:
        """Look at the files that a script names, too, unless they are passed over."""
        for path, kind in named.items():
            if self._walk.has(path) or self._walk.passes_over(path) or is_link(path):
                continue
            self._walk.add(path)
            self._named[path] = Candidate(path, path, kind, candidate.config, explicit=False)
            self._again.append(self._named[path])


def likely(candidate: Candidate) -> tuple[int, int]:
    """Return what files are sorted by: the smaller, the more likely something is set there. Nothing is read for that."""
    folder, name = os.path.split(candidate.absolute.lower())
    sort = 0 if _STARTS.search(name) else 1 if _SETS.search(name) else 2
    about = _ABOUT.search(name) is not None or _ABOUT.search(folder[-_NEAR:]) is not None
    return (0 if about else 1, sort)
