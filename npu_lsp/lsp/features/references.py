"""Where else an option is set, or a variable: in the document, in the others that are open, in the workspace."""

from __future__ import annotations

from lsprotocol import types

from npu_lsp.lsp.features.elsewhere import here, listed, others
from npu_lsp.lsp.features.indexer import index_workspace
from npu_lsp.lsp.features.subject import subject_at
from npu_lsp.lsp.session import DocumentView


async def references(view: DocumentView, params: types.ReferenceParams) -> list[types.Location] | None:
    """Answer all places that are about what stands at a position.

    Without `include_declaration` the assignments of a variable are left out; an option has none.
    """
    subject = subject_at(view, view.source.offset(params.position))
    if subject is None:
        return None
    found = list(here(view, subject))
    if subject.shared:
        for other in others(view):
            found += here(other, subject)
    all_ = params.context.include_declaration or subject.variable is None
    locations = [location for location, place in found if all_ or not place.sets]
    if subject.shared:
        await index_workspace(view.session, params.work_done_token)
        entries = [each for each in listed(view.session) if each.entry.key == subject.key]
        locations += [each.location for each in entries if all_ or not each.entry.sets]
    return locations
