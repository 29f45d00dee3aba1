"""`npu.global_options().name = value`: one object for the whole process, so one block for the whole file."""

from __future__ import annotations

import ast

from npu_lsp.catalog.model import Surface
from npu_lsp.readers.python.attributes import Attributes
from npu_lsp.readers.python.paths import last
from npu_lsp.readers.python.scenes import Scenes
from npu_lsp.readers.python.view import View

NAME = "global_options"


def find(view: View, scenes: Scenes) -> None:
    """Add the settings of the global options."""
    if not view.speaks_of_npu:
        # Other libraries have global options, too.
        return
    found = Attributes(view, scenes, Surface.GLOBAL_OPTIONS, (NAME,), _is_root)
    found.shared = NAME
    found.find()


def _is_root(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last(node.func) == NAME and not node.args and not node.keywords
