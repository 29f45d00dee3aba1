"""Options that are attributes of an object: `npu.global_options().group.name = value`, TorchAir's `CompilerConfig`.

The object and its groups may have other names, and a function may get them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, Setting
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.contexts import CallContext, contexts_of
from npu_lsp.languages.python.dataflow.functions import arguments
from npu_lsp.languages.python.dataflow.modules import comes_from
from npu_lsp.languages.python.dataflow.names import Binding, Place
from npu_lsp.languages.python.dataflow.objects import Alias, aliases, made, objects_of
from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.source import Role, RoleKind
from npu_lsp.languages.python.tree.nodes import callee, imported, is_name, last, names_in, path, positional
from npu_lsp.languages.python.tree.statement import Assignment
from npu_lsp.languages.python.view import SourceView

_GLOBAL = "global_options"
_CONFIG, _CONFIG_MODULES = "CompilerConfig", frozenset({"torchair"})
_DEEPEST = 8
_MOST_CALLS = 50


class _Meant(NamedTuple):
    """What a dotted expression means."""

    group: str
    """The group in an object, or the option; empty: the object itself."""
    key: Hashable
    """That of the object's block."""
    receiver: cst.BaseExpression
    """The part of the expression that is the object, or a name for one of its groups."""


def find(view: SourceView) -> None:
    """Add the settings of TF Adapter's global options, and of each of TorchAir's configs."""
    # Other libraries have global options, too.
    if view.speaks_of_npu and view.source.occurrences.substring(_GLOBAL):
        names = _global_functions(view)
        words = (_GLOBAL, *sorted(names))
        # There is one object for the process, so one block for the file.
        _Attributes(view, Surface.GLOBAL_OPTIONS, lambda node: _is_global(node, names), _GLOBAL).find(words)
    if view.source.occurrences.substring("torchair") and comes_from(view, _CONFIG, _CONFIG_MODULES) is not False:
        _Attributes(view, Surface.TORCHAIR, _is_config).find((_CONFIG,))


def _is_config(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and last(node.func) == _CONFIG and not positional(node)


def _is_global(node: cst.BaseExpression, names: frozenset[str] = frozenset()) -> bool:
    return isinstance(node, cst.Call) and not node.args and (last(node.func) == _GLOBAL or callee(node) in names)


def _global_functions(view: SourceView) -> frozenset[str]:
    """Return other names of the function that gives the options, and functions of this file that return what it gives."""
    lines = view.lines_with(_GLOBAL)
    found = {
        each.target.value
        for each, _ in view.assignments(lines)
        if is_name(each.target) and each.value is not None and last(each.value) == _GLOBAL
    }
    for stmt, place in view.statements(lines):
        if isinstance(stmt, cst.ImportFrom):
            found |= {alias for name, alias in imported(stmt) if name == _GLOBAL and alias}
        elif isinstance(stmt, cst.Return) and stmt.value is not None and _is_global(stmt.value):
            index = view.source.scopes.function(place.line.index)
            header = view.source.line(index) if index != MODULE else None
            function = header.statement.header if header is not None else None
            if isinstance(function, cst.FunctionDef) and contexts_of(view).functions.is_single(function.name.value):
                found.add(function.name.value)
    return frozenset(found)


class _Attributes:
    """Finds the settings of one kind of object."""

    def __init__(
        self,
        view: SourceView,
        surface: Surface,
        is_root: Callable[[cst.BaseExpression], bool],
        shared: Hashable | None = None,
    ) -> None:
        """`is_root` tells whether an expression makes the object; `shared` is the key where all are one and the same."""
        self._view = view
        self._surface = surface
        self._is_root = is_root
        self._shared = shared
        self._names: dict[str, Alias] = {}
        self._parameters: dict[tuple[str, int], _Meant | None] = {}
        """What parameters stand for, by name and function."""

    def find(self, words: Iterable[str]) -> None:
        """Add every setting of the objects to their blocks; the lines with `words` may make one."""
        view = self._view
        lines = view.lines_with(*words)
        aliases(view, lines, self._gives_name, self._names)
        for written, alias in self._names.items():
            meant = self._meant(alias.value, alias.place)
            if meant is not None:
                view.roles[written] = Role(RoleKind.OPTIONS, self._surface, meant.group)
        more = view.lines_naming(*sorted({written.rpartition(".")[2] for written in self._names}))
        for _, line in sorted({line.index: line for line in (*lines, *more)}.items()):
            for assignment, place in view.assignments([line]):
                self._assigned(assignment, place)
            for call, place in view.calls([line]):
                if callee(call) == "setattr" and len(positional(call)) == 3:
                    self._set(call, place)

    def _gives_name(self, value: cst.BaseExpression, place: Place, target: cst.BaseExpression | None) -> bool:
        return self._meant(value, place) is not None and (target is None or self._option(target, place) is None)

    def _meant(self, node: cst.BaseExpression, place: Place, depth: int = 0) -> _Meant | None:
        """Return what an expression means: an object, a group in it, or an option of it."""
        names: list[str] = []
        while True:
            if self._is_root(node):
                return _Meant(".".join(reversed(names)), self._shared or made(node, place), node)
            named = self._named(node, place, depth) if path(node) in self._names else None
            if named is not None:
                group = ".".join(filter(None, (named.group, *reversed(names))))
                return _Meant(group, named.key, node)
            if not isinstance(node, cst.Attribute):
                return None
            names.append(node.attr.value)
            node = node.value

    def _named(self, node: cst.BaseExpression, place: Place, depth: int) -> _Meant | None:
        """Return what a name means, by the first of the expressions behind it that means anything."""
        for origin in objects_of(self._view).origins(node, place) if depth < _DEEPEST else ():
            if origin.node is None:
                found = self._parameter(origin.written, origin.binding, depth) if origin.binding is not None else None
            else:
                found = self._meant(origin.node, origin.place, depth + 1) if origin.node is not node else None
            if found is not None:
                is_object = origin.binding is not None and origin.node is not None and self._is_root(origin.node)
                return found._replace(key=self._shared or origin.key) if is_object else found
        return None

    def _parameter(self, name: str, binding: Binding, depth: int) -> _Meant | None:
        """Return what a parameter stands for in the first call that hands one of the objects over."""
        header = binding.line.statement.header if binding.line is not None else None
        functions = contexts_of(self._view).functions
        if (
            not isinstance(header, cst.FunctionDef)
            or binding.line is None
            or not functions.is_single(header.name.value)
        ):
            return None
        asked = name, binding.index
        if asked not in self._parameters:
            self._parameters[asked] = None
            for line, call in functions.calls_of(header.name.value)[:_MOST_CALLS]:
                bound = (arguments(header, binding.line, call.node, line, None) or {}).get(name)
                if bound is not None and bound.line is line:
                    found = self._meant(bound.node, self._view.place(line, call), depth + 1)
                    if found is not None:
                        self._parameters[asked] = found
        return self._parameters[asked]

    def _option(self, target: cst.BaseExpression, place: Place) -> _Meant | None:
        """Return the option that the target of an assignment is; a name that is given to an object sets nothing in it."""
        found = self._meant(target, place) if isinstance(target, cst.Attribute) else None
        return found if found is not None and found.group and found.receiver is not target else None

    def _assigned(self, assignment: Assignment, place: Place) -> None:
        view, line, target = self._view, place.line, assignment.target
        option = self._option(target, place)
        if option is None or assignment.value is None or not isinstance(target, cst.Attribute):
            return
        written = line.source(option.receiver)
        view.blocks.begin(option.key, self._surface, line.span(option.receiver), written)
        setting = Setting(
            surface=self._surface,
            name=option.group,
            key=line.span(target.attr),
            value=view.value(assignment.value, place),
            form=Form.ATTRIBUTE,
            statement=place.statement,
            own=place.statement,
            branch=place.branch,
            receiver=written,
        )
        view.blocks.add(option.key, setting)

    def _set(self, call: cst.Call, place: Place) -> None:
        """Add what `setattr(options, "name", value)` sets."""
        view = self._view
        owner, key_node, value_node = (a.value for a in positional(call))
        found = self._meant(owner, place)
        if found is None:
            return
        view.blocks.begin(found.key, self._surface, place.line.span(owner), place.line.source(owner))
        prefix = found.group + "." if found.group else ""
        name = view.text(key_node, place)
        if name is not None:
            at, value = view.content(key_node, place), view.value(value_node, place)
            own = CallContext({}, place.statement, place.statement, place.branch)
            view.blocks.add(found.key, own.setting(self._surface, prefix + name, at, value, Form.ITEM))
            return
        contexts = contexts_of(view)
        rounds = contexts.of(place, names_in(key_node))
        if rounds is None or any(context.open for context in rounds):
            view.blocks.leave_open(found.key)
        for context in rounds or ():
            inside = place._replace(given=context.given)
            name, written = view.text(key_node, inside), contexts.site(key_node, inside)
            if name is None or written is None:
                view.blocks.leave_open(found.key)
                continue
            at = view.content(written[0], Place(written[1]))
            if context.settled or view.first_sight(found.key, name, at):
                value = contexts.value(value_node, inside, context)
                view.blocks.add(found.key, context.setting(self._surface, prefix + name, at, value, Form.ITEM))
