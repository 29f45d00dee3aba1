"""A file that neither name nor text tell the kind of, opened beside a script that names it in an option."""

from __future__ import annotations

import os
from pathlib import Path

from npu_lsp.kinds import Kind
from npu_lsp.lsp.documents import OpenDocument
from npu_lsp.lsp.session import Session
from npu_lsp.readers import read

_SCRIPTS = (Kind.PYTHON, Kind.SHELL)
_READ = "reading"
"""In a document's memo when it has been read: opening a file must not wait for others to be."""


def take_kind(session: Session, opened: OpenDocument) -> None:
    """Give `opened` the kind that an open script says it is, where nothing else tells."""
    document = opened.text
    if document.kind is not Kind.OTHER or not document.path:
        return
    from npu_lsp.sidecar import pointers

    wanted = os.path.normpath(document.path)
    for script in session.documents:
        text = script.text
        if text.kind not in _SCRIPTS or not text.path or _READ not in text.memo or script is opened:
            continue
        catalog = session.project(script.unit).analyzer.catalog
        folder = str(Path(text.path).parent)
        for pointer in pointers(read(text), catalog):
            if os.path.normpath(f"{folder}/{pointer.written}") == wanted or pointer.written == wanted:
                document.kind = pointer.kind
                return
