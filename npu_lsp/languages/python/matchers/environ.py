"""Environment variables that a script sets: for itself in `os.environ`, for a process with `env=`."""

from __future__ import annotations

import re
from collections.abc import Iterable

import libcst as cst

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, Value
from npu_lsp.languages.python.dataflow.contexts import CallContext, CallContexts
from npu_lsp.languages.python.dataflow.elements import DictEntry
from npu_lsp.languages.python.dataflow.entries import entries_of, made_of
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.source import Line, Role, RoleKind
from npu_lsp.languages.python.tree.nodes import (
    imported,
    index_of,
    is_name,
    keyword,
    last,
    module_of,
    modules,
    names_in,
    path,
    positional,
)
from npu_lsp.languages.python.tree.statement import Call
from npu_lsp.languages.python.view import SourceView
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text.spans import Span

_KEY = "environ"
_OWN = frozenset({"os.environ", "environ"})
_READS = frozenset({"os.getenv", "getenv"})
_PUTS = frozenset({"os.putenv", "putenv"})
_STARTS = frozenset({"run", "call", "check_call", "check_output", "Popen", "execve", "create_subprocess_exec"})
# Of these the last argument is the environment.
_REPLACING = re.compile(r"os\.(?:exec|spawn)[vl]p?e")


def find(view: SourceView, contexts: CallContexts) -> None:
    """Add one block for the script's own variables, and one for each process that is given some."""
    found = _Environment(view, contexts)
    for line in view.lines_with("environ", "putenv", *sorted(found.aliases)):
        found.in_line(line)
    for line in view.lines_with("env", whole=True):
        for call in line.statement.calls:
            found.given(line, call)
    for line in view.lines_with("os.exec", "os.spawn"):
        for call in line.statement.calls:
            arguments = positional(call.node)
            if arguments and _REPLACING.fullmatch(path(call.node.func) or ""):
                found.gets(line, call, arguments[-1].value)


class _Environment:
    def __init__(self, view: SourceView, contexts: CallContexts) -> None:
        self._view = view
        self._contexts = contexts
        self._own, self._puts = _imported(view)
        self.aliases = {
            target.value
            for line in view.lines_with("environ")
            for a in line.statement.assignments
            if is_name(target := a.target) and a.value is not None and path(a.value) in self._own
        } | {name for name in (*self._own, *self._puts) if "." not in name}

        view.roles |= {
            name: Role(RoleKind.ENVIRONMENT, Surface.ENV) for name in self.aliases - _OWN if name not in self._puts
        }

    def in_line(self, line: Line) -> None:
        """Add what a line puts into the script's own environment."""
        view = self._view
        for assignment in line.statement.assignments:
            target = assignment.target
            statement = line.span(assignment.statement)
            place = view.place(line, inline=assignment.inline)
            if isinstance(target, cst.Subscript) and self._is_own(target.value, place) and assignment.value is not None:
                self._put(index_of(target), assignment.value, place, statement, Form.SUBSCRIPT)
            elif isinstance(assignment.statement, cst.AugAssign) and self._is_own(target, place):
                self._take(entries_of(view, assignment.statement.value, place, statement).found)
        for call in line.statement.calls:
            self._called(call, view.place(line, inline=call.inline), line.span(call.statement))

    def _called(self, call: Call, place: Place, statement: Span) -> None:
        """Add what a call puts into it."""
        node, function = call.node, call.node.func
        given = [a.value for a in positional(node)]
        if path(function) in self._puts and len(given) == 2:
            self._put(given[0], given[1], place, statement, Form.ITEM)
        elif not isinstance(function, cst.Attribute) or not self._is_own(function.value, place):
            return
        elif function.attr.value in ("setdefault", "__setitem__") and len(given) == 2:
            self._put(given[0], given[1], place, statement, Form.ITEM)
        elif function.attr.value == "update":
            self._take(made_of(self._view, node, place, statement).found)

    def given(self, line: Line, call: Call) -> None:
        """Add what a process gets by `env=`."""
        name = last(call.node.func)
        node = keyword(call.node, "env")
        if name in _STARTS and node is not None:
            self.gets(line, call, node)

    def gets(self, line: Line, call: Call, node: cst.BaseExpression) -> None:
        """Add what a process gets whose environment is `node`."""
        statement = line.span(call.statement)
        entries = entries_of(self._view, node, self._view.place(line, inline=call.inline), statement)
        found = [e for e in entries.found if is_variable(e.name)]
        if found:
            key = (_KEY, line.index, line.span(call.node).start)
            self._view.blocks.begin(key, Surface.ENV, found[0].key)
            # The process may get others from its parent.
            self._view.blocks.leave_open(key)
            self._take(found, key)

    def _is_own(self, node: cst.BaseExpression, place: Place) -> bool:
        if path(node) in self._own:
            return True
        if not (is_name(node) and node.value in self.aliases):
            return False
        visible = self._view.names.visible(node.value, place.line.index)
        return bool(visible) and all(b.value is not None and path(b.value) in self._own for b in visible)

    def _put(
        self, key: cst.BaseExpression | None, value: cst.BaseExpression, place: Place, statement: Span, form: Form
    ) -> None:
        if key is None:
            return
        evaluate = self._view.evaluate
        name = evaluate.text(key, place)
        if name is not None:
            at = evaluate.content(key, place)
            if self._restores(name, value, place):
                self._view.first_sight("variable", at)
                return
            context = CallContext({}, statement, statement, place.branch)
            self._add(name, at, evaluate.value(value, place), form, context)
            return
        for context in self._contexts.of(place, names_in(key)) or ():
            inside = Place(place.line, place.branch, context.given)
            name = evaluate.text(key, inside)
            written = self._contexts.site(key, inside)
            if name is not None and written is not None:
                at = evaluate.content(written[0], Place(written[1]))
                self._add(name, at, self._contexts.value(value, inside, context), Form.ITEM, context)

    def _restores(self, variable: str, value: cst.BaseExpression, place: Place) -> bool:
        """Tell whether a variable gets back what it had: `old = environ.get("X")` … `environ["X"] = old` sets nothing."""
        bound = self._view.names.visible(value.value, place.line.index) if is_name(value) else ()
        return bool(bound) and all(
            each.value is not None
            and each.line is not None
            and self._read(each.value, Place(each.line, each.branch)) == variable
            for each in bound
        )

    def _read(self, node: cst.BaseExpression, place: Place) -> str | None:
        """Return the name of the variable that an expression reads, where it stands for nothing else."""
        if isinstance(node, cst.Subscript):
            key = index_of(node) if self._is_own(node.value, place) else None
            return self._view.evaluate.text(key, place) if key is not None else None
        if not isinstance(node, cst.Call):
            return None
        function, given = node.func, [a.value for a in positional(node)]
        reads = path(function) in _READS or (
            isinstance(function, cst.Attribute)
            and function.attr.value in ("get", "pop")
            and self._is_own(function.value, place)
        )
        # With a default of its own the variable gets that.
        alone = len(given) == 1 or (len(given) == 2 and isinstance(given[1], cst.Name) and given[1].value == "None")
        return self._view.evaluate.text(given[0], place) if reads and alone else None

    def _take(self, entries: Iterable[DictEntry], key: object = _KEY) -> None:
        for e in entries:
            self._add(e.name, e.key, e.value, e.form, CallContext({}, e.own, e.statement, e.place.branch), key)

    def _add(self, name: str, at: Span, value: Value, form: Form, context: CallContext, key: object = _KEY) -> None:
        setting = context.setting(Surface.ENV, name, at, value, form)
        if setting is None or not is_variable(name):
            return
        self._view.first_sight("variable", at)
        self._view.blocks.begin(key, Surface.ENV, at)
        self._view.blocks.leave_open(key)
        self._view.blocks.add(key, setting)


def _imported(view: SourceView) -> tuple[frozenset[str], frozenset[str]]:
    """Return what the file calls the environment, and what it calls `putenv`."""
    own, puts = set(_OWN), set(_PUTS)
    for line in view.lines_with("environ as", "putenv as", "os as"):
        stmt = line.statement.header
        if isinstance(stmt, cst.Import):
            for module in (alias for name, alias in modules(stmt) if name == "os" and alias):
                own.add(f"{module}.environ")
                puts.add(f"{module}.putenv")
        elif isinstance(stmt, cst.ImportFrom) and module_of(stmt) == "os":
            own |= {alias for name, alias in imported(stmt) if name == "environ" and alias}
            puts |= {alias for name, alias in imported(stmt) if name == "putenv" and alias}
    return frozenset(own), frozenset(puts)
