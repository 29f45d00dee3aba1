"""Arguments of programs by their own `add_argument` calls, read from branches of a Git repository without running anything.

A call is read where its names are literals; what an expression says (`default=SOME`) is left out.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.files import DATA

_NO_VALUE = frozenset({"store_true", "store_false", "store_const", "append_const", "count"})
_UNKNOWN = object()


class Argument(NamedTuple):
    """What one call says of an argument."""

    names: tuple[str, ...]
    """With their dashes."""
    kind: str
    """The name of its type, `str` where none is given, `?` where a function of the program's own converts it."""
    nargs: str | None
    """How many words its value is: "0", "?", "*", "+", a number; `None`: one."""
    choices: tuple[str | int | float, ...]
    open: bool
    """Whether an expression says what is allowed."""
    default: str | int | float | bool | None
    help: str
    path: str


def read(folder: Path, ref: str, below: Sequence[str]) -> Iterator[Argument]:
    """Yield the arguments of the files below some folders of a repository at a branch, a tag or a commit."""
    listed = git(folder, "grep", "-l", "-e", "add_argument", "-e", "ArgumentGroupFactory", ref, "--", *below)
    for line in listed.splitlines():
        path = line.partition(":")[2]
        if path.endswith(".py"):
            yield from of_text(git(folder, "show", f"{ref}:{path}"), path)


def of_text(text: str, path: str = "") -> Iterator[Argument]:
    """Yield the arguments that a module adds to parsers."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument":
            names = tuple(str(_literal(each)) for each in node.args)
            if names and all(name.startswith("-") for name in names):
                yield _argument(names, {each.arg: each.value for each in node.keywords if each.arg}, path)


def fields(folder: Path, ref: str, classes: Sequence[str], below: Sequence[str]) -> Iterator[str]:
    """Yield the flags that are made of the fields of dataclasses, under any name that Megatron gives them."""
    for name in classes:
        for line in git(folder, "grep", "-l", f"^class {name}\\b", ref, "--", *below).splitlines():
            path = line.partition(":")[2]
            for node in ast.walk(ast.parse(git(folder, "show", f"{ref}:{path}"))):
                if isinstance(node, ast.ClassDef) and node.name == name:
                    yield from fields(folder, ref, [_name_of(base) for base in node.bases], below)
                    for each in node.body:
                        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                            flag = each.target.id.replace("_", "-")
                            yield from (f"--{flag}", f"--no-{flag}", f"--disable-{flag}")
                            for inner in ast.walk(each):
                                if isinstance(inner, ast.Constant) and str(inner.value).startswith("--"):
                                    yield str(inner.value)


def made_of(folder: Path, ref: str, below: Sequence[str]) -> list[str]:
    """Return the dataclasses of which arguments are made at `ref`."""
    told = git(folder, "grep", "-hoE", r"ArgumentGroupFactory\(\w+", ref, "--", *below)
    return sorted({line.partition("(")[2] for line in told.splitlines()})


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else "object"


def _argument(names: tuple[str, ...], given: dict[str, ast.expr], path: str) -> Argument:
    action = _literal(given.get("action"))
    choices = _literal(given["choices"]) if "choices" in given else ()
    default = _literal(given.get("default"))
    nargs = "0" if action in _NO_VALUE else _literal(given.get("nargs"))
    kind = given.get("type")
    return Argument(
        names,
        "str" if kind is None else kind.id if isinstance(kind, ast.Name) and kind.id in _PLAIN else "?",
        None if nargs is None or nargs is _UNKNOWN else str(nargs),
        tuple(choices) if isinstance(choices, (list, tuple)) else (),
        ("choices" in given and not isinstance(choices, (list, tuple))) or nargs is _UNKNOWN,
        default if isinstance(default, (str, int, float, bool)) else None,
        " ".join(str(_literal(given.get("help"))).split())
        if _literal(given.get("help")) not in (None, _UNKNOWN)
        else "",
        path,
    )


_PLAIN = frozenset({"int", "float", "str"})


def _literal(node: ast.expr | None) -> object:
    if node is None:
        return None
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        return _UNKNOWN


def git(folder: Path, *arguments: str) -> str:
    """Return what a command of Git says; nothing where it fails."""
    ran = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    return ran.stdout.decode("utf-8", errors="replace")


def listed(key: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a list in TOML."""
    yield f"{key} = ["
    yield from (f'    "{name}",' for name in names)
    yield "]"


def write_others(table: str, lines: Sequence[str]) -> None:
    """Write one table of `other_flags.toml`, with those below it; the others are another script's."""
    path = DATA / "other_flags.toml"
    head, *tables = _tables(path.read_text(encoding="utf-8"))
    made = _tables("\n".join(("", f"[{table}]", *lines)))[1:]
    kept = {each[1 : each.index("]")]: each.rstrip() for each in (*tables, *made)}
    path.write_text("\n\n".join((head.rstrip(), *(kept[name] for name in sorted(kept)))) + "\n", encoding="utf-8")


def _tables(text: str) -> list[str]:
    return re.split(r"(?m)^(?=\[)", text)
