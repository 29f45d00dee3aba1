"""The settings of the workspace by the name of their option."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from lsprotocol import types

from npu_lsp.catalog.model import Surface
from npu_lsp.lsp.features.document_symbols import shortened
from npu_lsp.lsp.features.elsewhere import ListedPlace, listed, opened
from npu_lsp.lsp.features.indexer import index_workspace
from npu_lsp.lsp.session import Session

_SHORTEST = 3
"""Characters of a word that all files are looked through for. Clients ask at each key stroke, whatever is looked for."""
_MOST = 1000


async def workspace_symbols(session: Session, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    """Answer the settings whose option's name holds the word that is looked for, in this order.

    Files are gone through where the word is a part of a known name; otherwise what is known already will do.
    """
    word = _plain(params.query)
    if len(word) >= _SHORTEST and _is_known(session, word):
        await index_workspace(session, params.work_done_token)
    found = (each for each in chain(opened(session), listed(session)) if _fits(each, word))
    return list(islice((_symbol(each, session) for each in found), _MOST))


def _is_known(session: Session, word: str) -> bool:
    catalog = session.projects.find("").analyzer.catalog
    return any(word in _plain(name) for surface in Surface for name in catalog.names(surface))


def _fits(found: ListedPlace, word: str) -> bool:
    return found.entry.sets and found.entry.surface is not None and word in _plain(found.entry.name)


def _symbol(found: ListedPlace, session: Session) -> types.SymbolInformation:
    entry = found.entry
    project = session.projects.find("")
    catalog, language = project.analyzer.catalog, project.language
    title = catalog.title(entry.surface).to(language) if entry.surface is not None else ""
    return types.SymbolInformation(
        name=f"{entry.name} = {shortened(entry.value)}" if entry.value else entry.name,
        kind=types.SymbolKind.Property,
        location=found.location,
        container_name=title,
    )


def _plain(name: str) -> str:
    return "".join(_letters(name))


def _letters(name: str) -> Iterator[str]:
    return (char for char in name.lower() if char.isalnum() or char == ".")
