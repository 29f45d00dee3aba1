"""A text of one language inside a file of another, and how what is found in it gets its place there."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from npu_lsp.languages.model import Block, Comment, Cursor, Mistake, Reading, Setup, renumbered
from npu_lsp.languages.places import Places
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_MEMO = "regions"
_SPOKEN_TO = re.compile("npu-lsp:", re.IGNORECASE)
_HASH = re.compile(r"(?<![^\s])#")

Write = Callable[[str], str | None]
"""Returns how a text that is put into a region is written in the host; `None`: it can't be."""


def as_it_is(text: str) -> str:
    """Return `text`: the host has no syntax of its own there."""
    return text


@dataclass(frozen=True, slots=True)
class Region:
    """An inner text and its place in the host."""

    document: Document
    places: Places
    write: Write = as_it_is
    part: bool = False

    def edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return `edits` of the inner text as edits of the host; nothing where one can't be written there."""
        found: list[Edit] = []
        for edit in _joined(edits, self.places.walls):
            text = self.write(edit.text)
            if text is None:
                return ()
            found.append(Edit(self.places.edited(edit.span) if text else self._removed(edit.span), text))
        return tuple(found)

    def _removed(self, span: Span) -> Span:
        """Return what goes in the host with `span`: with the last lines, too, what the host has in front of each of them."""
        places, text = self.places, self.document.text
        outer = places.edited(span)
        if places.scattered or span.start in places.walls or not span.start < span.end == len(text):
            return outer
        if span.start:
            apart = not places.exact and text[span.start - 1] in "\r\n"
            return Span(min(outer.start, places.ends[span.start - 1]), outer.end) if apart else outer
        if self.write("\n") in ("\n", None):
            return outer
        # Nothing is left of it but a line with what the host has in front.
        return Span(outer.start, self.places.outer(Span(0, len(text.rstrip("\r\n")))).end)


def _joined(edits: Iterable[Edit], walls: Container[int]) -> Iterator[Edit]:
    """Yield `edits` in order; what is taken out piece by piece is taken out at once, but over no wall."""
    last: Edit | None = None
    for edit in sorted(edits, key=lambda each: each.span):
        meets = last is not None and last.span.end == edit.span.start and edit.span.start not in walls
        if last is not None and meets and not last.text and not edit.text:
            last = Edit(Span(last.span.start, edit.span.end), "")
            continue
        if last is not None:
            yield last
        last = edit
    if last is not None:
        yield last


@dataclass(frozen=True, slots=True)
class Found:
    """A region as a host's reader finds it, before it becomes a document."""

    kind: Kind
    text: str
    places: Places
    write: Write = as_it_is
    part: bool = False
    """True: what stands there may be a part of a command, to speak about it."""


Find = Callable[[Document], Iterable[Found]]


def assembled(text: str, slices: Sequence[Span]) -> tuple[str, Places]:
    """Return the text that `slices` of the host make up, and where it stands."""
    inner = "".join(text[start:end] for start, end in slices)
    if all(one.end == other.start for one, other in itertools.pairwise(slices)):
        return inner, Places(slices[0].start if slices else 0)
    starts: list[int] = []
    for start, end in slices:
        starts.extend(range(start, end))
    return inner, Places(0, starts, [start + 1 for start in starts])


def regions(document: Document) -> tuple[Region, ...]:
    """Return the regions that the host's reader found."""
    return cast("tuple[Region, ...]", document.memo.get(_MEMO, ()))


def find_regions(document: Document, find: Find) -> tuple[Region, ...]:
    """Return the regions of a host; those that an edit left alone keep what is known of them."""
    known = document.memo.get(_MEMO)
    if known is None:
        before: dict[tuple[Kind, str], Document] = {}
        if document.ancestor is not None:
            before = {(r.document.kind, r.document.text): r.document for r in regions(document.ancestor)}
        known = tuple(
            Region(before.get((f.kind, f.text)) or Document(f.text, kind=f.kind), f.places, f.write, f.part)
            for f in find(document)
        )
        document.memo[_MEMO] = known
    return cast("tuple[Region, ...]", known)


def read_regions(document: Document, find: Find, *, comments: Iterable[Comment] = ()) -> Reading:
    """Return what the regions of a host set, with all places in the host; `comments` are the host's own."""
    from npu_lsp.languages import read

    blocks: list[Block] = []
    mistakes: list[Mistake] = []
    spoken = dict.fromkeys(comments)
    setup: list[Setup] = []
    damaged = False
    for region in find_regions(document, find):
        inner = read(region.document)
        if not (inner.blocks or inner.mistakes or inner.comments or inner.setup):
            continue
        outer = region.places.reading(inner)
        blocks += (block._replace(open=True) for block in outer.blocks) if region.part else outer.blocks
        mistakes += _mistakes(region, inner, outer)
        spoken |= dict.fromkeys(outer.comments)
        setup += outer.setup
        damaged = damaged or inner.damaged
    return Reading(
        blocks=renumbered(blocks),
        mistakes=tuple(sorted(mistakes, key=lambda mistake: (mistake.span, mistake.kind))),
        comments=tuple(sorted(spoken, key=lambda comment: comment.span)),
        setup=tuple(setup),
        damaged=damaged,
    )


def hash_comments(document: Document) -> Iterator[Comment]:
    """Yield the comments of a host that start with `#` and speak to npu-lsp."""
    end = 0
    while (spoken := _SPOKEN_TO.search(document.text, end)) is not None:
        start, end = document.line_span(document.line_of(spoken.start()))
        sign = _HASH.search(document.text, start, end)
        if sign is not None and _SPOKEN_TO.search(document.text, sign.end(), end):
            yield Comment(Span(sign.start(), end), not document.text[start : sign.start()].strip())


def _mistakes(region: Region, inner: Reading, outer: Reading) -> Iterator[Mistake]:
    for one, other in zip(inner.mistakes, outer.mistakes, strict=True):
        # The line ends are the host's own matter.
        if one.kind != "crlf":
            yield other._replace(edits=region.edits(one.edits))


def cursor_in_regions(document: Document, offset: int, find: Find) -> Cursor | None:
    """Return what can be completed at `offset` in the region that it stands in."""
    from npu_lsp.languages import cursor

    for region in find_regions(document, find):
        at = region.places.inner(offset)
        if at is None or at > len(region.document.text):
            continue
        found = cursor(region.document, at)
        if found is None:
            continue
        # Nothing is nothing in any host.
        before = region.write(found.before) if found.before else ""
        after = region.write(found.after) if found.after else ""
        if before is None or after is None:
            return None
        placed = region.places.cursor(found)
        span = placed.replace
        return placed._replace(before=before, after=after, replace=Span(min(span.start, offset), max(span.end, offset)))
    return None
