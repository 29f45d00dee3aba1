"""The places of a document that set the option under the cursor, or use its variable."""

from __future__ import annotations

from lsprotocol import types

from npu_lsp.lsp.features.subject import places, subject_at
from npu_lsp.lsp.session import DocumentView

_SETS, _USES = types.DocumentHighlightKind.Write, types.DocumentHighlightKind.Read


def highlights(view: DocumentView, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
    """Answer where the document is about what stands at a position."""
    subject = subject_at(view, view.source.offset(params.position))
    if subject is None:
        return None
    return [
        types.DocumentHighlight(view.source.range(place.span), _SETS if place.sets else _USES)
        for place in places(view, subject)
        if view.source.holds(place.span)
    ]
