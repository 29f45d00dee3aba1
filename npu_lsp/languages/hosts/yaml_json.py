"""JSON in lists of words: the item behind one that is a flag for it, whatever the list is called."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.hosts.yaml_lines import ITEM, Walker
from npu_lsp.languages.injections import Injection
from npu_lsp.languages.json.flags import ANY, is_flag, kind_of
from npu_lsp.text.document import Document


def is_alone(rest: str) -> bool:
    """Return whether an item is nothing but the flag."""
    return is_flag(rest.strip().strip("\"'"))


def json_items(document: Document) -> Iterator[Injection]:
    """Yield the JSON of each list in block style that has such a flag."""
    walker = Walker(document)
    for match in ANY.finditer(document.text):
        number = document.line_of(match.start())
        span = document.line_span(number)
        flag = ITEM.fullmatch(document.text, *span)
        if flag is None or not is_alone(flag["rest"]):
            continue
        walker.line = number + 1
        line = walker.next()
        item = ITEM.fullmatch(document.text, *line.span) if line is not None else None
        if line is None or item is None or item["indent"] != flag["indent"]:
            continue
        walker.line = line.number + 1
        scalar = walker.scalar(item.start("rest"), item["rest"], line.indent)
        if scalar is not None:
            yield Injection(kind_of(match), scalar.text, scalar.places, scalar.write)
