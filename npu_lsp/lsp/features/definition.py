"""From a value to where it comes from: the literal behind a name, the file behind a path."""

from __future__ import annotations

from lsprotocol import types

from npu_lsp.lsp.features.files import named_file
from npu_lsp.lsp.features.places import Part, place_at
from npu_lsp.lsp.session import View
from npu_lsp.lsp.uris import from_path

_START = types.Range(types.Position(0, 0), types.Position(0, 0))

Answer = list[types.LocationLink] | types.Location | None


def definition(view: View, params: types.DefinitionParams) -> Answer:
    """Answer where the value at a position is defined."""
    place = place_at(view, view.source.offset(params.position))
    if place is None or place.setting is None or place.part is not Part.VALUE:
        return None
    origin = place.setting.value.origin
    if origin is not None:
        member = view.source.unit.member_at(origin)
        target = types.Location(member.uri, member.range(origin)) if member is not None else None
    else:
        file = named_file(view, place.setting)
        target = types.Location(from_path(file.resolve()), _START) if file is not None else None
    if target is None or not view.client.location_links:
        return target
    source = view.source.range(place.span) if view.source.holds(place.span) else None
    return [types.LocationLink(target.uri, target.range, target.range, source)]
