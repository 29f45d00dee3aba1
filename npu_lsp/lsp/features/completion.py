"""Keys, slots, values and flags while they are typed, also where the text doesn't parse yet.

The answer is put together from pieces of JSON that are made once for each option: there are a hundred of them, at every
key stroke. What documents them comes later, for the one that is looked at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from lsprotocol import types

from npu_lsp.catalog.grammar.keyed import keyed
from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.half_typed import completed_at
from npu_lsp.languages.model import PARSE_RESULT
from npu_lsp.languages.variable_names import begins_variable
from npu_lsp.lsp.client import FIRST
from npu_lsp.lsp.features.markup import markup, plaintext
from npu_lsp.lsp.features.option_text import option_text, value_text
from npu_lsp.lsp.features.proposals import Proposal, Rank, files, names_beside, proposals
from npu_lsp.lsp.features.ranges import range_json
from npu_lsp.lsp.project import Project
from npu_lsp.lsp.protocol import Encoded
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import MemoTable
from npu_lsp.text.spans import Span

_WORD = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z0-9_]+\Z")
_FEW = 2
"""Letters that tell too little of a name."""
_CLOSED = re.compile(r"[\"']\](?=[ \t]*(?:[\r\n]|\Z))")


class Item(NamedTuple):
    """A proposal, as far as it is the same wherever it is made."""

    proposal: Proposal
    text: str
    """What is inserted, in the form that `head` says: plain, or a snippet."""
    head: str
    """JSON from the opening brace on, without what depends on the place."""


class Insertion(NamedTuple):
    """What all proposals of one answer share."""

    at: CompletionContext
    edit: str
    """JSON of where their text goes."""
    late: frozenset[str]
    """The names that are set there already, and those that can't stand beside them."""
    spelt: Callable[[Proposal], str]
    """Returns what a client compares with what stands in the edit's range."""

    def rank(self, proposal: Proposal) -> Rank:
        """Return how far up a proposal comes."""
        late = self.at.prefix + proposal.name in self.late
        return max(proposal.rank, Rank.PRESENT) if late else proposal.rank


def completion(view: DocumentView, params: types.CompletionParams) -> Encoded | dict[str, Any] | None:
    """Answer what can be typed at a position, each with one edit on one line that puts it there."""
    if view.configures:
        from npu_lsp.lsp.features import configuration_file

        found = configuration_file.completion(view, params)
        if found is not None or view.document.kind is Kind.OTHER:
            return found
    offset = view.source.offset(params.position)
    return _offered(view, params, offset) or _other_words(view, params, offset) or _asked_again(view, offset)


def _offered(view: DocumentView, params: types.CompletionParams, offset: int) -> Encoded | dict[str, Any] | None:
    at = completed_at(view.document, offset)
    if at is None or (at.wanted is CompletionKind.VALUE and "$" in at.typed):
        words = _words(view, params, offset)
        if at is None or words is not None:
            return words
    if not view.source.holds(at.replace) or not _asked(params, at):
        return None
    at = _in_part(view, _through_the_end(view, at, offset), offset)
    found = items(view, at)
    if at.wanted is CompletionKind.VALUE and at.part is None:
        found = [*found, *(_item(view, each) for each in files(view, at))]
    beside = names_beside(view.project.analyzer, at)
    found = [*found, *(_item(view, each) for each in beside or ())]
    if not found:
        return None
    present = at.present | _present(view, at)
    place = Insertion(at, _edit_form(view, at, offset), present | _shut_out(view, at, present), _spelling(at))
    best = _best(found, place) if view.client.preselect else None
    made = [_finished(item, index, place, chosen=index == best) for index, item in enumerate(found)]
    later = json.dumps(beside is None)
    return Encoded(f'{{"isIncomplete":{later},"items":[' + ",".join(made) + "]}")


def _other_words(view: DocumentView, params: types.CompletionParams, offset: int) -> dict[str, Any] | None:
    """Answer what is known besides options; a sign opens that list only where a word goes on behind it, as `.` in a module."""
    trigger = params.context.trigger_character if params.context is not None else None
    if trigger not in (None, ".", "-", '"', "'", "/"):
        return None
    from npu_lsp.lsp.features.other_words import other_words

    return other_words(view, offset)


def _asked_again(view: DocumentView, offset: int) -> dict[str, Any] | None:
    """Return a list that is empty yet, and to be asked for again: where a name may begin that the next letters tell.

    A client that has been told that there is nothing doesn't ask again as long as another server has words for it.
    """
    line = view.document.line_span(view.document.line_of(offset))
    word = _WORD.search(view.document.text, line.start, offset)
    typed = word.group() if word is not None else ""
    begun = len(typed) <= _FEW or (typed[0].isupper() and begins_variable(typed))
    return {"isIncomplete": True, "items": []} if begun else None


def _asked(params: types.CompletionParams, at: CompletionContext) -> bool:
    """Return whether a list is wanted: a blank opens it where a value or the first flag begins, a colon inside of a value."""
    trigger = params.context.trigger_character if params.context is not None else None
    if trigger in ("$", "{"):
        # A name begins there that is used; where a brace begins entries, their names stand in quotes.
        return False
    if trigger == ":":
        return ":" in at.typed
    if trigger != " ":
        return True
    return (at.wanted is CompletionKind.VALUE or (at.wanted is CompletionKind.FLAG and not at.present)) and not at.typed


def _words(view: DocumentView, params: types.CompletionParams, offset: int) -> dict[str, Any] | None:
    """Answer what can be typed where no setting stands; a sign that was just typed opens that list inside brackets alone."""
    trigger = params.context.trigger_character if params.context is not None else None
    if trigger not in (None, "[", '"', "'", ",", "$", "{"):
        return None
    from npu_lsp.lsp.features.typed_words import typed_words

    return typed_words(view, offset)


def resolve(session: Session, item: dict[str, Any]) -> dict[str, Any]:
    """Return a completion item with its documentation; everything else in it stays as the client sent it."""
    data = item.get("data")
    project = session.projects.numbered(data.get("project")) if isinstance(data, dict) else None
    if project is None or not isinstance(data, dict):
        return item
    try:
        option = project.analyzer.catalog.option(Surface(data.get("surface")), str(data.get("option")))
    except ValueError:
        return item
    if option is None:
        return item
    text = option_text(project, option)
    value = value_text(project, option, data["value"]) if "value" in data else None
    if value is not None:
        text = f"{value}\n\n---\n\n{text}"
    formats = session.client.completion_formats
    return {**item, "documentation": markup(text, "markdown" in formats) if formats else plaintext(text)}


_MADE: MemoTable[Project, tuple[CompletionKind, Surface, str | None, str, bool, str | None], list[Item]] = MemoTable()


def items(view: DocumentView, at: CompletionContext) -> list[Item]:
    """Return what fits at a place, as far as it is the same wherever that is; it is made once."""
    made, key = _MADE.of(view.project), (at.wanted, at.surface, at.option, at.prefix, at.json, at.part)
    found = made.get(key)
    if found is None:
        found = made[key] = [_item(view, proposal) for proposal in proposals(view.project.analyzer, at)]
    return found


def _item(view: DocumentView, proposal: Proposal) -> Item:
    client = view.client
    made: dict[str, Any] = {"label": proposal.label, "kind": proposal.kind.value}
    if proposal.detail:
        made["detail"] = proposal.detail
    if client.label_details and proposal.beside:
        made["labelDetails"] = {"description": proposal.beside}
    if proposal.struck and 1 in client.completion_tags:
        made["tags"] = [1]
    elif proposal.struck and client.deprecated_flag:
        made["deprecated"] = True
    if proposal.option is not None:
        data: dict[str, Any] = {"project": view.project.number}
        data |= {"surface": proposal.option.surface.value, "option": proposal.option.name}
        if proposal.is_value:
            data["value"] = proposal.value
        if proposal.leads_on:
            data["leadsOn"] = True
        made["data"] = data
    snippet = client.snippets and bool(proposal.snippet)
    if snippet:
        made["insertTextFormat"] = types.InsertTextFormat.Snippet.value
    text = proposal.snippet if snippet else proposal.text
    return Item(proposal, text, json.dumps(made, separators=(",", ":"))[:-1])


def _spelling(at: CompletionContext) -> Callable[[Proposal], str]:
    """Return what tells the text of a proposal that a client compares with what stands in the edit's range.

    A flag has the dashes that were typed, not the full ones, and a `-` where one was typed for `_`: both are right.
    """
    if at.wanted is not CompletionKind.FLAG:
        module = at.module if at.module and at.typed.startswith(at.module) else ""
        return lambda proposal: module + proposal.label if proposal.frame == "module" else proposal.label
    name = at.typed.lstrip("-")
    dashes = at.typed[: len(at.typed) - len(name)]
    if "-" in name:
        return lambda proposal: dashes + proposal.name.replace("_", "-")
    return lambda proposal: dashes + proposal.name


def _best(found: Sequence[Item], place: Insertion) -> int:
    """Return which proposal is most likely meant: the first of those that go on as it was typed."""
    typed = place.at.typed.lower()

    def order(index: int) -> tuple[bool, Rank, int]:
        proposal = found[index].proposal
        return not place.spelt(proposal).lower().startswith(typed), place.rank(proposal), index

    return min(range(len(found)), key=order)


def _finished(item: Item, index: int, place: Insertion, *, chosen: bool) -> str:
    proposal, at = item.proposal, place.at
    before = {"place": at.before, "module": at.module, "none": ""}[proposal.frame]
    after = at.after if proposal.frame == "place" and not proposal.alone else ""
    text = json.dumps(before + item.text + after)
    preselect = ',"preselect":true' if chosen else ""
    return (
        f'{item.head}{preselect},"sortText":"{FIRST}{place.rank(proposal).value}{index:04}",'
        f'"filterText":{json.dumps(place.spelt(proposal))},"textEdit":{{"newText":{text},{place.edit}}}}}'
    )


def _present(view: DocumentView, at: CompletionContext) -> frozenset[str]:
    """Return the names that are set where the cursor is.

    What was known before the last key stroke will do: nobody waits for the document to be read.
    """
    if at.wanted not in (CompletionKind.KEY, CompletionKind.FLAG):
        return frozenset()
    before = view.document.before
    parsed = PARSE_RESULT.known(view.document) or (PARSE_RESULT.known(before.document) if before is not None else None)
    if parsed is None:
        if not view.session.work.ready(view.document, view.project):
            return frozenset()
        parsed = view.parsed
    around = [b for b in parsed.blocks if b.surface is at.surface and b.span.start <= at.replace.start]
    # The one under the cursor is being written, and not there already.
    settings = max(around, key=lambda block: block.span.start).settings if around else ()
    return frozenset(s.name for s in settings if not s.key.covers(at.replace.start))


def _shut_out(view: DocumentView, at: CompletionContext, present: frozenset[str]) -> frozenset[str]:
    """Return the names that the tool refuses beside those that are `present`."""
    catalog = view.project.analyzer.catalog
    set_there = (catalog.option(at.surface, name) for name in present)
    relations = (relation for option in set_there if option is not None for relation in option.relations)
    return frozenset(
        each.other
        for each in relations
        if each.kind == "conflicts"
        and each.rejected
        and not (each.values or each.other_values or each.other_not or each.other_surface)
    )


def _in_part(view: DocumentView, at: CompletionContext, offset: int) -> CompletionContext:
    """Return a cursor in the key, or in the value of a key, of a value that is made of such pairs."""
    option = view.project.analyzer.catalog.option(at.surface, at.option) if at.option else None
    known = (
        keyed(option.grammar) if option is not None and at.wanted is CompletionKind.VALUE and not at.before else None
    )
    if known is None:
        return at
    piece = known.piece(at.typed)
    typed = piece.typed.lstrip()
    end = offset + known.rest(view.document.text[offset : at.replace.end])
    return at._replace(
        replace=Span(offset - len(typed), end), typed=typed, part=piece.key or "", present=at.present | piece.there
    )


def _through_the_end(view: DocumentView, at: CompletionContext, offset: int) -> CompletionContext:
    """Return a cursor in a key that goes on behind what the editor has closed by itself, where nothing follows that.

    Only for clients that replace what stands behind the cursor; others would leave it there.
    """
    able = view.client.insert_replace and view.document.kind is Kind.PYTHON
    if not able or at.wanted is not CompletionKind.KEY or at.surface is not Surface.SESSION or at.replace.end != offset:
        return at
    closed = _CLOSED.match(view.document.text, offset)
    if closed is None or at.after:
        return at
    return at._replace(replace=Span(at.replace.start, closed.end()), after=closed[0] + ".")


def _edit_form(view: DocumentView, at: CompletionContext, offset: int) -> str:
    """Return the places of the edit, which all items share."""
    whole = json.dumps(range_json(view, at.replace))
    if not view.client.insert_replace or (at.after and at.replace.end > offset):
        return f'"range":{whole}'
    typed = json.dumps(range_json(view, Span(at.replace.start, max(offset, at.replace.start))))
    return f'"insert":{typed},"replace":{whole}'
