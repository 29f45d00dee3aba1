"""What every matcher works with: the source, its names and values, and the blocks in the making."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

import libcst as cst

from npu_lsp.languages.injections import InjectedDocument, Nest
from npu_lsp.languages.model import Comment, Fact, SyntaxFault, SyntaxFinding, Value
from npu_lsp.languages.python.block_builder import BlockBuilder
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
