"""Collects the settings that matchers find into blocks. Keys that turn out to mean one object become one block."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block, Fact, Form, Setting, renumbered
from npu_lsp.text.spans import Span


@dataclass(slots=True)
class _Draft:
    surface: Surface
    head: Span
    receiver: str = ""
    settings: list[Setting] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    kept: bool = False
    places: set[Hashable] = field(default_factory=set)
    """Where settings stand: two calls that take the same dict set what is in it once."""


class BlockBuilder:
    """Blocks in the making, each under a key of its matcher's choice."""

    def __init__(self) -> None:
        self._drafts: dict[Hashable, _Draft] = {}
        self._same: dict[Hashable, Hashable] = {}
        self._open: set[Hashable] = set()
        self.ready: list[Block] = []
        """Blocks that come whole from elsewhere."""

    def begin(self, key: Hashable, surface: Surface, head: Span, receiver: str = "") -> None:
        """Begin a block unless there is one under `key`; the head that comes first in the text stays."""
        key = self._root(key)
        known = self._drafts.get(key)
        if known is None:
            self._drafts[key] = _Draft(surface, head, receiver)
        elif head.start < known.head.start:
            known.head, known.receiver = head, receiver or known.receiver

    def add(self, key: Hashable, setting: Setting | None) -> None:
        """Add a setting, where there is one, to the block under `key`."""
        if setting is None:
            return
        draft = self._drafts[self._root(key)]
        where = setting.name, setting.key, setting.value.span, setting.slot_span
        if setting.form is not Form.ITEM or where not in draft.places:
            draft.places.add(where)
            draft.settings.append(setting)

    def note(self, key: Hashable, fact: Fact) -> None:
        """Add a fact to the block under `key`, if there is one."""
        draft = self._drafts.get(self._root(key))
        if draft is not None and fact not in draft.facts:
            draft.facts.append(fact)

    def leave_open(self, key: Hashable) -> None:
        """Say that there may be settings in the block that can't be seen."""
        self._open.add(key)

    def keep(self, key: Hashable) -> None:
        """Make a block of what is under `key` though nothing is set in it."""
        self._drafts[self._root(key)].kept = True

    def unify(self, one: Hashable, other: Hashable) -> None:
        """Make one block of what stands under two keys."""
        one, other = self._root(one), self._root(other)
        if one == other:
            return
        self._same[other] = one
        loser = self._drafts.pop(other, None)
        if loser is None:
            return
        winner = self._drafts.get(one)
        if winner is None:
            self._drafts[one] = loser
            return
        winner.settings += loser.settings
        winner.places |= loser.places
        winner.facts += loser.facts
        if loser.head.start < winner.head.start:
            winner.head, winner.receiver = loser.head, loser.receiver

    def finish(self) -> tuple[Block, ...]:
        """Return the blocks in the order of the text."""
        is_open = {self._root(key) for key in self._open}
        told = (item for item in self._drafts.items() if item[1].settings or item[1].facts or item[1].kept)
        blocks = [_block(draft, key in is_open) for key, draft in told]
        blocks += self.ready
        return renumbered(blocks)

    def _root(self, key: Hashable) -> Hashable:
        while key in self._same:
            key = self._same[key]
        return key


def _block(draft: _Draft, is_open: bool) -> Block:
    settings = sorted(draft.settings, key=lambda s: (s.key.start, s.value.span.start))
    setup = sorted(draft.facts, key=lambda s: s.span.start)
    spans = [s.statement for s in settings] + [s.span for s in setup] + [draft.head]
    return Block(
        id=0,
        surface=draft.surface,
        head=draft.head,
        span=Span(min(s.start for s in spans), max(s.end for s in spans)),
        settings=tuple(settings),
        open=is_open,
        facts=tuple(setup),
        receiver=draft.receiver,
    )
