"""What the client opens, changes, saves and closes."""

from __future__ import annotations

from lsprotocol import types

from npu_lsp.lsp.documents import OpenDocument, Unit
from npu_lsp.lsp.features.prefetch import Prefetch
from npu_lsp.lsp.features.publishing import Publisher
from npu_lsp.lsp.features.referenced_files import ReferencedFiles
from npu_lsp.lsp.memory import Leftovers
from npu_lsp.lsp.notebooks import Notebooks
from npu_lsp.lsp.session import Session


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
