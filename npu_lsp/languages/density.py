"""How much there is to read in a text: the places at which it may set something are counted before any is read."""

from __future__ import annotations

import re
from collections import Counter

from npu_lsp.catalog.surfaces import ARGUMENTS, CALLS
from npu_lsp.languages.model import Reading, SyntaxFault, SyntaxFinding
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

MOST = 3_000
"""Places that set something, and settings, of one file that is read: what people write has some hundreds."""
_SHOWN = 100
"""Characters that are underlined where a whole file isn't read."""
_CALLED = "|".join(
    (
        *("parameter_map", "custom_optimizers", "global_options", r"[A-Za-z]+Config(?=\()"),
        *("(?:py)?atc", "(?:py)?aoe", *(re.escape(call.trigger) for _, call in CALLS)),
        *(rf"{re.escape(call.name)}(?=\()" for _, call in ARGUMENTS),
    )
)
_WORD = re.compile(rf"(?<!\w)(?:{_CALLED}|[A-Z][A-Z0-9_]{{2,}})(?!\w)")


def words_of_interest(text: str, start: int = 0, end: int | None = None) -> int:
    """Return how often a part of `text` names what sets something: each time a statement is read."""
    counts = Counter(_WORD.findall(text, start, len(text) if end is None else end))
    if not counts:
        return 0
    from npu_lsp.languages.shell.variables import is_variable

    return sum(count for word, count in counts.items() if not word.isupper() or is_variable(word))


def is_crowded(document: Document) -> bool:
    """Tell whether `document` sets more than is read of a file."""
    text = document.text
    # No word has fewer than three characters.
    return len(text) > 4 * MOST and words_of_interest(text) > MOST


def unread(document: Document) -> Reading:
    """Return what there is to say about a file that sets too much to be read."""
    end = min(document.line_span(0).end, _SHOWN) or min(1, len(document.text))
    found = SyntaxFinding(SyntaxFault.LARGE_STATEMENT, Span(0, end), {"most": f"{MOST:,}"})
    return Reading(syntax=(found,), damaged=True)


def bounded(reading: Reading, document: Document) -> Reading:
    """Return `reading`, or what there is to say where it has more settings than rules are asked about."""
    many = sum(len(block.settings) for block in reading.blocks) > MOST
    return unread(document) if many else reading
