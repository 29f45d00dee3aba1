"""Environment variables that a script sets: for itself in `os.environ`, for a process with `env=`."""

from __future__ import annotations

from collections.abc import Iterable

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, Value
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.contexts import CallContext, contexts_of
from npu_lsp.languages.python.dataflow.elements import DictEntry
from npu_lsp.languages.python.dataflow.entries import entries_of, made_of
from npu_lsp.languages.python.dataflow.modules import local_names
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.dataflow.objects import Alias, aliases, objects_of
from npu_lsp.languages.python.source import Role, RoleKind
from npu_lsp.languages.python.tree.nodes import index_of, is_name, keyword, last, names_in, path, positional
from npu_lsp.languages.python.tree.statement import Assignment
from npu_lsp.languages.python.view import SourceView
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_KEY = "environ"
_OWN = frozenset({"os.environ", "environ"})
_CHANGING = frozenset({"setdefault", "__setitem__", "update"})
_READS = frozenset({"os.getenv", "getenv"})
_PUTS = frozenset({"os.putenv", "putenv"})
_STARTS = frozenset({"run", "call", "check_call", "check_output", "Popen", "execve", "create_subprocess_exec"})
# Of these the last argument is the environment.
_REPLACING = re.compile(r"os\.(?:exec|spawn)[vl]p?e")


def find(view: SourceView) -> None:
    """Add one block for the script's own variables, and one for each process that is given some."""
    found = _Environment(view)
    lines = view.lines_with("environ", "putenv", *sorted(found.aliases))
    for assignment, place in view.assignments(lines):
        found.assigned(assignment, place)
    for call, place in view.calls(lines):
        found.called(call, place)
    for call, place in view.calls(view.lines_with("env", whole=True)):
        node = keyword(call, "env")
        if node is not None and last(call.func) in _STARTS:
            found.gets(call, place, node)
    for call, place in view.calls(view.lines_with("os.exec", "os.spawn")):
        arguments = positional(call)
        if arguments and _REPLACING.fullmatch(path(call.func) or ""):
            found.gets(call, place, arguments[-1].value)


class _Environment:
    def __init__(self, view: SourceView) -> None:
        self._view = view
        self._own, self._puts = _imported(view)
        found: dict[str, Alias] = {}
        aliases(view, view.lines_with("environ"), lambda value, place, _: self._is_own(value, place), found)
        own = {name for name in (*self._own, *self._puts) if "." not in name}
        self.aliases = own | {name for name in found if "." not in name}
        view.roles |= {
            name: Role(RoleKind.ENVIRONMENT, Surface.ENV) for name in self.aliases - _OWN if name not in self._puts
        }

    def assigned(self, assignment: Assignment, place: Place) -> None:
        """Add what an assignment puts into the script's own environment."""
        target, stmt = assignment.target, assignment.statement
        if isinstance(target, cst.Subscript) and self._is_own(target.value, place) and assignment.value is not None:
            self._put(index_of(target), assignment.value, place, Form.SUBSCRIPT)
        elif isinstance(stmt, cst.AugAssign) and self._is_own(target, place):
            self._take(entries_of(self._view, stmt.value, place).found)

    def called(self, node: cst.Call, place: Place) -> None:
        """Add what a call puts into it."""
        function, given = node.func, [a.value for a in positional(node)]
        if path(function) in self._puts and len(given) == 2:
            self._put(given[0], given[1], place, Form.ITEM)
        elif (
            not isinstance(function, cst.Attribute)
            or function.attr.value not in _CHANGING
            or not self._is_own(function.value, place)
        ):
            return
        elif function.attr.value == "update":
            self._take(made_of(self._view, node, place).found)
        elif len(given) == 2:
            self._put(given[0], given[1], place, Form.ITEM)

    def gets(self, call: cst.Call, place: Place, node: cst.BaseExpression) -> None:
        """Add what a process gets whose environment is `node`."""
        found = [e for e in entries_of(self._view, node, place).found if is_variable(e.name)]
        if found:
            key = (_KEY, place.line.index, place.line.span(call).start)
            self._view.blocks.begin(key, Surface.ENV, found[0].key)
            # The process may get others from its parent.
            self._view.blocks.leave_open(key)
            self._take(found, key)

    def _is_own(self, node: cst.BaseExpression, place: Place) -> bool:
        """Return whether an expression is the script's environment for sure."""
        if path(node) in self._own:
            return True
        origins = objects_of(self._view).origins(node, place) if is_name(node) else ()
        return bool(origins) and all(o.node is not None and path(o.node) in self._own for o in origins)

    def _put(self, key: cst.BaseExpression | None, value: cst.BaseExpression, place: Place, form: Form) -> None:
        if key is None:
            return
        view, contexts = self._view, contexts_of(self._view)
        name = view.text(key, place)
        if name is not None:
            at = view.content(key, place)
            if self._restores(name, value, place):
                view.first_sight("variable", at)
                return
            context = CallContext({}, place.statement, place.statement, place.branch)
            self._add(name, at, view.value(value, place), form, context)
            return
        for context in contexts.of(place, names_in(key)) or ():
            inside = place._replace(given=context.given)
            name, written = view.text(key, inside), contexts.site(key, inside)
            if name is not None and written is not None:
                at = view.content(written[0], Place(written[1]))
                self._add(name, at, contexts.value(value, inside, context), Form.ITEM, context)

    def _restores(self, variable: str, value: cst.BaseExpression, place: Place) -> bool:
        """Return whether a variable gets back what it had: `old = environ.get("X")` … `environ["X"] = old` sets nothing."""
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
            return self._view.text(key, place) if key is not None else None
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
        return self._view.text(given[0], place) if reads and alone else None

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
    for name, full in local_names(view, "environ as", "putenv as", "os as").items():
        if full == "os":
            own.add(f"{name}.environ")
            puts.add(f"{name}.putenv")
        elif full in ("os.environ", "os.putenv"):
            (own if full == "os.environ" else puts).add(name)
    return frozenset(own), frozenset(puts)
