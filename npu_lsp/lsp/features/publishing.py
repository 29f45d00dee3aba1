"""When diagnostics are sent to a client that doesn't ask for them.

At once, as long as the server keeps up with the typing. When changes come faster than they can be looked at, it waits
for a pause, but not for ever. What is sent is always about the newest text.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from lsprotocol import types

from npu_lsp.lsp.documents import OpenDocument, Unit
from npu_lsp.lsp.features.diagnostics import diagnostics
from npu_lsp.lsp.session import Session

_log = logging.getLogger(__name__)

_DEBOUNCE = 0.05
"""Seconds of silence that are waited for when changes come in a storm."""
_PATIENCE = 5
"""After how many pauses' time diagnostics are sent although the storm goes on."""


class _State:
    """The timer and the count of changes by which diagnostics of one unit are delayed."""

    __slots__ = ("changes", "handle", "since")

    def __init__(self) -> None:
        self.changes = 0
        self.since = 0.0
        self.handle: asyncio.Handle | None = None


class Publisher:
    """Sends diagnostics of changed documents."""

    def __init__(self, session: Session, notify: Callable[[str, Any], None], pending: Callable[[], bool]) -> None:
        """`pending` tells whether messages of the client wait to be handled."""
        self._session = session
        self._notify = notify
        self._pending = pending
        self._states: dict[Unit, _State] = {}
        self.debounce = _DEBOUNCE

    def changed(self, unit: Unit) -> None:
        """Plan to send what there is to say about `unit`."""
        loop = asyncio.get_running_loop()
        state = self._states.setdefault(unit, _State())
        state.changes += 1
        now = loop.time()
        if state.changes == 1:
            state.since = now
        if state.handle is not None:
            state.handle.cancel()
        # The first change since the last word: the client isn't ahead of us.
        calm = state.changes == 1 or now - state.since >= self.debounce * _PATIENCE
        if calm or not self.debounce:
            state.handle = loop.call_soon(self._run, unit)
        else:
            state.handle = loop.call_later(self.debounce, self._run, unit)

    def forget(self, unit: Unit) -> None:
        """Plan nothing more for `unit`."""
        state = self._states.pop(unit, None)
        if state is not None and state.handle is not None:
            state.handle.cancel()

    def take_back(self, document: OpenDocument) -> None:
        """Publish an empty list of diagnostics for a document that was closed."""
        self._send(document, [])

    def _run(self, unit: Unit) -> None:
        state = self._states.get(unit)
        if state is None or not unit.members:
            return
        loop = asyncio.get_running_loop()
        if self._pending() and self.debounce and loop.time() - state.since < self.debounce * _PATIENCE:
            # More is to come, perhaps about this very text: what waits is handled first.
            state.changes += 1
            state.handle = loop.call_later(self.debounce / 10, self._run, unit)
            return
        state.changes, state.handle = 0, None
        try:
            view, work = self._session.view(unit.members[0]), self._session.work
            if view.too_large or work.ready(unit.document, view.project):
                self._publish(unit)
            else:
                work.when_ready(unit, view.project, lambda: self._later(unit))
        except Exception:
            self._failed(unit)

    def _later(self, unit: Unit) -> None:
        try:
            if unit in self._states:
                self._publish(unit)
        except Exception:
            self._failed(unit)

    def _failed(self, unit: Unit) -> None:
        _log.exception("diagnostics of %s failed", unit.uri)
        # What was sent before is about another text.
        for member in unit.members:
            self._send(member, [])

    def _publish(self, unit: Unit) -> None:
        for member in unit.members:
            view = self._session.view(member)
            self._send(member, [] if view.too_large else diagnostics(view))

    def _send(self, document: OpenDocument, found: list[dict[str, Any]]) -> None:
        params: dict[str, Any] = {"uri": document.uri, "diagnostics": found}
        # A version that the client has counted past already would say that these are about an old text.
        if self._session.client.diagnostic_versions and document.version == document.newest:
            params["version"] = document.version
        self._notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)
