"""Runs the recognisers over one version of a text."""

from __future__ import annotations

from npu_lsp.languages.embedding import nest_of, regions, set_regions
from npu_lsp.languages.model import Reading
from npu_lsp.languages.python import (
    commands,
    environ,
    global_options,
    iteration_loop,
    parameter_map,
    run_config,
    session_setup,
    torch_npu,
)
from npu_lsp.languages.python.comments import comments
from npu_lsp.languages.python.functions import apart
from npu_lsp.languages.python.leaving import behind_leaving
from npu_lsp.languages.python.python2 import python2
from npu_lsp.languages.python.receivers import Receivers
from npu_lsp.languages.python.retouch import retouched
from npu_lsp.languages.python.reuse import Versions, is_unrelated
from npu_lsp.languages.python.scenes import Scenes
from npu_lsp.languages.python.source import MEMO, Source, source_of
from npu_lsp.languages.python.view import View
from npu_lsp.text.document import Document
from npu_lsp.text.source_map import OffsetShift


def read_source(document: Document) -> Reading:
    """Return what the document sets; after an edit that can't matter, that is what the version before did."""
    source = source_of(document)
    carried = _carried(document, source)
    if carried is not None:
        return carried
    view = View(source, document.path, nest_of(document))
    reading = _read(view, source)
    set_regions(document, view.regions)
    return reading


def _carried(document: Document, source: Source) -> Reading | None:
    """Return the reading of the version before with its places moved, where at most a value's text has changed."""
    ancestor, change = document.ancestor, document.change
    if ancestor is None or change is None or regions(ancestor):
        return None
    old, reading = ancestor.memo.get(MEMO), ancestor.memo.get("reading")
    if not (isinstance(old, Source) and isinstance(reading, Reading)) or old.asked is None:
        return None
    versions = Versions(old.text, old.skeleton, source.text, source.skeleton, change)
    carried = (
        reading.mapped(OffsetShift(change))
        if is_unrelated(versions, old.asked)
        else retouched(reading, versions, old.asked)
    )
    if carried is not None:
        source.asked = old.asked
    return carried


def _read(view: View, source: Source) -> Reading:
    scenes = Scenes(view)
    receivers = Receivers(view, scenes)
    parameter_map.find(view, receivers, scenes)
    session_setup.find(view, receivers, scenes)
    run_config.find(view)
    global_options.find(view, scenes)
    environ.find(view, scenes)
    commands.find(view, scenes)
    torch_npu.find(view, scenes)
    iteration_loop.find(view)
    old = python2(source)
    if old is not None:
        view.setup.append(old)
    spoken = comments(source)
    blocks = behind_leaving(apart(view.drafts.finish(), source), source)
    source.settle(branches=any(setting.branch for block in blocks for setting in block.settings))
    source.roles = view.roles
    return Reading(
        blocks=blocks,
        comments=tuple(sorted((*spoken, *view.spoken), key=lambda comment: comment.span)),
        mistakes=tuple(view.mistakes),
        setup=tuple(view.setup),
        damaged=view.damaged or bool(source.skeleton.damage),
    )
