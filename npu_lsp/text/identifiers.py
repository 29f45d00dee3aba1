"""Names in a text, as Python and the shell write them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from npu_lsp.text.spans import Span

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def words(text: str, names: Container[str]) -> Iterator[tuple[str, Span]]:
    """Yield the places at which one of `names` stands as a word of its own."""
    for found in NAME.finditer(text):
        if found.group() in names and not text[found.start() - 1 : found.start()].isdecimal():
            yield found.group(), Span(*found.span())
