"""Comments that speak to npu-lsp."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.languages.model import Comment
from npu_lsp.languages.python.source import Source
from npu_lsp.text.spans import Span, line_start

MARK = "npu-lsp:"

_LINE_END = re.compile(r"\r\n|\n|\r")


def comments(source: Source) -> tuple[Comment, ...]:
    """Return the comments that hold the mark; a text that holds it is none."""
    return tuple(_find(source))


def _find(source: Source) -> Iterator[Comment]:
    text, logical_lines = source.text, source.logical_lines
    done = statement = -1
    inside: Iterator[Span] = iter(())
    comment = Span(-1, -1)
    for offset in source.occurrences.substring(MARK):
        if offset < done:
            continue
        line = line_start(text, offset)
        index = logical_lines.before(offset)
        if index >= 0 and offset < logical_lines.ends[index]:
            # Between the lines of a statement: only its own signs tell a comment from a text.
            if index != statement:
                from npu_lsp.languages.python.completing.fragment import comments_in

                statement, comment = index, Span(-1, -1)
                inside = comments_in(text, logical_lines.starts[index], logical_lines.ends[index])
            while comment.end <= offset and (following := next(inside, None)) is not None:
                comment = following
            sign = comment.start if comment.start <= offset < comment.end else -1
        else:
            sign = text.find("#", max(line, logical_lines.ends[index] if index >= 0 else 0), offset)
        if sign < 0:
            continue
        found = _LINE_END.search(text, offset)
        done = found.start() if found else len(text)
        end = sign + len(text[sign:done].rstrip())
        yield Comment(Span(sign, end), not text[line:sign].strip(" \t\f\ufeff"))
