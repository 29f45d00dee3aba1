"""The editors' pages: there in both languages, with the same configurations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.editors.pages import PAGES

ENGLISH = sorted((*PAGES.glob("*[!h].md"), PAGES / "neovim/README.md", PAGES / "vscode/README.md"))
_COMMENT = re.compile(r"[ ]*#[ ].*$|^\".*$", re.MULTILINE)


def _shape(text: str) -> tuple[list[str], list[str], int]:
    """Return the code without its comments, the names in the first columns that are code, and how many headings there are."""
    code = re.findall(r"^ *```(\w+\n.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    plain = text.partition("\n## 中文")[0]
    return (
        [_COMMENT.sub("", each) for each in code],
        re.findall(r"^\| (`[^|]+)\|", plain.replace("、", ", "), re.MULTILINE),
        plain.count("\n## "),
    )


@pytest.mark.parametrize("page", ENGLISH, ids=lambda page: str(page.relative_to(PAGES)))
def test_a_page_says_the_same_in_both_languages(page: Path) -> None:
    chinese = page.with_suffix(".zh.md")
    (own, other) = (each.read_text(encoding="utf-8") for each in (page, chinese))
    assert f"]({page.name})" in other
    assert _shape(own) == _shape(other)
    if page.parent.name != "vscode":  # its page in the marketplace has a part in Chinese
        assert f"]({chinese.name})" in own
