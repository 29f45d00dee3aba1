"""The cells of a notebook file, with the place of each character in its JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.languages.injections import Write
from npu_lsp.languages.json.strings import decoded
from npu_lsp.languages.json.tree import Node, parse


class Cell(NamedTuple):
    """The text of a cell and where its characters stand."""

    text: str
    starts: list[int]
    ends: list[int]
    write: Write
    number: int = 1
    """Counts all cells of the notebook from 1, those that hold no code, too."""
    code: bool = True
    """False: it is Markdown."""


def looks_like_notebook(text: str) -> bool:
    """Return whether `text` is a notebook file, and not the text of one cell."""
    return text.lstrip("\ufeff \t\r\n").startswith("{") and ('"cells"' in text or '"worksheets"' in text)


def cells_of(text: str) -> Iterator[Cell]:
    """Yield the cells of a notebook file that hold code or Markdown, in their order."""
    root, _ = parse(text)
    for number, cell in enumerate(_cells(root) if root is not None else (), 1):
        members = {member.key: member.node for member in cell.members}
        source = members.get("source") or members.get("input")
        kind = members.get("cell_type")
        if source is None or kind is None or kind.data not in ("code", "markdown"):
            continue
        pieces = [piece for piece in (source.items or (source,)) if piece.content is not None]
        if pieces:
            said = decoded(text, *(piece.content for piece in pieces if piece.content is not None))
            yield Cell(said.said, said.starts, said.ends, _writing(text, pieces), number, kind.data == "code")


def _cells(node: Node) -> Iterator[Node]:
    """Yield the cells of a notebook; older ones have them in worksheets."""
    for member in node.members:
        if member.key == "cells":
            yield from member.node.items
        elif member.key == "worksheets":
            for sheet in member.node.items:
                yield from _cells(sheet)


def _writing(text: str, pieces: list[Node]) -> Write:
    """Return how a text is written into a cell: a new line is a string of its own where lines are strings."""
    joint = "\\n"
    if len(pieces) > 1:
        between = text[pieces[0].span.end : pieces[1].span.start]
        joint = '\\n"' + between + '"'

    def write(inserted: str) -> str:
        return joint.join(json.dumps(line, ensure_ascii=False)[1:-1] for line in inserted.split("\n"))

    return write
