"""`requirements.txt` and its kin: a package a line."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, Lack
from npu_lsp.languages.config_formats.entries import block, comments, lines
from npu_lsp.languages.model import ParseResult, Setting
from npu_lsp.languages.requirements import may_require, requirement
from npu_lsp.text.document import Document


def read(document: Document) -> ParseResult:
    """Return all packages as one block: one command installs them."""
    if not may_require(document.text):
        return ParseResult(comments=comments(document))
    found: list[Setting] = []
    more = False
    for _, span in lines(document):
        said = document.text[slice(*span)]
        more = more or said.startswith(("-r", "--requirement"))
        setting = requirement(said, span, span, span)
        if setting is not None:
            found.append(setting)
    if not found:
        return ParseResult(comments=comments(document))
    one = block(0, Surface.PACKAGE, found[0].key, found)._replace(open=more)
    return ParseResult((one,), comments=comments(document))


def cursor(_document: Document, _offset: int) -> CompletionContext | None:
    """Return nothing: the names of packages are those of an index, of which few are known here."""
    return None


LACKS = (Lack("==1", surface=Surface.PACKAGE),)
