"""Relations are written once and hold on every surface and from both sides."""

from __future__ import annotations

from npu_lsp.catalog.model import Relation, Surface
from tests.catalog.conftest import WriteCatalog, option_file

SURFACES = """\
[atc]
name = "{name}_flag"
type = "string"
sources = ["ge:a.cc"]
"""


def relation(kind: str, other: str, more: str = "") -> str:
    return f'[[relations]]\nkind = "{kind}"\nother = "{other}"\nsource = "tf:a"\n{more}\n'


def of(catalog_of: WriteCatalog, files: dict[str, str], surface: Surface, name: str) -> tuple[Relation, ...]:
    option = catalog_of(files).option(surface, name)
    assert option is not None
    return option.relations


def test_the_other_has_the_name_of_the_surface(catalog_of: WriteCatalog) -> None:
    files = {
        "options/a.toml": option_file(relation("conflicts", "b") + SURFACES.format(name="a")),
        "options/b.toml": option_file(SURFACES.format(name="b")),
    }
    assert [r.other for r in of(catalog_of, files, Surface.SESSION, "a")] == ["b"]
    assert [r.other for r in of(catalog_of, files, Surface.ATC, "a_flag")] == ["b_flag"]
    (back,) = of(catalog_of, files, Surface.ATC, "b_flag")
    assert (back.kind, back.other, back.mirrored) == ("conflicts", "a_flag", True)


def test_surfaces_narrow_a_relation(catalog_of: WriteCatalog) -> None:
    narrowed = relation("requires", "b", 'surfaces = ["atc"]')
    files = {
        "options/a.toml": option_file(narrowed + SURFACES.format(name="a")),
        "options/b.toml": option_file(SURFACES.format(name="b")),
    }
    assert of(catalog_of, files, Surface.SESSION, "a") == ()
    assert [r.kind for r in of(catalog_of, files, Surface.ATC, "a_flag")] == ["requires"]
    assert of(catalog_of, files, Surface.ATC, "b_flag") == ()


def test_an_option_that_is_not_on_the_surface_is_not_related_there(catalog_of: WriteCatalog) -> None:
    files = {
        "options/a.toml": option_file(relation("conflicts", "b") + SURFACES.format(name="a")),
        "options/b.toml": option_file(),
    }
    assert of(catalog_of, files, Surface.ATC, "a_flag") == ()


def test_overrides_is_ignored_when_from_the_other_side(catalog_of: WriteCatalog) -> None:
    result = 'values = ["1"]\nother_values = ["x"]\nresult = { en = "It goes.", zh = "失效。" }\n'
    result += 'extent = "partial"\nstays = { en = "A part.", zh = "一部分。" }'
    files = {
        "options/a.toml": option_file(relation("overrides", "b", result)),
        "options/b.toml": option_file(),
    }
    (back,) = of(catalog_of, files, Surface.SESSION, "b")
    assert (back.kind, back.values, back.other_values) == ("ignored_when", ("x",), ("1",))
    assert back.result is not None
    assert back.result.zh == "失效。"
    assert back.extent == "partial"
    assert back.stays is not None
    assert back.stays.en == "A part."
    assert back.mirrored


def test_what_holds_for_all_but_some_values_has_no_other_side(catalog_of: WriteCatalog) -> None:
    files = {
        "options/a.toml": option_file(relation("ignored_when", "b", 'other_not = ["0"]')),
        "options/b.toml": option_file(),
    }
    assert of(catalog_of, files, Surface.SESSION, "a")[0].other_not == ("0",)
    assert of(catalog_of, files, Surface.SESSION, "b") == ()


def test_a_relation_that_both_files_state_counts_once(catalog_of: WriteCatalog) -> None:
    files = {
        "options/a.toml": option_file(relation("conflicts", "b")),
        "options/b.toml": option_file(relation("conflicts", "a")),
    }
    (one,) = of(catalog_of, files, Surface.SESSION, "a")
    (other,) = of(catalog_of, files, Surface.SESSION, "b")
    assert (one.mirrored, other.mirrored) == (False, True)


def test_who_wins_counts_once_too(catalog_of: WriteCatalog) -> None:
    files = {
        "options/a.toml": option_file(relation("overrides", "b")),
        "options/b.toml": option_file(relation("ignored_when", "a")),
    }
    (winner,) = of(catalog_of, files, Surface.SESSION, "a")
    (loser,) = of(catalog_of, files, Surface.SESSION, "b")
    assert (winner.kind, winner.mirrored) == ("overrides", True)
    assert (loser.kind, loser.mirrored) == ("ignored_when", False)


def test_an_environment_variable_is_told_by_its_surface(catalog_of: WriteCatalog) -> None:
    files = {
        "options/a.toml": option_file(relation("overrides", "A_PATH") + SURFACES.format(name="a")),
        "env/A_PATH.toml": option_file(surface="env", facts='type = "string"'),
    }
    (there,) = of(catalog_of, files, Surface.SESSION, "a")
    assert (there.other, there.other_surface) == ("A_PATH", Surface.ENV)
    back = of(catalog_of, files, Surface.ENV, "A_PATH")
    assert {(r.kind, r.other, r.other_surface) for r in back} == {
        ("ignored_when", "a", Surface.SESSION),
        ("ignored_when", "a_flag", Surface.ATC),
    }


def test_a_variables_file_may_state_it_too(catalog_of: WriteCatalog) -> None:
    files = {
        "options/a.toml": option_file(SURFACES.format(name="a")),
        "env/A_PATH.toml": option_file(relation("ignored_when", "a"), surface="env", facts='type = "string"'),
    }
    assert {r.other for r in of(catalog_of, files, Surface.ENV, "A_PATH")} == {"a", "a_flag"}
    (back,) = of(catalog_of, files, Surface.ATC, "a_flag")
    assert (back.kind, back.other, back.other_surface) == ("overrides", "A_PATH", Surface.ENV)


def test_each_surface_takes_the_spelling_of_a_value_that_it_knows(catalog_of: WriteCatalog) -> None:
    both = relation("requires", "b", 'other_values = [true, "1"]')
    there = '[global_options]\ntype = "bool"\nsources = ["tf:a.py"]\n'
    files = {"options/a.toml": option_file(both + there), "options/b.toml": option_file(there)}
    assert of(catalog_of, files, Surface.SESSION, "a")[0].other_values == ("1",)
    assert of(catalog_of, files, Surface.GLOBAL_OPTIONS, "a")[0].other_values == (True,)


def test_a_surface_of_texts_hears_of_one_spelling(catalog_of: WriteCatalog) -> None:
    both = relation("requires", "b", 'other_values = ["true", true]')
    there = '[atc]\ntype = "string"\nsources = ["ge:a.cc"]\n'
    files = {"options/a.toml": option_file(both + there), "options/b.toml": option_file(there)}
    assert of(catalog_of, files, Surface.ATC, "a")[0].other_values == ("true",)


def test_conditions_and_replacements_have_the_name_of_the_surface(catalog_of: WriteCatalog) -> None:
    gone = 'deprecated = { replacement = "b", why = { en = "Old.", zh = "旧。" }, source = "tf:a" }\n'
    when = 'required = [{ when = { b = ["1"] }, source = "ge:a" }]\n'
    files = {
        "options/a.toml": option_file(gone + SURFACES.format(name="a") + when),
        "options/b.toml": option_file(SURFACES.format(name="b")),
    }
    option = catalog_of(files).option(Surface.ATC, "a_flag")
    assert option is not None
    assert option.deprecated is not None
    assert option.deprecated.replacement == "b_flag"
    assert option.required[0].when == (("b_flag", ("1",)),)
