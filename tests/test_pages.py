"""What is made from the program is current, and what a page links to is there."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.golden import made_by
from tests.pages import ROOT, WHOLE, pages
from tests.pages.repository import address
from tests.together import together

LINK = re.compile(r"(?<!\\)\]\((?P<target>[^()\s]+)\)|<img [^>]*?src=\"(?P<image>[^\"]+)\"")
CODE = re.compile(r"^(?P<fence>```+|~~~+).*?^(?P=fence)|(?P<tick>`+)[^\n]*?(?P=tick)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(?P<title>.+?) *$", re.MULTILINE)
ANCHOR = re.compile(r'<a id="(?P<name>[^"]+)">')


def written() -> Iterator[Path]:
    """Yield the pages that people read, wherever they stand."""
    ignored = {".git", ".venv", "node_modules", "build", "cases", ".pytest_cache", ".ruff_cache"}
    for path in sorted(ROOT.rglob("*.md")):
        if not ignored & set(path.relative_to(ROOT).parts):
            yield path


PAGES = list(written())


def anchors(text: str) -> set[str]:
    """Return the names of the places in a page, as GitHub and GitLab make them of headings."""
    plain = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    titles = (re.sub(r"[`*]|\]\([^)]*\)|\[", "", found["title"]) for found in HEADING.finditer(plain))
    made = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    return made | {found["name"] for found in ANCHOR.finditer(plain)}


def test_made_pages_are_current() -> None:
    made_by(pages(), "python -m tests.pages")


@together("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for found in LINK.finditer(CODE.sub("", text)):
        target, _, anchor = (found["target"] or found["image"]).partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), found[0]
        assert ROOT in path.parents or path == ROOT, f"{found[0]} leads out of the project"
        if anchor:
            assert anchor in anchors(path.read_text(encoding="utf-8")), found[0]


@together("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_modules_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in re.findall(r"`((?:npu_lsp|tests|docs|editors)/[\w./-]+)`", text):
        if page.name != "CONTRIBUTING.md":
            assert (ROOT / name).exists(), name
    for module in re.findall(r"python3? -m ((?:npu_lsp|tests)[\w.]*)", text):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module


CHINESE = [page for page in PAGES if page.name.endswith(".zh.md") and page.stem != "options.zh"]
"""Pages that say what an English one says. Those of options are made from one table, and link to official pages in each language."""
BLOCK = re.compile(r"^ *(?P<fence>```+)(?P<kind>\w+)\n(?P<body>.*?)^ *(?P=fence)", re.MULTILINE | re.DOTALL)
WORDS = re.compile(r"^(?:#|\"|[ ]*//).*\n|[ ]+#[ ].*$|^(?:summary|en|zh) = .*\n", re.MULTILINE)
"""What is written for people in a block of code."""


class Shape(NamedTuple):
    """What two pages have in common that say the same in two languages."""

    code: list[tuple[str, str]]
    headings: list[int]
    rows: list[str]
    """The names in the first columns of tables."""
    lines: tuple[int, int]
    """How many lines tables and lists have."""
    links: list[str]


def shape(text: str) -> Shape:
    blocks = [(block["kind"], WORDS.sub("", block["body"])) for block in BLOCK.finditer(text)]
    plain = BLOCK.sub("", text)
    links = [found["target"] or found["image"] for found in LINK.finditer(CODE.sub("", plain))]
    return Shape(
        [(kind, body) for kind, body in blocks if kind != "text"],
        [len(found[0].partition(" ")[0]) for found in HEADING.finditer(plain)],
        [name for cell in re.findall(r"^\|([^|]*)\|", plain, re.MULTILINE) for name in re.findall(r"`[^`]+`", cell)],
        (len(re.findall(r"^ *\|", plain, re.MULTILINE)), len(re.findall(r"^ *(?:-|\d+\.) ", plain, re.MULTILINE))),
        # A page in each language, a picture in each, and headings that have other names.
        sorted(re.sub(r"\.zh(?=\.)|#.*", "", link) for link in links),
    )


@together("page", CHINESE, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_says_the_same_in_both_languages(page: Path) -> None:
    english = page.with_name(page.name.replace(".zh.md", ".md"))
    own, other = (each.read_text(encoding="utf-8") for each in (page, english))
    if english.parent.name == "vscode":
        # The marketplace has one page: the picture stands in its English part, and the Chinese page leads to it.
        other = other.partition("\n## 中文")[0]
        assert shape(own)._replace(links=[]) == shape(other)._replace(links=[])
    else:
        assert shape(own) == shape(other)
        assert page.relative_to(ROOT).as_posix() in WHOLE or f"]({english.name})" in own


def test_the_repository_has_one_address() -> None:
    """Its owner is written in `pyproject.toml` alone; parts that are made name it, and nothing else does."""
    owner = address().rpartition("/")[0]
    made = set(pages())
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    for path in [ROOT / name for name in listed.splitlines()] or PAGES:
        if not path.is_file() or path.suffix in {".png", ".svg"}:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.name == "pyproject.toml":
            assert re.findall(r"https://[^/\"]+/[^/\"]+(?=/npu-lsp)", text) == [owner] * 3
            name = owner.rpartition("/")[2]
            assert f'Documentation = "https://{name}.github.io/npu-lsp"' in text
        elif path in made:
            text = re.sub(r"<!-- made: [\w-]+ -->.*?<!-- made: end -->", "", text, flags=re.DOTALL)
        if path.name != "pyproject.toml":
            assert not re.search(r"(?:https?://[\w.-]+/|uses: )[\w.-]+/npu-lsp\b", text), path
        assert "example" + ".org/npu-lsp" not in text, path
