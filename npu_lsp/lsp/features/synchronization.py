"""What the client opens, changes, saves and closes."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

from lsprotocol import types

from npu_lsp.lsp.documents import OpenDocument, Unit
from npu_lsp.lsp.features.prefetch import Prefetch
from npu_lsp.lsp.features.publishing import Publisher
from npu_lsp.lsp.features.referenced_files import ReferencedFiles
from npu_lsp.lsp.notebooks import Notebooks
from npu_lsp.lsp.session import Session

_CLOSED = 50
"""So many closed documents leave enough behind to be worth a look, which takes a few milliseconds."""


class Leftovers:
    """Counts closed documents, and has what they leave behind given back now and then."""

    def __init__(self, later: Callable[[Callable[[], None]], None]) -> None:
        """`later` runs a task where nobody waits for it."""
        self._later = later
        self._closed = 0

    def closed(self) -> None:
        """Note that a document was closed."""
        self._closed += 1
        if self._closed >= _CLOSED:
            self._closed = 0
            self._later(_give_back)


def _give_back() -> None:
    """Return free memory to the system, where there is a way to.

    The C library keeps the holes that texts and trees leave between longer-lived things: by the tens of megabytes in
    a session of some thousand documents.
    """
    # The collector looks through old things seldom, and a document with its trees and findings is old by then.
    gc.collect()
    if not sys.platform.startswith("linux"):
        return
    from ctypes import CDLL

    trim = getattr(CDLL(None), "malloc_trim", None)
    if trim is not None:  # another C library than GNU's gives back by itself
        trim(0)


class Synchronization:
    """Keeps the open documents as the client has them, and has each change looked at."""

    def __init__(self, session: Session, publisher: Publisher, prefetch: Prefetch, referenced: ReferencedFiles) -> None:
        self._documents = session.documents
        self._notebooks = Notebooks(session.documents)
        self._session = session
        self._publisher = publisher
        self._prefetch = prefetch
        self._referenced = referenced
        self._leftovers = Leftovers(session.work.later)

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """Take a document."""
        before = self._documents.find(params.text_document.uri)
        if before is not None:
            self._forget(before.unit)
            self._referenced.closed(before)
        document = self._documents.open(params.text_document)
        self._referenced.opened(document)
        self._changed(document.unit)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply edits."""
        document = self._documents.change(params)
        if document is not None:
            self._changed(document.unit)

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """Forget a document."""
        document = self._documents.close(params.text_document.uri)
        if document is not None:
            self._closed(document.unit)

    def notebook_opened(self, params: types.DidOpenNotebookDocumentParams) -> None:
        """Take a notebook with its cells."""
        for unit in self._notebooks.open(params):
            self._changed(unit)

    def notebook_changed(self, params: types.DidChangeNotebookDocumentParams) -> None:
        """Apply edits of cells and of their order."""
        units, gone = self._notebooks.change(params)
        for document in gone:
            self._take_back(document)
        for unit in units:
            self._changed(unit)

    def notebook_closed(self, params: types.DidCloseNotebookDocumentParams) -> None:
        """Forget a notebook."""
        for unit in self._notebooks.close(params):
            self._closed(unit)

    def _changed(self, unit: Unit) -> None:
        if not self._session.client.pulls:
            self._publisher.changed(unit)
        self._prefetch.changed(unit)

    def _closed(self, unit: Unit) -> None:
        self._forget(unit)
        for document in unit.members:
            self._referenced.closed(document)
            self._take_back(document)
        self._leftovers.closed()

    def _forget(self, unit: Unit) -> None:
        unit.renew()  # what is being found out about it is of no use any more
        self._publisher.forget(unit)

    def _take_back(self, document: OpenDocument) -> None:
        if not self._session.client.pulls:
            self._publisher.take_back(document)
