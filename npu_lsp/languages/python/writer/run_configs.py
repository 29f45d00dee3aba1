"""Writes an `NPURunConfig(...)` below the statements of a session."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from npu_lsp.catalog.calls import RUN_CONFIG
from npu_lsp.languages.model import Block
from npu_lsp.languages.python.source import source_of
from npu_lsp.languages.python.values.names import Names
from npu_lsp.languages.python.writer.imports import added_import
from npu_lsp.languages.python.writer.lines import below, unused
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

_ALL = re.compile(r"(?m)^[ \t]*from[ \t]+npu_bridge\.(?:npu_init|estimator\.npu\.npu_config)[ \t]+import[ \t]+\*")
_MODULE = "npu_bridge.estimator.npu.npu_config"
_STEP = "    "


class Argument(NamedTuple):
    """One argument of a call."""

    name: str
    code: str = ""
    made_by: str = ""
    """The class whose object it is, where it is one."""
    inner: tuple[Argument, ...] = ()
    """The arguments of that class."""


def last_statement(block: Block) -> Span:
    """Return the last of a session's statements that run whenever the others do: what is written stands below."""
    always = min((setting.branch for setting in block.settings), key=len)
    return max(setting.statement for setting in block.settings if setting.branch == always)


def run_config(
    document: Document, block: Block, arguments: Sequence[Argument], notes: Sequence[str]
) -> tuple[Edit, ...]:
    """Return the edits that put `run_config = NPURunConfig(...)` below the block, with `notes` as comments in it."""
    name = unused("run_config", document.text)
    lines = [f"{name} = {RUN_CONFIG}(", *(f"{_STEP}# {note}" for note in notes), *_written(arguments, _STEP), ")"]
    put = below(document, last_statement(block).start, lines)
    names = sorted({RUN_CONFIG, *_classes(arguments)}, key=(RUN_CONFIG,).count, reverse=True)
    return (*_imports(document, names), *put) if put else ()


def _written(arguments: Sequence[Argument], indent: str) -> Iterator[str]:
    for each in arguments:
        if each.made_by:
            yield f"{indent}{each.name}={each.made_by}("
            yield from _written(each.inner, indent + _STEP)
            yield f"{indent}),"
        else:
            yield f"{indent}{each.name}={each.code},"


def _classes(arguments: Sequence[Argument]) -> Iterator[str]:
    for each in arguments:
        if each.made_by:
            yield each.made_by
            yield from _classes(each.inner)


def _imports(document: Document, names: Sequence[str]) -> tuple[Edit, ...]:
    """Return what imports those of `names` that the file doesn't have."""
    if _ALL.search(document.text) is not None:
        return ()
    bound = Names(source_of(document))
    missing = [name for name in names if not bound.bindings(name)]
    return (added_import(document, f"from {_MODULE} import {', '.join(missing)}"),) if missing else ()
