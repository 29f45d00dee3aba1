"""Moves what was read to where it stands after an edit elsewhere in the text."""

from __future__ import annotations

from npu_lsp.readers.model import Block, Branch, Comment, Mistake, Reading, Setting, Setup, Value
from npu_lsp.readers.python.evaluate import moved
from npu_lsp.spans import Change, Edit, Span


def shifted(reading: Reading, change: Change) -> Reading:
    """Return `reading` with its places behind `change` moved; none of them may lie in it.

    What stands wholly in front of the change stays the same object.
    """
    return _Shift(change).reading(reading)


class _Shift:
    def __init__(self, change: Change) -> None:
        self._from = change.old_end
        self._by = change.new_end - change.old_end

    def reading(self, reading: Reading) -> Reading:
        """Return a reading with all its places moved."""
        if not self._by:
            return reading
        return Reading(
            blocks=tuple(self._block(b) for b in reading.blocks),
            mistakes=tuple(self._mistake(m) for m in reading.mistakes),
            comments=tuple(Comment(self._span(c.span), c.own_line) for c in reading.comments),
            setup=tuple(self._setup(s) for s in reading.setup),
            damaged=reading.damaged,
        )

    def _span(self, span: Span) -> Span:
        start, end = span
        if end < self._from:
            return span
        by = self._by
        return Span(start + by if start >= self._from else start, end + by)

    def _maybe(self, span: Span | None) -> Span | None:
        return self._span(span) if span is not None else None

    def _block(self, block: Block) -> Block:
        if block.span.end < self._from:
            return block
        return Block(
            block.id,
            block.surface,
            self._span(block.head),
            self._span(block.span),
            tuple(self._setting(s) for s in block.settings),
            block.open,
            tuple(self._setup(s) for s in block.setup),
            block.receiver,
            self._maybe(block.command),
        )

    def _setting(self, setting: Setting) -> Setting:
        places = (setting.key, setting.value.span, setting.statement, setting.own)
        if max(p.end for p in places) < self._from and setting.value.origin is None:
            return setting
        return Setting(
            setting.surface,
            setting.name,
            self._span(setting.key),
            self._value(setting.value),
            setting.form,
            self._span(setting.statement),
            self._span(setting.own),
            setting.slot,
            self._maybe(setting.slot_span),
            setting.branch,
            setting.receiver,
            setting.abbreviated,
            setting.separator,
        )

    def _value(self, value: Value) -> Value:
        return Value(
            value.kind,
            self._span(value.span),
            value.known,
            value.data,
            self._maybe(value.content),
            value.wrapper,
            self._maybe(value.origin),
            tuple(self._value(v) for v in value.items) if value.items else (),
        )

    def _setup(self, setup: Setup) -> Setup:
        value = self._value(setup.value) if setup.value is not None else None
        return Setup(setup.what, self._span(setup.span), value, setup.branch)

    def _mistake(self, mistake: Mistake) -> Mistake:
        edits = tuple(Edit(self._span(e.span), e.text) for e in mistake.edits)
        return Mistake(mistake.kind, self._span(mistake.span), mistake.arguments, edits)


def further(setting: Setting, by: int, branch: Branch) -> Setting:
    """Return a setting that stands in one line as it is `by` code points further on, under `branch`."""
    if not by and branch == setting.branch:
        return setting
    return Setting(
        setting.surface,
        setting.name,
        setting.key.shifted(by),
        moved(setting.value, by),
        setting.form,
        setting.statement.shifted(by),
        setting.own.shifted(by),
        setting.slot,
        setting.slot_span.shifted(by) if setting.slot_span is not None else None,
        branch,
        setting.receiver,
        setting.abbreviated,
        setting.separator,
    )
