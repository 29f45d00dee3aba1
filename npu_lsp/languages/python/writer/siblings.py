"""Lists and dicts under a name that is used in a way for which their number of elements, or one of them, counts."""

from __future__ import annotations

from typing import NamedTuple

from npu_lsp.languages.model import Setting
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.source import LogicalLine, source_of
from npu_lsp.languages.python.tree.nodes import callee, is_name, parts, walk
from npu_lsp.languages.python.tree.statement import Statement
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memo, Memoized
from npu_lsp.text.spans import Span

Holder = cst.Call | cst.Dict | cst.List | cst.Tuple | cst.Set


def items(node: Holder, line: LogicalLine) -> list[Span]:
    """Return the places of the arguments of a call, the pairs of a dict or the elements of a list, in order."""
    if isinstance(node, cst.Dict):
        return [line.span(e) for e in node.elements]
    if isinstance(node, cst.Call):
        return [line.span(a if a.keyword is not None or a.star else a.value) for a in node.args]
    return [line.span(e) for e in parts(node)]


class Siblings(NamedTuple):
    """The parts of one call or dict, between their brackets."""

    parts: tuple[Span, ...]
    end: int
    """Where the closing bracket stands."""
    is_tuple: bool = False
    """Its last part needs its comma when it is the only one."""
    is_list: bool = False
    """It has any number of parts: a list, a tuple or a set, not what a call must be given."""


_COUNTS: frozenset[str | None] = frozenset({"enumerate", "zip"})
_PARTS: Memo[Statement, tuple[int, dict[Span, Siblings]]] = Memo()
"""Where a statement started when its parts were looked up, and what each stands beside."""


def line_of(document: Document, offset: int) -> LogicalLine | None:
    """Return the logical line at `offset`."""
    source = source_of(document)
    index = source.logical_lines.at(offset)
    return source.line(index) if index is not None else None


def siblings(document: Document, setting: Setting) -> Siblings | None:
    """Return the call or the dict that a setting is a part of, or `None` where it is a statement of its own."""
    line = line_of(document, setting.own.start)
    if line is None or setting.own == setting.statement:
        return None
    return _parts_of(line).get(setting.own)


def list_around(document: Document, span: Span) -> Siblings | None:
    """Return the list that elements from the start of `span` to its end stand in, or `None` where they stand in none."""
    line = line_of(document, span.start)
    found = [around for part, around in _parts_of(line).items() if part.start == span.start] if line is not None else []
    fits = (a for a in found if a.is_list and any(part.start == span.start for part in a.parts))
    return next((a for a in fits if any(part.end == span.end for part in a.parts)), None)


def _parts_of(line: LogicalLine) -> dict[Span, Siblings]:
    known = _PARTS.known(line.statement)
    if known is None or known[0] != line.start:
        known = _PARTS.keep(line.statement, (line.start, _by_part(line)))
    return known[1]


def _by_part(line: LogicalLine) -> dict[Span, Siblings]:
    """Return what each part of a line's calls and dicts stands beside: a call may have as many parts as are asked for."""
    found: dict[Span, Siblings] = {}
    for stmt, _ in line.statement.statements:
        counted: set[cst.BaseExpression] = set()
        for node in walk(stmt, suites=False):
            if isinstance(node, cst.Call) and callee(node) in _COUNTS:
                # What goes with the others counts on their number.
                counted.update(argument.value for argument in node.args)
            if isinstance(node, (cst.Call, cst.Dict, cst.List, cst.Tuple, cst.Set)) and node not in counted:
                parts = tuple(items(node, line))
                bare = isinstance(node, cst.Tuple) and not node.lpar
                of_list = isinstance(node, (cst.List, cst.Tuple, cst.Set))
                around = Siblings(parts, line.span(node).end - (not bare), isinstance(node, cst.Tuple), of_list)
                for part in parts:
                    found.setdefault(part, around)
    return found


def is_sole(document: Document, setting: Setting) -> bool:
    """Return whether the statement of a setting gives nothing else a value: not `x = op.parameter_map["k"].s = value`."""
    start, end = setting.statement
    line = line_of(document, start)
    if line is None or ":=" in document.text[start:end]:
        return False
    return all(a.alone or line.span(a.statement) != setting.statement for a in line.statement.assignments)


def does_nothing_else(document: Document, setting: Setting) -> bool:
    """Return whether the statement of a setting gives its value and nothing more: no name gets it, and nobody waits for a result."""
    line = line_of(document, setting.statement.start)
    stmt = next((s for s, _ in line.statement.statements if line.span(s) == setting.statement), None) if line else None
    if line is None or stmt is None or not is_sole(document, setting):
        return False
    if isinstance(stmt, (cst.Assign, cst.AnnAssign, cst.AugAssign)):
        target = stmt.targets[0].target if isinstance(stmt, cst.Assign) else stmt.target
        given = stmt.value is not None and setting.key.within(line.span(stmt.value))
        return not given and not isinstance(target, cst.Name)
    if not isinstance(stmt, cst.Expr) or not isinstance(stmt.value, cst.Call):
        return False
    calls = (node for node in walk(stmt, suites=False) if isinstance(node, cst.Call) and node is not stmt.value)
    return not any(setting.key.within(line.span(node)) for node in calls)


_REACH = 200
# `enumerate(names`, `zip(keys, names`, `len(names`, and `first, second = names`.
_COUNTING = re.compile(r"(?:\b(?:enumerate|zip|len)[ \t]*\([^)\n]{0,200}|^[^=,\n]*,[^=\n]*=[ \t]*)\Z", re.MULTILINE)
_INDEX = re.compile(r"[ \t]*\[")
_KEY = re.compile(r"(?:[ \t]*\[|\.(?:get|pop)\()[ \t]*(?P<quote>['\"])(?P<key>[^'\"\n]*)(?P=quote)")


class _Uses(NamedTuple):
    """How a file uses a name."""

    counted: bool = False
    indexed: bool = False
    keys: frozenset[str] = frozenset()
    """Texts that are asked for as keys."""


def is_counted(document: Document, setting: Setting, around: Siblings) -> bool:
    """Return whether something in the file counts on the element of the list or dict `around` that gives `setting`."""
    line = line_of(document, setting.own.start)
    for assignment in line.statement.assignments if line is not None else ():
        target, value = assignment.target, assignment.value
        if line is None or value is None or not is_name(target) or line.span(value).end - 1 != around.end:
            continue
        uses = _uses(document, target.value)
        if uses.counted or setting.name in uses.keys or (around.is_list and uses.indexed):
            return True
    return False


@Memoized
def _uses(document: Document, name: str) -> _Uses:
    text, counted, indexed = document.text, False, False
    keys: set[str] = set()
    for at in source_of(document).occurrences.name(name):
        end = at + len(name)
        counted = counted or _COUNTING.search(text[max(0, at - _REACH) : at]) is not None
        indexed = indexed or _INDEX.match(text, end) is not None
        key = _KEY.match(text, end)
        if key is not None:
            keys.add(key["key"])
    return _Uses(counted, indexed, frozenset(keys))
