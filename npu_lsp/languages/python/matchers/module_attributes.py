"""Objects of modules whose attributes are options that hold for the process: `torch.npu.config`."""

from __future__ import annotations

from npu_lsp.catalog.surfaces import ROWS, Row, Surface
from npu_lsp.languages.model import Form, Setting
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.class_members import member_value
from npu_lsp.languages.python.dataflow.modules import dotted, local_names, may_set
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.source import Role, RoleKind
from npu_lsp.languages.python.tree.nodes import path
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
    names = local_names(view, row.word)
    for name, full in names.items():
        for root in row.roots:
            if root == full or root.startswith(f"{full}."):
                view.roles.setdefault(name + root[len(full) :], Role(RoleKind.OPTIONS, surface))
    for assignment, place in view.assignments(lines):
        if isinstance(assignment.target, cst.Attribute) and assignment.value is not None:
            written = path(assignment.target) or ""
            # `self.config.size` is none, and who binds `self` need not be asked.
            if row.word in written or written.partition(".")[0] in names:
                _attribute(view, surface, row, assignment.target, assignment.value, place)


def _attribute(
    view: SourceView, surface: Surface, row: Row, target: cst.Attribute, value: cst.BaseExpression, place: Place
) -> None:
    """Add what an assignment gives to an attribute of one of the objects."""
    full = dotted(view, target, place.line) or ""
    root = next((each for each in row.roots if full.startswith(f"{each}.")), "")
    name = full[len(root) + 1 :]
    thing, dot, _ = name.partition(".")
    if not root or not dot or thing not in row.objects:
        return
    receiver = place.line.source(target.value)
    view.blocks.begin(surface, surface, place.line.span(target.value), receiver)
    setting = Setting(
        surface=surface,
        name=name,
        key=place.line.span(target.attr),
        value=member_value(view, value, place, view.value(value, place), row.members),
        form=Form.ATTRIBUTE,
        statement=place.statement,
        own=place.statement,
        branch=place.branch,
        receiver=receiver,
    )
    view.blocks.add(surface, setting)
