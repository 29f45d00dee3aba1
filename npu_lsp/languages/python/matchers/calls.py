"""Calls that take options, as arguments or in a dict: `_ExperimentalConfig(...)`, `set_option({...})`; each is a row of its surface.

ONNX Runtime's provider takes them in a pair, `("CANNExecutionProvider", {...})`, or as `provider_options` beside `providers`. It
makes texts of all values before it reads them. Source: onnxruntime:onnxruntime/python/onnxruntime_inference_collection.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from npu_lsp.catalog.calls import ArgumentCall, DictCall
from npu_lsp.catalog.surfaces import CALLS, ROWS, Surface
from npu_lsp.languages.model import Form, SyntaxFault, SyntaxFinding, Value, ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.class_members import as_member
from npu_lsp.languages.python.dataflow.elements import DictEntry
from npu_lsp.languages.python.dataflow.entries import entries_of, keyword_entry
from npu_lsp.languages.python.dataflow.modules import comes_from, dotted, local_names, may_set
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.source import LogicalLine, Role, RoleKind
from npu_lsp.languages.python.tree.constants import text_of
from npu_lsp.languages.python.tree.nodes import (
    argument_of,
    is_name,
    keyword,
    keywords,
    last,
    parts,
    path,
    positional,
    walk,
)
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Edit, Span

_MODE = re.compile(r"[01]|(?:\w+\.){0,3}(?:GRAPH|PYNATIVE)_MODE")
_FIRST = {"set_context": "mode"}
"""The argument that such a value is of."""
_SHOWN = 40
"""Characters of an argument that a message shows."""
_PROVIDER = "CANNExecutionProvider"


def find(view: SourceView) -> None:
    """Add a block for each call, or one for all that set the same options."""
    for surface, meant in CALLS:
        _dict_calls(view, surface, meant)
    for surface, row in ROWS.items():
        if row.arguments and may_set(view, row):
            _roles(view, surface, row.arguments, row.word)
            for taking in row.arguments:
                for call, place in view.calls(view.lines_with(f"{taking.name}("), taking.name):
                    if is_meant(view, call, place.line, taking):
                        _add_arguments(view, call, place, surface, taking)
    for stmt, place in view.statements(view.lines_with(_PROVIDER)):
        for node in walk(stmt, suites=False):
            for options in _provider_options(node):
                _add_provider(view, options, place)


def _dict_calls(view: SourceView, surface: Surface, meant: DictCall) -> None:
    lines = view.lines_with(meant.trigger)
    is_imported = bool(lines) and _is_imported(view, meant.name, meant.modules)
    if is_imported:
        view.roles.setdefault(meant.name, Role(RoleKind.CALL, surface, meant.name))
    for call, place in view.calls(lines, meant.name):
        module, _, called = (path(call.func) or "").rpartition(".")
        if called != meant.name or not (module.rpartition(".")[2] in meant.modules if module else is_imported):
            continue
        given = argument_of(call, meant.keyword, meant.position)
        if given is not None:
            key: Hashable = surface.value if meant.together else (surface.value, place.line.span(call))
            _begin(view, key, surface, call, place)
            _add_dict(view, key, surface, given, place)


def _is_imported(view: SourceView, name: str, modules: tuple[str, ...]) -> bool:
    """Return whether a name comes from one of the modules, and from nowhere else."""
    return len(view.names.bindings(name)) == 1 and bool(comes_from(view, name, frozenset(modules)))


def _begin(view: SourceView, key: Hashable, surface: Surface, call: cst.Call, place: Place) -> None:
    """Begin a block whose head is the function's name."""
    end = place.line.span(call.func).end
    view.blocks.begin(key, surface, Span(end - len(last(call.func) or ""), end))


def _add_dict(
    view: SourceView, key: Hashable, surface: Surface, node: cst.BaseExpression, place: Place, owner: str = ""
) -> None:
    """Add what a dict sets; `owner` is the name of the option whose value it is, with a dot."""
    entries = entries_of(view, node, place)
    if not entries.complete:
        view.blocks.leave_open(key)
    _add_all(view, key, surface, entries.found, owner)


def _add_all(view: SourceView, key: Hashable, surface: Surface, entries: Iterable[DictEntry], owner: str) -> None:
    is_nested = surface.row.nested == "entries"
    for entry in entries:
        value = entry.value
        if is_nested and isinstance(entry.node, cst.Dict) and value.kind is ValueKind.DICT:
            # What stands in it has settings of its own: only the opening bracket is this one's.
            value = value._replace(span=Span(value.span.start, value.span.start + 1))
        view.blocks.add(key, entry._replace(value=value).setting(surface, owner + entry.name))
        if is_nested and value.kind is ValueKind.DICT and entry.name not in surface.row.apart:
            _add_inner(view, key, surface, entry, owner + entry.name)


def _add_inner(view: SourceView, key: Hashable, surface: Surface, around: DictEntry, path: str) -> None:
    """Add what stands in a dict that is an option's value; some are of another surface."""
    other = dict(surface.row.inner).get(path)
    if other is None:
        _add_dict(view, key, surface, around.node, around.place, f"{path}.")
        return
    view.blocks.begin((other, around.key), Surface(other), around.key)
    _add_dict(view, (other, around.key), Surface(other), around.node, around.place)


# -- arguments --------------------------------------------------------------------------------------------


def is_meant(view: SourceView, call: cst.Call, line: LogicalLine, meant: ArgumentCall) -> bool:
    """Return whether a call is that of the function of one of the modules."""
    if last(call.func) != meant.name:
        return False
    module, _, name = (dotted(view, call.func, line) or "").rpartition(".")
    if name == meant.name and module in meant.modules:
        return True
    # A snippet shows the call with arguments that tell it: the import stands elsewhere on its page.
    is_shown = view.nest.depth and is_name(call.func) and not view.names.visible(meant.name, line.index)
    return bool(is_shown) and any(name in meant.shown_with for name, _ in keywords(call))


def _roles(view: SourceView, surface: Surface, calls: tuple[ArgumentCall, ...], word: str) -> None:
    """Note what the file's own names for the modules and functions are, for whoever completes code."""
    for name, full in local_names(view, word).items():
        for call in calls:
            if full in call.modules:
                view.roles.setdefault(f"{name}.{call.name}", Role(RoleKind.CALL, surface, call.name))
            elif name == call.name and full.rpartition(".")[0] in call.modules:
                view.roles.setdefault(name, Role(RoleKind.CALL, surface, call.name))


def _add_arguments(view: SourceView, call: cst.Call, place: Place, surface: Surface, meant: ArgumentCall) -> None:
    key: Hashable = (surface.value, place.line.index, place.line.span(call))
    _begin(view, key, surface, call, place)
    view.blocks.keep(key)
    if meant.keywords:
        _without_name(view, call, place.line, meant)
    members = surface.row.members
    found = (_located(view, as_member(view, each, members)) for each in _arguments(view, key, call, place, meant))
    _add_all(view, key, surface, found, meant.prefix)


def _located(view: SourceView, entry: DictEntry) -> DictEntry:
    """Return an argument with the place of the dict that it takes from a name."""
    if entry.value.kind is not ValueKind.DICT or not is_name(entry.node):
        return entry
    held = view.evaluate.container(entry.node, entry.place)
    return entry if held is None else entry._replace(value=entry.value._replace(origin=held[1].line.span(held[0])))


def _without_name(view: SourceView, call: cst.Call, line: LogicalLine, meant: ArgumentCall) -> None:
    """Note the first argument without a name, where Python takes none."""
    for argument in [each for each in positional(call) if not each.star][:1]:
        span = line.span(argument.value)
        word = view.source.text[span.start : span.end]
        first = _FIRST.get(meant.name, "")
        edits = (Edit(Span(span.start, span.start), f"{first}="),) if _MODE.fullmatch(word) and first else ()
        said = {"function": meant.name, "argument": word if len(word) <= _SHOWN else "..."}
        view.syntax.append(SyntaxFinding(SyntaxFault.POSITIONAL_ARGUMENT, span, said, edits))


def _arguments(
    view: SourceView, key: Hashable, call: cst.Call, place: Place, meant: ArgumentCall
) -> Iterator[DictEntry]:
    """Yield the arguments by their names."""
    rest = iter(meant.parameters)
    for argument in call.args:
        named = keyword_entry(view, argument, place, Form.KEYWORD)
        if named is not None:
            yield named
        elif argument.star == "**":
            more = entries_of(view, argument.value, place)
            if not more.complete:
                view.blocks.leave_open(key)
            yield from more.found
        else:
            name = next(rest, None) if not argument.star else None
            if name is None:
                view.blocks.leave_open(key)
                rest = iter(())
                continue
            node, own = argument.value, place.line.span(argument)
            span, value = place.line.span(node), view.value(node, place)
            yield DictEntry(name, node, span, node, place, value, Form.KEYWORD, place.statement, own)


# -- ONNX Runtime -----------------------------------------------------------------------------------------


def _provider_options(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    if isinstance(node, cst.Tuple) and len(node.elements) == 2:
        name, options = parts(node)
        if text_of(name) == _PROVIDER:
            yield options
    elif isinstance(node, cst.Call):
        names, given = keyword(node, "providers"), keyword(node, "provider_options")
        if isinstance(names, (cst.List, cst.Tuple)) and isinstance(given, (cst.List, cst.Tuple)):
            for name, options in zip(parts(names), parts(given), strict=False):
                if text_of(name) == _PROVIDER:
                    yield options


def _add_provider(view: SourceView, node: cst.BaseExpression, place: Place) -> None:
    entries = entries_of(view, node, place)
    if not entries.found:
        return
    key = _PROVIDER, place.line.start, place.line.span(node)
    view.blocks.begin(key, Surface.ONNXRUNTIME, entries.found[0].key)
    if not entries.complete:
        view.blocks.leave_open(key)
    found = (entry._replace(value=_written(entry.value)) for entry in entries.found)
    _add_all(view, key, Surface.ONNXRUNTIME, found, "")


def _written(value: Value) -> Value:
    """Return a value as the text that becomes of it."""
    if value.kind in (ValueKind.BOOL, ValueKind.INT, ValueKind.FLOAT) and value.known:
        return value._replace(kind=ValueKind.STRING, data=str(value.data))
    return value if value.kind in (ValueKind.STRING, ValueKind.BYTES) else Value(ValueKind.UNKNOWN, value.span)
