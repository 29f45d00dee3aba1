"""Moves what was read to where it stands after an edit elsewhere in the text."""

from __future__ import annotations

from npu_lsp.languages.model import Block, Branch, Comment, Mistake, Reading, Setting, Setup, Value
from npu_lsp.text.spans import Change, Edit, Span


class Shift:
    """Tells for places of one version where they are in the next; none may lie in what has changed.

    A place that holds the change grows with it. What stands wholly in front of it stays the same object.
    """

    __slots__ = ("_by", "_change", "_from")

    def __init__(self, change: Change) -> None:
        self._change = change
        self._from = change.old_end
        self._by = change.new_end - change.old_end

    @classmethod
    def by(cls, count: int) -> Shift:
        """Return what moves every place `count` code points further on."""
        return cls(Change(0, 0, count))

    def back(self, offset: int) -> int:
        """Return where `offset` was in the version before, -1 for what wasn't there."""
        start, _, new_end = self._change
        return offset - self._by if offset >= new_end else offset if offset < start else -1

    def offset(self, offset: int) -> int:
        """Return where `offset` is now."""
        return offset + self._by if offset >= self._from else offset

    def span(self, span: Span) -> Span:
        """Return where `span` is now."""
        start, end = span
        if end < self._from:
            return span
        by = self._by
        return Span(start + by if start >= self._from else start, end + by)

    def maybe(self, span: Span | None) -> Span | None:
        """Return where `span` is now, if there is one."""
        return self.span(span) if span is not None else None

    def reading(self, reading: Reading) -> Reading:
        """Return a reading with all its places moved."""
        if not self._by:
            return reading
        return Reading(
            blocks=tuple(self.block(b) for b in reading.blocks),
            mistakes=tuple(self._mistake(m) for m in reading.mistakes),
            comments=tuple(Comment(self.span(c.span), c.own_line) for c in reading.comments),
            setup=tuple(self._setup(s) for s in reading.setup),
            damaged=reading.damaged,
        )

    def block(self, block: Block, branch: Branch | None = None) -> Block:
        """Return a block with its places moved, and its settings in `branch` where one is given."""
        return Block(
            block.id,
            block.surface,
            self.span(block.head),
            self.span(block.span),
            tuple(self.setting(s, branch) for s in block.settings),
            block.open,
            tuple(self._setup(s) for s in block.setup),
            block.receiver,
            self.maybe(block.command),
        )

    def setting(self, setting: Setting, branch: Branch | None = None) -> Setting:
        """Return a setting with its places moved, in `branch` where one is given."""
        value = setting.value
        in_front = max(setting.key.end, value.span.end, setting.statement.end, setting.own.end) < self._from
        if in_front and branch is None and value.origin is None and not value.items:
            return setting
        return Setting(
            setting.surface,
            setting.name,
            self.span(setting.key),
            self.value(value),
            setting.form,
            self.span(setting.statement),
            self.span(setting.own),
            setting.slot,
            self.maybe(setting.slot_span),
            setting.branch if branch is None else branch,
            setting.receiver,
            setting.abbreviated,
            setting.separator,
        )

    def value(self, value: Value) -> Value:
        """Return a value with its places moved."""
        return Value(
            value.kind,
            self.span(value.span),
            value.known,
            value.data,
            self.maybe(value.content),
            value.wrapper,
            self.maybe(value.origin),
            tuple(self.value(item) for item in value.items) if value.items else (),
        )

    def _setup(self, setup: Setup) -> Setup:
        value = self.value(setup.value) if setup.value is not None else None
        return Setup(setup.what, self.span(setup.span), value, setup.branch)

    def _mistake(self, mistake: Mistake) -> Mistake:
        edits = tuple(Edit(self.span(e.span), e.text) for e in mistake.edits)
        return Mistake(mistake.kind, self.span(mistake.span), mistake.arguments, edits)
