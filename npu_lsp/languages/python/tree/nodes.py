"""Dotted expressions as words: `npu.global_options().dump_config`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import TypeGuard

from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.tree.constants import constant

Stmt = cst.BaseSmallStatement | cst.BaseCompoundStatement
Sequence = cst.List | cst.Tuple | cst.Set

_CONSTANTS = frozenset({"True", "False", "None"})
_LAYOUT = (
    *("whitespace", "lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace", "comma", "semicolon", "colon", "dot"),
    *("equal", "leading", "lines", "indent", "trailing", "header", "footer", "operator", "star_"),
)
"""How fields begin that hold how it looks."""
_STARS = ("star_arg", "star_kwarg")
_LABELS: dict[type[cst.CSTNode], frozenset[str]] = {
    cst.Attribute: frozenset({"attr"}),
    cst.Arg: frozenset({"keyword"}),
    cst.Param: frozenset({"name"}),
    cst.FunctionDef: frozenset({"name"}),
    cst.ClassDef: frozenset({"name"}),
    cst.Import: frozenset({"names"}),
    cst.ImportFrom: frozenset({"module", "names"}),
    cst.Global: frozenset({"names"}),
    cst.Nonlocal: frozenset({"names"}),
}
"""Fields whose names stand for nothing that is looked up."""


@cache
def _inner(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    labels = _LABELS.get(kind, frozenset())
    names = (f.name for f in fields(kind) if not f.name.startswith(_LAYOUT) or f.name in _STARS)
    return tuple(name for name in names if name not in labels)


def inner_nodes(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return what is right inside of `node`, without how it looks and without labels such as an attribute's name."""
    found: list[cst.CSTNode] = []
    for name in _inner(node.__class__):
        value = getattr(node, name)
        found += [v for v in (value if isinstance(value, (tuple, list)) else (value,)) if isinstance(v, cst.CSTNode)]
    return found


def walk(node: cst.CSTNode, *, suites: bool = True) -> Iterator[cst.CSTNode]:
    """Yield `node` and all in it, outer ones first; without `suites`, not the statements in it.

    Names of attributes, keywords and the like are not among them: each name is one that is looked up or bound.
    """
    todo = [node]
    while todo:
        part = todo.pop()
        if suites or not isinstance(part, cst.BaseSuite):
            yield part
            todo += reversed(inner_nodes(part))


def names_in(node: cst.CSTNode) -> set[str]:
    """Return the names that an expression uses."""
    return {n.value for n in walk(node) if is_name(n)}


def is_name(node: cst.CSTNode | None) -> TypeGuard[cst.Name]:
    """Return whether an expression is a name; `True`, `False` and `None` are constants."""
    # Asked more than anything else: libcst's classes are abstract ones, of which `isinstance` takes ten times as long.
    return node.__class__ is cst.Name and node.value not in _CONSTANTS


def positional(call: cst.Call) -> list[cst.Arg]:
    """Return the arguments without a name, `*more` included."""
    return [a for a in call.args if a.keyword is None and a.star != "**"]


def is_single(arguments: list[cst.Arg]) -> bool:
    """Return whether each argument is one: none is `*more`."""
    return not any(a.star for a in arguments)


def keywords(call: cst.Call) -> list[tuple[str, cst.Arg]]:
    """Return the arguments with a name."""
    return [(a.keyword.value, a) for a in call.args if a.keyword is not None]


def keyword(call: cst.Call, *names: str) -> cst.BaseExpression | None:
    """Return the first argument that has one of `names`."""
    return next((a.value for name, a in keywords(call) if name in names), None)


def argument_of(call: cst.Call, name: str, position: int | None) -> cst.BaseExpression | None:
    """Return the argument `name`, or the one without a name at `position`."""
    given = keyword(call, name)
    if given is None and position is not None and len(listed := positional(call)) > position:
        return listed[position].value
    return given


def parts(node: Sequence) -> list[cst.BaseExpression]:
    """Return the elements of a list; `*more` is a node of its own."""
    return [e if isinstance(e, cst.StarredElement) else e.value for e in node.elements]


def has_stars(node: Sequence) -> bool:
    """Return whether a list takes over elements of another."""
    return any(isinstance(e, cst.StarredElement) for e in node.elements)


def index_of(node: cst.Subscript) -> cst.BaseExpression | None:
    """Return what stands between the brackets, where it is one index."""
    if len(node.slice) != 1:
        return None
    only = node.slice[0].slice
    return only.value if isinstance(only, cst.Index) and not only.star else None


def callee(node: cst.BaseExpression | None) -> str | None:
    """Return the plain name that is called."""
    return node.func.value if isinstance(node, cst.Call) and is_name(node.func) else None


def imported(statement: cst.ImportFrom) -> list[tuple[str, str | None]]:
    """Return what an import takes, and under which other name; nothing for a star."""
    if isinstance(statement.names, cst.ImportStar):
        return []
    return [(str(alias.evaluated_name), alias.evaluated_alias) for alias in statement.names]


def modules(statement: cst.Import) -> list[tuple[str, str | None]]:
    """Return the modules that are imported, and under which other name."""
    return [(str(alias.evaluated_name), alias.evaluated_alias) for alias in statement.names]


def module_of(statement: cst.ImportFrom) -> str:
    """Return the dotted name of the module that an import takes from, without the dots before it."""
    names: list[str] = []
    node: cst.BaseExpression | None = statement.module
    while isinstance(node, cst.Attribute):
        names.append(node.attr.value)
        node = node.value
    if isinstance(node, cst.Name):
        names.append(node.value)
    return ".".join(reversed(names))


def parameters(function: cst.FunctionDef | cst.Lambda) -> list[cst.Param]:
    """Return the parameters that take one argument each, those that take no name first."""
    given = function.params
    return [*given.posonly_params, *given.params, *given.kwonly_params]


def taking_names(function: cst.FunctionDef | cst.Lambda) -> str | None:
    """Return the name of `**more`."""
    return function.params.star_kwarg.name.value if function.params.star_kwarg is not None else None


def path(node: cst.BaseExpression) -> str | None:
    """Return a dotted expression without its blanks; `None` for anything that isn't one.

    A call without arguments and a subscript with a literal may be part of it.
    """
    parts: list[str] = []
    while True:
        if is_name(node):
            parts.append(node.value)
            return "".join(reversed(parts))
        if isinstance(node, cst.Attribute):
            parts.append("." + node.attr.value)
            node = node.value
        elif isinstance(node, cst.Call) and not node.args:
            parts.append("()")
            node = node.func
        elif isinstance(node, cst.Subscript):
            index = constant(index_of(node))
            if index is None:
                return None
            parts.append(f"[{index.value!r}]")
            node = node.value
        else:
            return None


def last(node: cst.BaseExpression) -> str | None:
    """Return the last name of a dotted expression: what is called, whatever it is an attribute of."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if is_name(node) else None
