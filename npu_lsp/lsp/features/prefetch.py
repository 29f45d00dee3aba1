"""What will probably be asked next, made while nobody waits: the texts of hovers, the lists of names.

The first hover over an option and the first completion are then as quick as the second.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator

from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.model import Form, Setting
from npu_lsp.lsp.documents import Unit
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.text.spans import Span

_log = logging.getLogger(__name__)

_PAUSE = 0.3
"""Seconds without a change after which the client is busy with something else."""
_STEP = 0.01
"""Seconds between two pieces of work; a request never waits for more than one."""


class Prefetch:
    """Works ahead for the document that was changed last."""

    def __init__(self, session: Session, pending: Callable[[], bool], watch: Callable[[DocumentView], None]) -> None:
        """`pending` tells whether messages of the client wait; `watch` is shown each document that is looked at."""
        self._session = session
        self._pending = pending
        self._watch = watch
        self._handle: asyncio.TimerHandle | None = None

    def changed(self, unit: Unit) -> None:
        """Plan to analyse `unit` and what completion will need, once no key has been pressed for a moment."""
        self._plan(_PAUSE, lambda: self._start(unit))

    def _plan(self, delay: float, step: Callable[[], None]) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._handle = asyncio.get_running_loop().call_later(delay, step)

    def _start(self, unit: Unit) -> None:
        if not unit.members or self._session.documents.find(unit.members[0].uri) is not unit.members[0]:
            return
        view = self._session.view(unit.members[0])
        if view.too_large:
            return
        if self._session.work.ready(view.document, view.project):
            self._step(self._pieces(view))
            return
        # What a script says about other files must not depend on how long it took to read.
        self._session.work.when_ready(unit, view.project, lambda: self._later(unit))

    def _later(self, unit: Unit) -> None:
        if unit.members:
            self._step(self._pieces(self._session.view(unit.members[0])))

    def _step(self, pieces: Iterator[None]) -> None:
        if self._pending():
            self._plan(_STEP, lambda: self._step(pieces))
            return
        try:
            next(pieces)
        except StopIteration:
            return
        except Exception:
            _log.exception("working ahead failed")
            return
        self._plan(_STEP, lambda: self._step(pieces))

    def _pieces(self, view: DocumentView) -> Iterator[None]:
        from npu_lsp.lsp.features.completion import items
        from npu_lsp.lsp.features.option_text import option_text

        settings = list(view.parsed.settings)
        view.findings()
        self._watch(view)
        yield
        for at in dict.fromkeys(_cursor(setting) for setting in settings):
            items(view, at)
            yield
        for setting in settings:
            option = view.context.option(setting)
            if option is not None:
                option_text(view.project, option)
                yield


def _cursor(setting: Setting) -> CompletionContext:
    """Return a cursor where the setting's name is typed."""
    wanted = CompletionKind.FLAG if setting.form is Form.FLAG else CompletionKind.KEY
    owner, dot, _ = setting.name.rpartition(".")
    return CompletionContext(wanted, setting.surface, Span(0, 0), "", prefix=owner + dot)
