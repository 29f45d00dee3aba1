"""All places of the workspace that are about something: what is open as it is now, the rest as it is on the disk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol import types

from npu_lsp.lsp.documents import Unit
from npu_lsp.lsp.features.indexer import entries
from npu_lsp.lsp.features.subject import Occurrence, Subject, places
from npu_lsp.lsp.inventory import ListedUse
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.lsp.uris import from_path, key


class ListedPlace(NamedTuple):
    """A use of an option in a file of the workspace, as a location for the client."""

    location: types.Location
    entry: ListedUse


def here(view: DocumentView, subject: Subject) -> Iterator[tuple[types.Location, Occurrence]]:
    """Yield the places of one document that are about `subject`."""
    for place in places(view, subject):
        member = view.source.unit.member_at(place.span)
        if member is not None:
            yield types.Location(member.uri, member.range(place.span)), place


def listed(session: Session) -> Iterator[ListedPlace]:
    """Yield what is listed of the files that are not open."""
    taken = {key(uri) for unit in session.documents.units() for uri in (unit.uri, *(m.uri for m in unit.members))}
    for path, found in session.inventory:
        uri = from_path(path)
        if key(uri) not in taken:
            for entry in found:
                yield ListedPlace(types.Location(uri, _range(entry)), entry)


def others(view: DocumentView) -> Iterator[DocumentView]:
    """Yield the other open documents, as far as these can be read at once: nobody waits for all of them."""
    for unit in view.session.documents.units():
        other = _view(view.session, unit)
        if unit is not view.source.unit and other is not None:
            yield other


def opened(session: Session) -> Iterator[ListedPlace]:
    """Yield what open documents set."""
    for unit in session.documents.units():
        view = _view(session, unit)
        for entry in entries(view) if view is not None else ():
            yield ListedPlace(types.Location(unit.uri, _range(entry)), entry)


def _view(session: Session, unit: Unit) -> DocumentView | None:
    view = session.view(unit.members[0]) if unit.members else None
    if view is None or view.too_large or not session.work.ready(view.document, view.project):
        return None
    return view


def _range(entry: ListedUse) -> types.Range:
    line, character, end_line, end_character = entry.range
    return types.Range(types.Position(line, character), types.Position(end_line, end_character))
