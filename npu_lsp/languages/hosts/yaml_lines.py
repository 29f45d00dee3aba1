"""The lines of a YAML file, one after the other, with what a line alone tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.languages.hosts.scalars import Scalar, block_scalar, flow_scalar
from npu_lsp.languages.hosts.template_actions import is_action
from npu_lsp.languages.hosts.yaml_flow import Flow, parse
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

ENTRY = re.compile(
    r"(?P<indent>[ ]*)(?P<dashes>(?:-[ ]+)*)(?P<key>[\w.$-]+|\"[^\"\r\n]*\"|'[^'\r\n]*')[ ]*:(?=[ \t]|$)[ \t]*"
    r"(?P<tag>(?:[&!][^\s]*(?:[ \t]+|$))*)(?P<rest>[^\r\n]*)"
)
ITEM = re.compile(r"(?P<indent>[ ]*)-(?P<gap>[ ]+)(?P<tag>(?:&[^\s]*(?:[ \t]+|$))?)(?P<rest>[^\r\n]*)")
BLOCK = re.compile(r"(?P<style>[|>])(?P<how>[+-]?[1-9]?[+-]?)[ \t]*(?:#.*)?")

_MOST_FOLDED = 200
"""Lines of one text."""


def is_open(entry: re.Match[str]) -> bool:
    """Return whether a key's value stands below it."""
    return not entry["rest"].split("#")[0].strip()


class YamlLine(NamedTuple):
    """A line that isn't blank."""

    number: int
    indent: int
    span: Span

    @property
    def lead(self) -> Span:
        """The blanks that it starts with."""
        return Span(self.span.start, self.span.start + self.indent)


def lines_from(document: Document, first: int, most: int | None = None) -> Iterator[YamlLine]:
    """Yield the lines from `first` on that are neither blank nor a comment nor a template's, of all that follow or of `most` lines."""
    count = document.line_count
    for number in range(first, count if most is None else min(first + most, count)):
        span = document.line_span(number)
        said = document.text[span.start : span.end]
        indent = _indent(said)
        if indent is not None and not said.lstrip().startswith("#"):
            yield YamlLine(number, indent, span)


def _indent(said: str) -> int | None:
    """Return how far in a line stands; `None`: it is blank, or what is made of the template that it belongs to doesn't have it."""
    return len(said) - len(said.lstrip(" ")) if said.strip() and not is_action(said) else None


def head_of_folded(document: Document, line: int) -> int:
    """Return the line where the text begins that goes through `line`, where YAML folds its lines; else `line` itself.

    In such a text, be it plain, in quotes or behind `>`, no line can be a comment.
    """
    least = _indent(document.line_text(line))
    for number in range(line - 1, max(-1, line - _MOST_FOLDED), -1):
        indent = _indent(document.line_text(number))
        if least is None or not least:
            break
        if indent is not None and indent < least:
            column = _column_of_folded(document, number)
            if column is not None and column < least:
                return number
            least = indent
    return line


def end_of_folded(document: Document, line: int) -> int:
    """Return the last line of the text that begins at `line`, where YAML folds its lines; else `line` itself."""
    column, last = _column_of_folded(document, line), line
    for number in range(line + 1, min(document.line_count, line + _MOST_FOLDED)) if column is not None else ():
        indent = _indent(document.line_text(number))
        if indent is not None and column is not None and indent <= column:
            break
        last = number if indent is not None else last
    return last


def _column_of_folded(document: Document, line: int) -> int | None:
    """Return where the key or the dash stands whose text may go on in the lines below."""
    span = document.line_span(line)
    found = ENTRY.fullmatch(document.text, *span) or ITEM.fullmatch(document.text, *span)
    if found is None or found["rest"][:1] in ("", "#", "|", "{", "[", "*"):
        return None
    return len(found["indent"]) + len(found.groupdict().get("dashes") or "")


class Walker:
    """Goes through a file; `line` is the next one to look at, counted from 0."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text
        self.line = 0

    def next(self) -> YamlLine | None:
        """Return the next line that isn't blank or a comment, without going there."""
        return next(lines_from(self.document, self.line), None)

    def skip(self, column: int) -> None:
        """Go to the next line that stands no further in than `column`."""
        while self.line < self.document.line_count:
            indent = _indent(self.document.line_text(self.line))
            if indent is not None and indent <= column:
                return
            self.line += 1

    def end_of_item(self, line: YamlLine) -> int:
        """Return where what began at `line`, and goes on deeper, ends, its last line end included."""
        last = line.number
        for number in range(line.number + 1, self.document.line_count):
            indent = _indent(self.document.line_text(number))
            if indent is not None and indent <= line.indent:
                break
            last = last if indent is None else number
        return self.document.line_end(last)

    def flow(self, start: int) -> Flow | None:
        """Return the flow collection at `start` and go behind it; `None`: there is none that ends."""
        node = parse(self.text, start)
        if node is not None:
            self.line = max(self.line, self.document.line_of(node.span.end) + 1)
        return node

    def scalar(self, start: int, rest: str, column: int) -> Scalar | None:
        """Return the scalar that starts at `start` with `rest` and go behind it; its parent stands at `column`."""
        block = BLOCK.fullmatch(rest)
        first = self.line
        if block:
            self.skip(column)
            return block_scalar(self.document, first, self.line, column, block["style"], block["how"])
        following = self.next()
        if following is not None and following.indent > column and not rest.startswith(("#", "*", "{", "[")):
            self.skip(column)
            end = self.document.line_span(self.line - 1).end
            return flow_scalar(self.text, Span(start, end), several=True)
        return flow_scalar(self.text, Span(start, start + len(rest)))
