"""Everything that is known about one client: what it can do, what it has open, how it wants things."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types

from npu_lsp.config.discover import NAMES
from npu_lsp.languages import read
from npu_lsp.languages.model import ParseResult
from npu_lsp.linter.findings import Finding
from npu_lsp.lsp.client import Client
from npu_lsp.lsp.documents import Documents, OpenDocument, Unit
from npu_lsp.lsp.inventory import Inventory
from npu_lsp.lsp.project import Project
from npu_lsp.lsp.projects import Projects
from npu_lsp.lsp.uris import from_path, name_of
from npu_lsp.lsp.work import Work
from npu_lsp.text.bilingual import Language
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memo

if TYPE_CHECKING:
    from npu_lsp.linter.context import Context


_MISTAKES: Memo[Document, tuple[Finding, ...]] = Memo()
"""What is wrong with a configuration file."""


class Session:
    """The state of one client's session."""

    def __init__(
        self,
        client: Client,
        notify: Callable[[str, Any], None] = lambda _method, _params: None,
        pending: Callable[[], bool] = lambda: False,
    ) -> None:
        """`notify` sends the client a notification; `pending` tells whether messages of the client wait to be handled."""
        self.client = client
        self.notify = notify
        self.pending = pending
        self.documents = Documents(client.encoding)
        self.projects = Projects()
        self.work = Work()
        self.inventory = Inventory()

    def view(self, source: OpenDocument) -> DocumentView:
        """Return what features see of an open document."""
        return DocumentView(self, source, self.project(source.unit))

    def unopened(self, path: str, text: str, kind: Kind) -> DocumentView:
        """Return what features see of a file that nobody has opened."""
        source = OpenDocument(types.TextDocumentItem(from_path(path), "", 0, text), self.documents.encoding)
        source.become(kind)
        return self.view(source)

    def project(self, unit: Unit) -> Project:
        """Return the project that `unit` belongs to."""
        return self.projects.find(unit.document.path)


class DocumentView(NamedTuple):
    """One open document as a request finds it."""

    session: Session
    source: OpenDocument
    project: Project

    @property
    def client(self) -> Client:
        """The client that asks."""
        return self.session.client

    @property
    def document(self) -> Document:
        """What readers and rules look at."""
        return self.source.document

    @property
    def language(self) -> Language:
        """The language to answer in."""
        return self.project.language

    @property
    def too_large(self) -> bool:
        """Whether the configuration says to leave a text of that size alone."""
        followed = all(member.followed for member in self.source.unit.members)
        return not followed or len(self.document.text) > self.project.config.size_limit(self.document.kind)

    @property
    def configures(self) -> bool:
        """Whether the text is a configuration of npu-lsp itself, and perhaps more: a `pyproject.toml` has packages, too."""
        return name_of(self.source.uri) in NAMES

    @property
    def parsed(self) -> ParseResult:
        """What the document sets."""
        return read(self.document)

    def wants(self, setting: str, usual: bool = False) -> bool:
        """Return whether the client has switched something on that isn't for everybody; `usual` is what else holds."""
        told = self.session.projects.told(self.document.path, setting)
        return told if isinstance(told, bool) else usual

    @property
    def context(self) -> Context:
        """What rules see of the document."""
        return self.project.analyzer.context(self.document)

    def findings(self) -> list[Finding]:
        """Return what there is to say about the text that the client asks about, in the order of the text."""
        own = self._mistakes() if self.configures else []
        if self.document.kind is Kind.OTHER and self.configures:
            return own
        if self.project.excludes(self.document.path):
            return own
        found = self.project.findings(self.document)
        told = [finding for finding in found if not finding.suppressed and self.source.holds(finding.span)]
        return sorted((*own, *told), key=lambda finding: finding.span) if own else told

    def _mistakes(self) -> list[Finding]:
        from npu_lsp.config.mistakes import mistakes

        known = _MISTAKES.known(self.document)
        if known is None:
            folder = Path(self.document.path).parent if self.document.path else None
            found = mistakes(self.document.text, name_of(self.source.uri), folder, self.language)
            known = _MISTAKES.keep(self.document, tuple(found))
            self.document.before = None
        return list(known)
