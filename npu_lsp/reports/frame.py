"""Source lines with what is wrong underlined, aligned as a terminal shows them."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.report import Entry, Range
from npu_lsp.reports.style import Style
from npu_lsp.reports.window import LEAST, MOST, window

_AROUND = 1
"""Lines that are shown before and after the underlined ones."""
_MOST = 8
"""Underlined lines that are shown."""


def frame(entry: Entry, place: Range, width: int, style: Style) -> Iterator[str]:
    """Yield the lines around `place`, with what is wrong underlined; numbers of lines take `width` cells."""
    first, source = entry.source_line, entry.source
    end_line = place.end_line if place.end_column > 1 or place.end_line == place.line else place.end_line - 1
    bar = style.dim("|")
    room = MOST if style.columns is None else max(LEAST, min(MOST, style.columns - width - len(" | ")))
    yield f"{' ' * width} {bar}"
    for number in range(max(first, place.line - _AROUND), min(first + len(source), end_line + _AROUND + 1)):
        text = source[number - first]
        label = style.dim(f"{number:>{width}} |")
        if not place.line <= number <= end_line:
            if text.strip():  # An empty line tells nothing, least of all the one behind the last line end.
                yield f"{label} {window(text, 0, 0, room)[0]}".rstrip()
            continue
        if number - place.line == _MOST and end_line - number > 1:
            yield f"{' ' * width} {style.dim(':')}"
        if number - place.line >= _MOST and number < end_line:
            continue
        start = place.column - 1 if number == place.line else len(text) - len(text.lstrip())
        end = place.end_column - 1 if number == place.end_line else len(text)
        line, left, marked = window(text, start, max(start, end), room)
        yield f"{label} {line}".rstrip()
        yield f"{' ' * width} {bar} {' ' * left}{style.severity(entry.severity, '^' * max(1, marked))}"
    yield f"{' ' * width} {bar}"
