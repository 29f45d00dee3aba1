"""What a fix changes, as the lines of a unified diff."""

from __future__ import annotations

from npu_lsp.checking.report import Entry, Remedy, Replacement


def lines(entry: Entry, remedy: Remedy) -> list[tuple[str, int, str]]:
    """Return the changed lines: `-` with its old number, `+` with its new number, and the line.

    Empty where the report has no source lines for what is changed.
    """
    first, source = entry.source_line, list(entry.source)
    last = first + len(source) - 1
    places = [r.place for r in remedy.replacements]
    if not places or min(p.line for p in places) < first or max(p.end_line for p in places) > last:
        return []
    new = _replaced(source, first, remedy.replacements)
    if new is None:
        return []
    head = 0
    while head < min(len(source), len(new)) and source[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(source), len(new)) - head and source[-1 - tail] == new[-1 - tail]:
        tail += 1
    return _compared(source[head : len(source) - tail], new[head : len(new) - tail], first + head)


def _replaced(source: list[str], first: int, replacements: tuple[Replacement, ...]) -> list[str] | None:
    """Return the lines with all replacements made, `None` where they don't fit the lines."""
    text = "\n".join(source)
    starts = [0]
    for line in source:
        starts.append(starts[-1] + len(line) + 1)
    done = len(text)
    for place, new in sorted(replacements, reverse=True):
        start = starts[place.line - first] + place.column - 1
        end = starts[place.end_line - first] + place.end_column - 1
        if not 0 <= start <= end <= done:
            return None
        text = text[:start] + new.replace("\r\n", "\n").replace("\r", "\n") + text[end:]
        done = start
    return text.split("\n")


def _compared(old: list[str], new: list[str], first: int) -> list[tuple[str, int, str]]:
    """Return the differences of two stretches of lines; what is the same in between is left out."""
    from difflib import SequenceMatcher

    found: list[tuple[str, int, str]] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        found += [("-", first + at, old[at]) for at in range(old_start, old_end)]
        found += [("+", first + at, new[at]) for at in range(new_start, new_end)]
    return found
