"""The functions that a file defines once, and the calls of each."""

from __future__ import annotations

import libcst as cst

from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.tree.nodes import is_name
from npu_lsp.languages.python.tree.paths import last
from npu_lsp.languages.python.tree.statement import Call
from npu_lsp.languages.python.view import SourceView


class FileFunctions:
    """Finds functions and their calls."""

    def __init__(self, view: SourceView) -> None:
        self._view = view
        self._calls: dict[str, list[tuple[Line, Call]]] = {}

    def calls_of(self, name: str) -> list[tuple[Line, Call]]:
        """Return the calls of the one function of that name in this file."""
        known = self._calls.get(name)
        if known is None:
            known = self._calls[name] = [
                (line, call)
                for line in self._view.lines_naming(name)
                for call in line.statement.calls
                if last(call.node.func) == name and self._may_mean(name, call.node.func, line)
            ]
        return known

    def _may_mean(self, name: str, written: cst.BaseExpression, line: Line) -> bool:
        """Tell whether what is called can be this file's function: neither a module's (`subprocess.run`) nor itself."""
        scopes, names = self._view.source.scopes, self._view.names
        (binding, *_) = names.bindings(name) or (None,)
        if binding is None or scopes.function(line.index) == binding.index:
            return False
        if not isinstance(written, cst.Attribute):
            return True
        if binding.scope == MODULE or scopes.header(binding.scope) != "class":
            return False
        if not is_name(written.value):
            return True
        headers = [
            b.line.statement.header for b in names.visible(written.value.value, line.index) if b.line is not None
        ]
        return not any(isinstance(h, (cst.Import, cst.ImportFrom)) for h in headers)

    def only_call(self, header: cst.FunctionDef) -> tuple[Line, Call] | None:
        """Return the one call of a function of this file, if there is just one."""
        if not self.is_single(header.name.value):
            return None
        calls = self.calls_of(header.name.value)
        return calls[0] if len(calls) == 1 else None

    def function(self, name: str) -> tuple[cst.FunctionDef, Line] | None:
        """Return the one function of that name that the file defines, and the line of its header."""
        if not self.is_single(name):
            return None
        line = self._view.names.bindings(name)[0].line
        header = line.statement.header if line is not None else None
        if line is None or not isinstance(header, cst.FunctionDef):
            return None
        return header, line

    def is_single(self, name: str) -> bool:
        """Tell whether the file defines one function of that name, and nothing else by it."""
        bindings = self._view.names.bindings(name)
        return len(bindings) == 1 and bindings[0].line is not None
