"""`init()` of MindSpore above what must stand before it: it opens the device as it is set then."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from npu_lsp.languages.branches import certain
from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.python.dataflow.modules import dotted
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.tree.nodes import keywords
from npu_lsp.languages.python.view import SourceView

_INIT = ("mindspore.communication.init", "mindspore.communication.management.init")
_SETS = {
    f"{module}.{name}": name
    for module in ("mindspore", "mindspore.context")
    for name in ("set_context", "set_ps_context", "set_device")
}
_OF_DEVICE = frozenset({"device_id", "device_target"})
"""The arguments of `set_context` that say which device is opened (ms: mindspore/python/mindspore/context.py)."""


def find(view: SourceView) -> None:
    """Note each call that comes too late: below an `init()` on its path, where none says above it which device to open."""
    if not view.source.occurrences.substring("mindspore"):
        return
    opened = [place for _, place, _ in _calls(view, "init", _INIT)]
    if not opened:
        return
    above: list[int] = []
    for call, place, name in _calls(view, "set_", tuple(_SETS)):
        function, row = _SETS[name], place.line.index
        if function == "set_context" and _OF_DEVICE.isdisjoint(argument for argument, _ in keywords(call)):
            continue
        late = any(_is_above(view, each, place) for each in opened)
        # A file that chooses its device in time may say more of it later.
        if late and (function == "set_ps_context" or not any(each < row for each in above)):
            said = {"function": function}
            view.syntax.append(SyntaxFinding(SyntaxFault.SET_BEHIND_INIT, place.line.span(call.func), said))
        if function != "set_ps_context":
            above.append(row)


def _calls(view: SourceView, word: str, names: tuple[str, ...]) -> Iterator[tuple[cst.Call, Place, str]]:
    for call, place in view.calls(view.lines_with(word)):
        name = dotted(view, call.func, place.line)
        if name in names:
            yield call, place, name


def _is_above(view: SourceView, opened: Place, late: Place) -> bool:
    """Tell whether a call of `init` runs before another one whenever that runs."""
    scope, (here, there) = view.source.scopes.scope, (opened.line.index, late.line.index)
    return here < there and scope(here) == scope(there) and certain(opened.branch, late.branch)
