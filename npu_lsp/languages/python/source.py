"""A Python text as the matchers see it: lines, words, statements, scopes, and the same of the version before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from npu_lsp.catalog.calls import RUN_CONFIG, RUN_CONFIG_PARTS
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.surfaces import ARGUMENTS, CALLS
from npu_lsp.languages.branches import Branch
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.lines.logical_lines import LogicalLines, rescan, scan
from npu_lsp.languages.python.lines.occurrences import BindingLines, OccurrenceIndex
from npu_lsp.languages.python.lines.scopes import Scopes
from npu_lsp.languages.python.tree.statement import Statement, parse
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span, TextChange
from npu_lsp.text.word_search import Words


class RoleKind(str, Enum):
    """What sort of thing a name stands for."""

    MAP = "map"
    OPTIMIZER = "optimizer"
    OPTIONS = "options"
    """An object whose attributes are options, or a group in it."""
    ENVIRONMENT = "environment"
    CALL = "call"
    """A class whose arguments are options."""


class Role(NamedTuple):
    """What one name stands for."""

    kind: RoleKind
    surface: Surface
    group: str = ""
    """For a group of options: its dotted name. For a class: its real name."""


COMMON = Words(
    dict.fromkeys(
        (
            "npu-lsp:",
            *("parameter_map", "custom_optimizers", "remapping", "memory_optimization", "session_config"),
            *("init_resource", "npu_config_proto", "set_keras_session_npu_config", "global_options", RUN_CONFIG),
            *(*RUN_CONFIG_PARTS, "set_iteration_per_loop", "load_iteration_per_loop_var"),
            *("npu", "Npu", "NPU", "torch", "torch_npu", "torchair", "mindspore", "device_context"),
            *("vllm", "sglang", "additional-config", "additional_config", "CANNExecutionProvider"),
            *(
                "env",
                "env_vars",
                "environ",
                "putenv",
                "environ as",
                "putenv as",
                "os as",
                "os import",
                "os.exec",
                "os.spawn",
            ),
            *("subprocess", "os.system", "popen", "Popen", "check_call", "check_output", "getoutput"),
            *("getstatusoutput", "get_ipython", "export "),
            *("import", "print ", "except", "exec ", "raise "),
            *(call.trigger for _, call in CALLS),
            *(f"{call.name}(" for _, call in ARGUMENTS),
        )
    )
)


_LARGE = 1_000
_KEPT = 100_000
"""Characters of large statements whose trees are kept from one version to the next: a tree takes fifty times its text, and
its places as much again."""


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """A logical line and its tree, in its place in the text."""

    index: int
    start: int
    statement: Statement

    def span(self, node: cst.CSTNode) -> Span:
        """Return where `node` stands in the text."""
        start, end = self.statement.span(node)
        by = self.start
        return Span(start + by, end + by)

    @property
    def whole(self) -> Span:
        """Where the line's code stands in the text."""
        return Span(self.start, self.start + len(self.statement.text))

    def source(self, node: cst.CSTNode) -> str:
        """Return the text of `node`."""
        return self.statement.source(node)


class Source:
    """One version of a Python text. Nothing is computed before it is asked for."""

    @classmethod
    def of(cls, text: str) -> Source:
        """Return the source of a text of which nothing is known."""
        lines, occurrences = scan(text), OccurrenceIndex(text, COMMON)
        return cls(text, lines, occurrences, Scopes(text, lines), BindingLines(text, lines, occurrences), {})

    def __init__(
        self,
        text: str,
        logical_lines: LogicalLines,
        occurrences: OccurrenceIndex,
        scopes: Scopes,
        binding_lines: BindingLines,
        statements: dict[str, Statement | None],
    ) -> None:
        self.text = text
        self.logical_lines = logical_lines
        self.occurrences = occurrences
        self.scopes = scopes
        self.binding_lines = binding_lines
        self._old_statements = statements
        self._statements: dict[str, Statement | None] = {}
        self._read: dict[int, LogicalLine | None] = {}
        self._lines: dict[tuple[str, bool], list[int]] = {}
        self.roles: dict[str, Role] = {}
        """What names stood for in the last version that was read."""

    def edited(self, text: str, change: TextChange) -> Source:
        """Return the source of `text`, which came from this one's by `change`."""
        # Until a version is read in full, it knows of the last reading only what was asked for by chance.
        statements = self._old_statements or self._statements
        lines, occurrences = rescan(self.logical_lines, text, change), self.occurrences.edited(text, change)
        scopes, binding_lines = self.scopes.edited(text, lines), self.binding_lines.edited(text, lines, occurrences)
        new = Source(text, lines.lines, occurrences, scopes, binding_lines, statements)
        new.roles = self.roles
        return new

    def line(self, index: int) -> LogicalLine | None:
        """Return the logical line at `index`, or `None` where it can't be read."""
        if index not in self._read:
            start = self.logical_lines.starts[index]
            statement = self._statement(self.text[start : self.logical_lines.ends[index]])
            self._read[index] = LogicalLine(index, start, statement) if statement is not None else None
        return self._read[index]

    def _statement(self, text: str) -> Statement | None:
        if text not in self._statements:
            self._statements[text] = self._old_statements[text] if text in self._old_statements else parse(text)
        return self._statements[text]

    def lines_with(self, word: str, *, whole: bool = False) -> list[int]:
        """Return the logical lines whose code holds `word`; with `whole`, as a name of its own. Don't change the list."""
        found = self._lines.get((word, whole))
        if found is None:
            found = self._lines[word, whole] = []
            at = self.logical_lines.at
            for offset in self.occurrences.name(word) if whole else self.occurrences.substring(word):
                index = at(offset)
                if index is not None and (not found or found[-1] != index):
                    found.append(index)
        return found

    def lines_naming(self, word: str) -> list[int]:
        """Return the logical lines whose code holds `word` as a whole word, a name or an attribute."""
        at = self.logical_lines.at
        found = (at(offset) for offset in self.occurrences.word(word))
        return list(dict.fromkeys(index for index in found if index is not None))

    def branch(self, line: LogicalLine, inline: bool = False) -> Branch:
        """Return the branches around a statement of `line`."""
        return self.scopes.branch(line.index, inline=inline)

    def settle(self) -> None:
        """Forget what only an older version needed."""
        self._old_statements = {}
        self._drop_large()

    def _drop_large(self) -> None:
        """Forget large trees: they are made anew when the text changes again."""
        self._read.clear()
        kept = 0
        for text in [t for t in self._statements if len(t) > _LARGE]:
            kept += len(text)
            if kept > _KEPT:
                del self._statements[text]


@Memoized
def source_of(document: Document) -> Source:
    """Return the document's text with what is known of the version before; the same object each time."""
    before, text = document.before, document.text
    old = source_of.known(before.document) if before is not None else None
    if before is not None and old is not None:
        return old.edited(text, before.change)
    return Source.of(text)
