"""What a command sets that a script starts: a text for a shell, a list of words. The shell reader tells."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from npu_lsp.catalog.programs import PROGRAMS, SERVERS
from npu_lsp.languages.embedding import Embedded, Region, Write, region_of
from npu_lsp.languages.model import Block, SyntaxFault, SyntaxFinding
from npu_lsp.languages.python.following.call_contexts import CallContexts
from npu_lsp.languages.python.following.composition import Word
from npu_lsp.languages.python.following.word_lists import WordLists
from npu_lsp.languages.python.place import Place
from npu_lsp.languages.python.recognisers.starts import Started, StartedCommand
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.tree.constants import text_of
from npu_lsp.languages.python.tree.nodes import names_in
from npu_lsp.languages.python.tree.paths import path
from npu_lsp.languages.python.tree.statement import Call
from npu_lsp.languages.python.view import SourceView
from npu_lsp.languages.shell.program_names import MODULES
from npu_lsp.languages.shell.training import may_train
from npu_lsp.languages.shell.triggers import may_match
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import LocatedText
from npu_lsp.text.spans import Edit, Span

_SAFE = re.compile(r"[\w./:,@%+=^ -]*")
_OPENING = re.compile(r"(?<![\"'A-Za-z_\d\\])(?P<quote>\"\"\"|'''|\"|')\Z")


class Commands:
    """Adds the blocks of commands to what a script sets."""

    def __init__(self, view: SourceView, contexts: CallContexts) -> None:
        self._view = view
        self._contexts = contexts
        self._lists = WordLists(view, contexts)
        self._composer = self._lists.composer

    def add(self, line: Line, call: Call, started: Started) -> None:
        """Add the blocks of the command that a call starts."""
        place = self._view.place(line, inline=call.inline)
        self._composer.begin()
        statement = line.span(call.statement)
        listed = self._lists.started(started, place)
        if listed is not None:
            if self._list(listed, statement, place) or all(word.text is not None for word in listed):
                return
        elif isinstance(started, StartedCommand):
            texts = self._composer.texts(started.command, place)
            for text, at in texts:
                region = self._text(text, at, started.prefix)
                if region is not None and not started.prefix:
                    self._view.syntax += _lost(region, line, call)
            if any(at is place for _, at in texts):
                return
        # The words, or some of them, are what a function gets.
        for context in self._contexts.of(place, {name for node in started.nodes() for name in names_in(node)}) or ():
            self._composer.begin()
            inside = Place(line, context.branch + context.inner, context.given)
            listed = self._lists.started(started, inside)
            if listed is not None:
                self._list(listed, context.statement or statement, inside)

    def _add(self, blocks: tuple[Block, ...]) -> bool:
        """Add the blocks of a command unless they are there: it may be started in two places, but it is written once."""
        new = [
            block
            for block in blocks
            if self._view.first_sight("command", block.surface, block.head, *((s.name, s.key) for s in block.settings))
        ]
        self._view.drafts.ready += new
        return len(new) == len(blocks)

    def add_text(self, line: Line, node: cst.BaseExpression, *, inline: bool) -> None:
        """Add the blocks of the command that a text is by its shape."""
        for text, at in self._composer.texts(node, self._view.place(line, inline=inline)):
            self._text(text, at, "")

    def _text(self, text: LocatedText, place: Place, prefix: str) -> Region | None:
        if prefix and text.starts:
            said, text = text, LocatedText.of(prefix, Span(text.starts[0], text.starts[0]))
            text.add(said)
        command = text.said
        if not may_match(command):
            return None
        write = _writing(self._view.source.text, text.starts[0], text.ends[-1]) if not prefix else in_any_literal
        return self._region(Embedded(Kind.SHELL, command, text.places(_apart(text)), write, branch=place.branch))

    def _region(self, found: Embedded) -> Region | None:
        """Add what a script in a text sets; return its region, `None` where there is nothing new in it."""
        region = region_of(found, self._view.nest)
        if region is None:
            return None
        reading = region.reading()
        if not self._add(reading.blocks):
            return None
        self._view.regions.append(region)
        self._view.syntax += reading.syntax
        self._view.spoken += reading.comments
        return region

    def _list(self, listed: list[Word], statement: Span, place: Place) -> bool:
        """Add the block of a command that is given as words; tell whether there is one."""
        if not any(word.text is None or _names_tool(word.text) for word in listed) and not _trains(listed):
            return False
        from npu_lsp.languages.shell.argument_list import Element, read_arguments

        elements = []
        for word in listed:
            text, own, many = word.text, word.own, word.many
            if text is None or not text.starts:
                elements.append(Element(own, "" if text is not None else None, own=own, many=many))
                continue
            elements.append(Element(own, text.said, text.exact, own, places=(text.starts, text.ends)))
        inside = [e.span for e in elements if not e.span.within(statement)]
        whole = Span(min([statement.start, *(s.start for s in inside)]), max([statement.end, *(s.end for s in inside)]))
        started = read_arguments(elements, whole, branch=place.branch)
        self._add(started.blocks)
        regions = [self._region(found) for found in started.inner]
        return bool(started.blocks or any(regions))


def _lost(region: Region, line: Line, call: Call) -> Iterator[SyntaxFinding]:
    """Yield the mistake of a command that sets variables and ends."""
    from npu_lsp.languages.shell.syntax_findings.exports import lost_export

    lost = lost_export(region.found.text, region.reading().blocks)
    if lost is None:
        return
    edits: tuple[Edit, ...] = ()
    stmt, node = call.statement, call.node
    alone = isinstance(stmt, cst.Expr) and stmt.value is node and path(node.func) == "os.system"
    if alone and lost.value is not None and text_of(node.args[0].value) is not None:
        edits = (Edit(line.span(stmt), f'os.environ["{lost.name}"] = "{lost.value}"'),)
    yield SyntaxFinding(
        SyntaxFault.LOST_EXPORT, region.span(lost.span), {"name": lost.name, "instead": "os.environ"}, edits
    )


def _apart(text: LocatedText) -> frozenset[int]:
    """Return where the characters of a text go on in another literal, or behind something else."""
    return frozenset(at for at in range(1, len(text.starts)) if text.starts[at] != text.ends[at - 1])


def in_any_literal(text: str) -> str | None:
    """Return a text that means the same in any literal, whatever stands in front of its quote."""
    return text if _SAFE.fullmatch(text) else None


def _writing(source: str, start: int, end: int) -> Write:
    """Return how a text is written into the command that starts at `start`, where one plain literal holds all of it."""
    opening = _OPENING.search(source, max(0, start - 6), start) if start < end else None
    quote = opening["quote"] if opening is not None else ""
    if opening is None or not source.startswith(quote, end) or quote in source[start:end].replace("\\" + quote, ""):
        return in_any_literal

    def write(text: str) -> str | None:
        if "\n" in text and len(quote) == 1:
            return None
        return text.replace("\\", "\\\\").replace(quote[0], "\\" + quote[0])

    return write


def _trains(listed: list[Word]) -> bool:
    """Tell whether words start a script with flags of MindSpeed: none of them alone tells that."""
    return may_train(" ".join(word.text.said for word in listed if word.text is not None))


def _names_tool(text: LocatedText) -> bool:
    word = text.said
    return word.rpartition("/")[2] in (*PROGRAMS, *SERVERS) or word in MODULES or may_match(word)
