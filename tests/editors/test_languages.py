"""A language is added once: what editors are told of follows the registry, or a test says what is missing."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatchcase
from itertools import product

import pytest

from npu_lsp.languages.registry import LANGUAGES
from npu_lsp.text.kinds import Kind
from tests.editors.pages import PAGES, configuration
from tests.pages.editors import CONFIGURES, NAMES, activation_events, glob, ids, in_editors

PACKAGE = json.loads((PAGES / "vscode/package.json").read_text(encoding="utf-8"))


def _named(field: str, *, configures: bool = True) -> set[str]:
    """Return what an editor calls the languages, that of configurations included."""
    every = (*NAMES.values(), *((CONFIGURES,) if configures else ()))
    return {getattr(each, field) for each in every} - {""}


def test_each_language_has_its_names() -> None:
    assert set(NAMES) == {row.kind for row in in_editors()}


def test_vs_code_loads_the_extension_for_each() -> None:
    assert set(PACKAGE["activationEvents"]) == activation_events()


def test_vs_code_lists_what_is_typed_in_strings() -> None:
    """There values, and names in lists and in quotes, are strings; in Python and Markdown people would get lists of words in prose.

    A patch has no strings: its lines are what was added and what was removed.
    """
    defaults = PACKAGE["contributes"]["configurationDefaults"]
    languages = {name.strip("[]"): each["editor.quickSuggestions"] for name, each in defaults.items()}
    assert languages.keys() <= set(ids())
    hosts = {row.kind for row in LANGUAGES if row.host and row.editor_ids} - {Kind.MARKDOWN, Kind.NOTEBOOK, Kind.PATCH}
    assert {row.kind for row in LANGUAGES if set(row.editor_ids) & languages.keys()} == hosts | {Kind.SHELL}
    assert all(each == {"other": "on", "comments": "off", "strings": "on"} for each in languages.values())


def _matches(name: str, pattern: str) -> bool:
    choices = [each.split(",") for each in re.findall(r"\{([^{}]*)\}", pattern)]
    form = re.sub(r"\{[^{}]*\}", "{}", pattern)
    return any(fnmatchcase(name, form.format(*taken)) for taken in product(*choices))


@pytest.mark.parametrize(
    "name",
    [
        *("op_precision.ini", "my-opprecision_a.ini", "op_cache.ini", "fusion_switch.cfg", "a.fusion-switch-b.json"),
        *(
            "mixlist.json",
            "x_modify_mixlist_2.json",
            "op_debug_config.txt",
            "customize_dtypes_x.cfg",
            "keep_dtype.conf",
        ),
        *(
            "compression_optimize_conf.cfg",
            "aipp.prototxt",
            "my_insert_op-a.cfg",
            "rank_table_8p.json",
            "ranktable.json",
        ),
    ],
)
def test_patterns_of_names_are_those_of_the_registry(name: str) -> None:
    (habit,) = (row.habit for row in LANGUAGES if row.habit and re.fullmatch(row.habit, name))
    assert _matches(name, glob(habit))


def test_every_habit_has_such_a_name() -> None:
    for row in LANGUAGES:
        if row.habit and not row.editor_ids:
            assert not set(glob(row.habit)) & set("()[]?\\|+"), row.habit


def test_neovim() -> None:
    source = (PAGES / "neovim/lua/npu_lsp/init.lua").read_text(encoding="utf-8")
    listed = re.search(r"M\.filetypes = \{(.*?)\}", source)
    assert listed is not None
    assert _named("vim") <= set(re.findall(r'"([\w.]+)"', listed[1]))


def test_vim() -> None:
    ale = re.search(r"in items\(\{(.*?)\}\)", configuration("vim.md", "vim"), re.DOTALL)
    assert ale is not None
    told = dict(re.findall(r"'(\w+)': '(\w+)'", ale[1]))
    assert _named("vim", configures=False) == told.keys()
    assert set(told.values()) <= {*ids(), "json", "ini"}
    (coc,) = json.loads(configuration("vim.md", "json", "coc.nvim"))["languageserver"].values()
    assert set(coc["filetypes"]) == _named("vim")


def test_emacs() -> None:
    modes = re.search(r"'\(\(([\w\s-]+)\)", configuration("emacs.md", "elisp"))
    assert modes is not None
    assert set(modes[1].split()) == _named("eglot")
    asked = re.search(r"lsp-activate-on (.*?)\)", configuration("emacs.md", "elisp", "lsp-mode"))
    assert asked is not None
    assert set(re.findall(r'"(\w+)"', asked[1])) == _named("lsp_mode")


@pytest.mark.parametrize(
    ("page", "field"),
    [("helix", "helix"), ("zed", "zed"), ("others", "sublime"), ("others", "jetbrains"), ("kate", "kate")],
)
def test_other_pages_name_each_language(page: str, field: str) -> None:
    for name in (f"{page}.md", f"{page}.zh.md"):
        text = (PAGES / name).read_text(encoding="utf-8")
        assert [each for each in _named(field) if each not in text] == [], name
