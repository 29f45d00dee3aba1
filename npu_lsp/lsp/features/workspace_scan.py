"""The check of one folder in a process beside the server: neither its parsers nor its findings keep an open document waiting."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pickle
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import npu_lsp
from npu_lsp.checking.streaming import Line, Question
from npu_lsp.lsp.features.diagnostics import of_entry
from npu_lsp.lsp.projects import Workspace
from npu_lsp.lsp.session import Session
from npu_lsp.lsp.uris import from_path

_log = logging.getLogger(__name__)

_BEGIN = "import sys; sys.path[:] = sys.argv[1:]; from npu_lsp.checking.streaming import main; main()"
"""Started so that it finds the modules that the server has, and none of the folder that it happens to be in."""
_LONGEST = 1 << 28
"""Bytes of a line: all that there is to say about one file."""
_MOST_SAID = 1000
"""Lines on stderr that are kept in mind."""


class FileDiagnostics(NamedTuple):
    """What there is to say about one file."""

    path: str
    uri: str
    diagnostics: list[dict[str, Any]]


class Scan:
    """One check of one folder."""

    def __init__(
        self,
        session: Session,
        workspace: Workspace,
        spare: str,
        paths: Sequence[str] = (),
        said: set[str] | None = None,
    ) -> None:
        """Check the whole folder, or only `paths` in it; `spare` is a folder for what is remembered in need.

        `said` is what scans before this one have said of what they couldn't do, which isn't logged again.
        """
        folder = os.fspath(workspace.folder)
        inside = os.path.join(folder, "")  # noqa: PTH118 - a path that is in it
        self._session = session
        self._question = Question(
            folder,
            tuple(paths) or (folder,),
            session.projects.set_for(inside),
            session.projects.find(inside).language,
            session.documents.encoding,
            spare,
        )
        self._said = said if said is not None else set()
        self._process: Process | None = None
        self._stopped = False
        self.seen = 0
        """How many files were looked at."""
        self.listed = 0
        """How many files there are to look at, as far as is known."""
        self.rests: Collection[str] = ()
        """The other files that what was found rests on, once all was."""
        self.ended = False
        """Whether it came to its end."""

    def stop(self) -> None:
        """Stop the process that scans; findings made until then stay."""
        self._stopped = True
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.terminate()

    async def found(self) -> AsyncGenerator[FileDiagnostics, None]:
        """Yield what is found in files, the likely ones first, those that are known to be as they were before them."""
        try:
            self._process = process = await _started(self._modules())
        except OSError as error:
            self._log_once(logging.ERROR, f"{self._question.folder} can't be checked: {error}")
            return
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - it was started so
        said = asyncio.ensure_future(self._log_all(process))
        over = False
        try:
            process.stdin.write(pickle.dumps(self._question))
            process.stdin.close()
            if self._stopped:
                return
            async for line in process.stdout:
                found = self._read(*_parts(line))
                if found is not None:
                    yield found
            over = True
        except ConnectionError:
            pass  # it has ended
        finally:
            # To end what has ended would take its exit code away.
            if not over:
                self.stop()
            code = await process.wait()
            await said
        if not (self.ended or self._stopped):
            message = f"the check of {self._question.folder} ended before its time, with exit code {code}"
            self._log_once(logging.ERROR, message)

    def _modules(self) -> Iterator[str]:
        """Yield where the server has its modules from, but no folder of somebody else's that it was started in."""
        ours = os.path.dirname(os.path.dirname(npu_lsp.__file__))  # noqa: PTH120 - as Python has it
        strange = {self._question.folder, os.fspath(self._session.projects.elsewhere.folder)}
        for each in map(os.path.abspath, sys.path):
            if each == ours or each not in strange:
                yield each

    async def _log_all(self, process: Process) -> None:
        """Log what the run says on stderr: a file that it couldn't check, a cache that it couldn't write."""
        assert process.stderr is not None  # noqa: S101 - it was started so
        async for line in process.stderr:
            self._log_once(logging.WARNING, line.decode("utf-8", "replace").rstrip())

    def _log_once(self, level: int, said: str) -> None:
        # The folder is checked again after each change, and what is wrong then mostly was before.
        if said not in self._said:
            if len(self._said) < _MOST_SAID:
                self._said.add(said)
            _log.log(level, "%s", said)

    def _read(self, line: str = "", *what: Any) -> FileDiagnostics | None:
        if line == Line.FAR:
            self.seen, self.listed = what
        elif line == Line.RESTS:
            (self.rests,), self.ended = map(frozenset, what), True
        elif line == Line.FOUND:
            path, items = what
            uri = from_path(path)
            return FileDiagnostics(path, uri, [of_entry(self._session.client, uri, item) for item in items])
        return None


def _parts(line: bytes) -> list[Any]:
    """Return what a line says; nothing of one that isn't whole, as the last one of a run that was killed, and of other words."""
    try:
        parts = json.loads(line)
    except ValueError:
        return []
    return parts if isinstance(parts, list) else []


async def _started(modules: Iterable[str]) -> Process:
    flags = ["-I", *(["-B"] if sys.dont_write_bytecode else [])]
    # Windows gives a program of a server that has no console a window of its own.
    how: int = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)
    return await asyncio.create_subprocess_exec(
        *(sys.executable, *flags, "-c", _BEGIN, *modules),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        limit=_LONGEST,
        creationflags=how,
    )
