"""Constants that a script imports from a module beside it. The module is read, never run."""

from __future__ import annotations

import ast
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from npu_lsp.languages.python.names import Names
from npu_lsp.languages.python.paths import path
from npu_lsp.languages.python.skeleton import scan
from npu_lsp.languages.python.source import Line, Source
from npu_lsp.languages.python.words import Words
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

    def constant(self, node: ast.expr, line: Line) -> tuple[ast.expr, Line, Source, Names, str] | None:
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
        asked = module, level
        if asked not in self._found:
            first = next(self._candidates(module, level), None)
            linked = first is not None and behind_link(first, Path(self._file).parent)
            self._found[asked] = None if linked else first
        return self._found[asked]

    def _meant(self, node: ast.expr, line: Line) -> Iterator[tuple[str, int, str]]:
        """Yield the module, how many dots stand before it, and the name in it that an expression means."""
        if isinstance(node, ast.Name):
            yield from self._imported(node.id, line)
            return
        written = path(node)
        if not isinstance(node, ast.Attribute) or written is None:
            return
        owner, _, name = written.rpartition(".")
        root, _, rest = owner.partition(".")
        header = self._statement(root, line)
        if isinstance(header, ast.Import):
            for alias in header.names:
                if alias.asname == owner or (alias.asname is None and alias.name == owner):
                    yield alias.name, 0, name
        elif not rest:
            for module, level, submodule in self._imported(root, line):
                yield f"{module}.{submodule}" if module else submodule, level, name

    def _imported(self, name: str, line: Line) -> Iterator[tuple[str, int, str]]:
        header = self._statement(name, line)
        if isinstance(header, ast.ImportFrom):
            for alias in header.names:
                if (alias.asname or alias.name) == name:
                    yield header.module or "", header.level, alias.name

    def _statement(self, name: str, line: Line) -> ast.stmt | None:
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
    source = Source(text, scan(text), Words(text), {})
    found = (source, Names(source))
    with _lock:
        _modules[key] = found
        while len(_modules) > _KEPT:
            _modules.popitem(last=False)
    return found
