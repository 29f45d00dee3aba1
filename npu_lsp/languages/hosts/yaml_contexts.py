"""Mappings of YAML that are one text of options: `context` and `parallel` of MindFormers, and the arguments of vLLM that are objects; and what anchors stand for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from npu_lsp.languages.hosts.scalars import flow_scalar
from npu_lsp.languages.hosts.yaml_flow import Flow
from npu_lsp.languages.hosts.yaml_lines import ENTRY, ITEM, Walker, is_open
from npu_lsp.languages.injections import Injection, as_it_is
from npu_lsp.languages.json.flags import ANY_KEY, KEY, kind_of
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import SourceMap
from npu_lsp.text.spans import Span

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


_NAMES = frozenset({"context", "parallel"})
_TELLING = re.compile(rf"^[ ]+[\"']?(?:{'|'.join(BY_KIND[Kind.MINDFORMERS].keys)})[\"']?[ ]*:", re.MULTILINE)


def may_hold_context(text: str) -> bool:
    """Return whether the text has a key by which the `context:` of a MindFormers file is known: without one, it isn't parsed for that."""
    return _TELLING.search(text) is not None


def may_hold_argument(text: str) -> bool:
    """Return whether one of vLLM's arguments that are objects stands there as a key."""
    return "config" in text and ANY_KEY.search(text) is not None


def context(walker: Walker, entry: re.Match[str], key: str, column: int) -> Injection | None:
    """Return a mapping of MindFormers and go behind it; `None`, and nothing done, where it isn't one."""
    if key not in _NAMES or entry["dashes"] or not is_open(entry):
        return None
    first = walker.line
    walker.skip(column)
    start, end = entry.start(), walker.document.line_span(walker.line - 1).end
    for match in _TELLING.finditer(walker.text, entry.end(), end):
        inner = ENTRY.match(walker.text, match.start())
        below = walker.document.line_span(first)
        if inner is not None and inner.start() >= below.start:
            return Injection(Kind.MINDFORMERS, walker.text[start:end], SourceMap(start))
    walker.line = first
    return None


def argument(walker: Walker, entry: re.Match[str], column: int) -> Injection | None:
    """Return the object that an entry gives such an argument of vLLM and go behind it: a mapping, or JSON in a text."""
    text, rest = walker.text, entry["rest"]
    named = KEY.match(text, entry.start("key"))
    if named is None or entry["tag"]:
        return None
    # Behind the dash of a list's item there must stay something.
    start, write = (entry.start("key"), _kept) if entry["dashes"] else (entry.start(), as_it_is)
    end = walker.document.line_span(walker.line - 1).end
    if rest.startswith("{"):
        node = walker.flow(entry.start("rest"))
        end = node.span.end if node is not None else end
    elif is_open(entry):
        walker.skip(column)
        end = walker.document.line_span(walker.line - 1).end
    else:
        scalar = walker.scalar(entry.start("rest"), rest, column)
        return scalar.found(kind_of(named)) if scalar is not None and scalar.text.lstrip().startswith("{") else None
    return Injection(kind_of(named), text[start:end], SourceMap(start), write)


def flow_argument(text: str, key: Span, node: Flow) -> Iterator[Injection]:
    """Yield the object that an entry of a mapping in braces gives such an argument of vLLM."""
    named = KEY.match(text, key.start)
    scalar = flow_scalar(text, node.span) if named is not None and not node.kind else None
    if named is not None and node.kind == "{":
        yield Injection(kind_of(named), text[key.start : node.span.end], SourceMap(key.start), _kept)
    elif named is not None and scalar is not None and scalar.text.lstrip().startswith("{"):
        yield scalar.found(kind_of(named))


def _kept(text: str) -> str | None:
    return text or None
