"""What the formats in JSON share: the problem in the text, and the cursor."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.json.cursor import Spot, spot_at
from npu_lsp.languages.json.tree import JsonProblem, Node, parse, parse_members
from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Edit, Span

_SHOWN = 40
"""Letters of what was found, as far as a message has it."""


def _tree(document: Document) -> tuple[Node | None, tuple[SyntaxFinding, ...]]:
    bare = document.text.lstrip().startswith('"')
    node, problem = parse_members(document.text) if bare else parse(document.text)
    return node, (_mistake(document, problem),) if problem is not None else ()


tree = Memoized(_tree)
"""What could be read of the file, and what is wrong with it; members alone are what a page shows of a file."""


def _mistake(document: Document, problem: JsonProblem) -> SyntaxFinding:
    found = problem.found
    if found == '"':
        found = document.text[problem.span.end : problem.span.end + _SHOWN].partition('"')[0]
    arguments = {
        "reason": problem.reason.replace("-", "_"),
        "expected": problem.expected,
        "found": found[:_SHOWN],
    }
    return SyntaxFinding(SyntaxFault.JSON_SYNTAX, _visible(document, problem.span), arguments, _edits(problem))


def _visible(document: Document, span: Span) -> Span:
    if span.start < span.end or not document.text:
        return span
    return Span(span.start - 1, span.start) if span.start else Span(0, 1)


def _edits(problem: JsonProblem) -> tuple[Edit, ...]:
    if problem.reason == "extra-comma":
        return (Edit(problem.span, ""),)
    return ()


def cursor_of(document: Document, spot: Spot, offset: int, surface: Surface, **more: object) -> CompletionContext:
    """Return the cursor for a place in JSON, with the quotes and the colon that are missing."""
    before = "" if spot.quoted else '"'
    after = "" if spot.closed else '"'
    if spot.key is None and not spot.has_colon:
        after += ": "
    wanted = CompletionKind.KEY if spot.key is None else CompletionKind.VALUE
    typed = document.text[spot.replace.start : max(offset, spot.replace.start)]
    return CompletionContext(wanted, surface, spot.replace, typed, before=before, after=after, json=True, **more)  # type: ignore[arg-type]


def nested(
    document: Document, offset: int, surface: Surface, *, alone: bool = False, above: str = ""
) -> CompletionContext | None:
    """Return the cursor in a file whose options are called after all keys that lead to them, or after their own `alone`.

    `above`: what the text is the value of.
    """
    spot = spot_at(document.text, offset)
    if spot is None:
        return None
    path = (above, *spot.path) if above else spot.path
    prefix = "" if alone else "".join(f"{key}." for key in path)
    if spot.key is None:
        return cursor_of(document, spot, offset, surface, prefix=prefix)
    return cursor_of(document, spot, offset, surface, option=prefix + spot.key)
