"""The outline: the blocks of a document with their settings."""

from __future__ import annotations

from lsprotocol import types

from npu_lsp.languages.model import Block, Setting
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.spans import Span

_WIDTH = 60
"""Characters of a value that are shown."""

Answer = list[types.DocumentSymbol] | list[types.SymbolInformation]


def document_symbols(view: DocumentView, _params: types.DocumentSymbolParams) -> Answer:
    """Answer the outline, as a tree where the client shows one."""
    trees = [_tree(view, block) for block in view.parsed.blocks if view.source.holds(block.head)]
    if view.client.symbol_tree:
        return trees
    uri = view.source.uri
    return [
        types.SymbolInformation(
            types.Location(uri, child.selection_range), child.name, child.kind, container_name=tree.name
        )
        for tree in trees
        for child in tree.children or ()
    ]


def _tree(view: DocumentView, block: Block) -> types.DocumentSymbol:
    settings = [s for s in block.settings if s.name and view.source.holds(s.key)]
    children = [_leaf(view, setting) for setting in settings]
    spans = [block.head, *(_whole(view, setting) for setting in settings)]
    span = Span(min(s.start for s in spans), max(s.end for s in spans))
    head = view.document.text[block.head.start : block.head.end]
    return types.DocumentSymbol(
        name=shortened(block.receiver or head) or block.surface.value,
        kind=types.SymbolKind.Object,
        range=view.source.range(span),
        selection_range=view.source.range(block.head),
        detail=view.project.analyzer.catalog.title(block.surface).to(view.language),
        children=children,
    )


def _leaf(view: DocumentView, setting: Setting) -> types.DocumentSymbol:
    value = setting.value
    text = str(value.data) if value.known else view.document.text[value.span.start : value.span.end]
    return types.DocumentSymbol(
        name=setting.name,
        kind=types.SymbolKind.Property,
        range=view.source.range(_whole(view, setting)),
        selection_range=view.source.range(setting.key),
        detail=shortened(text),
    )


def _whole(view: DocumentView, setting: Setting) -> Span:
    """Return a span around key and value, where both stand in one place."""
    own = setting.own
    return own if setting.key.within(own) and view.source.holds(own) else setting.key


def shortened(text: str) -> str:
    """Return a value in one line, as lists of symbols show it."""
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"
