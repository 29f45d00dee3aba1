"""TorchAir's `CompilerConfig`: attributes of an object that the script makes."""

from __future__ import annotations

import libcst as cst

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.python.dataflow.contexts import CallContexts
from npu_lsp.languages.python.dataflow.modules import comes_from
from npu_lsp.languages.python.matchers.attributes import Attributes
from npu_lsp.languages.python.tree.nodes import last, positional
from npu_lsp.languages.python.view import SourceView

_CONFIG, _MODULES = "CompilerConfig", frozenset({"torchair"})


def find(view: SourceView, contexts: CallContexts) -> None:
    """Add one block for each compiler config."""
    if view.source.occurrences.substring("torchair") and comes_from(view, _CONFIG, _MODULES) is not False:
        Attributes(view, contexts, Surface.TORCHAIR, (_CONFIG,), _is_config).find()


def _is_config(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and last(node.func) == _CONFIG and not positional(node)
