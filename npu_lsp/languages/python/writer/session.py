"""Writes what belongs to a session besides its options: rewrites that are switched off, the optimizer's name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from npu_lsp.catalog.programs import OPTIMIZER
from npu_lsp.languages.hosts.writer import add_to_session
from npu_lsp.languages.model import Block, Fact
from npu_lsp.languages.python.writer.imports import added_import
from npu_lsp.languages.python.writer.lines import below, indentation
from npu_lsp.text.document import Document
from npu_lsp.text.kept import Derived
from npu_lsp.text.spans import Edit

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
        return (*import_rewrites(document), *put) if put else ()

    return add_to_session(document, block, added, add)


def name_optimizer(document: Document, block: Block, added: Fact) -> tuple[Edit, ...]:
    """Return the edit that gives the optimizer its name, on a line below the one that adds it."""
    if not re.fullmatch(r"[A-Za-z_][\w.]*", block.receiver):
        return ()
    lines = [f'{block.receiver}.name = "{OPTIMIZER}"']
    return add_to_session(document, block, added, lambda d, _, a: below(d, a.span.start, lines))


@Derived
def import_rewrites(document: Document) -> tuple[Edit, ...]:
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
