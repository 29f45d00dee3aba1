"""A table that people look things up in, as a page of its own, for spreadsheets, and as Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from npu_lsp.checking.report import Result
from npu_lsp.docs.markdown import code, plain, sentences
from npu_lsp.reports.identity import project_path
from npu_lsp.reports.summary import found
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import one_line, picture, printable, shown

_PAGE = Path(__file__).with_name("table.html")
_SEARCH = Text("Search", "搜索")
_ALL = Text("{title}: all", "{title}：全部")
_PART = re.compile(r"\{(lang|title|lead|search|filters|head|rows)\}")
_PARTS = re.compile(r"(?<=\w)[_/.:=-](?=\w)")
_CODE = re.compile(r"`([^`]+)`")
_LONG = 24
"""Characters of a title that has more than one line."""
_FORMULA = tuple("=@+-＝＠＋－")
"""What spreadsheets take for the start of a formula, were it not text; those of East Asia read wide signs so, too."""
_SEVERITIES = frozenset({"error", "warning", "info", "hint"})


class Column(NamedTuple):
    """A column and what can be done with it."""

    title: Text
    filter: bool = False
    """Its values are few: the page lets people choose one."""
    code: bool = False
    """Its cells are names, paths and values as they are written."""
    anchor: bool = False
    """Its cells name their rows: `#precision_mode` at the end of the page's address leads to the first row of that name."""
    prose: bool = False
    """Its cells are sentences, which take the room that names leave; what stands between backticks is code."""


class Table(NamedTuple):
    """Rows of cells under columns."""

    title: Text
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    """As many cells in each as there are columns."""
    lead: Sequence[str] = ()
    """Sentences above the table, in the language of the report."""


def html(table: Table, language: Language) -> Iterator[str]:
    """Yield a page that needs no other file and no network: searched, filtered and sorted where it is opened."""
    page = _PAGE.read_text(encoding="utf-8")
    table = _filled(table)
    parts = {
        "lang": "zh-CN" if language == "zh" else "en",
        "title": as_html(table.title.to(language)),
        "lead": "".join(f"<p>{as_html(line)}</p>" for line in table.lead),
        "search": _SEARCH.to(language),
        "filters": "".join(_filters(table, language)),
        "head": "".join(_head(column.title.to(language)) for column in table.columns),
        "rows": "".join(_rows(table)),
    }
    yield _PART.sub(lambda part: parts[part[1]], page)


def as_html(text: str) -> str:
    """Return a text as a page says it, in one line; in the log of a CI system it is no command."""
    return printable(escape(text), picture, "&#35;")


def as_sentences(text: str) -> str:
    """Return a text as a page says it, with what stands between backticks as code."""
    return _CODE.sub(r"<code>\1</code>", as_html(text))


def spreadsheet(table: Table, language: Language) -> Iterator[str]:
    """Yield CSV (RFC 4180); a mark in front tells spreadsheets that it is UTF-8, a quote that a cell is no formula."""
    yield "\ufeff"
    for row in ([column.title.to(language) for column in table.columns], *table.rows):
        yield _line(map(_entered, row))


def markdown(table: Table, language: Language) -> Iterator[str]:
    """Yield a heading, the sentences, and the table.

    Source: https://github.github.com/gfm/#tables-extension-
    """
    yield f"### {plain(table.title.to(language))}\n"
    yield from (f"\n{plain(line)}\n" for line in table.lead)
    if not table.rows:
        return
    titles = [plain(column.title.to(language)) for column in table.columns]
    yield f"\n| {' | '.join(titles)} |\n|{' --- |' * len(titles)}\n"
    for row in table.rows:
        cells = (_marked(column, cell) for column, cell in zip(table.columns, row, strict=True))
        yield f"| {' | '.join(cells)} |\n"


FORMS: Mapping[str, Callable[[Table, Language], Iterator[str]]] = {
    "html": html,
    "csv": spreadsheet,
    "markdown": markdown,
}
"""What writes a table in each form."""


def _filled(table: Table) -> Table:
    """Return a table without the columns that no row has anything in: on a page they take room from the others."""
    kept = [number for number in range(len(table.columns)) if not table.rows or any(row[number] for row in table.rows)]
    rows = [[row[number] for number in kept] for row in table.rows]
    return table._replace(columns=[table.columns[number] for number in kept], rows=rows)


def _filters(table: Table, language: Language) -> Iterator[str]:
    for number, column in enumerate(table.columns):
        if not column.filter:
            continue
        title = as_html(column.title.to(language))
        options = "".join(f"<option>{as_html(value)}</option>" for value in sorted({row[number] for row in table.rows}))
        first = f'<option value="">{_ALL.to(language).format(title=title)}</option>'
        yield f'<select data-column="{number}" aria-label="{title}">{first}{options}</select>'


def _rows(table: Table) -> Iterator[str]:
    anchors = next((number for number, column in enumerate(table.columns) if column.anchor), None)
    named: set[str] = set()
    for row in table.rows:
        anchor = as_html(row[anchors]) if anchors is not None and row[anchors] not in named else ""
        if anchors is not None:
            named.add(row[anchors])
        opened = f'<tr id="{anchor}">' if anchor else "<tr>"
        yield f"{opened}{''.join(map(_cell, table.columns, row))}</tr>\n"


def _cell(column: Column, cell: str) -> str:
    if column.prose:
        return f"<td class=prose>{as_sentences(cell)}</td>"
    kind = "code" if column.code else "number" if cell.isdecimal() else cell if cell in _SEVERITIES else ""
    kind = kind or ("choice" if column.filter else "")
    # Lines break behind what parts a name or a path, and within a part only where it doesn't fit.
    text = _PARTS.sub(r"\g<0><wbr>", as_html(cell)) if column.code else as_html(cell)
    return f"<td{f' class={kind}' if kind else ''}>{text}</td>"


def _head(title: str) -> str:
    """Return the head of a column; that of a comparison is a path."""
    return f'<th scope="col"{" class=long" if len(title) > _LONG else ""}>{as_html(title)}</th>'


def _marked(column: Column, cell: str) -> str:
    # A bar ends a cell, in code too.
    return (
        code(cell).replace("|", r"\|")
        if column.code and cell
        else sentences(cell).replace("\\|", "|").replace("|", r"\|")
    )


def _line(cells: Iterator[str]) -> str:
    line = io.StringIO(newline="")
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _entered(cell: str) -> str:
    """Return a cell as a spreadsheet shows it: one line, and no formula."""
    cell = shown(cell)
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA) and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    return cell.lstrip("+-").replace(".", "", 1).isdecimal()


_FOUND = Text("npu-lsp: findings", "npu-lsp：检查结果")
_FINDINGS = (
    Column(Text("severity", "级别"), filter=True),
    Column(Text("rule", "规则"), filter=True),
    Column(Text("option", "配置项"), code=True),
    Column(Text("file", "文件"), code=True),
    Column(Text("line", "行")),
    Column(Text("message", "说明"), prose=True),
    Column(Text("fix", "修复")),
)


def findings_table(result: Result) -> Table:
    """Return the findings that nothing silences, a row each."""
    rows = [
        (
            entry.severity.value,
            f"{entry.code} {entry.name}",
            entry.option or "",
            project_path(entry.path, result),
            str(entry.place.line),
            one_line(entry.message),
            one_line(entry.reported_fixes[0].title) if entry.reported_fixes else "",
        )
        for entry in result.open
    ]
    return Table(_FOUND, _FINDINGS, rows, (found(result),))
