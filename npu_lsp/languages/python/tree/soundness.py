"""Tells whether a text is as good Python as the one that it was made from, line by line: what stayed is not read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from npu_lsp.languages.python.lines.logical_lines import LogicalLines, scan
from npu_lsp.languages.python.tree.statement import is_beyond, is_readable, parse


def is_python(text: str) -> bool:
    """Return whether each statement of a text is one of Python 3."""
    logical_lines = scan(text)
    return not logical_lines.damage and all(is_readable(line) for line in _lines(text, logical_lines))


def is_as_sound(before: str, after: str) -> bool:
    """Return whether the statements that are new in `after` can be read, and stand in suites that were there.

    What is too large to be read isn't judged: no setting was found in it.
    """
    old, new = scan(before), scan(after)
    fresh = Counter(_lines(after, new)) - Counter(_lines(before, old))
    if any(parse(line) is None and not is_beyond(line) for line in fresh):
        return False
    return len(new.damage) <= len(old.damage) and not _misplaced(after, new) - _misplaced(before, old)


def _lines(text: str, logical_lines: LogicalLines) -> Iterator[str]:
    return (text[start:end] for start, end in zip(logical_lines.starts, logical_lines.ends, strict=True))


def _misplaced(text: str, logical_lines: LogicalLines) -> Counter[str]:
    """Return the statements that stand where Python expects another indentation; the last one is followed by none."""
    found: Counter[str] = Counter()
    open_suites = [0]
    header = ""
    for line, indent in zip(_lines(text, logical_lines), logical_lines.indents, strict=True):
        if bool(header) != (indent > open_suites[-1]):
            found[header or line] += 1
        while open_suites and indent < open_suites[-1]:
            open_suites.pop()
        if not open_suites or indent > open_suites[-1]:
            # Less than what a suite around it has: a place between two suites.
            found[line] += not header
            open_suites.append(indent)
        header = line if line.endswith(":") else ""
    found[header] += bool(header)
    return found
