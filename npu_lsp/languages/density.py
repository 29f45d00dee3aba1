"""How much there is to read in a text: the places at which it may set something are counted before any is read."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from npu_lsp.catalog.programs import PROGRAMS
from npu_lsp.catalog.surfaces import ARGUMENTS, CALLS
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.languages.triggers import OWN
from npu_lsp.languages.variable_names import most_names, named
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memo
from npu_lsp.text.word_search import Words

CHECKED = 1_000
"""Places that set something, and settings, of one file that are checked: of 21,730 files of Ascend repositories none has 300."""
MOST = CHECKED + 1
"""Places of a text that is read: of a longer one what begins at the last of them may go on behind it, and isn't told."""
MOST_ENTRIES = 3_000
"""Settings of a configuration file: one may name every operator of a large model."""
MOST_PARTS = 30_000
"""Lines and commas of a configuration file: so many entries with some comments, or with a list in each."""
_MOST_KEYS = 3 * MOST_ENTRIES
"""Colons of a configuration file in JSON, one for each key: some of them may stand in values."""
_CALLED = Words(
    (
        *(*PROGRAMS, "global_options", "Config("),
        *(word.decode() for word in OWN),
        *(call.trigger for _, call in CALLS),
        *(f"{call.name}(" for _, call in ARGUMENTS),
    )
)
_AT_MOST: Memo[Document, int] = Memo()
_TOOLS = range(len(PROGRAMS))
"""Of these, what is part of many words."""
# They start with letters, and what must not stand before it is asked behind it: a pattern that starts with a look back, or
# with one of many words, is tried at every character, which takes ten times as long.
_TOOL = re.compile(rf"(?:{'|'.join(map(re.escape, PROGRAMS))})(?!\w)")
_VARIABLE = re.compile(r"[A-Z](?<!\w.)[A-Z0-9_]{2}[A-Za-z0-9_]*(?!\w)")


def words_of_interest(text: str, start: int = 0, end: int | None = None) -> int:
    """Return how often a part of `text` names what sets something, or has such a name in a longer one: each is read."""
    return len(_places(text, start, len(text) if end is None else end))


def _places(text: str, start: int, end: int) -> list[int]:
    called = [
        place
        for number, place in _CALLED.places(text, start, end)
        if number not in _TOOLS or _TOOL.match(text, place, end)
    ]
    return called + [match.start() for match in named(_VARIABLE, text, start, end)]


class Beginning(NamedTuple):
    """As much of a crowded text as is read."""

    end: int
    """Where it ends: at the start of a line, or of an entry where all stands in one."""
    told: int
    """Before that something is said; what begins behind may go on behind the end."""
    checked: int
    """Places before that."""
    places: int
    """Those of the whole text."""


def beginning(document: Document) -> Beginning | None:
    """Return the part of a crowded document that is read; `None` where a part of it is no text of its kind, or says nothing."""
    row = BY_KIND[document.kind]
    places = sorted(_places(document.text, 0, len(document.text))) if row.words is not None else []
    if len(places) <= MOST:
        return None
    for between in ("\n", ",") if row.json else ("\n",):
        end, told = (document.text.rfind(between, 0, places[at]) + 1 for at in (MOST, CHECKED))
        if told > places[0]:
            return Beginning(end, told, bisect_left(places, told), len(places))
    return None


def is_crowded(document: Document) -> bool:
    """Return whether `document` sets more than is read of a file."""
    text = document.text
    row = BY_KIND[document.kind]
    if row.words is None:
        return text.count("\n") + text.count(",") > MOST_PARTS or (row.json and text.count(":") > _MOST_KEYS)
    # No word has fewer than three characters.
    return len(text) > 4 * MOST and _at_most(document) > MOST


def _at_most(document: Document) -> int:
    """Return how many words of interest there are at most; that many, where these are more than are read."""
    text, before = document.text, document.before
    known = _AT_MOST.known(before.document) if before is not None else None
    if before is not None and known is not None:
        # No word goes over the end of a line.
        (start, old_end, new_end), old = before.change, before.document.text
        start = text.rfind("\n", 0, start) + 1
        known += words_of_interest(text, start, _line_end(text, new_end))
        known -= words_of_interest(old, start, _line_end(old, old_end))
    if known is None or known > MOST:
        # Hardly a text has so many parts of names that the names are counted.
        known = most_names(text) + len(_CALLED.places(text))
        known = words_of_interest(text) if known > MOST else known
    return _AT_MOST.keep(document, known)


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return end if end >= 0 else len(text)
