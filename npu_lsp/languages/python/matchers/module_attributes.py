"""Objects of modules whose attributes are options that hold for the process: `torch.npu.config`."""

from __future__ import annotations

import libcst as cst

from npu_lsp.catalog.surfaces import ROWS, Row, Surface
from npu_lsp.languages.model import Form, Setting
from npu_lsp.languages.python.dataflow.class_members import member_value
from npu_lsp.languages.python.dataflow.modules import dotted, local_names, may_set
from npu_lsp.languages.python.source import Line, Role, RoleKind
from npu_lsp.languages.python.view import SourceView


def find(view: SourceView) -> None:
    """Add one block for all attributes of a surface."""
    for surface, row in ROWS.items():
        if row.objects and may_set(view, row):
            _objects(view, surface, row)


def _objects(view: SourceView, surface: Surface, row: Row) -> None:
    lines = view.lines_with(*(f".{name}." for name in row.objects))
    if not lines:
        return
    for name, full in local_names(view, row.word).items():
        for root in row.roots:
            if root == full or root.startswith(f"{full}."):
                view.roles.setdefault(name + root[len(full) :], Role(RoleKind.OPTIONS, surface))
    for line in lines:
        _attributes(view, surface, row, line)


def _attributes(view: SourceView, surface: Surface, row: Row, line: Line) -> None:
    """Add what the assignments of a line give to attributes of the objects."""
    for assignment in line.statement.assignments:
        target = assignment.target
        if not isinstance(target, cst.Attribute) or assignment.value is None:
            continue
        full = dotted(view, target, line) or ""
        root = next((each for each in row.roots if full.startswith(f"{each}.")), "")
        name = full[len(root) + 1 :]
        thing, dot, _ = name.partition(".")
        if not root or not dot or thing not in row.objects:
            continue
        place = view.place(line, inline=assignment.inline)
        statement, receiver = line.span(assignment.statement), line.source(target.value)
        value = view.evaluate.value(assignment.value, place)
        view.blocks.begin(surface, surface, line.span(target.value), receiver)
        view.blocks.add(
            surface,
            Setting(
                surface=surface,
                name=name,
                key=line.span(target.attr),
                value=member_value(view, assignment.value, place, value, row.members),
                form=Form.ATTRIBUTE,
                statement=statement,
                own=statement,
                branch=place.branch,
                receiver=receiver,
            ),
        )
