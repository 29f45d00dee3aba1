"""Tables: what a cell may hold, in each form, and what the page does in a browser."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from npu_lsp.reports.table import Column, Table, html, markdown, spreadsheet
from npu_lsp.text.bilingual import Text
from tests.patience import PATIENCE

CELLS = ("<script>alert(1)</script>", '=HYPERLINK("x")', "a|b `c`", "{rows}", "-1", "第二行 😀", "")
TABLE = Table(
    Text("Things <&>", "事物"),
    (Column(Text("kind", "类别"), filter=True), Column(Text("name", "名称"), code=True)),
    [("error" if number % 2 else "other", cell) for number, cell in enumerate(CELLS)],
    ("One {rows} sentence.",),
)


class Cells(HTMLParser):
    """Collects what the cells of a page hold, and its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not {name for name, _ in attrs} & {"src", "href"}, "a page of its own needs no other file"
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "td" and data != "\n":
            self.cells[-1] += data


def test_a_page_shows_what_the_cells_hold_and_runs_none_of_it() -> None:
    page = "".join(html(TABLE, "en"))
    found = Cells(page)
    assert found.cells[1::2] == list(CELLS)
    assert found.tags.count("script") == 1
    assert "<p>One {rows} sentence.</p>" in page
    assert "default-src 'none'" in page
    assert '<html lang="zh-CN">' in "".join(html(TABLE, "zh"))


def test_sentences_show_code_as_code_and_rows_can_be_linked_to() -> None:
    columns = (Column(Text("name", "名称"), code=True, anchor=True), Column(Text("what", "说明"), prose=True))
    rows = [("precision_mode", "Like `a<b>`, an odd ` stays."), ("precision_mode", "Twice.")]
    page = "".join(html(Table(Text("t", "t"), columns, rows), "en"))
    assert "<td class=prose>Like <code>a&lt;b&gt;</code>, an odd ` stays.</td>" in page
    assert page.count('<tr id="precision_mode">') == 1


def test_a_spreadsheet_reads_text_as_text() -> None:
    text = "".join(spreadsheet(TABLE, "zh"))
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    assert text.startswith("\ufeff")
    assert rows[0] == ["类别", "名称"]
    assert [row[1] for row in rows[1:]] == [CELLS[0], "'" + CELLS[1], *CELLS[2:]]


def test_markdown_keeps_its_columns() -> None:
    lines = "".join(markdown(TABLE, "en")).splitlines()
    rows = [line for line in lines if line.startswith("| ")][1:]
    assert len(rows) == len(CELLS) + 1
    assert {line.replace(r"\|", "").count("|") for line in rows} == {3}


def _dom(page: str, tmp_path: Path, *more: str) -> str:
    """Return what a browser makes of a page."""
    browser = shutil.which("chromium")
    if browser is None:
        assert not os.environ.get("CI"), "CI installs Chromium"
        pytest.skip("there is no Chromium here")
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    quiet = f"--disable-component-update --disable-sync --user-data-dir={tmp_path / 'profile'} --dump-dom"
    address = (tmp_path / "page.html").as_uri()
    ran = subprocess.run(
        [browser, *flags.split(), *quiet.split(), *more, address], capture_output=True, check=True, timeout=PATIENCE
    )
    return ran.stdout.decode()


def test_the_page_searches_filters_and_sorts(tmp_path: Path) -> None:
    steps = """<script>
const input = document.querySelector("input"), choice = document.querySelector("select");
const seen = () => Array.from(document.querySelectorAll("tbody tr:not([hidden])"), (row) => row.cells[1].textContent).join("/");
const done = [];
const fire = (element, value) => { element.value = value; element.dispatchEvent(new Event("input", { bubbles: true })); done.push(seen()); };
fire(input, "SECOND"); fire(input, "第二"); fire(input, ""); fire(choice, "error");
document.querySelectorAll("th")[1].click(); done.push(seen());
document.title = JSON.stringify(done);
</script></body>"""
    page = "".join(html(TABLE._replace(rows=[("error", "b10"), ("error", "b2"), ("other", "第二行")]), "en"))
    dom = _dom(page.replace("</body>", steps), tmp_path)
    assert '<title>["","第二行","b10/b2/第二行","b10/b2","b2/b10"]</title>' in dom


@pytest.mark.parametrize("width", [1280, 500])
def test_no_column_is_narrower_than_its_words_and_none_leaves_the_page(tmp_path: Path, width: int) -> None:
    columns = [
        Column(Text("severity", "级别"), filter=True),
        Column(Text("option", "配置项"), code=True),
        Column(Text("empty", "空")),
        Column(Text("message", "说明"), prose=True),
        Column(Text("fix", "修复")),
    ]
    name = "ASCEND_TRANSFER_WITH_MOONCAKE_TIMEOUT_OF_A_RANK"
    row = (
        "warning",
        name,
        "",
        f"Unknown option {name}: " + "it is silently ignored at run time. " * 6,
        f'Change to "{name}"',
    )
    steps = """<script>
const narrow = Array.from(document.querySelectorAll("td:not(.code, .prose)")).filter((cell) => cell.textContent && cell.scrollWidth > cell.clientWidth);
const heights = Array.from(document.querySelectorAll("tbody tr"), (each) => each.offsetHeight);
const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
document.title = JSON.stringify([narrow.length, over, document.querySelectorAll("th").length, Math.max(...heights) < 260]);
</script></body>"""
    page = "".join(html(Table(Text("t", "t"), columns, [row]), "en"))
    dom = _dom(page.replace("</body>", steps), tmp_path, f"--window-size={width},800")
    assert "<title>[0,0,4,true]</title>" in dom
