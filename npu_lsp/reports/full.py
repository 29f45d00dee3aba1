"""`full`: each finding with its place in the source, what belongs to it, and the fix as a diff. For people."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.report import Entry, Remedy, Result
from npu_lsp.reports.frame import frame
from npu_lsp.reports.patch import lines
from npu_lsp.reports.style import Style
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import harmless, one_line, shown

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


def _lines(entry: Entry, result: Result, style: Style) -> Iterator[str]:
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
    if entry.remedies:
        yield from _remedy(entry, entry.remedies[0], result, width, style)


def _remedy(entry: Entry, remedy: Remedy, result: Result, width: int, style: Style) -> Iterator[str]:
    unsafe = "" if remedy.safe else _UNSAFE.to(result.language)
    yield f"{style.green(_HELP.to(result.language))}: {one_line(remedy.title)}{unsafe}"
    for sign, number, text in lines(entry, remedy):
        paint = style.red if sign == "-" else style.green
        yield f"{number:>{width}} {paint(f'{sign} {shown(text)}'.rstrip())}"
    for creation in remedy.creations:
        created = style.green("+ " + _CREATES.to(result.language).format(path=shown(creation.path)))
        yield f"{' ' * width} {created}"
