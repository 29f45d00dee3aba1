"""Completion and hover in npu-lsp.toml, and in our part of pyproject.toml: the keys, the rules, the targets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from npu_lsp.config.mistakes import LONGEST, section
from npu_lsp.config.offers import Suggestion, names, values
from npu_lsp.config.outline import Outline, Path, TomlSpot, outline
from npu_lsp.lsp.client import FIRST
from npu_lsp.lsp.features.markup import markup, plaintext
from npu_lsp.lsp.features.ranges import range_json
from npu_lsp.lsp.session import DocumentView
from npu_lsp.lsp.uris import name_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized

_KINDS = {"key": types.CompletionItemKind.Property.value, "value": types.CompletionItemKind.EnumMember.value}
_HEADER = re.compile(r"[ \t]*\[[^\]=]*")


def completion(view: DocumentView, params: types.CompletionParams) -> dict[str, Any] | None:
    """Answer which keys or values can be typed at a position."""
    made, offset = _outline(view), view.source.offset(params.position)
    spot = made.spot(offset) if made is not None else None
    path = _within(view, spot.path) if spot is not None else None
    if made is None or spot is None or not path:
        return None
    offers = names(path[:-1]) if spot.part == "key" else values(path)
    taken = set(_taken(made, spot))
    wanted = [offer for offer in offers if offer.text not in taken and offer.text.partition(".")[0] + "." not in taken]
    return {"isIncomplete": False, "items": [_item(view, spot, each, number) for number, each in enumerate(wanted)]}


def hover(view: DocumentView, params: types.HoverParams) -> dict[str, Any] | None:
    """Answer what the key or the value at a position means."""
    made = _outline(view)
    piece = made.at(view.source.offset(params.position)) if made is not None else None
    path = _within(view, piece.path) if piece is not None else None
    if piece is None or not path:
        return None
    offers = names(path[:-1]) if piece.part == "key" else values(path)
    offer = next((each for each in offers if piece.text in (each.text, each.title)), None)
    about = offer.about.to(view.language) if offer is not None else ""
    if offer is None or not about:
        return None
    title = _title(view, offer)
    head = f"**`{offer.text}`**" + (f" · {title}" if title and title != about else "")
    return {
        "contents": markup(f"{head}\n\n{about}", view.client.hover_markdown),
        "range": range_json(view, piece.span),
    }


def _outline(view: DocumentView) -> Outline | None:
    return _outline_of(view.document) if len(view.document.text) <= LONGEST else None


@Memoized
def _outline_of(document: Document) -> Outline:
    return outline(document.text)


def _within(view: DocumentView, path: Path) -> Path | None:
    """Return `path` as seen from the table that holds the configuration; `None` outside of it."""
    prefix = section(name_of(view.source.uri))
    return path[len(prefix) :] if path[: len(prefix)] == prefix else None


def _taken(made: Outline, spot: TomlSpot) -> Iterator[str]:
    """Yield what stands in the same table or list already; with a dot behind it, a table that takes no dotted names."""
    beside = spot.path[:-1]
    for piece in made.pieces:
        if piece.part == spot.part and piece.path[:-1] == beside and piece.span.start != spot.replace.start:
            yield piece.text
        elif piece.part == spot.part == "key" and len(piece.path) > 1 and piece.path[:-2] == beside:
            yield f"{piece.path[-2]}.{piece.text}"
    for path in (*(holder.path for holder in made.holders), *(path for path, _ in made.headers)):
        if path[:-1] == beside and path:
            yield f"{path[-1]}."


def _item(view: DocumentView, spot: TomlSpot, offer: Suggestion, number: int) -> dict[str, Any]:
    client, title, about = view.client, _title(view, offer), offer.about.to(view.language)
    made: dict[str, Any] = {"label": offer.text, "kind": _KINDS[spot.part], "sortText": f"{FIRST}{number:04}"}
    made["filterText"] = f"{offer.text} {title}".strip()
    if title:
        made |= {"labelDetails": {"description": title}} if client.label_details else {"detail": title}
    if about:
        formats = client.completion_formats
        made["documentation"] = markup(about, "markdown" in formats) if formats else plaintext(about)
    text = _key(view, spot, offer) if spot.part == "key" else _value(spot, offer)
    if "$" in text and client.snippets:
        made |= {"insertTextFormat": types.InsertTextFormat.Snippet.value, "data": {"leadsOn": True}}
    elif "$" in text:
        # Nothing is left behind that would have to be taken out again.
        text = re.split(r'["\[$]', text)[0]
    made["textEdit"] = {"range": range_json(view, spot.replace), "newText": text}
    return made


def _key(view: DocumentView, spot: TomlSpot, offer: Suggestion) -> str:
    """Return the name of a key with what comes behind it, unless that is there."""
    document, end = view.document, spot.replace.end
    line = document.line_span(document.line_of(end))
    is_header = _HEADER.fullmatch(document.text[line.start : spot.replace.start])
    rest = document.text[end : line.end].strip(" \t\r\n]}\"'")
    return offer.text if is_header or spot.quote or rest else offer.text + offer.form


def _value(spot: TomlSpot, offer: Suggestion) -> str:
    if not offer.is_string:
        return offer.text
    if spot.quote:
        return offer.text if spot.closed else offer.text + spot.quote
    return f'"{offer.text}"'


def _title(view: DocumentView, offer: Suggestion) -> str:
    return offer.title.to(view.language) if isinstance(offer.title, Text) else offer.title
