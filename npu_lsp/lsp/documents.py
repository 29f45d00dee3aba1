"""The documents that the client has open. The client's word is the truth: what it says is applied as it says it.

Text is kept here and nowhere else, in `npu_lsp.text.document.Document`, whose lines are the protocol's lines.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types

from npu_lsp.languages.detection import detect
from npu_lsp.lsp.uris import key, name_of, to_path
from npu_lsp.text.document import Document, PositionEncoding
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_log = logging.getLogger(__name__)

_HEAD = 2048
"""Characters that tell what a text is."""
_LONGEST = 8_000_000
"""Characters of a text that is followed. Nobody reads a longer one, and to keep its lines would take seconds a key."""


class OpenDocument:
    """One text that the client has open: a file, an untitled document or a cell of a notebook."""

    __slots__ = ("_named", "encoding", "followed", "language_id", "newest", "text", "told", "unit", "uri")

    def __init__(self, item: types.TextDocumentItem, encoding: PositionEncoding) -> None:
        self.uri = item.uri
        """As the client wrote it."""
        self.language_id = item.language_id
        self.encoding = encoding
        path = to_path(item.uri)
        self._named = detect(path or name_of(item.uri), "", item.language_id)
        """What name and language tell. Where they tell nothing, the text does, whatever it becomes."""
        self.told: Kind | None = None
        """What somebody else says that it is."""
        self.followed = len(item.text) <= _LONGEST
        """Whether `text` is the client's text; a text that is too long is left alone until there is another one."""
        self.text = Document(
            item.text if self.followed else "",
            path=path,
            uri=item.uri,
            kind=self._kind(path, item.text),
            version=item.version,
        )
        self.newest = item.version
        """The highest version that the client has named: a confused one may count backwards."""
        self.unit: Unit = Unit(self)
        """What is read together with it."""

    @property
    def version(self) -> int | None:
        """The client's version of the text."""
        return self.text.version

    def change(self, changes: Iterable[types.TextDocumentContentChangeEvent], version: int) -> None:
        """Apply the client's edits, one after the other; what lies outside of the text is moved inside."""
        text = self.text
        for change in changes:
            span = Span(0, len(text.text))
            if not isinstance(change, types.TextDocumentContentChangePartial):
                self.followed = True
            elif self.followed:
                span = self._span(text, change.range)
            else:
                continue
            self.followed = len(text.text) - (span.end - span.start) + len(change.text) <= _LONGEST
            text = text.edited(span, change.text if self.followed else "", version)
        kind = self._kind(text.path, text.text)
        if self._named is Kind.OTHER and kind is not text.kind:
            text = Document(text.text, path=text.path, uri=text.uri, kind=kind)
        self.text = text
        text.version = version
        self.newest = max(self.newest, version)
        self.unit.renew()

    def _kind(self, path: str, text: str) -> Kind:
        if self._named is not Kind.OTHER:
            return self._named
        return self.told or detect(path or name_of(self.uri), text[:_HEAD], self.language_id)

    def become(self, told: Kind | None) -> None:
        """Take the text for what somebody says that it is, or for what it tells by itself."""
        self.told = told
        text = self.text
        kind = self._kind(text.path, text.text)
        if kind is text.kind:
            return
        self.text = Document(text.text, path=text.path, uri=text.uri, kind=kind, version=text.version)
        self.unit.renew()

    def _span(self, text: Document, range_: types.Range) -> Span:
        start, end = (text.offset(p.line, p.character, self.encoding) for p in (range_.start, range_.end))
        return Span(min(start, end), max(start, end))

    # -- places in the unit's document ------------------------------------------------------------------

    @property
    def document(self) -> Document:
        """What readers and rules look at: the text, or the notebook that it is part of."""
        return self.unit.document

    def offset(self, position: types.Position) -> int:
        """Return the offset in `document` of a position in this text."""
        return self.unit.start_of(self) + self.text.offset(position.line, position.character, self.encoding)

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset in `document` that lies in this text."""
        line, column = self.text.position(offset - self.unit.start_of(self), self.encoding)
        return types.Position(line, column)

    def range(self, span: Span) -> types.Range:
        """Return where a span of `document` that lies in this text is."""
        return types.Range(self.position(span.start), self.position(span.end))

    def span(self, range_: types.Range) -> Span:
        """Return the span in `document` of a range in this text."""
        return Span(self.offset(range_.start), self.offset(range_.end))

    def holds(self, span: Span) -> bool:
        """Return whether a span of `document` lies in this text."""
        start = self.unit.start_of(self)
        return start <= span.start and span.end <= start + len(self.text.text)


class Unit:
    """What is read as one: a single document here, the cells of a notebook in another class."""

    def __init__(self, *members: OpenDocument) -> None:
        self.members: Sequence[OpenDocument] = members
        self.generation = 0
        """Counts the changes."""
        self._replaced: asyncio.Future[None] | None = None

    @property
    def document(self) -> Document:
        """The text of all members."""
        return self.members[0].text

    @property
    def uri(self) -> str:
        """The URI that the client knows the unit by."""
        return self.members[0].uri

    def start_of(self, member: OpenDocument) -> int:
        """Return where the text of `member` starts in `document`."""
        return 0

    def renew(self) -> None:
        """Note that a member's text has changed, and wake whoever waits for that."""
        self.generation += 1
        if self._replaced is not None:
            self._replaced.set_result(None)
            self._replaced = None

    def replaced(self) -> asyncio.Future[None]:
        """Return what is done when the text is another one than now."""
        if self._replaced is None:
            self._replaced = asyncio.get_running_loop().create_future()
        return self._replaced

    def member_at(self, span: Span) -> OpenDocument | None:
        """Return the member that holds all of `span`."""
        return next((member for member in self.members if member.holds(span)), None)


class Documents:
    """All that is open, by URI."""

    def __init__(self, encoding: PositionEncoding) -> None:
        self.encoding = encoding
        self._open: dict[str, OpenDocument] = {}

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(list(self._open.values()))

    def units(self) -> list[Unit]:
        """Return every unit once, by URI: what is answered doesn't depend on which cell or file was opened, closed and opened when."""
        return sorted({id(d.unit): d.unit for d in self._open.values()}.values(), key=lambda unit: unit.uri)

    def find(self, uri: str) -> OpenDocument | None:
        """Return the open document with that URI, however it is spelt."""
        return self._open.get(key(uri))

    def open(self, item: types.TextDocumentItem) -> OpenDocument:
        """Take a document; one that is open already is replaced."""
        opened = self._open[key(item.uri)] = OpenDocument(item, self.encoding)
        return opened

    def change(self, params: types.DidChangeTextDocumentParams) -> OpenDocument | None:
        """Apply edits and return the document, or `None` when it isn't open."""
        document = self.find(params.text_document.uri)
        if document is None:
            _log.warning("a change of a document that is not open: %s", params.text_document.uri)
            return None
        version = params.text_document.version
        if document.version is not None and version <= document.version:
            _log.info("version %d of %s comes after %d", version, document.uri, document.version)
        document.change(params.content_changes, version)
        return document

    def close(self, uri: str) -> OpenDocument | None:
        """Forget a document and return it."""
        return self._open.pop(key(uri), None)
