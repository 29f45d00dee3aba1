"""Bytes without which a file says nothing: looked for before a file is decoded and before a parser is imported.

A reader finds nothing in a file that `may_hold` turns down. This module imports nothing that takes time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from npu_lsp.kinds import Kind

if TYPE_CHECKING:
    from mmap import mmap

_ALWAYS = (b"npu-lsp:",)
"""A comment that speaks to npu-lsp: it may be of no use, which is a finding."""
_PYTHON = (
    b"parameter_map",
    b"NPURunConfig",
    b"global_options",
    b"environ",
    b"putenv",
    b"custom_optimizers",
    b"set_option",
    b"set_compile_mode",
    b"CompilerConfig",
    b"DumpConfig",
    b"ProfilingConfig",
)
_LAUNCHERS = (b"os.system", b"subprocess", b"popen")
_TOOLS = (b"atc", b"aoe")
# Each Ascend variable has one of these in capitals followed by `=`, each command one of the tools' names.
_SHELL = re.compile(rb"atc|aoe|[A-Z][A-Z0-9_]{2,}[ \t]*:?=")


def may_hold(kind: Kind, data: bytes | mmap) -> bool:
    """Tell whether a file of that kind can hold a setting or speak to npu-lsp; False is certain.

    `data` is in an encoding that keeps ASCII as it is.
    """
    if kind is Kind.PYTHON:
        return _python(data) or _any(_ALWAYS, data)
    if kind is Kind.SHELL:
        return _SHELL.search(data) is not None or _any(_ALWAYS, data)
    return kind is not Kind.OTHER


def _python(data: bytes | mmap) -> bool:
    return _any(_PYTHON, data) or (_any(_LAUNCHERS, data) and _any(_TOOLS, data))


def _any(words: tuple[bytes, ...], data: bytes | mmap) -> bool:
    return any(data.find(word) >= 0 for word in words)
