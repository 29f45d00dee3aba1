"""The part of a text that says what stands at a place of it: the lines around, and those above that these are a part of."""

from __future__ import annotations

from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_ABOVE, _BELOW = 40, 15
"""Lines around the place."""
_FURTHER = 2_000
"""Lines above these that are looked through for what they are a part of."""
_LONGEST = 20_000
"""Characters of the largest part that is made."""
_FENCE = re.compile(r"[ \t>]*(?:```|~~~)")
_IMPORT = re.compile(r"(?:import|from)[ \t]")


def excerpt(document: Document, offset: int) -> tuple[Document, int] | None:
    """Return the part of `document` that says what stands at `offset`, and where `offset` is in it; `None`: it can't be cut.

    Lines stay whole and in their order.
    """
    line = document.line_of(offset)
    first, last = max(0, line - _ABOVE), min(document.line_count, line + _BELOW + 1)
    if document.kind is Kind.NOTEBOOK and document.text.lstrip().startswith("{"):
        # One line too few, and it isn't JSON.
        first, last = 0, document.line_count
    kept = [document.text[slice(document.line_starts[n], document.line_end(n))] for n in _above(document, first, line)]
    start, end = document.line_starts[first], document.line_end(last - 1)
    before = "".join(kept)
    if len(before) + end - start > _LONGEST:
        return None
    if not kept and start == 0 and end == len(document.text):
        return document, offset
    return Document(before + document.text[start:end], kind=document.kind), len(before) + offset - start


def _above(document: Document, first: int, line: int) -> list[int]:
    """Return the lines above `first` that what stands below is a part of: less deep ones, the fence that is open, imports."""
    found: list[int] = []
    fences = 0
    depth = min((_depth(document, n) for n in range(first, line + 1)), default=0)
    for number in range(first - 1, max(-1, first - 1 - _FURTHER), -1):
        said = document.line_text(number)
        indent = _depth(document, number)
        if document.kind is Kind.MARKDOWN and _FENCE.match(said):
            fences += 1
            found += [number] if fences == 1 else []
        elif indent < depth:
            depth = indent
            found.append(number)
        elif document.kind is Kind.PYTHON and _IMPORT.match(said):
            found.append(number)
    inside = sum(bool(_FENCE.match(document.line_text(n))) for n in range(first)) % 2 if fences else 0
    if fences and not inside:
        found = [n for n in found if not _FENCE.match(document.line_text(n))]
    return found[::-1]


def _depth(document: Document, number: int) -> int:
    """Return how deep a line stands; one that says nothing stands as deep as any."""
    said = document.line_text(number)
    bare = said.lstrip()
    return len(said) - len(bare) if bare and not bare.startswith("#") else 1 << 20
