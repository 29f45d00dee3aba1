"""The site of the pages: each link leads to a page and a place that are there, and each rule and option has its own."""

from __future__ import annotations

import posixpath
import re

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.rules import all_rules
from npu_lsp.text.bilingual import Language
from tests.pages.repository import ROOT
from tests.pages.site import anchor, menu, site_pages

_FENCE = re.compile(r"^(```+|~~~+).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_PLACE = re.compile(r"\{ #([^\s}]+) \}$", re.MULTILINE)
_LANGUAGES: tuple[Language, ...] = ("en", "zh")


@pytest.mark.parametrize("language", _LANGUAGES)
def test_links_lead_somewhere(language: Language) -> None:
    pages = site_pages(language)
    places = {path: set(_PLACE.findall(text)) for path, text in pages.items()}
    images = {path.name for path in (ROOT / "editors" / "vscode" / "images").iterdir()}
    followed, lost = 0, []
    for path, text in pages.items():
        for link in _LINK.findall(_CODE.sub("", _FENCE.sub("", text))):
            if re.match(r"\w+:", link):
                continue
            target, _, place = link.partition("#")
            found = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            followed += 1
            if found.startswith("images/"):
                known = found.removeprefix("images/") in images
            else:
                known = found in pages and (not place or place in places[found])
            if not known:
                lost.append(f"{path}: {link}")
    assert not lost
    assert followed > len(pages)


@pytest.mark.parametrize("language", _LANGUAGES)
def test_each_rule_and_each_option_has_its_place(language: Language) -> None:
    pages = site_pages(language)
    assert {f"rules/{rule.code}.md" for rule in all_rules()} <= set(pages)
    catalog = load()
    for surface in Surface:
        wanted = [anchor(option) for option in catalog.options(surface)]
        assert len(wanted) == len(set(wanted)), surface
        if wanted:
            assert sorted(_PLACE.findall(pages[f"options/{surface.value}.md"])) == sorted(wanted)


def test_the_menu_has_every_page() -> None:
    def listed(entry: object) -> list[str]:
        if isinstance(entry, dict):
            return [path for each in entry.values() for path in listed(each)]
        return [path for each in entry for path in listed(each)] if isinstance(entry, list) else [str(entry)]

    pages = site_pages("en")
    assert sorted(listed(menu("en", pages))) == sorted(pages)
