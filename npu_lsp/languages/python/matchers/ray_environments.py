"""Variables that Ray gives its workers: `ray.init(runtime_env={"env_vars": {...}})`. It takes texts only."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.model import SyntaxFinding, ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.elements import DictEntry
from npu_lsp.languages.python.dataflow.entries import entries_of
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.tree.nodes import keyword, last, path
from npu_lsp.languages.python.view import SourceView
from npu_lsp.languages.variable_texts import NUMBERS, no_text

_TAKERS = frozenset({"options", "submit_job"})
"""Methods of what Ray makes that take a `runtime_env`, besides its own functions."""
_CLASS = "RuntimeEnv"
_LITERALS = (cst.Integer, cst.Float, cst.UnaryOperation)


def find(view: SourceView) -> None:
    """Add what is wrong with the values of variables that Ray gets."""
    if not view.source.lines_with("env_vars"):
        return
    for call, place in view.calls(view.lines_with("runtime_env", _CLASS)):
        for entry in _variables(view, call, place):
            if view.first_sight("ray", entry.key):
                view.syntax.extend(_finding(entry))


def _variables(view: SourceView, node: cst.Call, place: Place) -> Iterator[DictEntry]:
    """Yield the variables that Ray gets by a call."""
    name = last(node.func)
    if name == _CLASS:
        given = keyword(node, "env_vars")
        if given is not None:
            yield from entries_of(view, given, place).found
    elif name in _TAKERS or (path(node.func) or "").startswith("ray."):
        given = keyword(node, "runtime_env")
        for entry in entries_of(view, given, place).found if given is not None else ():
            if entry.name == "env_vars":
                yield from entries_of(view, entry.node, entry.place).found


def _finding(entry: DictEntry) -> Iterator[SyntaxFinding]:
    """Yield what is wrong with a value that is no text; what `True` was to say, nobody knows."""
    value, line = entry.value, entry.place.line
    if value.kind in NUMBERS:
        said = line.source(entry.node)
        written = f'"{value.data}"' if value.known and isinstance(entry.node, _LITERALS) else f"str({said})"
        yield from no_text(entry.name, value.span, said, None if value.kind is ValueKind.BOOL else written, "ray")
