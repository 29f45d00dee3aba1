"""Above a launch: its processes, devices and parallel sizes. Above a setting: in how many files of the workspace its option is set.

Only where that is switched on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from npu_lsp.linter.launch.launch import launches
from npu_lsp.linter.launch.summary import summary
from npu_lsp.lsp.features.elsewhere import listed, opened
from npu_lsp.lsp.features.indexer import index_workspace
from npu_lsp.lsp.features.subject import settings
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.lsp.uris import to_path
from npu_lsp.text.bilingual import Text

SETTING = "codeLens"
_SHOW = "npuLsp.showReferences"
"""A command of the client's own that takes a URI and a position; a client that doesn't have it gets a plain text."""
_SOME = Text("{name}: set in {count} files", "{name}：在 {count} 个文件中设置")
_NONE = Text("{name}: set in no other file", "{name}：其他文件中未设置")
_WITHIN = 10.0
"""Seconds for which files are taken for what they were: a client asks for each lens that it shows."""


def code_lenses(view: DocumentView, _params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """Answer a lens for each launch, and for each option that the document sets, where it first does; `resolve` counts."""
    if not view.wants(SETTING):
        return None
    seen: dict[str, types.CodeLens] = {}
    for place in settings(view):
        if place.key not in seen and view.source.holds(place.span):
            where = view.source.range(place.span)
            data = {"uri": view.source.uri, "key": place.key, "name": place.name}
            seen[place.key] = types.CodeLens(where, data=data)
    return [*_launched(view), *seen.values()]


def _launched(view: DocumentView) -> Iterator[types.CodeLens]:
    """Yield a lens for each launch of which anything is known."""
    for launch in launches(view.context):
        head = launch.block.head
        title = summary(launch, view.language)
        if title and view.source.holds(head):
            said = f"{launch.program.title.to(view.language)}: {title}"
            yield types.CodeLens(view.source.range(head), command=types.Command(title=said, command=""))


async def resolve(session: Session, lens: dict[str, Any]) -> dict[str, Any]:
    """Return a lens with its count; everything else in it stays as the client sent it."""
    data, where = lens.get("data"), lens.get("range")
    if not isinstance(data, dict) or not isinstance(where, dict):
        return lens
    await index_workspace(session, within=_WITHIN)
    found = (*opened(session), *listed(session))
    count = len({each.location.uri for each in found if each.entry.sets and each.entry.key == data.get("key")})
    said = _SOME if count > 1 else _NONE
    language = session.projects.find(to_path(str(data.get("uri")))).language
    title = said.to(language).format(name=data.get("name"), count=count)
    shows = session.client.shows_references
    arguments = [data.get("uri"), where.get("start")] if shows else []
    return {**lens, "command": {"title": title, "command": _SHOW if shows else "", "arguments": arguments}}
