"""The files of a folder that `check` would look at, read one after the other, in the thread for work."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from npu_lsp.checking.checked import Request, Text
from npu_lsp.checking.checker import Checker
from npu_lsp.checking.walking import Candidate, Walk
from npu_lsp.config.errors import ConfigError
from npu_lsp.languages import read
from npu_lsp.languages.registry import SCRIPTS
from npu_lsp.linter.files.referenced import referenced
from npu_lsp.lsp.documents import OpenDocument
from npu_lsp.lsp.features.diagnostics import diagnostics
from npu_lsp.lsp.features.likely import likely
from npu_lsp.lsp.features.stocktaking import entries
from npu_lsp.lsp.projects import Workspace
from npu_lsp.lsp.session import Session
from npu_lsp.text.links import is_link

_log = logging.getLogger(__name__)

_LISTED = 20_000
"""Files that are listed before the first one is read; those of a larger tree come as they lie."""
_PIECE = 0.02
"""Seconds after which others have their turn, as soon as the file at hand is done."""


class FileDiagnostics(NamedTuple):
    """What there is to say about one file."""

    path: str
    diagnostics: list[dict[str, Any]]


class Scan:
    """Goes through one folder. Everything but the making of it is done in the thread for work."""

    def __init__(self, session: Session, workspace: Workspace, pending: Callable[[], bool]) -> None:
        """`pending` tells whether messages of the client wait: then the file at hand is the last one of its piece."""
        self._session = session
        self._pending = pending
        discovery = session.projects.discovery(workspace)
        self._walk = Walk(discovery, os.fspath(workspace.folder))
        self._checker = Checker(self._walk.configs, Request())
        self._files: Iterator[Candidate] = self._walk.files([os.fspath(workspace.folder)])
        self._listed: deque[Candidate] = deque()
        """The files that the walk has come to, the likely ones first."""
        self._walking = True
        """Whether the walk goes on before the next file is read."""
        self._again: deque[Candidate] = deque()
        """Files to look at besides those: what changed, and what settings name."""
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
        if self._walking and not self._again:
            self._walk_on(begin)
            return found, False
        while not found or (perf_counter() - begin < _PIECE and not self._pending()):
            candidate = self._next()
            if candidate is None:
                return found, True
            found.append(FileDiagnostics(candidate.absolute, self._checked(candidate)))
        return found, False

    def knows(self, path: str) -> bool:
        """Tell whether the folder of a file was gone through, or is left out on purpose."""
        return os.path.dirname(path) in self._walk.folders or self._walk.leaves_out(path)  # noqa: PTH120 - as the walk has it

    def _walk_on(self, begin: float) -> None:
        """List more files; names are read in a hundredth of the time that files are, so that the likely ones can be read first."""
        some: list[Candidate] = []
        while len(self._listed) + len(some) < _LISTED:
            candidate = self._walked()
            if candidate is None:
                self._walking = False
                break
            some.append(candidate)
            if perf_counter() - begin > _PIECE:
                break
        else:
            self._walking = False
        self._listed = deque(sorted((*self._listed, *some), key=likely))

    def _walked(self) -> Candidate | None:
        try:
            return next(self._files, None)
        except ConfigError as error:
            _log.error("the folder is not checked any further: %s", error)
            return None

    def _next(self) -> Candidate | None:
        if self._again:
            return self._again.popleft()
        return self._listed.popleft() if self._listed else self._walked()

    def _checked(self, candidate: Candidate) -> list[dict[str, Any]]:
        text = self._checker.sift(candidate)
        if not isinstance(text, Text):
            return []
        view = self._session.unopened(candidate.absolute, text.decoded.text, text.kind)
        if view.too_large:
            return []
        found = diagnostics(view)
        if text.state is not None:
            look = (text.state.modified, text.state.size)
            self._session.inventory.take(candidate.absolute, look, tuple(entries(view)))
        self._follow(candidate, view.source)
        return found

    def _follow(self, candidate: Candidate, script: OpenDocument) -> None:
        """Look at the files that a script names, too, unless they are passed over."""
        if script.text.kind not in SCRIPTS or not read(script.text).blocks:
            return
        catalog = self._session.project(script.unit).analyzer.catalog
        for path, kind in referenced(read(script.text), catalog, os.path.dirname(candidate.absolute)).items():  # noqa: PTH120
            if self._walk.has(path) or self._walk.passes_over(path) or is_link(path):
                continue
            self._walk.add(path)
            self._named[path] = Candidate(path, path, kind, candidate.config, explicit=False)
            self._again.append(self._named[path])
