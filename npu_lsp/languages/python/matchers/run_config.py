"""`NPURunConfig(...)` and the objects that it takes: `DumpConfig(...)` and its like, inside it or under a name."""

from __future__ import annotations

from collections.abc import Hashable

from npu_lsp.catalog.calls import RUN_CONFIG, RUN_CONFIG_PARTS
from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, Value, ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.elements import DictEntry
from npu_lsp.languages.python.dataflow.entries import entries_of, keyword_entry
from npu_lsp.languages.python.dataflow.modules import comes_from
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.source import Role, RoleKind
from npu_lsp.languages.python.tree.nodes import imported, is_name, last, positional
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.spans import Span

_MODULES = frozenset({"npu_bridge", "npu_device", "npu_config"})
"""Parts of the names of TF Adapter's modules. `torchtitan_npu` and its like have a `ProfilingConfig`, too."""
_SIGNS = ("npu_bridge", "npu_device", RUN_CONFIG)
_MAX_DEPTH = 4


def find(view: SourceView) -> None:
    """Add a block for each call, with what the objects in it set."""
    _RunConfigs(view).find()


class _RunConfigs:
    def __init__(self, view: SourceView) -> None:
        self._view = view
        self._taken: set[tuple[int, int]] = set()
        """Calls that are part of another one's block."""
        self._nested_names = self._called(*RUN_CONFIG_PARTS)

    def find(self) -> None:
        view = self._view
        for names in (self._called(RUN_CONFIG), self._nested_names):
            for call, place in view.calls(view.lines_with(*names)):
                name = names.get(self._name(call) or "")
                if name is None or (name in RUN_CONFIG_PARTS and not self._is_ours(self._name(call) or "")):
                    continue
                if (place.line.index, place.line.span(call).start) not in self._taken:
                    self._block(call, name, place)

    def _called(self, *names: str) -> dict[str, str]:
        """Return the names by which the file calls something, and what each really is."""
        found = {name: name for name in names}
        for stmt, _ in self._view.statements(self._view.lines_with(*names)):
            if isinstance(stmt, cst.ImportFrom):
                found |= {alias: name for name, alias in imported(stmt) if alias and name in names}
        self._view.roles |= {
            name: Role(RoleKind.CALL, Surface.RUN_CONFIG, real) for name, real in found.items() if name != real
        }
        return found

    def _is_ours(self, name: str) -> bool:
        """Return whether a class is TF Adapter's: other libraries have a `DumpConfig`, too."""
        ours = comes_from(self._view, name, _MODULES)
        return any(self._view.source.occurrences.prefix(sign) for sign in _SIGNS) if ours is None else ours

    def _name(self, call: cst.Call) -> str | None:
        name = last(call.func)
        if name == "partial" and (given := positional(call)):
            return last(given[0].value)
        return name

    def _block(self, call: cst.Call, name: str, place: Place) -> None:
        view, line = self._view, place.line
        key = ("run_config", line.index, line.span(call).start)
        called = call.args[0].value if last(call.func) == "partial" else call.func
        end = line.span(called).end
        view.blocks.begin(key, Surface.RUN_CONFIG, Span(end - len(last(called) or name), end))
        view.blocks.keep(key)
        self._arguments(key, call, "" if name == RUN_CONFIG else name + ".", place, 0)

    def _arguments(self, key: Hashable, call: cst.Call, prefix: str, place: Place, depth: int) -> None:
        """Add what a call sets."""
        view = self._view
        self._taken.add((place.line.index, place.line.span(call).start))
        for argument in call.args:
            if argument.keyword is None and argument.star != "**":
                view.blocks.leave_open(key)
                continue
            entry = keyword_entry(view, argument, place, Form.KEYWORD)
            if entry is not None:
                self._setting(key, entry, prefix, depth)
                continue
            more = entries_of(view, argument.value, place)
            if not more.complete:
                view.blocks.leave_open(key)
            for found in more.found:
                self._setting(key, found, prefix, depth)

    def _setting(self, key: Hashable, entry: DictEntry, prefix: str, depth: int) -> None:
        value = entry.value
        nested = self._nested(entry.node, entry.place) if depth < _MAX_DEPTH else None
        if nested is not None:
            value = Value(ValueKind.OBJECT, value.span, True, self._real(nested[0]))
        setting = entry._replace(value=value).setting(Surface.RUN_CONFIG, prefix + entry.name)
        self._view.blocks.add(key, setting)
        if nested is None:
            return
        call, place = nested
        if (place.line.index, place.line.span(call).start) in self._taken:
            # Another block shows what it sets.
            self._view.blocks.leave_open(key)
            return
        at = entry.place if place.line.index == entry.place.line.index else Place(place.line, entry.place.branch)
        self._arguments(key, call, self._real(call) + ".", at, depth + 1)

    def _nested(self, node: cst.BaseExpression, place: Place) -> tuple[cst.Call, Place] | None:
        """Return the call that makes a nested object, here or under a name."""
        if is_name(node) or isinstance(node, cst.Attribute):
            found = self._view.evaluate.definition(node, place)
            if found is None:
                return None
            node, place = found
        return (node, place) if isinstance(node, cst.Call) and self._real(node) else None

    def _real(self, call: cst.Call) -> str:
        """Return the real name of the class of a nested object that a call makes; of anything else, nothing."""
        return self._nested_names.get(last(call.func) or "", "")
