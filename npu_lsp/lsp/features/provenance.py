"""Which value a variable has at a place of an open document, and where that comes from."""

from __future__ import annotations

import os
from collections.abc import Iterator

from lsprotocol import types

from npu_lsp.docs.markdown import code
from npu_lsp.languages.hosts.services import services
from npu_lsp.languages.model import Block
from npu_lsp.linter.provenance.follow import place, provenance, provenances
from npu_lsp.linter.provenance.model import Origin, Provenance
from npu_lsp.linter.provenance.texts import FileTexts
from npu_lsp.linter.provenance.wording import told
from npu_lsp.lsp.features.elsewhere import listed
from npu_lsp.lsp.features.ranges import span_range
from npu_lsp.lsp.session import DocumentView
from npu_lsp.lsp.uris import from_path, to_path
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_WIDTH = 80
"""Characters of a value that are shown."""
_MOST = 30
"""Listed files that are asked whether they start this one."""
_MOST_LINES = 12
"""Variables of a launch that are told."""


def known(
    view: DocumentView, offset: int, name: str, key: str = "", texts: FileTexts | None = None
) -> Provenance | None:
    """Return where the variable `name` gets its value at `offset`; `None` where nothing sets it.

    `key` is that of the option in the list of the workspace: the files that set it may start this one. Several questions about one
    document share `texts`.
    """
    texts = texts or texts_around(view)
    found = provenance(place(view.document, offset), name, texts, _others(view, texts, key))
    return found if found.found or found.overridden else None


def told_of(view: DocumentView, found: Provenance, *, plain: bool = False) -> str:
    """Return in one line which settings give a variable its value."""
    return told(found, _folder(view), view.language, _cut if plain else lambda value: code(_cut(value)))


def at_launch(view: DocumentView, offset: int) -> tuple[str, Span] | None:
    """Return what a command, or a service of Compose, at `offset` gets: a line for each variable."""
    span = next((span for span in _starts(view) if span.covers(offset)), None)
    if span is None:
        return None
    found = [each for each in provenances(place(view.document, offset), texts_around(view)) if each.found]
    lines = [f"- {code(each.name)}: {told_of(view, each)}" for each in found[:_MOST_LINES]]
    return ("\n".join(lines), span) if lines else None


def origins(view: DocumentView, offset: int) -> list[types.Location]:
    """Return where the variables are set that the command or the service at `offset` gets."""
    if not any(span.covers(offset) for span in _starts(view)):
        return []
    found = provenances(place(view.document, offset), texts_around(view))
    return [spot for each in found for spot in locations(view, each)]


def locations(view: DocumentView, found: Provenance) -> list[types.Location]:
    """Return the settings: first those that give the value, then those that they override, the latest one first.

    A client that would show them in another order gets those that give the value, where there are any.
    """
    overridden = [] if found.found and view.client.sorts_definitions else found.overridden
    both = [*reversed(found.found), *reversed(overridden)]
    return [spot for each in both if (spot := _location(view, each)) is not None]


def _location(view: DocumentView, origin: Origin) -> types.Location | None:
    if origin.document is view.document:
        member = view.source.unit.member_at(origin.key)
        return types.Location(member.uri, member.range(origin.key)) if member is not None else None
    uri = origin.document.uri or from_path(origin.document.path)
    return types.Location(uri, span_range(origin.document, origin.key, view.session.documents.encoding))


def _starts(view: DocumentView) -> Iterator[Span]:
    """Yield the words that a command or a service hangs on."""
    for block in view.parsed.blocks:
        if _is_launch(block):
            yield block.head
    for service in services(view.document):
        at = view.document.text.index(service.name, service.span.start)
        yield Span(at, at + len(service.name))


def _is_launch(block: Block) -> bool:
    return block.command is not None and not block.surface.row.environment


def texts_around(view: DocumentView) -> FileTexts:
    """Return what reads the files around a document; what is open in the editor counts as it is there."""

    def opened(path: str) -> Document | None:
        source = view.session.documents.find(from_path(path))
        return source.unit.document if source is not None else None

    return FileTexts(view.session.projects.root_of(view.document.path), opened)


def _others(view: DocumentView, texts: FileTexts, key: str) -> Iterator[Document]:
    if not key:
        return
    paths = dict.fromkeys(to_path(each.location.uri) for each in listed(view.session) if each.entry.key == key)
    for path in list(paths)[:_MOST]:
        found = texts.at(path)
        if found is not None:
            yield found


def _folder(view: DocumentView) -> str:
    return os.path.dirname(view.document.path)  # noqa: PTH120


def _cut(value: str) -> str:
    return value if len(value) <= _WIDTH else value[: _WIDTH - 1] + "…"
