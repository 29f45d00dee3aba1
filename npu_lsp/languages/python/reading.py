"""Runs the recognisers over one version of a text."""

from __future__ import annotations

from npu_lsp.languages.embedding import nest_of, set_regions
from npu_lsp.languages.model import Reading
from npu_lsp.languages.python.comments import comments
from npu_lsp.languages.python.early_exit import behind_early_exit
from npu_lsp.languages.python.following.call_contexts import CallContexts
from npu_lsp.languages.python.following.receivers import Receivers
from npu_lsp.languages.python.functions import apart
from npu_lsp.languages.python.python2 import python2
from npu_lsp.languages.python.recognisers import (
    additional_config,
    argument_calls,
    commands,
    dict_calls,
    environ,
    environment_dicts,
    global_options,
    iteration_loop,
    mindspore_init,
    module_attributes,
    parameter_map,
    providers,
    ray_environments,
    run_config,
    session_setup,
    torchair,
)
from npu_lsp.languages.python.shared_text import shared_text
from npu_lsp.languages.python.source import Source, source_of
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.document import Document


def read_source(document: Document) -> Reading:
    """Return what the document sets. Of the version before, the logical lines and their trees are taken over."""
    source = source_of(document)
    view = SourceView(source, document.path, nest_of(document))
    reading = _read(view, source)
    set_regions(document, view.regions)
    return reading


def _read(view: SourceView, source: Source) -> Reading:
    contexts = CallContexts(view)
    receivers = Receivers(view, contexts)
    parameter_map.find(view, receivers, contexts)
    session_setup.find(view, receivers, contexts)
    run_config.find(view)
    global_options.find(view, contexts)
    environ.find(view, contexts)
    environment_dicts.find(view)
    ray_environments.find(view)
    commands.find(view, contexts)
    dict_calls.find(view)
    argument_calls.find(view)
    torchair.find(view, contexts)
    module_attributes.find(view)
    additional_config.find(view, contexts)
    providers.find(view)
    iteration_loop.find(view)
    mindspore_init.find(view)
    old = python2(source)
    if old is not None:
        view.facts.append(old)
    spoken = comments(source)
    blocks = behind_early_exit(apart(view.drafts.finish(), source), source)
    view.facts.extend(shared_text(view, blocks))
    source.settle()
    source.roles = view.roles
    return Reading(
        blocks=blocks,
        comments=tuple(sorted((*spoken, *view.spoken), key=lambda comment: comment.span)),
        syntax=tuple(view.syntax),
        facts=tuple(view.facts),
        damaged=view.damaged or bool(source.logical_lines.damage),
    )
