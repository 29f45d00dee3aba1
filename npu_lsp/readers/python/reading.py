"""Runs the recognisers over one version of a text."""

from __future__ import annotations

from npu_lsp.document import Document
from npu_lsp.readers.model import Reading
from npu_lsp.readers.python import parameter_map, session_setup
from npu_lsp.readers.python.receivers import Receivers
from npu_lsp.readers.python.scenes import Scenes
from npu_lsp.readers.python.source import source_of
from npu_lsp.readers.python.view import View


def read_source(document: Document) -> Reading:
    """Return what the document sets."""
    source = source_of(document)
    view = View(source)
    scenes = Scenes(view)
    receivers = Receivers(view, scenes)
    parameter_map.find(view, receivers, scenes)
    session_setup.find(view, receivers)
    source.settle()
    return Reading(blocks=view.drafts.finish(), setup=tuple(view.setup), damaged=bool(source.skeleton.damage))
