"""The edit of the configuration that switches a rule off."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from npu_lsp.config.discover import NAMES
from npu_lsp.config.mistakes import LONGEST, section
from npu_lsp.config.retarget import switched_off
from npu_lsp.lsp.features.edits import can_create
from npu_lsp.lsp.features.ranges import span_range
from npu_lsp.lsp.session import DocumentView
from npu_lsp.lsp.uris import from_path, to_path
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.small_file import read_text

_NAME = "npu-lsp.toml"


def off(view: DocumentView, code: str) -> types.WorkspaceEdit | None:
    """Return the edit of the configuration that switches a rule off; `None` where there is no place for it."""
    path = _configuration(view)
    if path is None:
        return None
    uri = from_path(path)
    opened = view.session.documents.find(uri)
    there = opened is not None or path.exists()
    try:
        text = opened.text.text if opened is not None else read_text(path, LONGEST) if there else ""
    except (OSError, UnicodeDecodeError):
        return None
    document = Document(text, kind=Kind.OTHER)
    encoding = view.session.documents.encoding
    edits = switched_off(text, section(path.name), code)
    made = [types.TextEdit(span_range(document, edit.span, encoding), edit.text) for edit in edits]
    if not made:
        return None
    if there and not view.client.versioned_edits:
        return types.WorkspaceEdit(changes={uri: made})
    version = opened.version if opened is not None else None
    change = types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), list(made))
    return types.WorkspaceEdit(document_changes=[change] if there else [types.CreateFile(uri=uri), change])


def _configuration(view: DocumentView) -> Path | None:
    """Return the configuration that holds for the document; where there is none, that of the client's folder around it."""
    path = view.project.config.path
    if path is not None:
        return path if path.name in NAMES else None
    if not can_create(view):
        return None
    folders = [Path(to_path(folder.uri)) for folder in view.client.folders if to_path(folder.uri)]
    holding = [folder for folder in folders if Path(view.document.path).is_relative_to(folder)]
    return max(holding, key=lambda each: len(each.parts)) / _NAME if holding else None
