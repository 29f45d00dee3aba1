"""What programs declare by name besides variables, with type, default and choices: arguments, fields, flags, keys. Nothing is run.

`FORMS` has a reader for each form of declaration; it yields the name and its `Fact`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from tests.authoring import parsers

_GFLAG = re.compile(
    r"\bDEFINE_(string|bool|int32|uint32|int64|uint64|double)\(\s{0,99}(\w{1,99})\s{0,99},\s{0,99}([^,]{1,300}),"
)
_GO_FLAG = re.compile(
    r'\bflag\.(String|Bool|Int64|Int|Uint|Float64|Duration)(?:Var)?\((?:&[\w.]{1,99}, )?\s{0,99}"([\w.-]{1,99})",\s{0,99}([^,]{1,99}),'
)
_CHECKED = re.compile(
    r'\bIsJson(Int|Bool|String|Obj|Array|Double)Valid\(\s{0,99}[\w.()\[\]" ]{1,99}?,\s{0,99}"(\w{1,99})"((?:,\s{0,99}[\w.]{1,99}){0,2})\)'
)
_LITERAL = re.compile(r"(?:'([^']{1,99})'|\"([^\"]{1,99})\")")
_BLANK = re.compile(r"\s+")
_LONGEST = 120
"""Characters of a type or a default that are compared."""


class Fact(NamedTuple):
    """What one declaration says."""

    kind: str
    default: str
    choices: str
    path: str


def _arguments(path: str, text: str) -> Iterator[tuple[str, Fact]]:
    for each in parsers.of_text(text, path):
        choices = " ".join(str(one) for one in each.choices) + (" …" if each.open else "")
        kind = each.kind if each.nargs is None else f"{each.kind} {each.nargs}"
        default = "" if each.default is None else str(each.default)
        for name in each.names:
            if name.startswith("--"):
                yield name.lstrip("-"), Fact(kind, default, choices, path)


def _fields(path: str, text: str) -> Iterator[tuple[str, Fact]]:
    for node in ast.walk(_tree(text)):
        if isinstance(node, ast.ClassDef):
            for each in node.body:
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                    written = ast.unparse(each.annotation)
                    chosen = next(
                        (
                            one
                            for one in ast.walk(each.annotation)
                            if isinstance(one, ast.keyword) and one.arg == "choices"
                        ),
                        None,
                    )
                    choices = (
                        ast.unparse(chosen.value) if chosen is not None else written if "Literal[" in written else ""
                    )
                    kind = re.sub(r"^A\[([^,]{1,99}),.*", r"\1", written, flags=re.DOTALL)
                    default = "" if each.value is None else ast.unparse(each.value)
                    yield each.target.id, Fact(_short(kind), _short(default), _quoted(choices), path)


def _keys(path: str, text: str) -> Iterator[tuple[str, Fact]]:
    """Yield keys of tables that lead to functions: `{"mode": set_mode}`."""
    for node in ast.walk(_tree(text)):
        if isinstance(node, ast.Dict) and len(node.keys) > 2:
            for key, value in zip(node.keys, node.values, strict=True):
                if (
                    isinstance(key, ast.Constant)
                    and isinstance(key.value, str)
                    and re.search(r"(?:^|\.)_?set_", ast.unparse(value))
                ):
                    yield key.value, Fact("", "", "", path)


def _gflags(path: str, text: str) -> Iterator[tuple[str, Fact]]:
    for found in _GFLAG.finditer(text):
        yield found[2], Fact(found[1], _short(found[3]), "", path)


def _go_flags(path: str, text: str) -> Iterator[tuple[str, Fact]]:
    for found in _GO_FLAG.finditer(text):
        yield found[2], Fact(found[1].lower(), _short(found[3]), "", path)


def _checked(path: str, text: str) -> Iterator[tuple[str, Fact]]:
    for found in _CHECKED.finditer(text):
        yield found[2], Fact(found[1].lower(), "", _short(found[3].lstrip(", ")), path)


FORMS: Mapping[str, tuple[str, Callable[[str, str], Iterator[tuple[str, Fact]]]]] = {
    "arguments": (".py", _arguments),
    "fields": (".py", _fields),
    "keys": (".py", _keys),
    "gflags": (".cpp .cc .h", _gflags),
    "go flags": (".go", _go_flags),
    "checked keys": (".cpp .cc", _checked),
}
"""The suffixes of the files that a form stands in, and its reader."""


def _tree(text: str) -> ast.AST:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module(body=[], type_ignores=[])


def _short(text: str) -> str:
    return _BLANK.sub(" ", text).strip()[:_LONGEST]


def _quoted(text: str) -> str:
    found = [one or other for one, other in _LITERAL.findall(text)]
    return " ".join(found) or _short(text)
