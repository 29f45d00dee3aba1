"""Writes what belongs to a session: rewrites that are switched off, a name, an `NPURunConfig(...)` or a function with the same options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from npu_lsp.catalog.calls import RUN_CONFIG
from npu_lsp.catalog.programs import OPTIMIZER
from npu_lsp.languages.hosts.writer import add_to_session
from npu_lsp.languages.model import Block, Fact
from npu_lsp.languages.python.dataflow.names import Names
from npu_lsp.languages.python.lines.scopes import MODULE, exits_early
from npu_lsp.languages.python.source import source_of
from npu_lsp.languages.python.writer.lines import added_import, below, indentation, line_start, starts_line, unused
from npu_lsp.languages.python.writer.literals import as_bytes, tensorflow_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Edit, Span

_ADD = re.compile(r"(?P<options>[A-Za-z_][\w.]*)\s*\.\s*custom_optimizers\s*\.\s*add\s*\(")
_REWRITES = "rewrite_options"
OFF = "RewriterConfig.OFF"
"""What switches a rewrite off."""
_IMPORT = "from tensorflow.core.protobuf.rewriter_config_pb2 import RewriterConfig"
# `npu_init` has the name, and everybody imports all of it.
_HAS_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+npu_bridge\.npu_init[ \t]+import[ \t]+\*|from[ \t]+[\w.]+[ \t]+import[ \t(].*\bRewriterConfig\b)",
    re.MULTILINE,
)


def switch_off(document: Document, block: Block, added: Fact, names: Sequence[str]) -> tuple[Edit, ...]:
    """Return the edits that switch the rewrites `names` off in the config that `added` adds an optimizer to."""

    def add(document: Document, block: Block, added: Fact) -> tuple[Edit, ...]:
        match = _ADD.match(document.text, added.span.start, added.span.end)
        if match is None or not match["options"].rpartition(".")[2].endswith(_REWRITES):
            return ()
        lines = [f"{match['options']}.{name} = {OFF}" for name in names]
        put = below(document, _last_of_suite(document, block, added), lines)
        return (*_import_rewrites(document), *put) if put else ()

    return add_to_session(document, block, added, add)


def name_optimizer(document: Document, block: Block, added: Fact) -> tuple[Edit, ...]:
    """Return the edit that gives the optimizer its name, on a line below the one that adds it."""
    if not re.fullmatch(r"[A-Za-z_][\w.]*", block.receiver):
        return ()
    lines = [f'{block.receiver}.name = "{OPTIMIZER}"']
    return add_to_session(document, block, added, lambda d, _, a: below(d, a.span.start, lines))


@Memoized
def _import_rewrites(document: Document) -> tuple[Edit, ...]:
    """Return what imports the class of `OFF` where the file doesn't have it."""
    if _HAS_IMPORT.search(document.text) is not None:
        return ()
    return (added_import(document, _IMPORT),)


def _last_of_suite(document: Document, block: Block, added: Fact) -> int:
    """Return where the last statement on the optimizer starts that stands beside the one which adds it."""
    last = added.span.start
    indent = indentation(document, last)
    spans = [*(s.statement for s in block.settings if s.branch == added.branch), *(f.span for f in block.facts)]
    for span in sorted(spans):
        between = document.text[added.span.end : span.start]
        exits_early = any(
            line.strip() and not line.lstrip().startswith("#") and not line.startswith(indent)
            for line in between.split("\n")[1:-1]
        )
        if span.start > last and not exits_early and indentation(document, span.start) == indent:
            last = span.start
    return last


_ALL = re.compile(r"(?m)^[ \t]*from[ \t]+npu_bridge\.(?:npu_init|estimator\.npu\.npu_config)[ \t]+import[ \t]+\*")
_MODULE = "npu_bridge.estimator.npu.npu_config"
_STEP = "    "


class CallArgument(NamedTuple):
    """One argument of a call."""

    name: str
    code: str = ""
    made_by: str = ""
    """The class whose object it is, where it is one."""
    inner: tuple[CallArgument, ...] = ()
    """The arguments of that class."""


def last_statement(block: Block) -> Span:
    """Return the last of a session's statements that run whenever the others do: what is written stands below."""
    always = min((setting.branch for setting in block.settings), key=len)
    return max(setting.statement for setting in block.settings if setting.branch == always)


def run_config(
    document: Document, block: Block, arguments: Sequence[CallArgument], notes: Sequence[str]
) -> tuple[Edit, ...]:
    """Return the edits that put `run_config = NPURunConfig(...)` below the block, with `notes` as comments in it."""
    name = unused("run_config", document.text)
    lines = [
        f"{name} = {RUN_CONFIG}(",
        *(f"{_STEP}# {note}" for note in notes),
        *_written_arguments(arguments, _STEP),
        ")",
    ]
    put = below(document, last_statement(block).start, lines)
    names = sorted({RUN_CONFIG, *_classes(arguments)}, key=(RUN_CONFIG,).count, reverse=True)
    return (*_class_imports(document, names), *put) if put else ()


def _written_arguments(arguments: Sequence[CallArgument], indent: str) -> Iterator[str]:
    for each in arguments:
        if each.made_by:
            yield f"{indent}{each.name}={each.made_by}("
            yield from _written_arguments(each.inner, indent + _STEP)
            yield f"{indent}),"
        else:
            yield f"{indent}{each.name}={each.code},"


def _classes(arguments: Sequence[CallArgument]) -> Iterator[str]:
    for each in arguments:
        if each.made_by:
            yield each.made_by
            yield from _classes(each.inner)


def _class_imports(document: Document, names: Sequence[str]) -> tuple[Edit, ...]:
    """Return what imports those of `names` that the file doesn't have."""
    if _ALL.search(document.text) is not None:
        return ()
    bound = Names(source_of(document))
    missing = [name for name in names if not bound.bindings(name)]
    return (added_import(document, f"from {_MODULE} import {', '.join(missing)}"),) if missing else ()


class DictItem(NamedTuple):
    """One entry of a `parameter_map`."""

    name: str
    slot: str
    code: str
    """Its value; text where the slot is for bytes."""


def session_function(
    document: Document, block: Block, entries: Sequence[DictItem], notes: Sequence[str]
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
    written = _written_session(document, entries, notes, tensorflow or "tf")
    gap = [""] * (1 if indentation(document, start) else 2)
    if exits_early(document.text, start):
        put = _above(document, start, [*written, *gap])
    else:
        follows = document.line_of(source.logical_lines.ends[index]) + 1
        is_blank = follows >= document.line_count or not document.line_text(follows).strip()
        put = below(document, start, [*gap, *written, *([] if is_blank else gap)])
    return (*_session_imports(document, tensorflow), *put) if put else ()


def _written_session(
    document: Document, entries: Sequence[DictItem], notes: Sequence[str], tensorflow: str
) -> list[str]:
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


def _session_imports(document: Document, tensorflow: str | None) -> tuple[Edit, ...]:
    needed = added_import(document, "import tensorflow as tf")
    return (*((needed,) if tensorflow is None else ()), *_import_rewrites(document))
