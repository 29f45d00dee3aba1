"""Writes a function below an `NPURunConfig(...)` that returns the config of a session with the same options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from npu_lsp.catalog.programs import OPTIMIZER
from npu_lsp.languages.model import Block
from npu_lsp.languages.python.lines.scopes import MODULE, exits_early
from npu_lsp.languages.python.source import source_of
from npu_lsp.languages.python.writer.expressions import as_bytes
from npu_lsp.languages.python.writer.imports import added_import
from npu_lsp.languages.python.writer.lines import below, indentation, line_start, starts_line, unused
from npu_lsp.languages.python.writer.literals import tensorflow_of
from npu_lsp.languages.python.writer.session import OFF, import_rewrites
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span


class Entry(NamedTuple):
    """One entry of a `parameter_map`."""

    name: str
    slot: str
    code: str
    """Its value; text where the slot is for bytes."""


def session_function(
    document: Document, block: Block, entries: Sequence[Entry], notes: Sequence[str]
) -> tuple[Edit, ...]:
    """Return the edits that put the function below the block's statement, or above one that nothing can stand below.

    `notes` are comments in it. A function runs nothing until somebody calls it, and hands on the config that it returns.
    """
    source = source_of(document)
    index = source.logical_lines.at(block.head.start)
    if index is None or source.scopes.header(index):
        return ()
    scope, start = source.scopes.scope(index), source.logical_lines.starts[index]
    if not starts_line(document, start) or (scope != MODULE and source.scopes.header(scope) == "class"):
        return ()
    tensorflow = tensorflow_of(document)
    written = _written(document, entries, notes, tensorflow or "tf")
    gap = [""] * (1 if indentation(document, start) else 2)
    if exits_early(document.text, start):
        put = _above(document, start, [*written, *gap])
    else:
        follows = document.line_of(source.logical_lines.ends[index]) + 1
        is_blank = follows >= document.line_count or not document.line_text(follows).strip()
        put = below(document, start, [*gap, *written, *([] if is_blank else gap)])
    return (*_imports(document, tensorflow), *put) if put else ()


def _written(document: Document, entries: Sequence[Entry], notes: Sequence[str], tensorflow: str) -> list[str]:
    taken = " ".join(entry.code for entry in entries)
    config, operator = unused("config", taken), unused("custom_op", taken)
    rewrites = f"{config}.graph_options.rewrite_options"
    values = (as_bytes(e.code, document) if e.slot == "s" else e.code for e in entries)
    inside = [
        *(f"# {note}" for note in notes),
        f"{config} = {tensorflow}.compat.v1.ConfigProto()",
        f"{operator} = {rewrites}.custom_optimizers.add()",
        f'{operator}.name = "{OPTIMIZER}"',
        f'{operator}.parameter_map["use_off_line"].b = True',
        *(f'{operator}.parameter_map["{e.name}"].{e.slot} = {v}' for e, v in zip(entries, values, strict=True)),
        *(f"{rewrites}.{name} = {OFF}" for name in ("remapping", "memory_optimization")),
        f"return {config}",
    ]
    return [f"def {unused('npu_session_config', document.text)}():", *(f"    {line}" for line in inside)]


def _above(document: Document, start: int, lines: Sequence[str]) -> tuple[Edit, ...]:
    above, indent, ending = line_start(document, start), indentation(document, start), document.newline_at(start)
    return (Edit(Span(above, above), "".join((indent + each if each else "") + ending for each in lines)),)


def _imports(document: Document, tensorflow: str | None) -> tuple[Edit, ...]:
    needed = added_import(document, "import tensorflow as tf")
    return (*((needed,) if tensorflow is None else ()), *import_rewrites(document))
