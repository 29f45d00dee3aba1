"""Where the characters of a text inside another text stand in that one: a string's in a script, a cell's in a notebook.

What an inner reader finds is moved to the outer file with `Places`; a cursor and edits go the other way.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from npu_lsp.languages.model import Block, Branch, Comment, Cursor, Mistake, Reading, Setting, Setup, Value
from npu_lsp.text.spans import Edit, Span


@dataclass(frozen=True, slots=True)
class Places:
    """Maps offsets of an inner text to its host. Both count code points from 0.

    `starts[i]` and `ends[i]` tell where the inner character `i` starts and ends in the host. Without them the inner
    text stands one to one from `shift` on.
    """

    shift: int = 0
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    walls: frozenset[int] = frozenset()
    """Inner offsets at which a part starts that has nothing to do with the one before: no edit reaches over them."""
    scattered: bool = False
    """True: the inner characters don't stand in their order in the host."""
    _ends: dict[Span, int] = field(default_factory=dict, repr=False, compare=False)
    """The ends of spans that go on further up in the host."""

    @property
    def exact(self) -> bool:
        """True: inner and outer text are the same, character by character."""
        return not self.starts

    def outer(self, span: Span) -> Span:
        """Return where the inner `span` stands in the host."""
        starts, ends = self.starts, self.ends
        if not starts:
            return Span(span.start + self.shift, span.end + self.shift)
        start = starts[span.start] if span.start < len(starts) else ends[-1]
        if span.end <= span.start:
            # An empty span clings to what stands before it: an insertion at a line's end stays on that line.
            here = ends[span.start - 1] if 0 < span.start <= len(ends) else start
            return Span(here, here)
        end = ends[min(span.end, len(ends)) - 1]
        if end < start:
            # Its end stands further up in the host: as far as it goes on from where it starts.
            end = self._ends.get(span, -1)
            if end < 0:
                end = next((each for each in reversed(ends[span.start : span.end]) if each >= start), start)
                self._ends[span] = end
        return Span(start, end)

    def edited(self, span: Span) -> Span:
        """Return what an edit of the inner `span` replaces in the host.

        Where a line goes, what stands between it and the next one in the host (a prefix, quotes and commas) goes, too.
        """
        outer = self.outer(span)
        starts = self.starts
        if not starts or self.scattered or not span.start < span.end < len(starts) or span.end in self.walls:
            return outer
        return Span(outer.start, max(outer.end, starts[span.end]))

    def inner(self, offset: int) -> int | None:
        """Return the inner offset of a host offset, or `None` where the inner text doesn't reach."""
        starts, ends = self.starts, self.ends
        if not starts:
            return offset - self.shift if offset >= self.shift else None
        if self.scattered:
            exact = (i for i, start in enumerate(starts) if start <= offset <= ends[i] == start + 1)
            index = next(exact, -1)
            return index + (offset - starts[index]) if index >= 0 else None
        if not starts[0] <= offset <= ends[-1]:
            return None
        index = bisect_right(starts, offset) - 1
        # Behind a character that takes several of the host's, or in what lies between two lines.
        return index + 1 if offset >= ends[index] else index

    def span_is_exact(self, span: Span) -> bool:
        """Tell whether the characters of the inner `span` stand one to one in the host."""
        outer = self.outer(span)
        if outer.end - outer.start != span.end - span.start:
            return False
        # Something else can be as long by chance, or a part of it: what a variable says, and its name.
        return not self.starts or [*self.starts[span.start : span.end]] == [*range(outer.start, outer.end)]

    # -- what readers find ------------------------------------------------------------------------------

    def reading(self, reading: Reading) -> Reading:
        """Return `reading` with all places in the host."""
        if self.exact and not self.shift:
            return reading
        return reading._replace(
            blocks=tuple(self.block(block) for block in reading.blocks),
            mistakes=tuple(self.mistake(mistake) for mistake in reading.mistakes),
            comments=tuple(Comment(self.outer(c.span), c.own_line) for c in reading.comments),
            setup=tuple(self.setup(setup) for setup in reading.setup),
        )

    def block(self, block: Block) -> Block:
        """Return `block` with all places in the host."""
        return block._replace(
            head=self.outer(block.head),
            span=self.outer(block.span),
            settings=tuple(self.setting(setting) for setting in block.settings),
            setup=tuple(self.setup(setup) for setup in block.setup),
            command=None if block.command is None else self.outer(block.command),
        )

    def setting(self, setting: Setting) -> Setting:
        """Return `setting` with all places in the host."""
        return setting._replace(
            key=self.outer(setting.key),
            value=self.value(setting.value),
            statement=self.outer(setting.statement),
            own=self.outer(setting.own),
            slot_span=None if setting.slot_span is None else self.outer(setting.slot_span),
            branch=self.branch(setting.branch),
        )

    def value(self, value: Value) -> Value:
        """Return `value` with all places in the host."""
        content = value.content
        return value._replace(
            span=self.outer(value.span),
            content=None if content is None or not self.span_is_exact(content) else self.outer(content),
            origin=None if value.origin is None else self.outer(value.origin),
            items=tuple(self.value(item) for item in value.items),
        )

    def setup(self, setup: Setup) -> Setup:
        """Return `setup` with all places in the host."""
        value = None if setup.value is None else self.value(setup.value)
        return setup._replace(span=self.outer(setup.span), value=value, branch=self.branch(setup.branch))

    def mistake(self, mistake: Mistake) -> Mistake:
        """Return `mistake` with all places in the host."""
        return mistake._replace(span=self.outer(mistake.span), edits=self.edits(mistake.edits))

    def branch(self, branch: Branch) -> Branch:
        """Return `branch` with ids that don't clash with those of other inner texts of the host.

        A negative one, which stands for a function, stays negative.
        """
        offset = (self.outer(Span(0, 0)).start + 1) * 1_000_003
        return tuple((where - offset if where < 0 else where + offset, arm) for where, arm in branch)

    def cursor(self, cursor: Cursor) -> Cursor:
        """Return `cursor` with its place in the host."""
        return cursor._replace(replace=self.outer(cursor.replace))

    def edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return `edits` with their places in the host; their text stays."""
        return tuple(Edit(self.edited(edit.span), edit.text) for edit in edits)
