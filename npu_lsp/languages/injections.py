"""Texts of one language inside a text of another: regions. They may hold regions themselves.

A reader says where a region stands and what its text is (`Injection`); the region is read as a file of its language is,
what is found gets its places in the text around it, and edits go back the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from npu_lsp.languages.branches import Branch
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.model import PARSE_RESULT, Block, Comment, ParseResult, Setting, SyntaxFault, renumbered
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memo
from npu_lsp.text.source_map import HOLE, SourceMap
from npu_lsp.text.spans import Edit, Span

_DEEPEST = 6
"""Texts inside of texts; nobody writes more."""
_MOST, _MOST_TIMES = 50_000, 10
"""Code points that the regions of a file may have together, those in regions included, and so many times its own: damaged
texts may seem to hold each other."""
_SPOKEN_TO = re.compile("[Nn](?i:pu-lsp:)")
SAFE = re.compile(r"[\w./:,@%+=^-]+")
_HASH = re.compile(r"(?<![^\s])#")

Write = Callable[[str], str | None]
"""Returns how a text that is put into a region is written in the host; `None`: it can't be."""


def as_it_is(text: str) -> str:
    """Return `text`: the host has no syntax of its own there."""
    return text


def careful(text: str) -> str | None:
    """Return a text that means the same in any string; `None` for others, and for nothing at all.

    Nothing may be taken out of a list: its comma would stay.
    """
    return text if SAFE.fullmatch(text) else None


class Injection(NamedTuple):
    """A region as the reader of its host finds it, before it becomes a document."""

    kind: Kind
    text: str
    places: SourceMap
    write: Write = as_it_is
    part: bool = False
    """True: what stands there may be a part of a command, to speak about it."""
    branch: Branch = ()
    """The branches of the host around it."""
    filled: bool = False
    """True: the host fills in what its variables say; settings that come of that don't stand there."""
    own: bool = False
    """True: what the host sets itself, in the syntax of the inner language; it stands in no text but the host's."""
    read: Callable[[Document], ParseResult] | None = None
    """How it is read where that takes more than its text."""


class InjectedDocument(NamedTuple):
    """An inner text and its place in the host; it moves what is found in there."""

    document: Document
    found: Injection

    def parsed(self) -> ParseResult:
        """Return what the region sets, with all places in the host."""
        inner = _read(self)
        if not (inner.blocks or inner.syntax or inner.comments or inner.facts):
            return ParseResult()
        outer = inner.mapped(self, self.found.branch)
        # The line ends are the host's own matter.
        mistakes = tuple(mistake for mistake in outer.syntax if mistake.kind != SyntaxFault.CRLF)
        pairs = zip(inner.blocks, outer.blocks, strict=True)
        blocks = tuple(block for one, other in pairs for block in (self._known(one, other),) if _says_anything(block))
        return outer._replace(blocks=blocks, syntax=mistakes)

    def _known(self, inner: Block, outer: Block) -> Block:
        """Return a block with what stands in the host of its settings and their values."""
        if self.found.own:
            outer = outer._replace(text=outer.text[1:])
        if self.found.part:
            outer = outer._replace(open=True)
        if not self.found.filled:
            return outer
        pairs = zip(inner.settings, outer.settings, strict=True)
        settings = tuple(_certain(other) for one, other in pairs if self.stands(one))
        return outer._replace(settings=settings, open=outer.open or len(settings) < len(outer.settings))

    def stands(self, setting: Setting) -> bool:
        """Return whether the key of the inner `setting` is written in the host."""
        return HOLE not in setting.name and self.found.places.content(setting.key) is not None

    # -- places -----------------------------------------------------------------------------------------

    @property
    def region(self) -> int | None:
        """What tells the region from others of its host: where it starts."""
        return self.found.places.span(Span(0, 1)).start

    def span(self, span: Span) -> Span:
        """Return where the inner `span` stands in the host."""
        return self.found.places.span(span)

    def inner(self, offset: int) -> int | None:
        """Return where a place of the host stands in the region, or `None` where it is none of its places."""
        at = self.found.places.inner(offset)
        return at if at is not None and at <= len(self.document.text) else None

    def content(self, span: Span) -> Span | None:
        """Return where the inner `span` stands one to one in the host."""
        return self.found.places.content(span)

    def edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return `edits` of the inner text as edits of the host; nothing where one can't be written there."""
        found: list[Edit] = []
        for edit in _joined(edits, self.found.places.walls):
            text, span = self.found.write(edit.text), self._edited(edit)
            if text is None or span is None:
                return ()
            found.append(Edit(span if text else self._removed(edit.span, span), text))
        return tuple(found)

    def _edited(self, edit: Edit) -> Span | None:
        """Return the span of the host that `edit`, made in the inner text, replaces; `None` where it can't be made there."""
        places, (start, end) = self.found.places, edit.span
        line_start = 0 < start < len(self.document.text) and self.document.text[start - 1] in "\r\n"
        if start == end and line_start and start not in places.walls and edit.text.endswith("\n"):
            # A line that is put in front of another one stands behind what the host has in front of that.
            before = places.span(Span(start, start + 1)).start
            return Span(before, before)
        return places.edited(edit.span)

    def _removed(self, span: Span, outer: Span) -> Span:
        """Return what goes in the host with `span`: with the last lines, too, what the host has in front of each of them."""
        places, text = self.found.places, self.document.text
        if places.scattered or span.start in places.walls or not span.start < span.end == len(text):
            return outer
        if span.start:
            apart = not places.one_to_one and text[span.start - 1] in "\r\n"
            return Span(min(outer.start, places.ends[span.start - 1]), outer.end) if apart else outer
        if self.found.write("\n") in ("\n", None):
            return outer
        # Nothing is left of it but a line with what the host has in front.
        return Span(outer.start, places.span(Span(0, len(text.rstrip("\r\n")))).end)


def _read(region: InjectedDocument) -> ParseResult:
    from npu_lsp.languages import read

    return read(region.document)


def _says_anything(block: Block) -> bool:
    """Return whether a block is one that the host holds: a command, settings that stand there, or a call that sets none of them."""
    return bool(block.settings or block.facts) or block.command is not None or block.surface.row.beside


def _certain(setting: Setting) -> Setting:
    """Return a setting without a value that holds something unknown."""
    value = setting.value
    if value.known and HOLE in repr(value.data):
        return setting._replace(value=value._replace(known=False, data=None, content=None))
    return setting


def _joined(edits: Iterable[Edit], walls: Container[int]) -> Iterator[Edit]:
    """Yield `edits` in order. Deletions that touch each other become one, unless an offset in `walls` lies between them."""
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


# -- the regions of a document ----------------------------------------------------------------------------

Find = Callable[[Document], Iterable[Injection]]


def regions(document: Document) -> tuple[InjectedDocument, ...]:
    """Return the regions that the reader of `document` found."""
    return _REGIONS.known(document) or ()


class Nest(NamedTuple):
    """How deep a text lies in others, and how much they may still hold."""

    depth: int
    left: list[int]
    """One number for all texts of a file."""

    def takes(self, text: str) -> bool:
        """Count `text` towards the limits; return whether it is still within them and is to be read."""
        self.left[0] -= len(text)
        return self.depth < _DEEPEST and self.left[0] > 0


_REGIONS: Memo[Document, tuple[InjectedDocument, ...]] = Memo()
_NEST: Memo[Document, Nest] = Memo()


def nest_of(document: Document) -> Nest:
    """Return the nest that the regions of `document` are in."""
    return _NEST.known(document) or Nest(0, [_MOST + _MOST_TIMES * len(document.text)])


def keep_regions(document: Document, found: Iterable[Injection]) -> tuple[InjectedDocument, ...]:
    """Return the regions of a document; those that an edit left alone keep what is known of them."""
    nest = nest_of(document)
    before: dict[tuple[Kind, str], Document] = {}
    if document.before is not None:
        old = regions(document.before.document)
        before = {(r.document.kind, r.document.text): r.document for r in old if not r.found.read}
    each = (region_of(one, nest, before) for one in found)
    return set_regions(document, [region for region in each if region is not None])


def set_regions(document: Document, kept: Iterable[InjectedDocument]) -> tuple[InjectedDocument, ...]:
    """Say that these are the regions of `document`."""
    return _REGIONS.keep(document, tuple(kept))


def region_of(
    found: Injection, nest: Nest, before: Mapping[tuple[Kind, str], Document] = MappingProxyType({})
) -> InjectedDocument | None:
    """Return a region, with what is known of its text from `before`; `None` where there are too many of them."""
    if not nest.takes(found.text):
        return None
    inner = before.get((found.kind, found.text)) if found.read is None else None
    if inner is None:
        inner = Document(found.text, kind=found.kind)
        _NEST.keep(inner, Nest(nest.depth + 1, nest.left))
        if found.read is not None:
            PARSE_RESULT.keep(inner, found.read(inner))
    return InjectedDocument(inner, found)


def find_regions(document: Document, find: Find) -> tuple[InjectedDocument, ...]:
    """Return the regions of a host that is nothing but regions."""
    known = _REGIONS.known(document)
    return keep_regions(document, find(document)) if known is None else known


def joined(own: ParseResult, inside: Iterable[InjectedDocument]) -> ParseResult:
    """Return what a text and the regions in it set."""
    readings = [own, *(region.parsed() for region in inside)]
    if len(readings) == 1:
        return own
    mistakes = [mistake for each in readings for mistake in each.syntax]
    spoken = dict.fromkeys(comment for each in readings for comment in each.comments)
    return ParseResult(
        blocks=renumbered(block for each in readings for block in each.blocks),
        syntax=tuple(sorted(mistakes, key=lambda mistake: (mistake.span, mistake.kind))),
        comments=tuple(sorted(spoken, key=lambda comment: comment.span)),
        facts=tuple(fact for each in readings for fact in each.facts),
        damaged=any(each.damaged for each in readings),
    )


def read_regions(document: Document, find: Find, *, comments: Iterable[Comment] = ()) -> ParseResult:
    """Return what the regions of a host set, with all places in the host; `comments` are the host's own."""
    return joined(ParseResult(comments=tuple(comments)), find_regions(document, find))


def host(
    find: Find, comments: Callable[[Document], Iterable[Comment]] | None = None
) -> tuple[Callable[[Document], ParseResult], Callable[[Document, int], CompletionContext | None]]:
    """Return the `read` and the `cursor` of a language that is nothing but the regions that `find` yields.

    `comments` yields those of the host that speak to npu-lsp.
    """

    def read(document: Document) -> ParseResult:
        return read_regions(document, find, comments=comments(document) if comments is not None else ())

    def cursor(document: Document, offset: int) -> CompletionContext | None:
        return cursor_in_regions(offset, find_regions(document, find))

    return read, cursor


def hash_comments(document: Document) -> Iterator[Comment]:
    """Yield the comments of a host that start with `#` and speak to npu-lsp."""
    end = 0
    while (spoken := _SPOKEN_TO.search(document.text, end)) is not None:
        start, end = document.line_span(document.line_of(spoken.start()))
        sign = _HASH.search(document.text, start, end)
        if sign is not None and _SPOKEN_TO.search(document.text, sign.end(), end):
            yield Comment(Span(sign.start(), end), not document.text[start : sign.start()].strip())


def cursor_in_regions(
    offset: int,
    inside: Iterable[InjectedDocument],
    ask: Callable[[Document, int], CompletionContext | None] | None = None,
) -> CompletionContext | None:
    """Return what can be completed at `offset` in the region that it stands in, as `ask` tells it of the region."""
    from npu_lsp.languages import cursor

    for region in inside:
        at = region.inner(offset)
        if at is None:
            continue
        found = (ask or cursor)(region.document, at)
        if found is None:
            continue
        # Nothing is nothing in any host.
        before = region.found.write(found.before) if found.before else ""
        after = region.found.write(found.after) if found.after else ""
        if before is None or after is None:
            return None
        span = region.span(found.replace)
        return found._replace(before=before, after=after, replace=Span(min(span.start, offset), max(span.end, offset)))
    return None
