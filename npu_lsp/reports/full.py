"""`full`: each finding with its place in the source, what belongs to it, and the fix as a diff. For people."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.report import Range, Replacement, ReportedFinding, ReportedFix, Result
from npu_lsp.reports.style import Style
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import cells, harmless, one_line, shown, within

_HELP = Text(en="help", zh="修复建议")
_UNSAFE = Text(en=" (unsafe: look at the result)", zh="（不安全修复，请检查结果）")
_CREATES = Text(en="creates {path}", zh="新建文件 {path}")
_CELL = Text(en=" (cell {cell}, line {line})", zh="（第 {cell} 个单元格第 {line} 行）")
_NOTE = Text(en="note", zh="相关位置")


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield a few lines for each finding, and an empty one behind each."""
    for entry in result.open:
        # Once more as a whole: a frame is put together from pieces.
        yield harmless("\n".join(_lines(entry, result, style))) + "\n\n"


_AROUND = 1
"""Lines that are shown before and after the underlined ones."""
_MOST = 8
"""Underlined lines that are shown."""


MOST = 120
"""Cells of a source line that are shown."""
_LEAST = 24
"""In a terminal that has less, lines are longer than it: fewer show nothing."""
_CUT = "…"


def window(text: str, start: int, end: int, room: int = MOST) -> tuple[str, int, int]:
    """Return what is shown of a line, and where in it, in cells, the characters from `start` to `end` lie.

    A line of more than `room` cells is cut so that the start of the marked part can be seen.
    """
    before, marked, after = within(text[:start]), within(text[start:end]), within(text[end:])
    left, width = cells(before), cells(marked)
    if left + width + cells(after) <= room:
        return before + marked + after, left, width
    if left > room // 2:
        before = _CUT + _last(before, room // 4)
        left = cells(before)
    line = before + _first(marked + after, room - left)
    return line, left, min(width, cells(line) - left)


def _first(text: str, room: int) -> str:
    if cells(text) <= room:
        return text
    used = 0
    for index, char in enumerate(text):
        used += cells(char)
        if used > room - 1:
            return text[:index] + _CUT
    return text


def _last(text: str, room: int) -> str:
    used = 0
    for index in range(len(text) - 1, -1, -1):
        used += cells(text[index])
        if used > room:
            return text[index + 1 :]
    return text


def frame(entry: ReportedFinding, place: Range, width: int, style: Style) -> Iterator[str]:
    """Yield the lines around `place`, with what is wrong underlined; numbers of lines take `width` cells."""
    first, source = entry.source_line, entry.source
    end_line = place.end_line if place.end_column > 1 or place.end_line == place.line else place.end_line - 1
    bar = style.dim("|")
    room = MOST if style.columns is None else max(_LEAST, min(MOST, style.columns - width - len(" | ")))
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


def _lines(entry: ReportedFinding, result: Result, style: Style) -> Iterator[str]:
    mark = f"[{style.blue('*')}] " if entry.fixable else ""
    head = style.severity(entry.severity, f"{entry.severity.value}[{one_line(entry.code)}]")
    yield f"{head}: {mark}{style.bold(one_line(entry.message))}"
    width = len(str(max([entry.source_line + len(entry.source), *(p.line for p, _ in entry.notes)])))
    arrow = style.dim("-->")
    path = shown(entry.path)
    cell = _CELL.to(result.language).format_map(entry.in_cell._asdict()) if entry.in_cell else ""
    yield f"{' ' * width}{arrow} {path}:{entry.place.line}:{entry.place.column}{cell}"
    if entry.source:
        yield from frame(entry, entry.place, width, style)
    for place, message in entry.notes:
        yield f"{' ' * width} {style.dim('=')} {_NOTE.to(result.language)}: {path}:{place.line}:{place.column}: {one_line(message)}"
    if entry.reported_fixes:
        yield from _remedy(entry, entry.reported_fixes[0], result, width, style)


def lines(entry: ReportedFinding, remedy: ReportedFix) -> list[tuple[str, int, str]]:
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


def _remedy(entry: ReportedFinding, remedy: ReportedFix, result: Result, width: int, style: Style) -> Iterator[str]:
    unsafe = "" if remedy.safe else _UNSAFE.to(result.language)
    yield f"{style.green(_HELP.to(result.language))}: {one_line(remedy.title)}{unsafe}"
    for sign, number, text in lines(entry, remedy):
        paint = style.red if sign == "-" else style.green
        yield f"{number:>{width}} {paint(f'{sign} {shown(text)}'.rstrip())}"
    for creation in remedy.creations:
        created = style.green("+ " + _CREATES.to(result.language).format(path=shown(creation.path)))
        yield f"{' ' * width} {created}"
