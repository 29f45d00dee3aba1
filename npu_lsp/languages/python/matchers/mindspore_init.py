"""`init()` of MindSpore above what must stand before it: it opens the device as it is set then."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.branches import Arm, Branch, dominates
from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.python.concrete import cst
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

_Opened = dict[tuple[int, Arm | None], dict[Branch, int]]
"""The first lines with an `init()`, by the branches that they stand in; those by the scope and the innermost arm."""


def find(view: SourceView) -> None:
    """Note each call that comes too late: below an `init()` on its path, where none says above it which device to open."""
    if not view.source.occurrences.substring("mindspore"):
        return
    opened = _opened(view)
    if not opened:
        return
    chosen: int | None = None
    for call, place, name in _calls(view, "set_", tuple(_SETS)):
        function, row = _SETS[name], place.line.index
        if function == "set_context" and _OF_DEVICE.isdisjoint(argument for argument, _ in keywords(call)):
            continue
        # A file that chooses its device in time may say more of it later.
        in_time = function != "set_ps_context" and chosen is not None and chosen < row
        if not in_time and _is_late(view, place, opened):
            said = {"function": function}
            view.syntax.append(SyntaxFinding(SyntaxFault.SET_BEHIND_INIT, place.line.span(call.func), said))
        if function != "set_ps_context":
            chosen = row if chosen is None else min(chosen, row)


def _calls(view: SourceView, word: str, names: tuple[str, ...]) -> Iterator[tuple[cst.Call, Place, str]]:
    for call, place in view.calls(view.lines_with(word)):
        name = dotted(view, call.func, place.line)
        if name in names:
            yield call, place, name


def _opened(view: SourceView) -> _Opened:
    """Return the calls of `init`."""
    found: _Opened = {}
    for _, place, _ in _calls(view, "init", _INIT):
        row = place.line.index
        key = view.source.scopes.scope(row), place.branch[-1] if place.branch else None
        rows = found.setdefault(key, {})
        rows[place.branch] = min(row, rows.get(place.branch, row))
    return found


def _is_late(view: SourceView, late: Place, opened: _Opened) -> bool:
    """Return whether a call of `init` runs before another one whenever that runs."""
    row = late.line.index
    scope = view.source.scopes.scope(row)
    return any(
        first < row and dominates(branch, late.branch)
        for arm in (None, *late.branch)
        for branch, first in opened.get((scope, arm), {}).items()
    )
