"""Which anchors of a YAML file stand for scripts, and which for variables: their aliases tell."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from npu_lsp.languages.hosts.yaml_lines import ENTRY, ITEM
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document

_ALIAS = re.compile(
    r"^(?P<indent>[ ]*)(?P<dashes>(?:-[ ]+)*)(?:(?P<key>[\w.$\"'<-]+)[ ]*:[ \t]*)?(?:\[[ \t]*)?\*(?P<names>[^#\r\n]*)",
    re.MULTILINE,
)
_STAR = re.compile(r"\*")
_NAME = re.compile(r"[\w.-]+")
ANCHOR = re.compile(r"&(?P<name>[\w.-]+)")
_LINES_UP = 200


class Anchors(NamedTuple):
    """The names of anchors."""

    scripts: frozenset[str]
    variables: frozenset[str]


def anchors(document: Document, scripts: Collection[str], variables: Collection[str]) -> Anchors:
    """Return the anchors whose aliases stand below one of the keys `scripts`, and those below one of `variables`."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    if "*" in document.text and "&" in document.text:
        # A line that has no star is none, and most have none.
        lines = dict.fromkeys(document.line_of(star.start()) for star in _STAR.finditer(document.text))
        for match in filter(None, (_ALIAS.match(document.text, document.line_starts[line]) for line in lines)):
            key = match["key"]
            if key is None or key == "<<":
                key = _parent(document, document.line_of(match.start()), len(match["indent"]), of_item=key is None)
            if key in scripts or key in variables:
                found[key in scripts].update(_NAME.findall(match["names"]))
    return Anchors(frozenset(found[True]), frozenset(found[False]))


def _parent(document: Document, line: int, indent: int, *, of_item: bool) -> str | None:
    """Return the key that the mapping or the list around a line belongs to."""
    for number in range(line - 1, max(-1, line - _LINES_UP), -1):
        span = document.line_span(number)
        said = document.text[span.start : span.end]
        stripped = said.lstrip(" ")
        if not stripped or stripped.startswith("#"):
            continue
        depth = len(said) - len(stripped)
        # The items of a list may stand right below their key.
        if depth < indent or (of_item and depth == indent and ITEM.fullmatch(said) is None):
            entry = ENTRY.fullmatch(document.text, span.start, span.end)
            return entry["key"].strip("\"'") if entry is not None and not entry["rest"] else None
    return None


def anchor_of(said: str) -> str | None:
    """Return the anchor among a node's decorations."""
    match = ANCHOR.search(said)
    return match["name"] if match else None
