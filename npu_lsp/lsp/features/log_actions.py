"""What a log asks for, written where the workspace sets something else: quick fixes in the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from npu_lsp.checking.checker import kind_of
from npu_lsp.checking.loading import TooLargeError, UnreadableError, load
from npu_lsp.checking.wishes import Wish, safeties, wished
from npu_lsp.checking.written import plain
from npu_lsp.linter.findings import Safety
from npu_lsp.linter.fixing.edits import edits_of
from npu_lsp.lsp.features.edits import has_place, let_through, workspace_edit
from npu_lsp.lsp.features.elsewhere import listed, opened
from npu_lsp.lsp.features.indexer import index_workspace
from npu_lsp.lsp.features.logs import told
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.lsp.uris import name_of, to_path
from npu_lsp.text.bilingual import Text
from npu_lsp.text.decoding import UndecodableError, decode

if TYPE_CHECKING:
    from npu_lsp.catalog.error_codes import Wanted

_REVIEW = Text(" (review)", "（需审阅）")
_IN = Text("{done} in {name}:{line}", "{done}（{name}:{line}）")
_FRESH = 5.0
"""Seconds for which what is listed of the workspace will do."""
_LARGEST = 1 << 24
"""Bytes of a file that is edited."""


async def actions(view: DocumentView, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Answer what writes the values that the lines of a log ask for, in the files of the workspace that set others.

    These are listed only for whoever asks, not for a cursor that comes by.
    """
    diagnosis, _ = told(view)
    first, last = params.range.start.line + 1, params.range.end.line + 1
    asking = [
        (each.code.wants, each.code.code)
        for each in diagnosis.errors
        if each.code.wants is not None and each.mention is not None and first <= each.mention.line <= last
    ]
    if not asking:
        return []
    if params.context.trigger_kind is not types.CodeActionTriggerKind.Automatic:
        await index_workspace(view.session, within=_FRESH)
    found = []
    for wanted, code in asking:
        diagnostics = [each for each in params.context.diagnostics if each.code == code]
        for title, edit in _written(view.session, wanted, code):
            found.append(
                types.CodeAction(title, types.CodeActionKind.QuickFix, diagnostics=diagnostics or None, edit=edit)
            )
    return found


def _written(session: Session, wanted: Wanted, code: str) -> Iterator[tuple[str, types.WorkspaceEdit]]:
    """Yield what writes a value where a file of the workspace sets another one, with its title."""
    places = [
        place
        for place in (*opened(session), *listed(session))
        if place.entry.sets and plain(place.entry.name) == plain(wanted.name)
    ]
    whole, taken = session.inventory.whole, set[tuple[str, int]]()
    for place, safety in zip(places, safeties([place.entry.value for place in places], wanted), strict=True):
        other = _view_of(session, place.location.uri) if safety is not None else None
        line = place.location.range.start.line + 1
        # What is wished of a line is wished of all that it sets of that name.
        if other is None or safety is None or (place.location.uri, line) in taken:
            continue
        taken.add((place.location.uri, line))
        wish = Wish(other.document.path, line, wanted.name, wanted, safety if whole else Safety.UNSAFE, code)
        for finding in wished(other.document, [wish], other.language):
            edits = edits_of(other.document, finding.fixes)
            edit = workspace_edit(other, let_through(other, edits)) if has_place(other, edits) else None
            if edit is not None:
                done = _IN.to(other.language).format(done=finding.message, name=name_of(other.source.uri), line=line)
                review = any(fix.safety is Safety.UNSAFE for fix in finding.fixes)
                yield done + (_REVIEW.to(other.language) if review else ""), edit


def _view_of(session: Session, uri: str) -> DocumentView | None:
    """Return the view of a file, as the client has it open or as it is on the disk."""
    source = session.documents.find(uri)
    if source is not None:
        return session.view(source)
    path = to_path(uri)
    try:
        data, _ = load(path, _LARGEST, links=False)
        view = session.unopened(path, decode(data).text, kind_of(path, data))
    except (UnreadableError, TooLargeError, UndecodableError):
        return None
    # The client has no version of it.
    view.source.text.version = None
    return view if not view.too_large else None
