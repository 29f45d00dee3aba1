"""`custom_op.parameter_map["key"].slot = value`, and the optimizer that it belongs to."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from dataclasses import dataclass

from npu_lsp.catalog.model import Surface
from npu_lsp.readers.model import Form, Setting
from npu_lsp.readers.python.evaluate import Place
from npu_lsp.readers.python.receivers import Receivers
from npu_lsp.readers.python.statement import Assignment
from npu_lsp.readers.python.view import View

MAP = "parameter_map"


@dataclass(frozen=True, slots=True)
class Entry:
    """The parts of `receiver.parameter_map[key].slot`."""

    receiver: ast.expr
    map: ast.expr
    key: ast.expr
    slot: ast.Attribute


def entry_of(target: ast.expr) -> Entry | None:
    """Return the parts of an entry's field, or `None` where `target` is something else."""
    if not (isinstance(target, ast.Attribute) and isinstance(target.value, ast.Subscript)):
        return None
    subscript = target.value
    if isinstance(subscript.value, ast.Attribute) and subscript.value.attr == MAP:
        return Entry(subscript.value.value, subscript.value, subscript.slice, target)
    return None


def find(view: View, receivers: Receivers) -> None:
    """Add the settings that are written out in full."""
    for line in view.lines_with(MAP):
        for assignment in line.statement.assignments:
            entry = entry_of(assignment.target)
            if entry is None or assignment.value is None:
                continue
            place = view.place(line, inline=assignment.inline)
            name = view.evaluate.text(entry.key, place)
            if name is None:
                continue
            key = receivers.key(entry.receiver, place)
            add(view, key, entry, name, assignment, assignment.value, place)


def add(
    view: View, key: Hashable, entry: Entry, name: str, assignment: Assignment, value: ast.expr, place: Place
) -> None:
    """Add one setting to the block under `key`."""
    line = place.line
    receiver = line.source(entry.receiver)
    statement = line.span(assignment.statement)
    view.drafts.draft(key, Surface.SESSION, line.span(entry.receiver), receiver)
    view.drafts.setting(
        key,
        Setting(
            surface=Surface.SESSION,
            name=name,
            key=view.evaluate.content(entry.key, place),
            value=view.evaluate.value(value, place),
            form=Form.PARAMETER_MAP,
            statement=statement,
            own=statement,
            slot=entry.slot.attr,
            slot_span=view.name_span(entry.slot, line),
            branch=place.branch,
            receiver=receiver,
        ),
    )
