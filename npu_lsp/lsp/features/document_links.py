"""Links from options that take a file to the files that they name."""

from __future__ import annotations

from lsprotocol import types

from npu_lsp.lsp.features.files import named_files
from npu_lsp.lsp.session import DocumentView
from npu_lsp.lsp.uris import from_path


def document_links(view: DocumentView, _params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    """Answer a link for each file that exists."""
    return [
        types.DocumentLink(
            range=view.source.range(span),
            target=from_path(path.resolve()),
            tooltip=path.name if view.client.link_tooltips else None,
        )
        for span, path in named_files(view)
        if view.source.holds(span)
    ]
