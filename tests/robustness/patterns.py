"""Every regular expression of the package, with the ways in which the code uses it: learnt from the code itself."""

from __future__ import annotations

import ast
import pkgutil
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import npu_lsp
from npu_lsp.text.lazy_re import LazyPattern

AnyPattern = re.Pattern[str] | re.Pattern[bytes]

ANCHORED = frozenset({"match", "fullmatch"})
SCANNING = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})


@dataclass(slots=True)
class Used:
    """A pattern, where it is made, and the methods that are called on it."""

    name: str
    pattern: AnyPattern
    methods: set[str] = field(default_factory=set)

    @property
    def scans(self) -> bool:
        """Whether it looks through texts; one that is handed on to nobody knows where does."""
        return not self.methods or bool(self.methods & SCANNING)

    def calls(self, method: str) -> bool:
        """Whether it is tried in this way; one that is handed on to nobody knows where is tried in each."""
        return not self.methods or method in self.methods


@cache
def patterns() -> Sequence[Used]:
    """Return all of them, each once."""
    found: dict[AnyPattern, Used] = {}
    for module in pkgutil.walk_packages(npu_lsp.__path__, "npu_lsp."):
        if module.name.endswith("__main__"):
            continue
        names = vars(import_module(module.name))
        held = [(name, *each) for name, value in names.items() for each in _held(name, value)]
        text = Path(names["__file__"]).read_text(encoding="utf-8")
        if not held and "re." not in text:
            continue
        nodes = list(ast.walk(ast.parse(text)))
        methods = _methods(nodes)
        for name, by, pattern in held:
            used = found.setdefault(pattern, Used(f"{module.name}.{name}", pattern))
            used.methods |= methods.get(by, set())
        for pattern, method in _written_in_place(nodes):
            found.setdefault(pattern, Used(f"{module.name}: {pattern.pattern!r}", pattern)).methods.add(method)
    return tuple(found.values())


def _held(name: str, value: Any) -> Iterator[tuple[str, AnyPattern]]:
    """Yield the patterns that a name stands for, each with the name by which it is used: that of its field in a record."""
    if isinstance(value, LazyPattern):
        yield name, value.compiled()
    elif isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, tuple) and (fields := getattr(value, "_fields", ())):
        for field_name, each in zip(fields, value, strict=True):
            yield from _held(field_name, each)
    elif isinstance(value, dict):
        yield from _held(name, tuple(value.values()))
    elif isinstance(value, (tuple, list, set, frozenset)):
        for each in value:
            yield from _held(name, each)


def _methods(nodes: Sequence[ast.AST]) -> dict[str, set[str]]:
    """Return what is called on each name, or taken from it to be called elsewhere."""
    found: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in ANCHORED | SCANNING:
            # `(_A if x else _B).search(...)` is a use of both.
            for each in ast.walk(node.value):
                used = each.id if isinstance(each, ast.Name) else each.attr if isinstance(each, ast.Attribute) else ""
                found.setdefault(used, set()).add(node.attr)
    for table, name in _taken_from_tables(nodes):
        found.setdefault(table, set()).update(found.get(name, ()))
    return found


def _taken_from_tables(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield tables with the names that what they hold is given: `name = TABLE.get(key)`, `for key, name in TABLE`."""
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            function, targets = node.value.func, node.targets
            held = function.value if isinstance(function, ast.Attribute) and function.attr == "get" else None
        elif isinstance(node, (ast.For, ast.comprehension)):
            held, targets = node.iter, [node.target]
        else:
            continue
        for table in ast.walk(held) if held is not None else ():
            named = [each.id for t in targets for each in ast.walk(t) if isinstance(each, ast.Name)]
            if isinstance(table, ast.Name):
                yield from ((table.id, name) for name in named)


def _written_in_place(nodes: Sequence[ast.AST]) -> Iterator[tuple[AnyPattern, str]]:
    """Yield the patterns in `re.search("...", text)` and the like."""
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        first, owner = node.args[0], node.func.value
        if not (isinstance(owner, ast.Name) and owner.id == "re" and isinstance(first, ast.Constant)):
            continue
        if isinstance(first.value, str) and node.func.attr in ANCHORED | SCANNING:
            yield re.compile(first.value), node.func.attr


_NEW = sys.version_info >= (3, 11)
_PARSER = import_module("re._parser" if _NEW else "sre_parse")
_COMPILER = import_module("re._compiler" if _NEW else "sre_compile")
_FEW = 8
"""Signs, or ranges of them, that a beginning may be."""


def begins_quickly(pattern: AnyPattern) -> bool:
    """Return whether a search for a pattern goes over a text as one for a plain word does; any other is tried at each character.

    The search finds by itself where the text has what a pattern begins with: signs that are always there, or one of a few.
    """
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    parsed = _PARSER.parse(source, pattern.flags & ~re.UNICODE)
    if _COMPILER._get_literal_prefix(parsed, pattern.flags)[0]:
        return True
    begins: Any = _COMPILER._get_charset_prefix(parsed, pattern.flags) or ()
    is_few = 0 < len(begins) <= _FEW and begins[0][0] is not _PARSER.NEGATE
    # What can only stand at the beginning of a text isn't looked for anywhere else.
    return is_few or source.startswith(r"\A")
