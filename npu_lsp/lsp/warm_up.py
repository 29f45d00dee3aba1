"""What the first file will need, fetched while the client is still busy with itself."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules

_log = logging.getLogger(__name__)

_PAUSE = 0.02
"""Seconds in which the client has the floor."""
_LOADING, _SERVING = 100_000, 20_000
"""So many new objects make the collector look, while modules are loaded for the first file and then."""
_BEFORE = ("text.globs", "catalog.toolkit", "linter.context", "languages.python.lines.logical_lines")
"""What most files need, as much as can be loaded without the client waiting longer for its first answer than for that
of other servers."""
# In the order in which the first file asks for them; those that bring many others come bit by bit.
_FIRST = (
    "languages.triggers",
    "languages.python.tree.nodes",
    "languages.python.dataflow.values",
    "languages.python.parsing",
    "linter.suppressions.comments",
)
_SECOND = (
    "rules.fixes.op_precision_file",
    "languages.python.writer",
    "docs.render",
    "lsp.features.proposals",
    "lsp.features.hover",
    "lsp.features.completion",
    "lsp.features.code_actions",
    "lsp.features.definition",
    "lsp.features.highlights",
    "lsp.features.references",
    "lsp.features.typed_words",
    "lsp.features.word_hover",
    "lsp.features.inlay_hints",
    "lsp.features.document_links",
    "lsp.features.document_symbols",
    "config.keys",
    "languages.python.matchers.command_blocks",
    "languages.shell.tree",
    "languages.shell.lexer",
    "languages.shell.commands",
    "languages.shell.scope",
    "languages.shell.reader",
)
_PYTHON = """\
custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
custom_op.name = "NpuOptimizer"
custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")
custom_op.parameter_map["precison_mode"].b = True
run_config = NPURunConfig(iterations_per_loop=10)
"""
_SHELL = "atc --model=a.onnx --framework=5 --output=a --soc_verison=Ascend310P3\n"


def calm_collector() -> None:
    """Look for garbage less often: what a server imports and keeps isn't any, and each look takes time."""
    gc.set_threshold(_SERVING, 10, 10)


def load_basics() -> None:
    """Load what most files need."""
    for name in _BEFORE:
        import_module(f"npu_lsp.{name}")


class WarmUp:
    """Fetches, bit by bit, whenever there is nothing else to do.

    In the event loop's thread and not beside it: two threads that both import take turns, and the first file would
    wait for what only the second one needs.
    """

    def __init__(self, busy: Callable[[], bool]) -> None:
        """`busy` tells whether there is something else to do."""
        self._busy = busy

    def start(self) -> None:
        """Load modules and data piece by piece, between requests, until all are loaded."""
        # One look at this moment would be a tenth of what the first file waits for.
        gc.set_threshold(_LOADING, 10, 10)
        asyncio.get_running_loop().call_soon(self._step, _pieces())

    def _step(self, pieces: Iterator[None]) -> None:
        loop = asyncio.get_running_loop()
        if self._busy():
            loop.call_later(_PAUSE, self._step, pieces)
            return
        try:
            next(pieces)
        except StopIteration:
            calm_collector()
            return
        except Exception:
            calm_collector()
            _log.exception("warming up failed")
            return
        loop.call_soon(self._step, pieces)


def _pieces() -> Iterator[None]:
    """Import what findings, hovers and completions are made with, and open the catalog; each step takes moments."""
    for name in _FIRST:
        import_module(f"npu_lsp.{name}")
        yield
    from npu_lsp.languages.triggers import prepare

    prepare()
    yield
    from npu_lsp import rules

    for module in iter_modules(rules.__path__):
        import_module(f"{rules.__name__}.{module.name}")
        yield
    for name in _SECOND:
        import_module(f"npu_lsp.{name}")
        yield
    from npu_lsp.catalog.model import Surface
    from npu_lsp.docs.render import render
    from npu_lsp.languages import cursor
    from npu_lsp.linter.analysis import Analyzer
    from npu_lsp.linter.configuration import Config
    from npu_lsp.text.document import Document
    from npu_lsp.text.kinds import Kind

    analyzer = Analyzer(Config(), rules.all_rules)
    _ = analyzer.catalog, analyzer.rules
    yield
    # Nothing finds what a module imports late as well as using it.
    for kind, text in ((Kind.PYTHON, _PYTHON), (Kind.SHELL, _SHELL)):
        document = Document(text, kind=kind)
        analyzer.findings(document)
        yield
        cursor(document, len(text) - 3)
        yield
    option = analyzer.catalog.option(Surface.SESSION, "precision_mode")
    if option is not None:
        render(analyzer.catalog, option, "en", analyzer.target)
    yield
    # All of this stays: it need not be looked through again and again.
    gc.freeze()
