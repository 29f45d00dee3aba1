"""Moves what was read of a command to where it stands after an edit elsewhere in the script."""

from __future__ import annotations

from npu_lsp.readers.model import Block, Branch, Setting, Setup, Value
from npu_lsp.readers.shell.commands import Found
from npu_lsp.spans import Change, Span


class Move:
    """Tells for places of one version where they are in the next; none may lie in what has changed."""

    __slots__ = ("_by", "_change", "_from")

    def __init__(self, change: Change) -> None:
        self._change = change
        self._from = change.old_end
        self._by = change.new_end - change.old_end

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
        if start < self._from or not self._by:
            return span
        return Span(start + self._by, end + self._by)

    def maybe(self, span: Span | None) -> Span | None:
        """Return where `span` is now, if there is one."""
        return self.span(span) if span is not None else None

    def found(self, found: Found, branch: Branch) -> Found:
        """Return what a command sets that stands in `branch` now."""
        return Found(
            blocks=[self._block(block, branch) for block in found.blocks],
            exported=[self._setting(setting, branch) for setting in found.exported],
            plain=[self._setting(setting, branch) for setting in found.plain],
        )

    def _block(self, block: Block, branch: Branch) -> Block:
        return Block(
            block.id,
            block.surface,
            self.span(block.head),
            self.span(block.span),
            tuple(self._setting(setting, branch) for setting in block.settings),
            block.open,
            tuple(self._setup(fact) for fact in block.setup),
            block.receiver,
            self.maybe(block.command),
        )

    def _setting(self, setting: Setting, branch: Branch) -> Setting:
        return Setting(
            setting.surface,
            setting.name,
            self.span(setting.key),
            self._value(setting.value),
            setting.form,
            self.span(setting.statement),
            self.span(setting.own),
            setting.slot,
            self.maybe(setting.slot_span),
            branch,
            setting.receiver,
            setting.abbreviated,
            setting.separator,
        )

    def _value(self, value: Value) -> Value:
        return Value(
            value.kind,
            self.span(value.span),
            value.known,
            value.data,
            self.maybe(value.content),
            value.wrapper,
            self.maybe(value.origin),
            tuple(self._value(item) for item in value.items) if value.items else (),
        )

    def _setup(self, fact: Setup) -> Setup:
        return fact._replace(span=self.span(fact.span), value=self._value(fact.value) if fact.value else None)
