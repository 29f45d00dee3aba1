"""Commands that a script starts: as a text for a shell, as a list of words. What they set, the shell reader tells."""

from __future__ import annotations

import ast

from npu_lsp.readers.model import Block
from npu_lsp.readers.places import Places
from npu_lsp.readers.python.characters import Characters
from npu_lsp.readers.python.composition import Composer
from npu_lsp.readers.python.evaluate import Place
from npu_lsp.readers.python.paths import path
from npu_lsp.readers.python.scenes import Scenes
from npu_lsp.readers.python.source import Line
from npu_lsp.readers.python.statement import Call
from npu_lsp.readers.python.view import View
from npu_lsp.readers.python.word_lists import Word, WordLists
from npu_lsp.readers.shell.triggers import may_hold
from npu_lsp.spans import Span

WORDS = ("os.system", "popen", "subprocess", "Popen", "check_call", "check_output", "getoutput", "getstatusoutput")

_MODULES = frozenset({"subprocess", "sp", "commands"})
_FUNCTIONS = frozenset(
    {"run", "call", "check_call", "check_output", "Popen", "getoutput", "getstatusoutput", "create_subprocess_shell"}
)
_SHELLS = frozenset({"os.system", "os.popen", "popen", "os.popen2", "os.popen3", "os.popen4"})
_ARGUMENTS = ("args", "command", "cmd")
_TOOLS = ("atc", "aoe")


def find(view: View, scenes: Scenes) -> None:
    """Add a block for each command of a tool that the script starts."""
    found = _Commands(view, scenes)
    for line in view.lines_with(*WORDS, *sorted(found.imported)):
        for call in line.statement.calls:
            if found.starts(call):
                found.add(line, call)


class _Commands:
    def __init__(self, view: View, scenes: Scenes) -> None:
        self._view = view
        self._composer = Composer(view, scenes)
        self._lists = WordLists(view, self._composer)
        self.imported: set[str] = set()
        """Names of functions and modules that the file imports."""
        self._modules = set(_MODULES)
        for line in view.lines_with("subprocess"):
            for stmt, _ in line.statement.statements:
                if isinstance(stmt, ast.ImportFrom) and stmt.module == "subprocess":
                    self.imported |= {a.asname or a.name for a in stmt.names if a.name in _FUNCTIONS}
                elif isinstance(stmt, ast.Import):
                    self._modules |= {a.asname for a in stmt.names if a.name == "subprocess" and a.asname}
        self._words = self._modules - _MODULES
        self.imported |= self._words

    def starts(self, call: Call) -> bool:
        """Tell whether a call starts a process."""
        written = path(call.node.func)
        if written is None or _command(call.node) is None:
            return False
        if written in _SHELLS or (written in self.imported and written not in self._words):
            return True
        module, _, function = written.rpartition(".")
        return function in _FUNCTIONS and (module in self._modules or module == "asyncio")

    def add(self, line: Line, call: Call) -> None:
        """Add the blocks of the command that a call starts."""
        place = self._view.place(line, inline=call.inline)
        node = _command(call.node)
        if node is None:
            return
        self._composer.begin()
        listed = self._lists.words(node, place)
        if listed is None:
            for text, at in self._composer.texts(node, place):
                self._text(text, at)
        elif any(word.text is None or _names_tool(word.text) for word in listed):
            self._list(listed, line.span(call.statement), place)

    def _add(self, blocks: tuple[Block, ...]) -> bool:
        """Add the blocks of a command unless they are there: it may be started in two places, but it is written once."""
        new = [
            block
            for block in blocks
            if self._view.first_sight("command", block.surface, block.head, *((s.name, s.key) for s in block.settings))
        ]
        self._view.drafts.ready += new
        return len(new) == len(blocks)

    def _text(self, text: Characters, place: Place) -> None:
        command = "".join(text.text)
        if not may_hold(command):
            return
        from npu_lsp.readers.shell.commands import read_command

        shift = text.starts[0]
        exact = text.starts == list(range(shift, shift + len(text.starts)))
        places = Places(shift) if exact else Places(0, text.starts, text.ends)
        reading = read_command(command, places, branch=place.branch)
        if self._add(reading.blocks):
            self._view.mistakes += reading.mistakes

    def _list(self, listed: list[Word], statement: Span, place: Place) -> None:
        from npu_lsp.readers.shell.commands import Element, read_arguments

        elements = []
        for word in listed:
            text, own, many = word.text, word.own, word.many
            if text is None or not text.text:
                elements.append(Element(own, "" if text is not None else None, own=own, many=many))
                continue
            start, end = text.starts[0], text.ends[-1]
            exact = text.starts == list(range(start, start + len(text.text)))
            elements.append(
                Element(
                    own, "".join(text.text), Span(start, end) if exact else None, own, places=(text.starts, text.ends)
                )
            )
        inside = [e.span for e in elements if not e.span.within(statement)]
        whole = Span(min([statement.start, *(s.start for s in inside)]), max([statement.end, *(s.end for s in inside)]))
        self._add(read_arguments(elements, whole, branch=place.branch))


def _command(node: ast.Call) -> ast.expr | None:
    """Return what a call runs: its first argument, or the one that is called so."""
    if node.args:
        return node.args[0]
    return next((k.value for k in node.keywords if k.arg in _ARGUMENTS), None)


def _names_tool(text: Characters) -> bool:
    word = "".join(text.text)
    return word.rpartition("/")[2] in _TOOLS or may_hold(word)
