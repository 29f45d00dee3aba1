"""What a loop goes through, element by element, as far as the text tells: literals, and what is made of them.

for key, value in {"a": True}.items():          for key, value in zip(("a", "b"), (True, False)):
for index, key in enumerate(["a", "b"]):        for key, value in OPTIONS.items():
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.branches import Branch
from npu_lsp.languages.model import Form, Setting, Value
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.names import Bound, Place
from npu_lsp.languages.python.source import LogicalLine
from npu_lsp.languages.python.tree.nodes import has_stars, is_name, is_single, last, parts, path, positional
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.spans import Span

_MAX_DEPTH = 6
_PAIRS = frozenset({"items", "iteritems", "viewitems"})
_VALUES = frozenset({"values", "itervalues", "viewvalues"})
_KEYS = frozenset({"keys", "iterkeys", "viewkeys", "copy"})
_SAME = frozenset({"list", "tuple", "sorted", "reversed", "iter", "set", "OrderedDict"})
_SEQUENCES = (cst.List, cst.Tuple)


class DictEntry(NamedTuple):
    """A name and what a dict holds under it."""

    name: str
    key_node: cst.BaseExpression
    key: Span
    node: cst.BaseExpression
    """The value."""
    place: Place
    value: Value
    form: Form
    statement: Span
    own: Span
    key_place: Place | None = None
    """Where the name is written, if not in the place of the value."""

    def setting(self, surface: Surface, name: str | None = None) -> Setting:
        """Return what the entry sets, under the whole of its `name` where it is in a group."""
        return Setting(
            surface,
            name or self.name,
            self.key,
            self.value,
            self.form,
            self.statement,
            self.own,
            branch=self.place.branch,
        )


@dataclass(slots=True)
class Entries:
    """What is known of a dict."""

    found: list[DictEntry] = field(default_factory=list)
    complete: bool = True
    """False: there may be more in it."""


EntriesOf = Callable[[SourceView, cst.BaseExpression, Place], Entries]


class Element(NamedTuple):
    """What one round of a loop takes."""

    node: cst.BaseExpression | None
    """`None` where it can't be told, or is put together of `parts`."""
    line: LogicalLine
    """The line that holds what is this element's alone."""
    own: Span
    given: Mapping[str, Bound] | None = None
    parts: tuple[Element, ...] = ()
    branch: Branch = ()
    """The branches around the statement that puts it in."""


class Elements(NamedTuple):
    """What is known of a sequence."""

    found: list[Element]
    complete: bool = True
    """False: there may be more in it."""


class Sequences:
    """Finds the elements of what a loop goes through."""

    def __init__(self, view: SourceView, entries_of: EntriesOf) -> None:
        self._view = view
        self._entries_of = entries_of

    def of(self, node: cst.BaseExpression, place: Place, depth: int = 0) -> Elements | None:
        """Return the elements of `node`, or `None` where nothing is known of them."""
        if depth > _MAX_DEPTH:
            return None
        line = place.line
        if isinstance(node, (cst.List, cst.Tuple, cst.Set)):
            if has_stars(node):
                return None
            return Elements([Element(e, line, line.span(e), place.given) for e in parts(node)])
        if isinstance(node, cst.Call):
            return self._made(node, place, depth + 1)
        literal = self._literal(node, place)
        if literal is not None and literal[0] is not node:
            return self.of(*literal, depth + 1)
        return self._pairs(node, place, "keys", depth + 1)

    def _literal(self, node: cst.BaseExpression, place: Place) -> tuple[cst.BaseExpression, Place] | None:
        """Return the list or dict that a name or an attribute stands for, and where it is written."""
        followed = place.followed(node)
        if followed is not None:
            return followed
        found = self._view.evaluate.container(node, place)
        return (found[0], found[1]._replace(branch=place.branch)) if found is not None else None

    def _made(self, node: cst.Call, place: Place, depth: int) -> Elements | None:
        name, written = last(node.func), path(node.func)
        owner = node.func.value if isinstance(node.func, cst.Attribute) else None
        if owner is not None and not node.args:
            wanted = "items" if name in _PAIRS else "values" if name in _VALUES else "keys" if name in _KEYS else ""
            return self._pairs(owner, place, wanted, depth) if wanted else None
        if written == "dict":
            return self._pairs(node, place, "keys", depth)
        given = positional(node)
        if not given or not is_single(given):
            return None
        if written in ("six.iteritems", "iteritems"):
            return self._pairs(given[0].value, place, "items", depth)
        if name in _SAME and len(given) == 1:
            return self.of(given[0].value, place, depth)
        if written == "enumerate":
            inner = self.of(given[0].value, place, depth)
            return self._counted(inner, place) if inner is not None else None
        if written == "zip":
            return self._zipped([self.of(a.value, place, depth) for a in given], place)
        return None

    def _pairs(self, node: cst.BaseExpression, place: Place, wanted: str, depth: int) -> Elements | None:
        """Return the keys, values or both of a dict."""
        if depth > _MAX_DEPTH:
            return None
        literal = self._literal(node, place)
        if literal is not None and literal[0] is not node:
            return self._pairs(*literal, wanted, depth + 1)
        if isinstance(node, cst.Call) and last(node.func) in _SAME and len(node.args) == len(positional(node)) == 1:
            return self._pairs(node.args[0].value, place, wanted, depth + 1)
        entries = self._entries_of(self._view, node, place)
        if not entries.found and not (entries.complete and isinstance(node, (cst.Dict, cst.Call))):
            return None
        found = []
        for e in entries.found:
            line, given = e.place.line, e.place.given
            named = e.key_place or e.place
            key = Element(e.key_node, named.line, e.own, named.given, branch=e.place.branch)
            value = Element(e.node, line, e.own, given, branch=e.place.branch)
            both = Element(None, line, e.own, given, (key, value), e.place.branch)
            found.append({"keys": key, "values": value, "items": both}[wanted])
        return Elements(found, entries.complete)

    def _counted(self, inner: Elements, place: Place) -> Elements:
        found = []
        for e in inner.found:
            count = Element(None, place.line, e.own)
            found.append(Element(None, e.line, e.own, e.given, (count, e), e.branch))
        return Elements(found, inner.complete)

    def _zipped(self, inner: list[Elements | None], place: Place) -> Elements | None:
        """Return what several sequences give side by side: no text is one element's alone."""
        columns = [e.found if e is not None and e.complete else None for e in inner]
        lengths = [len(c) for c in columns if c is not None]
        if not lengths or columns[0] is None:
            return None
        line = place.line
        own = self._view.source.logical_lines.span(line.index)
        unknown = Element(None, line, own)
        rows = [tuple(c[i] if c is not None else unknown for c in columns) for i in range(min(lengths))]
        return Elements([Element(None, line, own, None, row) for row in rows])


def unpacked(target: cst.BaseExpression, element: Element) -> dict[str, Bound]:
    """Return what the names of a loop's target stand for when it takes `element`."""
    if is_name(target):
        return {target.value: Bound(element.node, element.line, element.given)} if element.node is not None else {}
    if not isinstance(target, _SEQUENCES):
        return {}
    given = element.parts
    if isinstance(element.node, _SEQUENCES):
        given = tuple(Element(e, element.line, element.own, element.given) for e in parts(element.node))
    found: dict[str, Bound] = {}
    if len(given) == len(target.elements):
        for inner, part in zip(parts(target), given, strict=True):
            found |= unpacked(inner, part)
    return found
