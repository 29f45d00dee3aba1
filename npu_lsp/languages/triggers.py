"""Bytes without which a file says nothing: looked for before a file is decoded and before a parser is imported.

A reader finds nothing in a file that `may_match` turns down. This module imports nothing that takes time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from npu_lsp.catalog.surfaces import CALLS, SHAPES
from npu_lsp.languages.registry import BY_KIND, LANGUAGES
from npu_lsp.text.kinds import Kind

if TYPE_CHECKING:
    from mmap import mmap

_COMMENT = b"npu-lsp:"
"""A comment that speaks to npu-lsp: it may be of no use, which is a finding."""
_JSON = (b"additional_config", b"additional-config")
_PYTHON = (b"parameter_map", b"custom_optimizers", *_JSON)
_OPTIONS = ("global_options", *(call.trigger for _, call in CALLS))
_OPTION = tuple(word.encode() for word in _OPTIONS if "_option" in word)
_OTHERS = tuple(word.encode() for word in _OPTIONS if "_option" not in word)
_SHAPES = tuple(
    (tuple(word.encode() for word in words), tuple(shape.encode() for shape in shapes)) for words, shapes in SHAPES
)
_CONFIGS = tuple(
    name + b"Config"
    for name in (
        *(b"NPURun", b"Compiler", b"Dump", b"Profiling", b"Memory", b"Experimental"),
        *(b"DynamicInput", b"GraphMemoryOptimize"),
    )
)
_ENVIRONMENT = (b"env", b"ENV", b"Env")
_LAUNCHERS = (b"system(", b"subprocess", b"popen", b"os.exec", b"os.spawn")
_TOOLS = (b"atc", b"aoe")
_DASHED = re.compile(rb"--[a-z][a-z0-9]*-[a-z0-9]")
"""A flag of several words, as all of MindSpeed's are."""
_TRAINED = re.compile(rb"(?:train|inference|evaluat|rlhf)[A-Za-z0-9_]{0,100}\.py")
_SHOWN = tuple(word.encode() for row in LANGUAGES for word in (*row.shown_by, *row.keys))
# A pattern that starts with a plain word is found ten times faster than one that starts with what must not stand before.
_NAMED = tuple(re.compile(tool + rb"(?:\.bin)?(?![A-Za-z0-9_./:=-])") for tool in _TOOLS)
_BEFORE = re.compile(rb"(?:\A|[^A-Za-z0-9_$])(?:py)?\Z")
# `environ[NAME]`, `environ.update(more)`, `putenv(NAME`: the variable's name stands elsewhere.
_INDIRECT = re.compile(rb"(?:environ\s*(?:\[|\.\s*(?:setdefault|__setitem__|update)\s*\()|putenv\s*\()\s*[A-Za-z_*]")
# What must not stand before is asked behind the first letter, so that only capital letters are looked at.
_VARIABLE = re.compile(rb"[A-Z](?<![A-Za-z0-9_$.-].)[A-Z0-9_]{2}[A-Za-z0-9_]*(?=['\"]|[ \t]*:?=)")
# In a host a variable may stand before `:` or a blank, and in a notebook right behind the `n` of `\n`.
_WORD = re.compile(rb"[A-Z][A-Z0-9_]{2}[A-Za-z0-9_]*")
_FOREIGN = frozenset(
    (
        b"CUDA_DEVICE_ORDER CUDA_VISIBLE_DEVICES HOME HOSTNAME LANG LD_LIBRARY_PATH LOGNAME PATH PWD PYTHONPATH SAME SHELL"
        b" TF_CPP_MIN_LOG_LEVEL TMPDIR USER VALID"
    ).split()
)
"""Words of others that many scripts have: to know that they are foreign costs no catalog."""


def may_match(kind: Kind, data: bytes | mmap) -> bool:
    """Tell whether a file of that kind can hold a setting or speak to npu-lsp; False is certain.

    `data` is in an encoding that keeps ASCII as it is.
    """
    language = BY_KIND.get(kind)
    if language is None or language.words is None:
        return language is not None
    return _TESTS[language.words](data) or data.find(_COMMENT) >= 0


def _python(data: bytes | mmap) -> bool:
    if _any((*_PYTHON, *_OTHERS), data) or _any_with(b"Config", _CONFIGS, data) or _any_with(b"_option", _OPTION, data):
        return True
    if any(all(data.find(word) >= 0 for word in words) and _any(shapes, data) for words, shapes in _SHAPES):
        return True
    launches = _any(_LAUNCHERS, data)
    if launches and _names_tool(data):
        return True
    return (launches or _any(_ENVIRONMENT, data)) and (_INDIRECT.search(data) is not None or _sets_variable(data))


def _shell(data: bytes | mmap) -> bool:
    return (
        _names_tool(data)
        or _any(_JSON, data)
        or _trains(data)
        or _sets_variable(data)
        or (data.find(b"python") >= 0 and _python(data))
    )


def _names_tool(data: bytes | mmap) -> bool:
    for pattern in _NAMED:
        for match in pattern.finditer(data):
            if _BEFORE.search(data[max(0, match.start() - 3) : match.start()]):
                return True
    return False


def _trains(data: bytes | mmap) -> bool:
    """Tell whether a script that trains models seems to be started with flags."""
    return data.find(b".py") >= 0 and _DASHED.search(data) is not None and _TRAINED.search(data) is not None


def _host(data: bytes | mmap) -> bool:
    return _names_tool(data) or _trains(data) or _python(data) or _any(_SHOWN, data) or _sets_variable(data, _WORD)


def _notebook(data: bytes | mmap) -> bool:
    return _any(_TOOLS, data) or _python(data) or _sets_variable(data, _WORD)


def _sets_variable(data: bytes | mmap, pattern: re.Pattern[bytes] = _VARIABLE) -> bool:
    """Tell whether one of the variables that matter seems to get a value."""
    names = set(pattern.findall(data)) - _FOREIGN
    if not names:
        return False
    from npu_lsp.languages.shell.variables import is_variable

    return any(is_variable(name.decode("ascii")) for name in names)


def _any_with(part: bytes, words: tuple[bytes, ...], data: bytes | mmap) -> bool:
    """As `_any`, where all words have a part in common: most texts don't have that, so that one look is enough."""
    return data.find(part) >= 0 and _any(words, data)


def _any(words: tuple[bytes, ...], data: bytes | mmap) -> bool:
    return any(data.find(word) >= 0 for word in words)


_TESTS: dict[str, Callable[[Any], bool]] = {"python": _python, "shell": _shell, "host": _host, "notebook": _notebook}
"""By the words that a language's row in the registry asks for."""
