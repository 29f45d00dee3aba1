"""The lines of a YAML file, one after the other, with what a line alone tells."""

from __future__ import annotations

import re
from typing import NamedTuple

from npu_lsp.languages.hosts.scalars import Scalar, block_scalar, flow_scalar
from npu_lsp.languages.hosts.yaml_flow import Flow, parse
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

ENTRY = re.compile(
    r"(?P<indent>[ ]*)(?P<dashes>(?:-[ ]+)*)(?P<key>[\w.$-]+|\"[^\"\r\n]*\"|'[^'\r\n]*')[ ]*:(?=[ \t]|$)[ \t]*"
    r"(?P<tag>(?:[&!][^\s]*(?:[ \t]+|$))*)(?P<rest>[^\r\n]*)"
)
ITEM = re.compile(r"(?P<indent>[ ]*)-(?P<gap>[ ]+)(?P<tag>(?:&[^\s]*(?:[ \t]+|$))?)(?P<rest>[^\r\n]*)")
BLOCK = re.compile(r"(?P<style>[|>])(?P<how>[+-]?[1-9]?[+-]?)[ \t]*(?:#.*)?")


class Line(NamedTuple):
    """A line that isn't blank."""

    number: int
    indent: int
    span: Span


class Walker:
    """Goes through a file; `line` is the next one to look at, counted from 0."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text
        self.line = 0

    def next(self) -> Line | None:
        """Return the next line that isn't blank or a comment, without going there."""
        for number in range(self.line, self.document.line_count):
            span = self.document.line_span(number)
            said = self.text[span.start : span.end]
            stripped = said.lstrip(" ")
            if stripped.strip() and not stripped.startswith("#"):
                return Line(number, len(said) - len(stripped), span)
        return None

    def skip(self, column: int) -> None:
        """Go to the next line that stands no further in than `column`."""
        while self.line < self.document.line_count:
            span = self.document.line_span(self.line)
            said = self.text[span.start : span.end]
            stripped = said.lstrip(" ")
            if stripped.strip() and len(said) - len(stripped) <= column:
                return
            self.line += 1

    def end_of(self, number: int) -> int:
        """Return where a line ends, its line end included."""
        starts = self.document.line_starts
        return starts[number + 1] if number + 1 < len(starts) else len(self.text)

    def end_of_item(self, line: Line) -> int:
        """Return where what began at `line`, and goes on deeper, ends, its last line end included."""
        last = line.number
        for number in range(line.number + 1, self.document.line_count):
            said = self.text[slice(*self.document.line_span(number))]
            stripped = said.lstrip(" ")
            if stripped.strip():
                if len(said) - len(stripped) <= line.indent:
                    break
                last = number
        return self.end_of(last)

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
