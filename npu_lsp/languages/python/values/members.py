"""Constants that are attributes: of a class of the file, of `self`, of a module that the file imports."""

from __future__ import annotations

import re

import libcst as cst

from npu_lsp.languages.branches import Branch
from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.source import Line, Source
from npu_lsp.languages.python.tree.nodes import is_name
from npu_lsp.languages.python.tree.paths import last, path
from npu_lsp.languages.python.values.names import Binding, Names

_ASSIGNED = re.compile(r"\s*(?:=(?!=)|(?:[-+*/%&|^@]|//|\*\*|<<|>>)=|:[^:=\r\n]+=(?!=))")
_ENUMS = frozenset({"Enum", "Flag"})
_SELF = frozenset({"self", "cls"})


class Members:
    """Finds the one place that gives an attribute its value."""

    def __init__(self, source: Source, names: Names) -> None:
        self._source = source
        self._names = names
        self._given: dict[str, tuple[list[Binding], list[int]]] = {}
        """What gives an attribute of that name a value: every use of it asks."""

    def only(self, node: cst.Attribute, line: Line, branch: Branch) -> Binding | None:
        """Return the one binding of `Class.name` or `self.name`, where nothing else can have given it a value."""
        if not is_name(node.value):
            return None
        owner, name = node.value.value, node.attr.value
        is_self = owner in _SELF
        found = self._source.scopes.class_of(line.index) if is_self else self._class(owner, line, branch)
        if found == MODULE:
            return None
        classes, assigned = self._giving(name)
        if len(classes) == 1 and not assigned and classes[0].scope == found:
            binding = classes[0]
            return binding if binding.value is not None and not self._conditional(binding) else None
        if is_self and not classes and len(assigned) == 1:
            return self._in_constructor(assigned[0], f"{owner}.{name}", found)
        return None

    def is_enum(self, binding: Binding, *, plain: bool) -> bool:
        """Tell whether a constant is a member of an enumeration; with `plain`, of one that is no text or number."""
        line = self._source.line(binding.scope) if binding.scope != MODULE else None
        header = line.statement.header if line is not None else None
        if not isinstance(header, cst.ClassDef):
            return False
        bases = {last(base.value) for base in header.bases}
        return bool(bases & _ENUMS) and not (plain and bases & {"str", "int"})

    def _class(self, name: str, line: Line, branch: Branch) -> int:
        """Return the line of the class that a name means for sure."""
        visible = self._names.visible(name, line.index)
        if len(visible) != 1 or visible[0].branch or visible[0].line is None:
            return MODULE
        header = visible[0].line.statement.header
        return visible[0].index if isinstance(header, cst.ClassDef) and header.name.value == name else MODULE

    def _conditional(self, binding: Binding) -> bool:
        return binding.branch != self._source.scopes.branch(binding.scope)

    def _giving(self, name: str) -> tuple[list[Binding], list[int]]:
        """Return what classes bind to a name, and the lines that assign to an attribute of that name."""
        known = self._given.get(name)
        if known is None:
            inside = [b for b in self._names.bindings(name) if b.scope != MODULE]
            classes = [b for b in inside if self._source.scopes.header(b.scope) == "class"]
            known = self._given[name] = (classes, self._assigned(name))
        return known

    def _assigned(self, name: str) -> list[int]:
        """Return the lines that assign to an attribute of that name, of whatever object."""
        source = self._source
        found: list[int] = []
        for offset in source.occurrences.word(name):
            if offset and source.text[offset - 1] == "." and _ASSIGNED.match(source.text, offset + len(name)):
                index = source.logical_lines.at(offset)
                if index is not None:
                    found.append(index)
        return found

    def _in_constructor(self, index: int, written: str, owner: int) -> Binding | None:
        """Return what `__init__` of a class assigns in the line `index`, if that is the attribute and always runs."""
        scopes = self._source.scopes
        line = self._source.line(index)
        function = scopes.function(index)
        if line is None or function == MODULE or scopes.scope(function) != owner:
            return None
        header = self._source.line(function)
        stmt = header.statement.header if header is not None else None
        if not isinstance(stmt, cst.FunctionDef) or stmt.asynchronous is not None or stmt.name.value != "__init__":
            return None
        branch = scopes.branch(index)
        if branch != scopes.branch(function):
            return None
        for assignment in line.statement.assignments:
            if path(assignment.target) == written and not assignment.inline:
                return Binding(index, function, branch, line, assignment.value)
        return None
