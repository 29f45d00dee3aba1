"""What every matcher works with: the source, its names and values, and the blocks in the making, each under the key of its object."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.injections import InjectedDocument, Nest
from npu_lsp.languages.model import Block, Comment, Fact, Form, Setting, SyntaxFault, SyntaxFinding, Value, renumbered
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.names import Names, Place
from npu_lsp.languages.python.dataflow.values import Evaluator
from npu_lsp.languages.python.source import LogicalLine, Role, Source
from npu_lsp.languages.python.tree.nodes import Stmt, last
from npu_lsp.languages.python.tree.statement import Assignment, Call, is_beyond
from npu_lsp.languages.triggers import may_match
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memos
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


_SHOWN = 100
"""Characters of a statement that is too large that are underlined."""
_LINE_END = re.compile(r"[\r\n]")
_PROSE = re.compile(r"'{3}.*?'{3}|\"{3}.*?\"{3}", re.DOTALL)
"""A text of many lines: in notebooks people hand whole logs to a model, which name variables and set none."""
# Python 2, and headers whose suite stands elsewhere.
_SETS_NOTHING = re.compile(r"(?:print|exec|raise|except|else|finally|try|case)\b")


class SourceView:
    """One reading in the making."""

    def __init__(self, source: Source, file: str, nest: Nest) -> None:
        self.source = source
        self.names = Names(source)
        self.evaluate = Evaluator(source, self.names, file)
        self.blocks = BlockBuilder()
        self.facts: list[Fact] = []
        self.damaged = False
        """A line that may set something can't be read."""
        self.syntax: list[SyntaxFinding] = []
        self.spoken: list[Comment] = []
        """Comments in texts of other languages."""
        self.regions: list[InjectedDocument] = []
        """Texts of other languages in this one."""
        self.nest = nest
        self.roles: dict[str, Role] = {}
        """What names stand for, for whoever completes code."""
        self.memos = Memos()
        """What matchers found out in this reading."""
        self._seen: set[Hashable] = set()

    @property
    def speaks_of_npu(self) -> bool:
        """Return whether anything in the text names the device."""
        return any(self.source.occurrences.prefix(name) for name in ("npu", "Npu", "NPU"))

    def place(self, line: LogicalLine, of: Call | Assignment | None = None) -> Place:
        """Return the place of the statement `of` in `line`, or of the line as a whole."""
        if of is None:
            return Place(line, self.source.scopes.branch(line.index))
        return Place(line, self.source.scopes.branch(line.index, inline=of.inline), None, of.statement)

    def statements(self, lines: Iterable[LogicalLine]) -> Iterator[tuple[Stmt, Place]]:
        """Yield each statement of `lines` with its place."""
        for line in lines:
            for stmt, inline in line.statement.statements:
                yield stmt, Place(line, self.source.scopes.branch(line.index, inline=inline), None, stmt)

    def calls(self, lines: Iterable[LogicalLine], *names: str) -> Iterator[tuple[cst.Call, Place]]:
        """Yield each call in `lines`, outer ones first, with its place; with `names`, of functions and methods called so."""
        for line in lines:
            for call in line.statement.calls:
                if not names or last(call.node.func) in names:
                    yield call.node, self.place(line, call)

    def assignments(self, lines: Iterable[LogicalLine]) -> Iterator[tuple[Assignment, Place]]:
        """Yield each assignment in `lines` with its place."""
        return ((each, self.place(line, each)) for line in lines for each in line.statement.assignments)

    def value(self, node: cst.BaseExpression, place: Place) -> Value:
        """Return what `node` is worth, as far as the text tells."""
        return self.evaluate.value(node, place)

    def text(self, node: cst.BaseExpression, place: Place) -> str | None:
        """Return the text that `node` is for sure."""
        return self.evaluate.text(node, place)

    def content(self, node: cst.BaseExpression, place: Place) -> Span:
        """Return the place between the quotes of a plain text literal, or all of `node`."""
        return self.evaluate.content(node, place)

    def lines_with(self, *words: str, whole: bool = False) -> list[LogicalLine]:
        """Return the lines that can be read and hold one of `words`, in the order of the text."""
        return self._readable({index for word in words for index in self.source.lines_with(word, whole=whole)})

    def imports_with(self, *words: str) -> list[LogicalLine]:
        """Return those of the lines with one of `words` that may import something: of the others no tree is made."""
        importing = set(self.source.lines_with("import"))
        return self._readable({index for word in words for index in self.source.lines_with(word)} & importing)

    def lines_naming(self, *words: str) -> list[LogicalLine]:
        """Return the lines that can be read and hold one of `words` as a whole word, a name or an attribute."""
        return self._readable({index for word in words for index in self.source.lines_naming(word)})

    def _readable(self, indexes: set[int]) -> list[LogicalLine]:
        source = self.source
        found: list[LogicalLine] = []
        for index in sorted(indexes):
            line = source.line(index)
            if line is not None:
                found.append(line)
            elif not _SETS_NOTHING.match(source.text, source.logical_lines.starts[index]):
                self.damaged = True
                self._unread(index)
        return found

    def _unread(self, index: int) -> None:
        """Note a statement that is too large to be read, once, where it may set something."""
        start, end = self.source.logical_lines.starts[index], self.source.logical_lines.ends[index]
        if not self.first_sight("unread", index):
            return
        text = self.source.text[start:end]
        if is_beyond(text) and may_match(Kind.PYTHON, _PROSE.sub("", text)):
            line = _LINE_END.split(text, maxsplit=1)[0]
            self.syntax.append(SyntaxFinding(SyntaxFault.LARGE_STATEMENT, Span(start, start + min(len(line), _SHOWN))))

    def first_sight(self, *what: Hashable) -> bool:
        """Return whether this is the first time that one asks with these words."""
        if what in self._seen:
            return False
        self._seen.add(what)
        return True
