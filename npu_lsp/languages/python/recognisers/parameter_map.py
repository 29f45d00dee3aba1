"""The options of an optimizer: what is assigned to the entries of its `parameter_map`."""

from __future__ import annotations

from collections.abc import Hashable

import libcst as cst

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, Setting
from npu_lsp.languages.python.following.call_contexts import CallContext, CallContexts
from npu_lsp.languages.python.following.receivers import Receivers
from npu_lsp.languages.python.place import Place
from npu_lsp.languages.python.recognisers.entries import SlotAssignment, entries
from npu_lsp.languages.python.tree.constants import constant
from npu_lsp.languages.python.tree.nodes import names_in
from npu_lsp.languages.python.tree.statement import Statement
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.kept import Table
from npu_lsp.text.source_map import OffsetShift


def find(view: SourceView, receivers: Receivers, contexts: CallContexts) -> None:
    """Add every setting of an optimizer."""
    for entry in entries(view):
        key = receivers.key(entry.receiver, entry.receiver_place)
        view.drafts.draft(
            key,
            Surface.SESSION,
            entry.receiver_place.line.span(entry.receiver),
            entry.receiver_place.line.source(entry.receiver),
        )
        name = view.evaluate.text(entry.key, entry.key_place)
        if name is not None and isinstance(entry.slot, str):
            view.drafts.setting(key, _written_out(view, entry, name, entry.slot))
            continue
        found = contexts.of(entry.place, names_in(entry.key))
        if found is None or any(context.open for context in found):
            # Any option may be set here.
            view.drafts.opened(key)
        for context in found or ():
            _add_context(view, receivers, contexts, entry, context)


_SETTINGS: Table[Statement, tuple[cst.CSTNode, cst.CSTNode], tuple[Setting, int]] = Table()
"""The settings of a line that hang on no other, by key and value, and where the line began then."""


def _written_out(view: SourceView, entry: SlotAssignment, name: str, slot: str) -> Setting:
    """Return the setting of an entry that is all in one place."""
    line = entry.place.line
    settings = _SETTINGS.of(line.statement)
    kept = settings.get((entry.key, entry.value))
    if kept is not None:
        by, branch = line.start - kept[1], entry.place.branch
        same = kept[0].mapped(OffsetShift.by(by)) if by else kept[0]
        return same if branch == same.branch else same._replace(branch=branch)
    setting = Setting(
        surface=Surface.SESSION,
        name=name,
        key=view.evaluate.content(entry.key, entry.key_place),
        value=view.evaluate.value(entry.value, entry.place),
        form=Form.PARAMETER_MAP if entry.own == entry.statement else Form.ITEM,
        statement=entry.statement,
        own=entry.own,
        slot=slot,
        slot_span=entry.slot_span,
        branch=entry.place.branch,
        receiver=entry.written,
    )
    if view.evaluate.is_free(entry.value, line) and constant(entry.key) is not None and entry.key_place == entry.place:
        # Nothing in it hangs on another line.
        settings[entry.key, entry.value] = setting, line.start
    return setting


def _add_context(
    view: SourceView, receivers: Receivers, contexts: CallContexts, entry: SlotAssignment, context: CallContext
) -> None:
    """Add what one round of a loop or one call of a function sets, where its key is written."""
    key = _owner(receivers, contexts, entry, context)
    place = Place(entry.place.line, entry.place.branch, context.given)
    key_place = Place(entry.key_place.line, entry.key_place.branch, context.given)
    name = view.evaluate.text(entry.key, key_place)
    written = contexts.site(entry.key, key_place)
    if name is None or written is None or context.own is None or context.statement is None:
        view.drafts.opened(key)
        return
    key_node, key_line = written
    head = key_line.span(key_node)
    if not context.settled and not view.first_sight(key, name, head):
        return
    view.drafts.draft(key, Surface.SESSION, head, entry.written)
    slot = entry.slot if isinstance(entry.slot, str) else view.evaluate.text(entry.slot, place)
    value, at = contexts.value(entry.value, place, context), view.evaluate.content(key_node, Place(key_line))
    setting = context.setting(Surface.SESSION, name, at, value, Form.ITEM)
    if setting is not None:
        slot = slot if context.settled else None
        view.drafts.setting(key, setting._replace(slot=slot, receiver=entry.written))


def _owner(receivers: Receivers, contexts: CallContexts, entry: SlotAssignment, context: CallContext) -> Hashable:
    """Return the key of the optimizer, which a call may hand over."""
    at = entry.receiver_place
    handed = contexts.site(entry.receiver, Place(at.line, at.branch, context.given))
    if handed is not None:
        return receivers.key(handed[0], Place(handed[1], context.branch))
    return receivers.key(entry.receiver, at)
