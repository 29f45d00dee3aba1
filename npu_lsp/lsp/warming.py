"""What the first file will need, fetched while the client is still busy with itself."""

from __future__ import annotations

from importlib import import_module

_MODULES = (
    "npu_lsp.suppressions",
    "npu_lsp.rules",
    "npu_lsp.readers.python",
    "npu_lsp.readers.shell",
    "npu_lsp.features.hover",
)


def warm() -> None:
    """Import what findings are made with, and open the catalog."""
    from npu_lsp.analysis import Analyzer
    from npu_lsp.config.model import Config
    from npu_lsp.document import Document
    from npu_lsp.kinds import Kind

    for name in _MODULES:
        import_module(name)
    analyzer = Analyzer(Config())
    # Nothing finds what a module imports late as well as using it.
    for kind, text in ((Kind.PYTHON, 'op.parameter_map["a"].s = b"a"\n'), (Kind.SHELL, "atc --a=b\n")):
        analyzer.findings(Document(text, kind=kind))
