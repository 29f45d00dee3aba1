"""Names of environment variables that source code reads: Python, C and C++, Go, shell. Nothing is run.

A reader yields what the code names (`Read`): the name itself, or the constant that holds it, which may stand in another file;
and what constants hold (`Held`). `names` puts the two together for all files of a component.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{2,79}")
_UPPER = re.compile(r"[A-Z][A-Z0-9_]{2,79}")
_ENVIRONMENT = re.compile(r"(?i)(?:^|_)environ$|^env$")
"""What the mapping is called: `os.environ`, `environ`, a copy of it in `env`."""
_WRAPPER = re.compile(
    r"(?i)(?:get|read|check|parse|load|is|try|from|default|require|int|bool|str|float)\w*env|env\w*(?:get|int|bool|str|float|flag|var|is)"
)
_DECLARED = re.compile(r"Env[A-Z][A-Za-z]*|[A-Za-z]*EnvVar|EnvironmentVariable")
"""What a table of variables has as values: `X = EnvBool(False)`."""

_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:[^"\\\n]|\\.)*")', re.DOTALL)
_C_READ = re.compile(
    r"\b(?:[A-Za-z_]+::)*(?P<call>(?:secure_)?getenv|getCvar\w+|\w*[Gg]et\w*[Ee]nv\w*|\w*_?env(?:_\w+)?|\w*(?:Get|Check)\w*(?:Option|Env\w*))"
    r'\s*(?:<[^<>()]*>)?\(\s*(?:"(?P<name>[A-Za-z][A-Za-z0-9_]{2,79})"|(?P<constant>[A-Za-z_][\w:.]*?)(?:\.c_str\(\)|\.data\(\))?\s*[,)])'
)
_C_SETS = re.compile(r"(?i)^(?:un)?set|put|un\w*env|getoption$")
_MMPA = re.compile(
    r"\bMM_\w*GET_ENV\(\s*MM_ENV_([A-Z][A-Z0-9_]+)|\b[A-Z]+_GET_ENV\(\s*MM_ENV_([A-Z][A-Z0-9_]+)|\bGet\w*Env\w*\(\s*MM_ENV_([A-Z][A-Z0-9_]+)"
)
_REGISTERED = re.compile(r"(?<!define )\bREGISTER_OPTION_INIT_BY_ENV\(\s*(\w+)\s*\)")
"""torch_npu reads the name in capitals."""
_C_HELD = re.compile(
    r'(?:#\s*define\s+(\w+)\s+|\b(\w+)\s*(?:\[\s*\d*\s*\])?\s*(?:=|\{|\()\s*)((?:\{\s*)*"[A-Za-z][A-Za-z0-9_]{2,79}"(?:\s*,\s*"\w+")*)\s*[)};\n]'
)
"""One text, or a list of them: names of one variable, the newest first."""
_GO_READ = re.compile(r'\bos\.(?:Getenv|LookupEnv)\(\s*(?:"([A-Za-z]\w+)"|([\w.]+))\s*\)')
_GO_HELD = re.compile(r'\b(\w+)\s*(?:string\s*)?:?=\s*"([A-Za-z][A-Za-z0-9_]{2,79})"')


_SHELL_READ = re.compile(r"\$\{([A-Z][A-Z0-9_]{2,79}):?[-+=?]")
"""A shell asks whether a variable is set, or has a value for where it isn't; other words in capitals are mostly its own."""


class Read(NamedTuple):
    """A place that reads a variable."""

    name: str
    constant: bool
    """Whether `name` is the constant that holds it."""


class Held(NamedTuple):
    """What a constant holds."""

    constant: str
    names: tuple[str, ...]
    """Several where one variable has several."""


def names(files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the names that files (path and text) read, each with the first path that does, sorted."""
    held: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    here: dict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
    reads: list[tuple[str, Read]] = []
    for path, text in files:
        for each in _found(path, text):
            if isinstance(each, Read):
                reads.append((path, each))
            else:
                held[each.constant].add(each.names)
                here[path, each.constant].add(each.names)
    found: dict[str, str] = {}
    for path, read in reads:
        # A constant that has another value in another file tells nothing to a third.
        everywhere = held.get(read.name, set())
        meant = here.get((path, read.name)) or (everywhere if len(everywhere) == 1 else set())
        told = {name for values in meant for name in values if _UPPER.fullmatch(name)} if read.constant else {read.name}
        for name in told:
            found[name] = min(path, found.get(name, path))
    return dict(sorted(found.items()))


def _found(path: str, text: str) -> Iterator[Read | Held]:
    suffix = path.rpartition(".")[2]
    if suffix == "py":
        yield from _python(text)
    elif suffix == "go":
        yield from _go(text)
    elif suffix == "sh":
        for found in _SHELL_READ.finditer(text):
            yield Read(found[1], constant=False)
    else:
        yield from _c(text)


def _python(text: str) -> Iterator[Read | Held]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=target) | ast.Attribute(attr=target)], value=value)
                | ast.AnnAssign(target=ast.Name(id=target), value=value)
            ):
                if isinstance(value, ast.Constant) and isinstance(value.value, str) and _NAME.fullmatch(value.value):
                    yield Held(target, (value.value,))
                elif (
                    isinstance(value, ast.Call)
                    and _UPPER.fullmatch(target)
                    and _DECLARED.fullmatch(_last(value.func))
                    and not (value.args and isinstance(value.args[0], ast.Constant) and _is_upper(value.args[0].value))
                ):
                    yield Read(target, constant=False)
            case ast.Call(func=called, args=[first, *_]) if _reads(called):
                yield from _argument(first, plain=_last(called) in ("getenv", "get", "setdefault", "pop"))
            case ast.Subscript(value=mapping, slice=key, ctx=ast.Load()) if _is_environment(mapping):
                yield from _argument(key, plain=True)
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[mapping]) if _is_environment(mapping):
                yield from _argument(key, plain=True)


def _reads(called: ast.expr) -> bool:
    """Say whether a call reads a variable that its first argument names."""
    name = _last(called)
    if isinstance(called, ast.Attribute) and name in ("get", "setdefault", "pop") and _is_environment(called.value):
        return name != "pop"
    return name == "getenv" or bool(_WRAPPER.search(name) or _DECLARED.fullmatch(name))


def _is_environment(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and bool(_ENVIRONMENT.search(_last(node)))


def _argument(node: ast.expr, *, plain: bool) -> Iterator[Read]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if (_NAME if plain else _UPPER).fullmatch(node.value):
            yield Read(node.value, constant=False)
    elif isinstance(node, ast.Name | ast.Attribute):
        yield Read(_last(node), constant=True)


def _is_upper(value: object) -> bool:
    return isinstance(value, str) and _UPPER.fullmatch(value) is not None


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _c(text: str) -> Iterator[Read | Held]:
    text = _COMMENT.sub(lambda found: found[1] or " ", text)
    for found in _C_READ.finditer(text):
        call, name, constant = found["call"], found["name"], found["constant"]
        if _C_SETS.search(call):
            continue
        if name is not None and ("getenv" in call.lower() or _UPPER.fullmatch(name)):
            yield Read(name, constant=False)
        elif constant is not None and not constant.startswith("MM_ENV_"):
            yield Read(re.split(r"::|\.", constant)[-1], constant=True)
    for found in _MMPA.finditer(text):
        yield Read(found[1] or found[2] or found[3], constant=False)
    for found in _REGISTERED.finditer(text):
        yield Read(found[1].upper(), constant=False)
    for found in _C_HELD.finditer(text):
        yield Held(found[1] or found[2], tuple(re.findall(r"\w+", found[3])))


def _go(text: str) -> Iterator[Read | Held]:
    text = _COMMENT.sub(lambda found: found[1] or " ", text)
    for found in _GO_READ.finditer(text):
        yield Read(found[1] or found[2].rpartition(".")[2], constant=found[1] is None)
    for found in _GO_HELD.finditer(text):
        yield Held(found[1], (found[2],))
