"""The innermost text that a place of a file stands in: the file itself, or a region in it, such as a script in a step or a cell.

What a rule learns from the text around a setting, other than from settings, it learns there, so that a text says the same wherever
it stands.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from npu_lsp.languages import read
from npu_lsp.languages.injections import InjectedDocument, regions
from npu_lsp.languages.registry import PAGES
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memo
from npu_lsp.text.spans import Edit, Span


class InnermostPlace(NamedTuple):
    """A place in a text that may stand in others."""

    document: Document
    offset: int
    """Code points from the beginning of `document`."""
    around: tuple[InjectedDocument, ...] = ()
    """The regions that lead there, outermost first."""

    def span(self, span: Span) -> Span:
        """Return where a `span` of `document` stands in the file."""
        for region in reversed(self.around):
            span = region.span(span)
        return span

    def content(self, span: Span) -> Span | None:
        """Return where a `span` of `document` stands in the file one to one; `None` where it doesn't."""
        found: Span | None = span
        for region in reversed(self.around):
            found = region.content(found) if found is not None else None
        return found

    def edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return `edits` of `document` as edits of the file; nothing where one can't be written there."""
        found = tuple(edits)
        for region in reversed(self.around):
            found = region.edits(found)
        return found


def innermost(document: Document, offset: int) -> InnermostPlace:
    """Return the innermost text that `offset` of a file, which has been read, stands in."""
    return list(nested(document, offset))[-1]


def texts(document: Document) -> Iterator[InnermostPlace]:
    """Yield the start of a document and of each injection in it, at any depth; outer texts come first."""
    read(document)
    yield InnermostPlace(document, 0)
    for region in regions(document):
        yield from (InnermostPlace(inner.document, 0, (region, *inner.around)) for inner in texts(region.document))


def is_in_page(document: Document, offset: int) -> bool:
    """Return whether `offset` of a file stands in a page, or in one inside of another text: its readers fill things in."""
    return any(place.document.kind in PAGES for place in nested(document, offset))


class _Extents(NamedTuple):
    """Where the regions of a document are, by their starts: a file of thousands asks for each of its settings."""

    of: tuple[InjectedDocument, ...]
    starts: list[int]
    furthest: list[int]
    """Up to where those reach that start no later."""
    numbers: list[int]
    """Which one of `of` starts there."""


_MANY = 50
"""Regions from which on they are looked up: an index of its own for each of many small texts would cost more memory than it saves time."""
_EXTENTS: Memo[Document, _Extents] = Memo()


def _extents(document: Document) -> _Extents:
    found, kept = regions(document), _EXTENTS.known(document)
    # Before it is read a document has none.
    if kept is not None and kept.of is found:
        return kept
    spans = [region.found.places.extent(len(region.document.text)) for region in found]
    numbers = sorted(range(len(found)), key=spans.__getitem__)
    furthest = list(accumulate((spans[number].end for number in numbers), max))
    return _EXTENTS.keep(document, _Extents(found, [spans[number].start for number in numbers], furthest, numbers))


def _near(extents: _Extents, offset: int) -> list[InjectedDocument]:
    at = bisect_right(extents.starts, offset) - 1
    near: list[int] = []
    while at >= 0 and extents.furthest[at] >= offset:
        near.append(extents.numbers[at])
        at -= 1
    return [extents.of[number] for number in sorted(near)]


def _region_at(document: Document, offset: int) -> tuple[InjectedDocument, int] | None:
    """Return the first region of a document that `offset` stands in, and where in it."""
    found = regions(document)
    near = found if len(found) < _MANY else _near(_extents(document), offset)
    inside = ((region, region.inner(offset)) for region in near)
    return next(((region, inner) for region, inner in inside if inner is not None), None)


def nested(document: Document, offset: int) -> Iterator[InnermostPlace]:
    """Yield the texts that `offset` of a file stands in, the file first."""
    place: InnermostPlace | None = InnermostPlace(document, offset)
    while place is not None:
        yield place
        found = _region_at(place.document, place.offset)
        place = InnermostPlace(found[0].document, found[1], (*place.around, found[0])) if found is not None else None
