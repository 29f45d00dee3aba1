"""What the first file will need, fetched while the client is still busy with itself."""

from __future__ import annotations

import gc

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
    gc.set_threshold(20_000, 10, 10)


def warm() -> None:
    """Import what findings, hovers and completions are made with, and open the catalog."""
    from npu_lsp.analysis import Analyzer
    from npu_lsp.catalog.model import Surface
    from npu_lsp.catalog.show import render
    from npu_lsp.config.model import Config
    from npu_lsp.document import Document
    from npu_lsp.kinds import Kind
    from npu_lsp.readers import cursor

    analyzer = Analyzer(Config())
    # Nothing finds what a module imports late as well as using it.
    for kind, text in ((Kind.PYTHON, _PYTHON), (Kind.SHELL, _SHELL)):
        document = Document(text, kind=kind)
        analyzer.findings(document)
        cursor(document, len(text) - 3)
    option = analyzer.catalog.option(Surface.SESSION, "precision_mode")
    if option is not None:
        render(analyzer.catalog, option, "en", analyzer.target)
    # All of this stays: it need not be looked through again and again.
    gc.freeze()
