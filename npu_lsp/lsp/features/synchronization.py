"""What the client opens, changes, saves and closes."""

from __future__ import annotations

import gc
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable

from lsprotocol import types

from npu_lsp.lsp.documents import Documents, OpenDocument, Unit
from npu_lsp.lsp.features.prefetch import Prefetch
from npu_lsp.lsp.features.publishing import Publisher
from npu_lsp.lsp.features.referenced_files import ReferencedFiles
from npu_lsp.lsp.session import Session
from npu_lsp.lsp.uris import key, to_path
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_SHELL_CELL = re.compile(r"[ \t]*%%(?:bash|sh|script|!|sx|system)(?!\w)")
_PYTHON = (Kind.PYTHON, Kind.NOTEBOOK)
_BETWEEN = "\n"


class CellsUnit(Unit):
    """The Python cells of a notebook."""

    def __init__(self, uri: str) -> None:
        super().__init__()
        self._uri = uri
        self._document: Document | None = None
        self._effort = 0.0
        self._starts: list[int] = []

    @property
    def uri(self) -> str:
        """The notebook's URI."""
        return self._uri

    @property
    def document(self) -> Document:
        """The cells' texts, one below the other."""
        if self._document is None:
            self._starts, at = [], 0
            for member in self.members:
                self._starts.append(at)
                at += len(member.text.text) + len(_BETWEEN)
            text = _BETWEEN.join(member.text.text for member in self.members)
            self._document = Document(text, path=to_path(self._uri), uri=self._uri, kind=Kind.NOTEBOOK)
            self._document.effort = self._effort
        return self._document

    def start_of(self, member: OpenDocument) -> int:
        """Return where the text of a cell starts in `document`."""
        _ = self.document
        return self._starts[self.members.index(member)]

    def member_at(self, span: tuple[int, int]) -> OpenDocument | None:
        """Return the cell that holds all of a span."""
        _ = self.document
        index = bisect_right(self._starts, span[0]) - 1
        return self.members[index] if index >= 0 and span[1] <= self._end(index) else None

    def arrange(self, members: Iterable[OpenDocument]) -> None:
        """Consist of `members`, in that order, from now on; each of them stands in one place, and in no other unit."""
        before, self.members = self.members, tuple(dict.fromkeys(members))
        for member in set(before).difference(self.members):
            if member.unit is self:
                member.unit = Unit(member)
        for member in self.members:
            if isinstance(member.unit, CellsUnit) and member.unit is not self:
                member.unit.leave(member)
            member.unit = self
        self.renew()

    def leave(self, member: OpenDocument) -> None:
        """Remove the cell `member` from the notebook."""
        self.members = tuple(each for each in self.members if each is not member)
        self.renew()

    def renew(self) -> None:
        """Note that a cell's text is another one."""
        super().renew()
        if self._document is not None:
            self._effort = self._document.effort
        self._document = None

    def _end(self, index: int) -> int:
        return self._starts[index] + len(self.members[index].text.text)


class Notebook:
    """One open notebook."""

    def __init__(self, uri: str) -> None:
        self.unit = CellsUnit(uri)
        self.order: list[str] = []
        """The keys of all cells' URIs, in the order of the notebook."""


class Notebooks:
    """The open notebooks. Their cells are open documents like any other."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._open: dict[str, Notebook] = {}

    def open(self, params: types.DidOpenNotebookDocumentParams) -> list[Unit]:
        """Take a notebook and return what is to be looked at."""
        uri = params.notebook_document.uri
        notebook = self._open[key(uri)] = Notebook(uri)
        notebook.order = [key(cell.document) for cell in params.notebook_document.cells]
        for item in params.cell_text_documents:
            self._documents.open(item)
        return self._arranged(notebook)

    def change(self, params: types.DidChangeNotebookDocumentParams) -> tuple[list[Unit], list[OpenDocument]]:
        """Apply a change; return what is to be looked at and which cells are gone."""
        notebook = self._open.get(key(params.notebook_document.uri))
        cells = params.change.cells
        if notebook is None or cells is None:
            return [], []
        gone: list[OpenDocument] = []
        if cells.structure is not None:
            array = cells.structure.array
            new = [key(cell.document) for cell in array.cells or ()]
            notebook.order[array.start : array.start + array.delete_count] = new
            for item in cells.structure.did_open or ():
                self._documents.open(item)
            closed = (self._documents.close(each.uri) for each in cells.structure.did_close or ())
            gone = [document for document in closed if document is not None]
        for content in cells.text_content or ():
            self._documents.change(types.DidChangeTextDocumentParams(content.document, content.changes))
        return self._arranged(notebook), gone

    def close(self, params: types.DidCloseNotebookDocumentParams) -> list[Unit]:
        """Forget a notebook and return what is no longer there."""
        notebook = self._open.pop(key(params.notebook_document.uri), None)
        named = {key(each.uri): each.uri for each in params.cell_text_documents}
        if notebook is not None:
            named |= {each: each for each in notebook.order}
        closed = (self._documents.close(uri) for uri in named.values())
        return list({id(d.unit): d.unit for d in closed if d is not None}.values())

    def _arranged(self, notebook: Notebook) -> list[Unit]:
        """Sort the cells by what they are, and return the units that they make."""
        found = (self._documents.find(uri) for uri in notebook.order)
        cells = [cell for cell in found if cell is not None]
        python: list[OpenDocument] = []
        others: list[Unit] = []
        for cell in cells:
            if cell.text.kind in _PYTHON and not _SHELL_CELL.match(cell.text.text):
                python.append(cell)
                continue
            if cell.text.kind in _PYTHON:
                cell.text.kind = Kind.NOTEBOOK  # whose reader knows what `%%bash` means
            if isinstance(cell.unit, CellsUnit):
                cell.unit = Unit(cell)
            others.append(cell.unit)
        notebook.unit.arrange(python)
        return [*others, *([notebook.unit] if python else [])]


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
