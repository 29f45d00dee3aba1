"""Which keys Python code reads from one dict and from the dicts within it, told from the code alone.

The code is followed the way it hands the dict on: `d.get("a")`, `d["a"]`, `"a" in d`, names that the result is given,
classes and methods that it is an argument of, keyword arguments made of it. Nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

Path = tuple[str, ...]
_WRAPPERS = {"bool": "bool", "int": "int", "float": "float", "str": "string"}
_TYPES = {bool: "bool", int: "int", float: "float", str: "string", list: "list", dict: "dict"}
_UNKNOWN = object()
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


def reads(modules: Iterable[ast.Module], root: str) -> Reads:
    """Return what `modules` read of the dict that an attribute or a name called `root` holds."""
    found = _Reader(root)
    trees = list(modules)
    for tree in trees:
        found.classes.update({node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)})
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
        self.classes: dict[str, ast.ClassDef] = {}
        self._seen: set[tuple[int, tuple[tuple[str, Path], ...]]] = set()
        self.other_places: dict[Path, Path] = {}
        """Where a dict is looked for too, and the place that comes first."""

    def functions_in(self, node: ast.AST, owner: ast.ClassDef | None = None) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                self._function(child, {}, owner, 0)
                self.functions_in(child, owner)
            elif isinstance(child, ast.ClassDef):
                self.functions_in(child, child)
            else:
                self.functions_in(child, owner)

    def _function(self, made: ast.FunctionDef, names: dict[str, Path], owner: ast.ClassDef | None, depth: int) -> None:
        key = (id(made), tuple(sorted(names.items())))
        if key in self._seen or depth > _DEEPEST:
            return
        self._seen.add(key)
        scope = _Scope(self, dict(names), owner, depth)
        for statement in made.body:
            scope.visit(statement)

    def record(self, path: Path, read: Read) -> None:
        old = self.reads.keys.get(path)
        if old is None or (old.type is None and read.type is not None) or (old.default is None and read.default):
            self.reads.keys[path] = Read(read.type or (old.type if old else None), read.default)

    def hand_on(self, call: ast.Call, names: dict[str, Path], scope: _Scope) -> None:
        """Follow the dicts that a call gets into the class or the method that it calls."""
        target = call.func
        owner = scope.owner
        if isinstance(target, ast.Name) and target.id in self.classes:
            owner = self.classes[target.id]
            made = _method(owner, "__init__")
            if made is None:
                self._fields(owner, call, scope)
                return
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and owner is not None:
            made = _method(owner, target.attr) if target.value.id in ("self", "cls", owner.name) else None
        else:
            made = None
        if made is None or owner is None:
            return
        static = any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in made.decorator_list)
        parameters = [each.arg for each in made.args.args][0 if static else 1 :]
        handed = {}
        pairs = [*zip(parameters, call.args, strict=False), *((k.arg, k.value) for k in call.keywords if k.arg)]
        for parameter, argument in pairs:
            path = scope.path(argument)
            if path is not None:
                handed[parameter] = path
        for spread in (keyword.value for keyword in call.keywords if keyword.arg is None):
            path = scope.path(spread)
            if path is not None:
                self._keywords(made, path, handed)
        if not handed:
            return
        if made.name == "__init__":
            self._defaults(owner, made, handed)
        self._function(made, handed, owner, scope.depth + 1)

    def _keywords(self, made: ast.FunctionDef, path: Path, handed: dict[str, Path]) -> None:
        arguments = made.args.args[1:]
        defaults: list[ast.expr | None] = [None] * (len(arguments) - len(made.args.defaults)) + list(made.args.defaults)
        for argument, default in zip(arguments, defaults, strict=True):
            self.record((*path, argument.arg), _read(default, argument.annotation))
        if made.args.kwarg is None:
            self.reads.refusing.add(path)
        else:
            handed[made.args.kwarg.arg] = path

    def _defaults(self, owner: ast.ClassDef, made: ast.FunctionDef, handed: dict[str, Path]) -> None:
        """Take the keys of a class's own table of defaults, and see whether another key is an error."""
        table = next(
            (
                each.value
                for each in owner.body
                if isinstance(each, ast.Assign)
                and isinstance(each.value, ast.Dict)
                and "defaults" in _target(each).lower()
            ),
            None,
        )
        path = next(iter(handed.values()))
        if isinstance(table, ast.Dict):
            for key, default in zip(table.keys, table.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    self.record((*path, key.value), _read(default, None))
            said = [ast.unparse(each) for each in ast.walk(made) if isinstance(each, ast.Raise)]
            if any("Unknown" in each or "no attribute" in each for each in said):
                self.reads.refusing.add(path)
        if any(isinstance(each, ast.Call) and _called(each) == "setattr" for each in ast.walk(made)) and table is None:
            self.reads.open.add(path)

    def _fields(self, owner: ast.ClassDef, call: ast.Call, scope: _Scope) -> None:
        """Take the fields of a class without constructor as keys, where keyword arguments are made of a dict."""
        for keyword in call.keywords:
            path = scope.path(keyword.value) if keyword.arg is None else None
            if path is not None:
                for each in owner.body:
                    if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                        self.record((*path, each.target.id), _read(each.value, each.annotation))
                self.reads.refusing.add(path)


@dataclass(slots=True)
class _Scope:
    reader: _Reader
    names: dict[str, Path]
    owner: ast.ClassDef | None
    depth: int

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            return
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            self._assigned(node, node.value)
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            path = self.path(node.comparators[0])
            key = _text(node.left)
            if path is not None and key is not None:
                self.reader.record((*path, key), Read())
        if isinstance(node, ast.Call):
            self.path(node)
            self.reader.hand_on(node, self.names, self)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            self.path(node)
        for child in ast.iter_child_nodes(node):
            self.visit(child)

    def _assigned(self, node: ast.Assign | ast.AnnAssign, value: ast.expr) -> None:
        annotation = node.annotation if isinstance(node, ast.AnnAssign) else None
        wrapped = _called(value) if isinstance(value, ast.Call) else None
        inner = value.args[0] if isinstance(value, ast.Call) and wrapped in _WRAPPERS and value.args else value
        path = self.path(inner)
        if path is None:
            return
        told = _WRAPPERS.get(wrapped or "") or _annotated(annotation)
        if told is not None and path in self.reader.reads.keys:
            old = self.reader.reads.keys[path]
            self.reader.reads.keys[path] = Read(told, old.default)
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            name = ast.unparse(target)
            if inner is value and name != self.reader.root:
                self.names[name] = path

    def path(self, node: ast.expr) -> Path | None:
        """Return which dict or value an expression is, and note the keys that are read on the way."""
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._named(node)
        if isinstance(node, ast.IfExp):
            return self.path(node.body) or self._empty(node.body) or self.path(node.orelse)
        if isinstance(node, ast.BoolOp):
            found = [self.path(each) for each in node.values]
            return next((each for each in found if each is not None), None)
        if isinstance(node, ast.Subscript):
            base, key = self.path(node.value), _text(node.slice)
            if base is not None and key is not None and isinstance(node.ctx, ast.Load):
                self.reader.record((*base, key), Read())
                return (*base, key)
        return self._call(node) if isinstance(node, ast.Call) else None

    def _empty(self, node: ast.expr) -> Path | None:
        return () if self.path(node) == () else None

    def _named(self, node: ast.Name | ast.Attribute) -> Path | None:
        name = ast.unparse(node)
        if name in self.names:
            return self.names[name]
        last = node.attr if isinstance(node, ast.Attribute) else node.id
        return () if last == self.reader.root else None

    def _call(self, call: ast.Call) -> Path | None:
        name = _called(call)
        if name == "getattr" and len(call.args) > 1 and _text(call.args[1]) == self.reader.root:
            return ()
        if name in ("get", "setdefault") and isinstance(call.func, ast.Attribute) and call.args:
            base, key = self.path(call.func.value), _text(call.args[0])
            if base is None or key is None:
                return None
            if name == "get":
                default = call.args[1] if len(call.args) > 1 else None
                self.reader.record((*base, key), _read(default, None))
            return (*base, key)
        if name in ("int", "bool", "float") or not isinstance(call.func, ast.Attribute):
            return None
        return self._looked_up(call) if "get_config_value" in call.func.attr else None

    def _looked_up(self, call: ast.Call) -> Path | None:
        """Read a call that gets dicts, then a key, then what holds where it isn't there."""
        bases = [path for each in call.args if (path := self.path(each)) is not None]
        key = next((text for each in call.args if (text := _text(each)) is not None), None)
        if not bases or key is None:
            return None
        after = call.args[[_text(each) for each in call.args].index(key) + 1 :]
        default = next((each for each in after if _text(each) is None), None)
        for base in bases:
            self.reader.record((*base, key), _read(default, None))
        self.reader.other_places.update({(*base, key): (*bases[0], key) for base in bases[1:]})
        return (*bases[0], key)


def _method(owner: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    return next((each for each in owner.body if isinstance(each, ast.FunctionDef) and each.name == name), None)


def _target(node: ast.Assign) -> str:
    return ast.unparse(node.targets[0])


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)


def _text(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _annotated(annotation: ast.expr | None) -> str | None:
    return _WRAPPERS.get(ast.unparse(annotation).partition("|")[0].strip()) if annotation is not None else None


def _read(default: ast.expr | None, annotation: ast.expr | None) -> Read:
    value = next(_literals(default), _UNKNOWN)
    told = _annotated(annotation) or (_TYPES.get(type(value)) if value is not _UNKNOWN else None)
    return Read(told, repr(value) if value is not _UNKNOWN and value is not None else None)


def _literals(node: ast.expr | None) -> Iterator[object]:
    if node is not None:
        try:
            yield ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return
