"""How much there is to read in a text: the places at which it may set something are counted before any is read."""

from __future__ import annotations

import re

from npu_lsp.catalog.surfaces import ARGUMENTS, CALLS
from npu_lsp.catalog.words import PROGRAMS
from npu_lsp.languages.model import Reading, SyntaxFault, SyntaxFinding
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.languages.variable_names import most_names, named
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span
from npu_lsp.text.words import Words

MOST = 1_000
"""Places that set something, and settings, of one file that is read: of 21,730 files of Ascend repositories none has 300."""
MOST_ENTRIES = 3_000
"""Settings of a configuration file: one may name every operator of a large model."""
MOST_PARTS = 30_000
"""Lines and commas of a configuration file: so many entries with some comments, or with a list in each."""
_SHOWN = 100
"""Characters that are underlined where a whole file isn't read."""
_CALLED = Words(
    (
        *(*PROGRAMS, "parameter_map", "custom_optimizers", "global_options", "Config("),
        *(call.trigger for _, call in CALLS),
        *(f"{call.name}(" for _, call in ARGUMENTS),
    )
)
_TOOLS = range(len(PROGRAMS))
"""Of these, what is part of many words."""
# They start with letters, and what must not stand before it is asked behind it: a pattern that starts with a look back, or
# with one of many words, is tried at every character, which takes ten times as long.
_TOOL = re.compile(rf"(?:{'|'.join(PROGRAMS)})(?!\w)")
_VARIABLE = re.compile(r"[A-Z](?<!\w.)[A-Z0-9_]{2}[A-Za-z0-9_]*(?!\w)")


def words_of_interest(text: str, start: int = 0, end: int | None = None) -> int:
    """Return how often a part of `text` names what sets something, or has such a name in a longer one: each is read."""
    last = len(text) if end is None else end
    places = _CALLED.places(text, start, last)
    called = [1 for number, place in places if number not in _TOOLS or _TOOL.match(text, place, last)]
    return len(called) + len(list(named(_VARIABLE, text, start, last)))


def is_crowded(document: Document) -> bool:
    """Tell whether `document` sets more than is read of a file."""
    text = document.text
    if BY_KIND[document.kind].words is None:
        return text.count("\n") + text.count(",") > MOST_PARTS
    # No word has fewer than three characters, and hardly a text has so many parts of names that the names are counted.
    if len(text) <= 4 * MOST or most_names(text) + len(_CALLED.places(text)) <= MOST:
        return False
    return words_of_interest(text) > MOST


def unread(document: Document) -> Reading:
    """Return what there is to say about a file that sets too much to be read."""
    entries = BY_KIND[document.kind].words is None
    most, of = (MOST_ENTRIES, "entries") if entries else (MOST, "places")
    return _only(document, {"most": f"{most:,}", "reason": of})


def unparsed(document: Document) -> Reading:
    """Return what there is to say about a script that its parser would take too long for."""
    return _only(document, {"reason": "time"})


def _only(document: Document, arguments: dict[str, str]) -> Reading:
    end = min(document.line_span(0).end, _SHOWN) or min(1, len(document.text))
    found = SyntaxFinding(SyntaxFault.LARGE_STATEMENT, Span(0, end), arguments)
    return Reading(syntax=(found,), damaged=True)


def bounded(reading: Reading, document: Document) -> Reading:
    """Return `reading`, or what there is to say where it has more settings than rules are asked about."""
    most = MOST_ENTRIES if BY_KIND[document.kind].words is None else MOST
    many = sum(len(block.settings) for block in reading.blocks) > most
    return unread(document) if many else reading
