"""Reads Python: finds each place that sets an NPU option, also in code that doesn't parse.

The way through the package:

    text ─► lines (logical lines, and which of them matter) ─► tree (one line parsed by libcst) ─► matchers ─► blocks

- No module is parsed as a whole. `lines` finds logical lines in any text, where a word occurs, and functions and branches from
  indentation; `source` holds what is known of one version, carried over from the one before.
- `concrete` has libcst's classes, imported in half of the time; `tree` has one statement as libcst reads it. `dataflow` follows names
  over several: what they are bound to, what an expression comes to as far as the text tells, what loops and calls hand over.
- `matchers` know one shape of code each: the entries of a `parameter_map`, calls, attributes, dicts, commands. Each works with
  the `view`, and puts what it finds into its blocks; `parsing` runs them, and `control_flow` adds which settings run together.
- `completing` tells what the cursor is in, from the statement's text alone. `writer` writes changes.
"""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, Lack
from npu_lsp.languages.json.flags import OF_FLAGS, named_in
from npu_lsp.languages.model import PARSE_RESULT, ParseResult
from npu_lsp.languages.triggers import may_match
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

LACKS = (
    Lack('q: "1"', ": ", quoted=True),
    Lack('q] = "1"'),
    Lack('q, "1"', ", ", quoted=True),
    Lack('="1"', "="),
    Lack("=1", "="),
    Lack("=1, ", "=", surface=Surface.VLLM),
)


def read(document: Document) -> ParseResult:
    """Return what `document` sets. Never raises for what a text can hold."""
    # What set something before most likely does so now: of a text that does, words needn't be looked for.
    before = PARSE_RESULT.known(document.before.document) if document.before is not None else None
    is_likely = before is not None and bool(before.blocks)
    if not is_likely and not may_match(Kind.PYTHON, document.text):
        return ParseResult()
    from npu_lsp.languages.python.parsing import read_source

    found = read_source(document)
    return ParseResult() if is_likely and not found.blocks and not may_match(Kind.PYTHON, document.text) else found


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset`, told from the statement's own text."""
    from npu_lsp.languages import read as read_known
    from npu_lsp.languages.python.completing.at_cursor import cursor_at

    if named_in(document.text):
        from npu_lsp.languages.injections import cursor_in_regions, regions

        read_known(document)
        inside = (region for region in regions(document) if region.found.kind in (*OF_FLAGS, Kind.SHELL))
        found = cursor_in_regions(offset, inside)
        if found is not None and found.json:
            return found
    if document.before is None:
        # Nothing is known of an older version: what names stand for is told by the text itself.
        read_known(document)
    return cursor_at(document, offset)
