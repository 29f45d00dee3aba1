"""Which keys Python code reads from one dict and from the dicts within it, told from the code alone.

The code is followed the way it hands the dict on: `d.get("a")`, `d["a"]`, `"a" in d`, names that the result is given,
classes and methods that it is an argument of, keyword arguments made of it. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import libcst as cst

from tests.authoring.python_tree import UNKNOWN, code, entries, literal, method, positional, statements, walk

Path = tuple[str, ...]
_WRAPPERS = {"bool": "bool", "int": "int", "float": "float", "str": "string"}
_TYPES = {bool: "bool", int: "int", float: "float", str: "string", list: "list", dict: "dict"}
_DEEPEST = 12


class Read(NamedTuple):
    """How a key is read."""

    type: str | None = None
    """`None`: the code doesn't show it."""
    default: str | None = None
    """As the code writes it; `None`: there is none, or it is made up on the way."""


@dataclass(slots=True)
class Reads:
    """What is read."""

    keys: dict[Path, Read] = field(default_factory=dict)
    refusing: set[Path] = field(default_factory=set)
    """Dicts in which another key raises an exception."""
    open: set[Path] = field(default_factory=set)
    """Dicts of which every key is taken."""


def reads(modules: Iterable[cst.Module], root: str) -> Reads:
    """Return what `modules` read of the dict that an attribute or a name called `root` holds."""
    found = _Reader(root)
    trees = list(modules)
    for tree in trees:
        found.classes.update({node.name.value: node for node in walk(tree) if isinstance(node, cst.ClassDef)})
    for tree in trees:
        found.functions_in(tree)
    for other, first in found.other_places.items():
        within = {path: read for path, read in found.reads.keys.items() if path[: len(first)] == first}
        found.reads.keys.update({(*other, *path[len(first) :]): read for path, read in within.items()})
        if first in found.reads.refusing:
            found.reads.refusing.add(other)
    return found.reads


class _Reader:
    def __init__(self, root: str) -> None:
        self.root = root
        self.reads = Reads()
        self.classes: dict[str, cst.ClassDef] = {}
        self._seen: set[tuple[int, tuple[tuple[str, Path], ...]]] = set()
        self.other_places: dict[Path, Path] = {}
        """Where a dict is looked for too, and the place that comes first."""

    def functions_in(self, node: cst.CSTNode, owner: cst.ClassDef | None = None) -> None:
        for child in node.children:
            if isinstance(child, cst.FunctionDef):
                self._function(child, {}, owner, 0)
            self.functions_in(child, child if isinstance(child, cst.ClassDef) else owner)

    def _function(self, made: cst.FunctionDef, names: dict[str, Path], owner: cst.ClassDef | None, depth: int) -> None:
        key = (id(made), tuple(sorted(names.items())))
        if key in self._seen or depth > _DEEPEST:
            return
        self._seen.add(key)
        _Scope(self, dict(names), owner, depth).visit(made.body)

    def record(self, path: Path, read: Read) -> None:
        old = self.reads.keys.get(path)
        if old is None or (old.type is None and read.type is not None) or (old.default is None and read.default):
            self.reads.keys[path] = Read(read.type or (old.type if old else None), read.default)

    def hand_on(self, call: cst.Call, scope: _Scope) -> None:
        """Follow the dicts that a call gets into the class or the method that it calls."""
        owner, made = self._called(call.func, scope.owner)
        if owner is None:
            return
        if made is None:
            self._fields(owner, call, scope)
            return
        handed = self._handed(call, made, scope)
        if not handed:
            return
        if made.name.value == "__init__":
            self._defaults(owner, made, handed)
        self._function(made, handed, owner, scope.depth + 1)

    def _called(
        self, target: cst.BaseExpression, owner: cst.ClassDef | None
    ) -> tuple[cst.ClassDef | None, cst.FunctionDef | None]:
        """Return the class whose method a call runs, and that; without one, the class has no constructor of its own."""
        if isinstance(target, cst.Name):
            made = self._class(target.value, owner)
            return made, method(made, "__init__") if made is not None else None
        if isinstance(target, cst.Attribute) and isinstance(target.value, cst.Name):
            made = self._class(target.value.value, owner)
            found = method(made, target.attr.value) if made is not None else None
            return (made, found) if found is not None else (None, None)
        return None, None

    def _class(self, name: str, owner: cst.ClassDef | None) -> cst.ClassDef | None:
        return owner if name in ("self", "cls") else self.classes.get(name)

    def _handed(self, call: cst.Call, made: cst.FunctionDef, scope: _Scope) -> dict[str, Path]:
        """Return which dict each parameter gets."""
        static = any(code(each.decorator) == "staticmethod" for each in made.decorators)
        parameters = [each.name.value for each in made.params.params][0 if static else 1 :]
        named = [(each.keyword.value, each.value) for each in call.args if each.keyword is not None]
        pairs = [*zip(parameters, positional(call), strict=False), *named]
        handed = {name: path for name, argument in pairs if (path := scope.path(argument)) is not None}
        for path in scope.spread(call):
            self._keywords(made, path, handed)
        return handed

    def _keywords(self, made: cst.FunctionDef, path: Path, handed: dict[str, Path]) -> None:
        for each in made.params.params[1:]:
            self.record((*path, each.name.value), _read(each.default, each.annotation))
        if made.params.star_kwarg is None:
            self.reads.refusing.add(path)
        else:
            handed[made.params.star_kwarg.name.value] = path

    def _defaults(self, owner: cst.ClassDef, made: cst.FunctionDef, handed: dict[str, Path]) -> None:
        """Take the keys of a class's own table of defaults, and see whether another key is an error."""
        table = next((value for name, value in _tables(owner) if "defaults" in name.lower()), None)
        path = next(iter(handed.values()))
        if table is not None:
            for key, default in entries(table):
                name = _text(key)
                if name is not None:
                    self.record((*path, name), _read(default, None))
            said = [code(each) for each in walk(made) if isinstance(each, cst.Raise)]
            if any("Unknown" in each or "no attribute" in each for each in said):
                self.reads.refusing.add(path)
        elif any(isinstance(each, cst.Call) and _name_of(each) == "setattr" for each in walk(made)):
            self.reads.open.add(path)

    def _fields(self, owner: cst.ClassDef, call: cst.Call, scope: _Scope) -> None:
        """Take the fields of a class without constructor as keys, where keyword arguments are made of a dict."""
        given = {each.keyword.value for each in call.args if each.keyword is not None}
        for path in scope.spread(call):
            self._keys(owner, path, given | scope.left_out)

    def _keys(self, owner: cst.ClassDef, path: Path, left_out: Collection[str] = ()) -> None:
        """Take the fields of a class as keys, and those of the classes that they are of.

        What is `left_out` of the dict, or given another value, counts where it is read by its name.
        """
        for each in statements(owner):
            if not isinstance(each, cst.AnnAssign) or not isinstance(each.target, cst.Name) or _is_own(each):
                continue
            inner = (*path, each.target.value)
            if each.target.value in left_out and inner not in self.reads.keys:
                continue
            self.record(inner, _read(each.value, each.annotation))
            made = self.classes.get(code(each.annotation.annotation))
            if made is not None and len(inner) < _DEEPEST:
                self._keys(made, inner)
        self.reads.refusing.add(path)


@dataclass(slots=True)
class _Scope:
    reader: _Reader
    names: dict[str, Path]
    owner: cst.ClassDef | None
    depth: int
    texts: dict[str, str] = field(default_factory=dict)
    """Names that stand for a text."""
    sets: dict[str, set[str]] = field(default_factory=dict)
    """Names that stand for several texts."""
    left_out: set[str] = field(default_factory=set)
    """Keys that a copy of a dict doesn't have."""
    functions: dict[str, cst.FunctionDef] = field(default_factory=dict)
    """Those that are made within the function."""
    taken: list[Path] = field(default_factory=list)
    """What is read as `d["a"]`."""

    def visit(self, node: cst.CSTNode, *, stored: bool = False) -> None:
        """Follow what a node reads; one that is `stored` to is not read itself, but what it stands in is."""
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            if isinstance(node, cst.FunctionDef):
                self.functions[node.name.value] = node
            return
        if isinstance(node, (cst.Assign, cst.AnnAssign)) and node.value is not None:
            self._assigned(node, node.value)
        elif isinstance(node, cst.Comparison):
            self._compared(node)
        elif isinstance(node, cst.Call):
            self.path(node)
            self._within(node)
            self.reader.hand_on(node, self)
        elif isinstance(node, cst.Subscript) and not stored:
            self.path(node)
        inner = stored and isinstance(node, (cst.Tuple, cst.List, cst.Element, cst.StarredElement))
        target = _stored_to(node)
        for child in node.children:
            self.visit(child, stored=inner or child is target)

    def _within(self, call: cst.Call) -> None:
        """Follow a call of a function that is made here into it, with the texts that it gets."""
        made = self.functions.get(_name_of(call))
        if made is None or self.depth > _DEEPEST:
            return
        pairs = zip((each.name.value for each in made.params.params), positional(call), strict=False)
        texts = {name: text for name, given in pairs if (text := self._text(given)) is not None}
        inner = _Scope(self.reader, dict(self.names), self.owner, self.depth + 1, texts)
        inner.visit(made.body)
        first = max(inner.taken, key=len, default=())
        self.reader.other_places.update(
            {path: first for path in inner.taken if path != first and path[-1] == first[-1]}
        )

    def _text(self, node: cst.BaseExpression | None) -> str | None:
        return self.texts.get(node.value) if isinstance(node, cst.Name) else _text(node)

    def spread(self, call: cst.Call) -> list[Path]:
        """Return the dicts that become keyword arguments."""
        paths = [self.path(each.value) for each in call.args if each.star == "**"]
        return [path for path in paths if path is not None]

    def _compared(self, node: cst.Comparison) -> None:
        first = node.comparisons[0]
        path = self.path(first.comparator) if isinstance(first.operator, (cst.In, cst.NotIn)) else None
        key = self._text(node.left)
        if path is not None and key is not None:
            self.reader.record((*path, key), Read())

    def _assigned(self, node: cst.Assign | cst.AnnAssign, value: cst.BaseExpression) -> None:
        annotation = node.annotation if isinstance(node, cst.AnnAssign) else None
        wrapped = _name_of(value) if isinstance(value, cst.Call) else None
        inner = positional(value)[0] if isinstance(value, cst.Call) and wrapped in _WRAPPERS and value.args else value
        path = self.path(inner)
        if isinstance(value, cst.Set) and isinstance(node, cst.Assign):
            texts = {text for each in value.elements if (text := _text(each.value)) is not None}
            self.sets[code(node.targets[0].target)] = texts
        if path is None:
            return
        told = _WRAPPERS.get(wrapped or "") or _annotated(annotation)
        if told is not None and path in self.reader.reads.keys:
            old = self.reader.reads.keys[path]
            self.reader.reads.keys[path] = Read(told, old.default)
        for target in [each.target for each in node.targets] if isinstance(node, cst.Assign) else [node.target]:
            name = code(target)
            if inner is value and name != self.reader.root:
                self.names[name] = path

    def path(self, node: cst.BaseExpression) -> Path | None:
        """Return which dict or value an expression is, and note the keys that are read on the way."""
        if isinstance(node, (cst.Name, cst.Attribute)):
            return self._named(node)
        if isinstance(node, cst.IfExp):
            return self.path(node.body) or self._empty(node.body) or self.path(node.orelse)
        if isinstance(node, cst.BooleanOperation):
            first, second = self.path(node.left), self.path(node.right)
            return first if first is not None else second
        if isinstance(node, cst.Subscript):
            index = node.slice[0].slice
            base, key = self.path(node.value), self._text(index.value) if isinstance(index, cst.Index) else None
            if base is not None and key is not None:
                self.reader.record((*base, key), Read())
                self.taken.append((*base, key))
                return (*base, key)
        if isinstance(node, cst.DictComp):
            return self._copied(node)
        return self._call(node) if isinstance(node, cst.Call) else None

    def _copied(self, node: cst.DictComp) -> Path | None:
        """Return the dict that `{k: v for k, v in d.items() if k not in ...}` has the entries of."""
        of = node.for_in.iter
        if not isinstance(of, cst.Call) or _name_of(of) != "items" or not isinstance(of.func, cst.Attribute):
            return None
        for each in node.for_in.ifs:
            for name in (child for child in walk(each.test) if isinstance(child, cst.Name)):
                self.left_out.update(self.sets.get(name.value, ()))
        return self.path(of.func.value)

    def _empty(self, node: cst.BaseExpression) -> Path | None:
        return () if self.path(node) == () else None

    def _named(self, node: cst.Name | cst.Attribute) -> Path | None:
        name = code(node)
        if name in self.names:
            return self.names[name]
        last = node.attr.value if isinstance(node, cst.Attribute) else node.value
        return () if last == self.reader.root else None

    def _call(self, call: cst.Call) -> Path | None:
        name, given = _name_of(call), positional(call)
        if name == "getattr" and len(given) > 1 and _text(given[1]) == self.reader.root:
            return ()
        if name in ("get", "setdefault") and isinstance(call.func, cst.Attribute) and given:
            base, key = self.path(call.func.value), self._text(given[0])
            if base is None or key is None:
                return None
            if name == "get":
                self.reader.record((*base, key), _read(given[1] if len(given) > 1 else None, None))
            return (*base, key)
        if name in ("int", "bool", "float") or not isinstance(call.func, cst.Attribute):
            return None
        return self._looked_up(given) if "get_config_value" in name else None

    def _looked_up(self, given: list[cst.BaseExpression]) -> Path | None:
        """Read a call that gets dicts, then a key, then what holds where it isn't there."""
        bases = [path for each in given if (path := self.path(each)) is not None]
        texts = [_text(each) for each in given]
        key = next((text for text in texts if text is not None), None)
        if not bases or key is None:
            return None
        after = given[texts.index(key) + 1 :]
        default = next((each for each in after if _text(each) is None), None)
        for base in bases:
            self.reader.record((*base, key), _read(default, None))
        self.reader.other_places.update({(*base, key): (*bases[0], key) for base in bases[1:]})
        return (*bases[0], key)


def _stored_to(node: cst.CSTNode) -> cst.CSTNode | None:
    """Return what of a node gets a value, or is deleted."""
    if isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.CompFor, cst.Del)):
        return node.target
    return node.name if isinstance(node, cst.AsName) else None


def _tables(owner: cst.ClassDef) -> Iterator[tuple[str, cst.Dict]]:
    """Yield the dicts that a class has under a name."""
    for each in statements(owner):
        if isinstance(each, cst.Assign) and isinstance(each.value, cst.Dict):
            yield code(each.targets[0].target), each.value


def _is_own(field: cst.AnnAssign) -> bool:
    """Return whether nobody but the class itself gives a field of it a value."""
    return code(field.annotation.annotation).startswith("ClassVar") or (
        field.value is not None and "init=False" in code(field.value).replace(" ", "")
    )


def _name_of(call: cst.Call) -> str:
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else code(call.func)


def _text(node: cst.BaseExpression | None) -> str | None:
    value = literal(node)
    return value if isinstance(value, str) else None


def _annotated(annotation: cst.Annotation | None) -> str | None:
    written = code(annotation.annotation) if annotation is not None else ""
    return _WRAPPERS.get(written.partition("|")[0].strip())


def _read(default: cst.BaseExpression | None, annotation: cst.Annotation | None) -> Read:
    value = literal(default)
    told = _annotated(annotation) or (_TYPES.get(type(value)) if value is not UNKNOWN else None)
    return Read(told, repr(value) if value is not UNKNOWN and value is not None else None)
