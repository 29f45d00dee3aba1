"""Constants behind a dot or an import: of a class of the file, of `self`, of a module beside the script."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from npu_lsp.languages.branches import Branch
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.names import Binding, Names
from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.source import LogicalLine, Source
from npu_lsp.languages.python.tree.nodes import Stmt, imported, is_name, last, module_of, modules, path
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.links import behind_link

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

    def only(self, node: cst.Attribute, line: LogicalLine, branch: Branch) -> Binding | None:
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
        """Return whether a constant is a member of an enumeration; with `plain`, of one that is no text or number."""
        line = self._source.line(binding.scope) if binding.scope != MODULE else None
        header = line.statement.header if line is not None else None
        if not isinstance(header, cst.ClassDef):
            return False
        bases = {last(base.value) for base in header.bases}
        return bool(bases & _ENUMS) and not (plain and bases & {"str", "int"})

    def _class(self, name: str, line: LogicalLine, branch: Branch) -> int:
        """Return the line of the class that a name means for sure."""
        visible = self._names.visible(name, line.index)
        if len(visible) != 1 or visible[0].branch or visible[0].line is None:
            return MODULE
        header = visible[0].line.statement.header
        return visible[0].index if isinstance(header, cst.ClassDef) and header.name.value == name else MODULE

    def _conditional(self, binding: Binding) -> bool:
        return binding.branch != self._source.scopes.branch(binding.scope)

    def _giving(self, name: str) -> tuple[list[Binding], list[int]]:
        """Return the bindings of `name` in bodies of classes, and the lines that assign to an attribute called so."""
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


_LARGEST = 1_000_000
_ABOVE = 3
"""How many folders above the script's own may be where its imports start."""
_KEPT = 16

_lock = Lock()
_modules: OrderedDict[tuple[str, surroundings.Fingerprint], tuple[Source, Names]] = OrderedDict()


class Imports:
    """Finds what imported names stand for."""

    def __init__(self, file: str, names: Names) -> None:
        self._file = file
        self._names = names
        self._found: dict[tuple[str, int], Path | None] = {}

    def constant(
        self, node: cst.BaseExpression, line: LogicalLine
    ) -> tuple[cst.BaseExpression, LogicalLine, Source, Names, str] | None:
        """Return what the imported module assigns to a name once, with all that evaluating it needs."""
        for module, level, name in self._meant(node, line):
            file = self._file_of(module, level)
            found = _module(file) if file is not None else None
            if file is None or found is None:
                continue
            source, names = found
            bindings = names.bindings(name)
            if len(bindings) != 1 or bindings[0].value is None or bindings[0].branch:
                continue
            bound = bindings[0].line
            if bound is not None:
                return bindings[0].value, bound, source, names, str(file)
        return None

    def _file_of(self, module: str, level: int) -> Path | None:
        """Return the file that an import takes, the first of that name, as for Python; `None` where it lies behind a link."""
        key = module, level
        if key not in self._found:
            first = next(self._candidates(module, level), None)
            linked = first is not None and behind_link(first, Path(self._file).parent)
            self._found[key] = None if linked else first
        return self._found[key]

    def _meant(self, node: cst.BaseExpression, line: LogicalLine) -> Iterator[tuple[str, int, str]]:
        """Yield the module, how many dots stand before it, and the name in it that an expression means."""
        if is_name(node):
            yield from self._imported(node.value, line)
            return
        written = path(node)
        if not isinstance(node, cst.Attribute) or written is None:
            return
        owner, _, name = written.rpartition(".")
        root, _, rest = owner.partition(".")
        header = self._statement(root, line)
        if isinstance(header, cst.Import):
            for imported_module, alias in modules(header):
                if owner == (alias or imported_module):
                    yield imported_module, 0, name
        elif not rest:
            for module, level, submodule in self._imported(root, line):
                yield f"{module}.{submodule}" if module else submodule, level, name

    def _imported(self, name: str, line: LogicalLine) -> Iterator[tuple[str, int, str]]:
        header = self._statement(name, line)
        if isinstance(header, cst.ImportFrom):
            for real, alias in imported(header):
                if (alias or real) == name:
                    yield module_of(header), len(header.relative), real

    def _statement(self, name: str, line: LogicalLine) -> Stmt | None:
        """Return the statement that binds a name if it is the only one and stands in no branch."""
        visible = self._names.visible(name, line.index)
        if len(visible) != 1 or visible[0].line is None or visible[0].branch:
            return None
        return visible[0].line.statement.header

    def _candidates(self, module: str, level: int) -> Iterator[Path]:
        """Yield where the module can be, in the order in which Python would look."""
        parts = [p for p in module.split(".") if p]
        if not parts or not Path(self._file).is_absolute():
            return
        folder = Path(self._file).parent
        if level:
            for _ in range(level - 1):
                folder = folder.parent
            folders = [folder]
        else:
            folders = [folder, *list(folder.parents)[:_ABOVE]]
        for start in folders:
            base = start.joinpath(*parts)
            for candidate in (base.with_name(base.name + ".py"), base / "__init__.py"):
                if surroundings.is_file(candidate):
                    yield candidate


def _module(file: Path) -> tuple[Source, Names] | None:
    """Return a module's source; the last few are kept as long as they look the same."""
    key = str(file), surroundings.look(file)
    with _lock:
        known = _modules.get(key)
        if known is not None:
            _modules.move_to_end(key)
            return known
    data = surroundings.content(file, _LARGEST, links=False)
    if data is None:
        return None
    text = data.decode("utf-8-sig", "replace")
    source = Source.of(text)
    found = (source, Names(source))
    with _lock:
        _modules[key] = found
        while len(_modules) > _KEPT:
            _modules.popitem(last=False)
    return found
