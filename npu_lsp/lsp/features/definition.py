"""Where what stands at a place comes from.

From a value to its literal or its file, from a variable to its assignment, from an option to the file of one's own that
declares it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types

from npu_lsp.languages.model import Setting
from npu_lsp.lsp.features import provenance
from npu_lsp.lsp.features.elsewhere import here
from npu_lsp.lsp.features.files import named_file
from npu_lsp.lsp.features.indexer import index_workspace
from npu_lsp.lsp.features.ranges import span_range
from npu_lsp.lsp.features.setting_at import SettingPart, setting_at
from npu_lsp.lsp.features.subject import Subject, subject_at
from npu_lsp.lsp.session import DocumentView
from npu_lsp.lsp.uris import from_path
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.small_file import read_text
from npu_lsp.text.spans import Span
from npu_lsp.text.toml import TomlError, line_of, parse

_START = types.Range(types.Position(0, 0), types.Position(0, 0))
_LONGEST = 2_000_000
"""Characters of a catalog of one's own."""

Answer = Sequence[types.LocationLink] | Sequence[types.Location] | types.Location | None


def definition(view: DocumentView, params: types.DefinitionParams) -> Answer | Awaitable[Answer]:
    """Answer where what stands at a position is defined."""
    offset = view.source.offset(params.position)
    subject = subject_at(view, offset)
    if subject is not None and subject.variable is not None:
        return _assigned(view, subject, offset, params.work_done_token)
    place = setting_at(view, offset)
    if place is None or place.part is SettingPart.KEY:
        gets = provenance.origins(view, offset)
        if gets or place is None:
            return _answer(view, gets, Span(offset, offset))
    if place.part is SettingPart.KEY:
        topic = place.option.topic if place.option is not None else place.name
        declared = next(_declared(view, topic), None) or _known(view, place.name)
        return _answer(view, [declared] if declared is not None else [], place.span)
    if place.setting is None or place.part is not SettingPart.VALUE:
        return None
    target = _origin(view, place.setting)
    return _answer(view, [target] if target is not None else [], place.span)


def _origin(view: DocumentView, setting: Setting) -> types.Location | None:
    origin = setting.value.origin
    if origin is not None:
        member = view.source.unit.member_at(origin)
        return types.Location(member.uri, member.range(origin)) if member is not None else None
    file = named_file(view, setting)
    return types.Location(from_path(file.resolve()), _START) if file is not None else None


async def _assigned(view: DocumentView, subject: Subject, offset: int, token: Any) -> Answer:
    """Answer the settings that a variable has its value from; of a variable of one's own, its assignments in the document.

    What other files set that have nothing to do with this one stands in the references.
    """
    own = [(location, place) for location, place in here(view, subject) if place.sets]
    standing = any(place.span.covers(offset) for _, place in own)
    declared = list(_declared(view, subject.key)) if standing else []
    if subject.shared and subject.variable is not None:
        # One of the files that set it may start this one.
        await index_workspace(view.session, token)
        known = provenance.known(view, offset, subject.variable, subject.key)
        if known is not None:
            return _answer(view, [*provenance.locations(view, known), *declared], subject.span)
    before = [location for location, place in own if place.span.start <= offset]
    # The last one in front of a use is what counts there, as far as one can tell; on an assignment all are wanted.
    found = [location for location, _ in own] if standing or not before else before[-1:]
    return _answer(view, [*found, *declared], subject.span)


def _answer(view: DocumentView, found: Sequence[types.Location], span: Span) -> Answer:
    if not found:
        return None
    if not view.client.location_links:
        return found[0] if len(found) == 1 else list(found)
    source = view.source.range(span) if view.source.holds(span) else None
    return [types.LocationLink(each.uri, each.range, each.range, source) for each in found]


def _declared(view: DocumentView, topic: str) -> Iterator[types.Location]:
    """Yield where files of one's own say something about an option; the last word first."""
    for path in reversed(view.project.config.catalog):
        try:
            text = read_text(path, _LONGEST)
            told = parse(text).get("options")
        except (OSError, UnicodeDecodeError, TomlError):
            continue
        line = line_of(text, f"options.{topic}") if isinstance(told, dict) and topic in told else None
        if line is not None:
            yield _line(view, path, text, line)


def _known(view: DocumentView, name: str) -> types.Location | None:
    """Return the line of the configuration that says that a name is known."""
    config = view.project.config
    if name not in config.known or config.path is None:
        return None
    try:
        text = read_text(config.path, _LONGEST)
    except (OSError, UnicodeDecodeError):
        return None
    line = line_of(text, "known") or line_of(text, "tool.npu-lsp.known")
    return _line(view, config.path, text, line) if line is not None else None


def _line(view: DocumentView, path: Path, text: str, line: int) -> types.Location:
    document = Document(text, kind=Kind.OTHER)
    span = document.line_span(min(line, document.line_count) - 1)
    return types.Location(from_path(path), span_range(document, span, view.session.documents.encoding))
