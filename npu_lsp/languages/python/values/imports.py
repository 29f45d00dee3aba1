"""Constants that a script imports from a module beside it. The module is read, never run."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

import libcst as cst

from npu_lsp.languages.python.source import Line, Source
from npu_lsp.languages.python.tree.nodes import Stmt, imported, is_name, module_of, modules
from npu_lsp.languages.python.tree.paths import path
from npu_lsp.languages.python.values.names import Names
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text.links import behind_link

_LARGEST = 1_000_000
_ABOVE = 3
"""How many folders above the script's own may be where its imports start."""
_KEPT = 16

_lock = Lock()
_modules: OrderedDict[tuple[str, surroundings.Look], tuple[Source, Names]] = OrderedDict()


class Imports:
    """Finds what imported names stand for."""

    def __init__(self, file: str, names: Names) -> None:
        self._file = file
        self._names = names
        self._found: dict[tuple[str, int], Path | None] = {}

    def constant(
        self, node: cst.BaseExpression, line: Line
    ) -> tuple[cst.BaseExpression, Line, Source, Names, str] | None:
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

    def _meant(self, node: cst.BaseExpression, line: Line) -> Iterator[tuple[str, int, str]]:
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

    def _imported(self, name: str, line: Line) -> Iterator[tuple[str, int, str]]:
        header = self._statement(name, line)
        if isinstance(header, cst.ImportFrom):
            for real, alias in imported(header):
                if (alias or real) == name:
                    yield module_of(header), len(header.relative), real

    def _statement(self, name: str, line: Line) -> Stmt | None:
        """Return the statement that is all that binds a name."""
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
