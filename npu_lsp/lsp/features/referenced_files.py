"""Files that neither name nor text tell the kind of, and that an open script names in an option."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from npu_lsp.languages.model import PARSE_RESULT
from npu_lsp.languages.registry import SCRIPTS
from npu_lsp.lsp.documents import OpenDocument
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.text.kinds import Kind


class ReferencedFiles:
    """Gives open files the kind that an open script says they are, for as long as it says so."""

    def __init__(self, session: Session, look_anew: Callable[[list[OpenDocument]], None]) -> None:
        """`look_anew` is given the files that have become something else."""
        self._session = session
        self._look_anew = look_anew
        self._told: dict[OpenDocument, OpenDocument] = {}
        """The script that told the kind, by the file that it told the kind of."""

    def opened(self, document: OpenDocument) -> None:
        """Give a document that was just opened its kind."""
        if document.text.kind is Kind.OTHER:
            self._tell(document)

    def closed(self, document: OpenDocument) -> None:
        """Forget a file that the client closed; what it said of others as a script stays with them."""
        self._told.pop(document, None)
        for told in [file for file, script in self._told.items() if script is document]:
            del self._told[told]

    def looked_at(self, view: DocumentView) -> None:
        """Give the open files that the script in `view` named, or names now, the kind that they have now."""
        if view.document.kind not in SCRIPTS:
            return
        plain = [each for each in self._session.documents if each.text.kind is Kind.OTHER or each in self._told]
        changed = [each for each in plain if each is not view.source and self._tell(each)]
        if changed:
            self._look_anew(changed)

    def _tell(self, document: OpenDocument) -> bool:
        """Give `document` the kind that the open scripts say; tell whether that is another one."""
        before = document.text.kind
        self._told.pop(document, None)
        document.become(self._kind(document) if document.text.path else None)
        return document.text.kind is not before

    def _kind(self, document: OpenDocument) -> Kind | None:
        from npu_lsp.linter.files.referenced import pointers

        wanted = os.path.normpath(document.text.path)
        for script in self._session.documents:
            text = script.text
            if text.kind not in SCRIPTS or not text.path or script is document:
                continue
            parsed = PARSE_RESULT.known(text)
            if parsed is None:
                continue  # Opening a file must not wait for others to be read.
            catalog = self._session.project(script.unit).analyzer.catalog
            folder = str(Path(text.path).parent)
            for pointer in pointers(parsed, catalog):
                if os.path.normpath(f"{folder}/{pointer.written}") == wanted or pointer.written == wanted:
                    self._told[document] = script
                    return pointer.kind
        return None
