"""Edits of the engine as the client's workspace edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lsprotocol import types

from npu_lsp.linter.findings import Finding, NewFile
from npu_lsp.linter.fixing.gate import Proven, proven
from npu_lsp.lsp.documents import OpenDocument
from npu_lsp.lsp.session import DocumentView
from npu_lsp.lsp.uris import from_path
from npu_lsp.text.spans import Edit

_START = types.Range(types.Position(0, 0), types.Position(0, 0))

DocumentChange = types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile


def can_create(view: DocumentView) -> bool:
    """Return whether a file can be made beside the document: the client does it, and there is a folder."""
    return view.client.creates_files and bool(view.document.path)


def can_write(view: DocumentView) -> bool:
    """Return whether such a file is on the disk at once: nobody sees what is made of all fixes, as when a file is saved."""
    return view.client.writes_files and bool(view.document.path)


def has_place(view: DocumentView, edits: Sequence[Edit]) -> bool:
    """Return whether `workspace_edit` can be made of `edits`."""
    return all(view.source.unit.member_at(edit.span) is not None for edit in edits)


def let_through(view: DocumentView, edits: Sequence[Edit], *mended: Finding) -> Proven | None:
    """Return `edits` where they leave a text that parses as well as before, of which `mended` is said no more."""
    return proven(view.document, edits, view.project.analyzer.findings_of, mended)


def workspace_edit(
    view: DocumentView,
    let: Proven | None,
    files: Sequence[NewFile] = (),
    names: Mapping[Edit, str] = MappingProxyType({}),
    annotations: Mapping[str, types.ChangeAnnotation] = MappingProxyType({}),
) -> types.WorkspaceEdit | None:
    """Return edits for the client, bound to the version of the text that they were made for; `names` are those of `annotations`.

    `None` where they weren't let through, or where one has no place in a text that the client has. `files` need `can_create`.
    """
    edits = let.edits if let is not None else ()
    if not edits:
        return None
    by_member: dict[OpenDocument, list[Any]] = {}
    for edit in sorted(edits, key=lambda each: each.span):
        member = view.source.unit.member_at(edit.span)
        if member is None:
            return None
        made = (member.range(edit.span), edit.text)
        one = types.AnnotatedTextEdit(names[edit], *made) if edit in names else types.TextEdit(*made)
        by_member.setdefault(member, []).append(one)
    if not (view.client.versioned_edits or files or names):
        return types.WorkspaceEdit(changes={member.uri: all_of for member, all_of in by_member.items()})
    changes: list[DocumentChange] = []
    for file in files:
        changes += _created(Path(view.document.path).parent / file.path, file.text)
    for member, all_of in by_member.items():
        document = types.OptionalVersionedTextDocumentIdentifier(uri=member.uri, version=member.version)
        changes.append(types.TextDocumentEdit(document, list(all_of)))
    return types.WorkspaceEdit(document_changes=changes, change_annotations=dict(annotations) or None)


def _created(path: Path, text: str) -> list[DocumentChange]:
    uri = from_path(path)
    # A file that is there by now stays as it is, and nothing of the fix happens.
    options = types.CreateFileOptions(overwrite=False, ignore_if_exists=False)
    document = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=None)
    return [
        types.CreateFile(uri=uri, options=options),
        types.TextDocumentEdit(document, [types.TextEdit(_START, text)]),
    ]
