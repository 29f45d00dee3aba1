"""The services of a Compose file, with the keys that say what their containers get and run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from npu_lsp.languages.hosts.scalars import flow_scalar
from npu_lsp.languages.hosts.yaml_lines import ENTRY, ITEM
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_MOST = 200
"""Services of one file."""


class ServiceScalar(NamedTuple):
    """A text of the file, without quotes."""

    text: str
    span: Span
    key: str = ""
    """The innermost key that it stands under, where that isn't the one that holds all: `context` of `build:`."""


class Service(NamedTuple):
    """One service."""

    name: str
    span: Span
    keys: Mapping[str, Span]
    """Where its own keys stand with all that is below them."""

    def has(self, offset: int) -> bool:
        """Return whether `offset` stands in it."""
        return self.span.start <= offset < self.span.end

    def holds(self, key: str, offset: int) -> bool:
        """Return whether `offset` stands under one of its keys."""
        span = self.keys.get(key)
        return span is not None and span.start <= offset < span.end


@Memoized
def services(document: Document) -> tuple[Service, ...]:
    """Return the services of a YAML file that has `services:` as a key of its own."""
    if document.kind is not Kind.YAML or "services" not in document.text:
        return ()
    found: list[Service] = []
    for key, span in entries(document, Span(0, len(document.text))):
        if key == "services":
            for name, inner in entries(document, below(document, span)):
                found.append(Service(name, inner, dict(entries(document, below(document, inner)))))
                if len(found) == _MOST:
                    break
    return tuple(found)


def scalars(document: Document, span: Span) -> Iterator[ServiceScalar]:
    """Yield the texts under a key: its own, or the items and values below it."""
    first = document.line_of(span.start)
    for number in range(first, document.line_of(max(span.start, span.end - 1)) + 1):
        line = document.line_span(number)
        entry = ENTRY.fullmatch(document.text, *line)
        match = entry or ITEM.fullmatch(document.text, *line)
        rest = Span(*match.span("rest")) if match is not None else None
        scalar = flow_scalar(document.text, rest) if rest is not None and rest.start < rest.end else None
        if scalar is not None:
            yield ServiceScalar(scalar.text, scalar.span, entry["key"].strip("\"'") if entry and number > first else "")


def below(document: Document, span: Span) -> Span:
    """Return the lines of `span` without the first one, which has its key."""
    return Span(document.line_end(document.line_of(span.start)), span.end)


def entries(document: Document, span: Span) -> Iterator[tuple[str, Span]]:
    """Yield the keys of the mapping whose lines stand in `span`, with their lines."""
    column, key, start = None, "", 0
    line = document.line_of(span.start)
    while line < document.line_count and document.line_starts[line] < span.end:
        place = document.line_span(line)
        entry = ENTRY.fullmatch(document.text, *place)
        said = document.line_text(line).strip()
        if entry is not None and not said.startswith("#") and not entry["dashes"]:
            at = len(entry["indent"])
            column = at if column is None else column
            if at == column:
                if key:
                    yield key, Span(start, place.start)
                key, start = entry["key"].strip("\"'"), place.start
        line += 1
    if key:
        yield key, Span(start, span.end)
