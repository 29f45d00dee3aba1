"""`init()` of MindSpore above what must stand before it: it opens the device as it is set then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.languages.branches import Branch, certain
from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.python.dataflow.modules import dotted
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.tree.nodes import keywords
from npu_lsp.languages.python.tree.statement import Call
from npu_lsp.languages.python.view import SourceView

_INIT = ("mindspore.communication.init", "mindspore.communication.management.init")
_SETS = {
    f"{module}.{name}": name
    for module in ("mindspore", "mindspore.context")
    for name in ("set_context", "set_ps_context", "set_device")
}
_OF_DEVICE = frozenset({"device_id", "device_target"})
"""The arguments of `set_context` that say which device is opened (ms: mindspore/python/mindspore/context.py)."""


class _At(NamedTuple):
    """Where a call stands."""

    row: int
    branch: Branch
    function: int


def find(view: SourceView) -> None:
    """Note each call that comes too late: below an `init()` on its path, where none says above it which device to open."""
    if not view.source.occurrences.substring("mindspore"):
        return
    opened = [_at(view, line, call) for line, call, _ in _calls(view, "init", _INIT)]
    if not opened:
        return
    above: list[int] = []
    for line, call, name in _calls(view, "set_", tuple(_SETS)):
        function, at = _SETS[name], _at(view, line, call)
        given = [argument for argument, _ in keywords(call.node)]
        if function == "set_context" and _OF_DEVICE.isdisjoint(given):
            continue
        late = any(_is_above(each, at) for each in opened)
        # A file that chooses its device in time may say more of it later.
        if late and (function == "set_ps_context" or not any(each < at.row for each in above)):
            said = {"function": function}
            view.syntax.append(SyntaxFinding(SyntaxFault.SET_BEHIND_INIT, line.span(call.node.func), said))
        if function != "set_ps_context":
            above.append(at.row)


def _calls(view: SourceView, word: str, names: tuple[str, ...]) -> Iterator[tuple[Line, Call, str]]:
    for line in view.lines_with(word):
        for call in line.statement.calls:
            name = dotted(view, call.node.func, line)
            if name in names:
                yield line, call, name


def _at(view: SourceView, line: Line, call: Call) -> _At:
    branch = view.place(line, inline=call.inline).branch
    return _At(line.index, branch, view.source.scopes.scope(line.index))


def _is_above(opened: _At, late: _At) -> bool:
    """Tell whether a call of `init` runs before another one whenever that runs."""
    same = opened.function == late.function
    return same and opened.row < late.row and certain(opened.branch, late.branch)
