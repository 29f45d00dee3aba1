"""Commands that a script starts: as a text for a shell, as a list of words. What they set, the shell reader tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from npu_lsp.readers.model import certain
from npu_lsp.readers.places import Places
from npu_lsp.readers.python.characters import Characters
from npu_lsp.readers.python.composition import Composer
from npu_lsp.readers.python.evaluate import Place
from npu_lsp.readers.python.paths import path
from npu_lsp.readers.python.scenes import Scenes
from npu_lsp.readers.python.source import Line
from npu_lsp.readers.python.statement import Call
from npu_lsp.readers.python.view import View
from npu_lsp.readers.shell.triggers import may_hold
from npu_lsp.spans import Span

WORDS = ("os.system", "popen", "subprocess", "Popen", "check_call", "check_output", "getoutput", "getstatusoutput")

_MODULES = frozenset({"subprocess", "sp", "commands"})
_FUNCTIONS = frozenset(
    {"run", "call", "check_call", "check_output", "Popen", "getoutput", "getstatusoutput", "create_subprocess_shell"}
)
_SHELLS = frozenset({"os.system", "os.popen", "popen", "os.popen2", "os.popen3", "os.popen4"})
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
        if written is None or not call.node.args:
            return False
        if written in _SHELLS or (written in self.imported and written not in self._words):
            return True
        module, _, function = written.rpartition(".")
        return function in _FUNCTIONS and (module in self._modules or module == "asyncio")

    def add(self, line: Line, call: Call) -> None:
        """Add the blocks of the command that a call starts."""
        place = self._view.place(line, inline=call.inline)
        node = call.node.args[0]
        listed = self._elements(node, place)
        if listed is None:
            for text, at in self._composer.texts(node, place):
                self._text(text, at)
        elif any(text is None or _names_tool(text) for text, _, _ in listed):
            self._list(listed, line.span(call.statement), place)

    def _text(self, text: Characters, place: Place) -> None:
        command = "".join(text.text)
        if not may_hold(command):
            return
        from npu_lsp.readers.shell.commands import read_command

        shift = text.starts[0]
        exact = text.starts == list(range(shift, shift + len(text.starts)))
        places = Places(shift) if exact else Places(0, text.starts, text.ends)
        reading = read_command(command, places, branch=place.branch)
        self._view.drafts.ready += reading.blocks
        self._view.mistakes += reading.mistakes

    def _list(self, listed: list[tuple[Characters | None, Span, bool]], statement: Span, place: Place) -> None:
        from npu_lsp.readers.shell.commands import Element, read_arguments

        elements = []
        for text, own, many in listed:
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
        self._view.drafts.ready += read_arguments(elements, whole, branch=place.branch)

    def _elements(self, node: ast.expr, place: Place) -> list[tuple[Characters | None, Span, bool]] | None:
        """Return the words of a list with their places; `None` where the expression is none."""
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self._element(e, place) for e in node.elts]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self._elements(node.left, place), self._elements(node.right, place)
            if left is None and right is None:
                return None
            rest = [(None, place.line.span(n), True) for n in (node.left, node.right)]
            return (left if left is not None else [rest[0]]) + (right if right is not None else [rest[1]])
        if isinstance(node, ast.Name):
            built = self._view.names.built(node.id, place.line.index, place.branch)
            binding = built[0] if built else None
            if binding is None or binding.line is None or not isinstance(binding.value, (ast.List, ast.BinOp)):
                return None
            if binding.index >= place.line.index:
                return None
            found = self._elements(binding.value, Place(binding.line, binding.branch))
            return [*found, *self._more(node.id, binding.index, place)] if found is not None else None
        return None

    def _element(self, node: ast.expr, place: Place) -> tuple[Characters | None, Span, bool]:
        if isinstance(node, ast.Starred):
            return None, place.line.span(node), True
        return self._composer.text(node, place), place.line.span(node), False

    def _more(self, name: str, index: int, place: Place) -> Iterator[tuple[Characters | None, Span, bool]]:
        """Yield what is appended to a list between its birth and the call; what only may be, is any number of words."""
        view = self._view
        for at in view.source.lines_with(name, whole=True):
            if not index < at < place.line.index:
                continue
            line = view.source.line(at)
            if line is None:
                yield None, Span(view.source.skeleton.starts[at], view.source.skeleton.ends[at]), True
                continue
            for call in line.statement.calls:
                function = call.node.func
                if not (isinstance(function, ast.Attribute) and path(function.value) == name and call.node.args):
                    continue
                where = view.place(line, inline=call.inline)
                added: list[tuple[Characters | None, Span, bool]] | None = None
                if function.attr == "append":
                    added = [self._element(call.node.args[0], where)]
                elif function.attr == "extend":
                    added = self._elements(call.node.args[0], where)
                sure = added is not None and certain(where.branch, place.branch)
                yield from added if added is not None and sure else [(None, line.span(call.node), True)]
            for assignment in line.statement.assignments:
                stmt = assignment.statement
                if isinstance(stmt, ast.AugAssign) and path(stmt.target) == name:
                    where = view.place(line, inline=assignment.inline)
                    added = self._elements(stmt.value, where)
                    sure = added is not None and certain(where.branch, place.branch)
                    yield from added if added is not None and sure else [(None, line.span(stmt), True)]


def _names_tool(text: Characters) -> bool:
    word = "".join(text.text)
    return word.rpartition("/")[2] in _TOOLS or may_hold(word)
