"""What names of modules mean: the full name of a dotted expression, and where a class comes from, by the imports of the file."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cache

from npu_lsp.catalog.surfaces import Row, Surface
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.names import Binding
from npu_lsp.languages.python.source import LogicalLine
from npu_lsp.languages.python.tree.nodes import imported, is_name, module_of, modules, path
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.memo import MemoTable

_MEANT: MemoTable[SourceView, tuple[str, int], str | None] = MemoTable()
"""The full name of what a name means, by the name and the scope that binds it."""


def dotted(view: SourceView, node: cst.BaseExpression, line: LogicalLine) -> str | None:
    """Return `torch_npu.npu.config` for `npu.config` behind `from torch_npu import npu`.

    `None` where the first name may mean something else; one that nothing in the file binds means the module of that name.
    """
    written = path(node)
    if written is None or not written.isascii() or not written.replace(".", "").isidentifier():
        return None
    root, dot, rest = written.partition(".")
    visible = view.names.visible(root, line.index)
    if not visible:
        return written if dot else None
    # A file may import a module as often as it sets something in it.
    meant = _MEANT.of(view)
    asked = root, visible[0].scope
    if asked not in meant:
        # `except ImportError: torch_npu = None`
        names = {_imported_as(binding, root) for binding in visible if not _is_none(binding)}
        meant[asked] = names.pop() if len(names) == 1 else None
    full = meant[asked]
    return f"{full}{dot}{rest}" if full is not None else None


def may_set(view: SourceView, row: Row) -> bool:
    """Return whether the text holds all words without which nothing in it is of the surface."""
    return all(view.source.occurrences.substring(word) for word in _words(Surface(row.surface)))


@cache
def _words(surface: Surface) -> tuple[str, ...]:
    return surface.row.words


def local_names(view: SourceView, *words: str) -> dict[str, str]:
    """Return the names that the imports with one of `words` bind, with the full name of each."""
    found: dict[str, str] = {}
    for line in view.imports_with(*words):
        for stmt, _ in line.statement.statements:
            found |= _names_of(stmt)
    return found


def _imported_as(binding: Binding, name: str) -> str | None:
    for stmt, _ in binding.line.statement.statements if binding.line is not None else ():
        full = _names_of(stmt).get(name)
        if full is not None:
            return full
    return None


def _names_of(stmt: cst.CSTNode) -> dict[str, str]:
    """Return what a statement imports: the name in the file, and the full one."""
    if isinstance(stmt, cst.Import):
        return {
            alias or name.partition(".")[0]: name if alias else name.partition(".")[0] for name, alias in modules(stmt)
        }
    if isinstance(stmt, cst.ImportFrom) and not stmt.relative:
        return {alias or name: f"{module_of(stmt)}.{name}" for name, alias in imported(stmt)}
    return {}


def _is_none(binding: Binding) -> bool:
    return isinstance(binding.value, cst.Name) and not is_name(binding.value) and binding.value.value == "None"


def comes_from(view: SourceView, name: str, modules: AbstractSet[str]) -> bool | None:
    """Return whether a name is imported from modules that have one of `modules` in their dotted names; `None`: the file doesn't bind it."""
    bindings = view.names.bindings(name)
    if not bindings:
        return None
    headers = [b.line.statement.header if b.line is not None else None for b in bindings]
    return all(isinstance(h, cst.ImportFrom) and not modules.isdisjoint(module_of(h).split(".")) for h in headers)
