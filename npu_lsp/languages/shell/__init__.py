"""The shell reader. Parsers are imported when a script names a tool, a variable, or an interpreter of something that matters."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, Lack
from npu_lsp.languages.json.flags import ANY, OF_FLAGS, named_in
from npu_lsp.languages.model import ParseResult
from npu_lsp.languages.shell.triggers import may_match, runs_python
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_INNER = (Kind.PYTHON, *OF_FLAGS)

LACKS = (
    Lack("=1", "="),
    Lack("=1 x", "="),
    Lack('q: "1"', ": "),
    Lack("==1", surface=Surface.PACKAGE),
    Lack(" /dev/davinci0", "=", surface=Surface.CONTAINER),
)


def read(document: Document) -> ParseResult:
    """Return what a script sets."""
    text = document.text
    if not may_match(text) and "npu-lsp:" not in text:
        return ParseResult()
    from npu_lsp.languages.shell.reader import read_script

    return read_script(document)


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset`, from the text of the command around it."""
    if runs_python(document.text) or named_in(document.text):
        from npu_lsp.languages import read as read_known
        from npu_lsp.languages.injections import cursor_in_regions, regions

        read_known(document)
        found = cursor_in_regions(offset, (r for r in regions(document) if r.found.kind in _INNER))
        found = found or _in_inner_json(document, offset) or _in_open_quotes(document, offset)
        if found is not None:
            return found
    from npu_lsp.languages.shell.at_cursor import cursor_at

    return cursor_at(document, offset)


def _in_inner_json(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed in JSON of a script that this one holds; what else is in that is told by the statement."""
    from npu_lsp.languages.injections import cursor_in_regions, regions

    scripts = (region for region in regions(document) if region.found.kind is Kind.SHELL)
    found = cursor_in_regions(offset, scripts)
    return found if found is not None and found.json else None


def _in_open_quotes(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed in JSON whose quotes nobody has closed yet: told from its line alone, with the end put on."""
    line = document.line_span(document.line_of(offset))
    text = document.text[slice(*line)]
    flag = ANY.search(text, 0, offset - line.start)
    quote = text[flag.end() : flag.end() + 2].lstrip(" =")[:1] if flag is not None else ""
    rest = text[flag.end() :].replace('\\"', "") if flag is not None else ""
    if quote not in ("'", '"') or rest.count(quote) != 1:
        return None
    from npu_lsp.languages.injections import cursor_in_regions, regions

    closed = Document(text.rstrip("\\ \t") + quote, kind=document.kind)
    read(closed)
    found = cursor_in_regions(offset - line.start, (r for r in regions(closed) if r.found.kind in _INNER))
    return found._replace(replace=found.replace.shifted(line.start)) if found is not None else None
