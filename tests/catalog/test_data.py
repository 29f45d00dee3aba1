"""The catalog's own data: one consistent whole."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.components import COMPONENTS
from npu_lsp.catalog.files import DATA, option_files
from npu_lsp.catalog.grammar import check
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.products import products
from npu_lsp.catalog.target import Version
from npu_lsp.text.toml import read
from tests.authoring.consistency import NAMED
from tests.authoring.validate import known_ids, main
from tests.together import together


def all_options() -> list[Option]:
    return [option for surface in Surface for option in load().options(surface)]


def test_the_validator_has_nothing_to_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0, capsys.readouterr().out


def test_every_file_is_in_the_compiled_catalog() -> None:
    catalog = load()
    topics = {option.topic for option in all_options()}
    for path in option_files():
        data = read(path)
        if "rules" not in data and "options" not in data and "files" not in path.relative_to(DATA).parts:
            assert path.stem in topics, path
    assert catalog.date == read(DATA / "catalog.toml")["date"]


def test_every_option_has_docs_in_both_languages_and_a_source() -> None:
    catalog = load()
    for option in all_options():
        docs = catalog.docs(option.surface, option.name)
        assert docs.summary.en != docs.summary.zh, option.name
        assert option.sources, option.name
        assert option.group, option.name
        # Names that a parser lists may say what there is to say: as the validator has it.
        for allowed in option.values if option.surface.value not in NAMED else ():
            assert catalog.value_text(option.surface, option.name, allowed.value) is not None, (option, allowed)


def test_every_option_says_more_than_its_summary() -> None:
    catalog = load()
    for option in all_options():
        text = catalog.docs(option.surface, option.name).text
        if text is None:
            # What there is to say is in its values, its range, its default, what it goes with, how it is written, for whom it is,
            # why it is gone, or on the page that its hover leads to.
            bounded = option.minimum is not None or option.maximum is not None or option.grammar is not None
            facts = option.values or option.defaults or option.products or option.relations or option.examples
            gone = option.removed is not None and option.removed.why is not None
            if not (
                bounded
                or facts
                or gone
                or option.type == "none"
                or option.status != "documented"
                or catalog.docs(option.surface, option.name).page
            ):
                pytest.fail(
                    f"{option.surface.value} {option.name} has nothing but a summary: give it a text, values, a range, a default, "
                    "an example, or what it goes with"
                )
            continue
        assert text.en.strip(), option.name
        assert text.zh.strip(), option.name


def test_every_relation_leads_to_an_option() -> None:
    catalog = load()
    for option in all_options():
        for relation in option.relations:
            surface = relation.other_surface or option.surface
            assert catalog.option(surface, relation.other) is not None, (option.name, relation)
        for condition in (*option.required, *option.only_when):
            for name, _ in condition.when:
                assert catalog.option(option.surface, name) is not None, (option.name, name)


def test_even_relations_are_seen_from_both_sides_and_stated_once() -> None:
    catalog = load()
    for option in all_options():
        for relation in option.relations:
            if relation.kind not in ("conflicts", "together", "must_equal") or relation.other_not:
                continue
            other = catalog.option(relation.other_surface or option.surface, relation.other)
            assert other is not None
            back = [
                each
                for each in other.relations
                if each.kind == relation.kind
                and each.other == option.name
                and each.values == relation.other_values
                and each.other_values == relation.values
            ]
            assert back, (option.name, relation)
            assert relation.mirrored != any(each.mirrored for each in back), (option.name, relation)


def test_values_that_are_listed_have_the_form_that_is_asked_for() -> None:
    for option in all_options():
        for each in option.values if option.grammar is not None else ():
            assert not list(check(option.grammar or "", str(each.value), option.surface)), (option.name, each.value)


def test_replacements_exist_on_the_same_surface() -> None:
    catalog = load()
    for option in all_options():
        for gone in (option.deprecated, option.removed):
            if gone is not None and gone.replacement is not None:
                flag = gone.replacement.removeprefix("--") if option.surface is Surface.ENV else gone.replacement
                surfaces = Surface if flag != gone.replacement else (option.surface,)
                assert any(catalog.option(each, flag) is not None for each in surfaces), option.name


def test_links_are_web_addresses() -> None:
    catalog = load()
    for option in all_options():
        page = catalog.docs(option.surface, option.name).page
        if page is not None:
            assert page.en.startswith("https://"), option.name
            assert "{" not in page.en + page.zh, option.name


def test_every_chip_belongs_to_a_known_family_and_names_its_source() -> None:
    known, prefixes = products(load()), known_ids()["sources"]
    assert len(known.soc_versions) > 40
    for name, facts in known.socs.items():
        assert facts.get("product", "a2") in known.ids, name
        for source in facts["sources"]:
            assert source.startswith("https://") or source.split(":")[0] in prefixes, source


def test_versions_stand_in_order_and_releases_belong_to_their_line() -> None:
    components = read(DATA / "versions.toml")
    assert list(components) == list(COMPONENTS)
    for lines in components.values():
        order = [Version.parse(line) for line in lines]
        assert order == sorted(order)
        for line, facts in lines.items():
            releases = [Version.parse(release) for release in facts["releases"]]
            assert releases == sorted(releases)
            assert {release.line for release in releases} == {line}


def test_every_surface_has_a_title_and_says_whether_it_is_complete() -> None:
    catalog = load()
    for surface in Surface:
        assert catalog.title(surface).en != surface.value or surface is Surface.TORCH_NPU
    assert catalog.complete(Surface.SESSION)
    assert catalog.complete(Surface.ATC)
    assert not catalog.complete(Surface.ENV)


def test_every_cann_that_a_release_goes_with_is_known() -> None:
    versions = load().plain("versions")
    known = {release for line in versions["cann"].values() for release in line["releases"]}
    lines = [line for component in ("torch-npu", "mindspore") for line in versions[component].values()]
    paired = [line for line in lines if "cann" in line]
    assert len(paired) >= 19
    for line in paired:
        # What no table has stands behind those that it has.
        assert len(line["cann"]) <= len(line["releases"])
        assert known.issuperset(line["cann"])
        assert sorted(line["cann"], key=Version.parse) == line["cann"]


@pytest.mark.parametrize(("component", "line"), [("mindie", "3.0"), ("mindspore", "2.0")])
def test_releases_before_those_that_are_known_stand_in_the_order_of_time(component: str, line: str) -> None:
    earlier = load().plain("versions")[component][line]["earlier"]
    assert sorted(earlier, key=Version.parse) == [*earlier]
    assert sorted(earlier.values(), key=Version.parse) == [*earlier.values()]


_OF_SOURCE = {
    "mindie-llm": "mindie",
    "mindspeed": "mindspeed",
    "mooncake": "mooncake",
    "ms": "mindspore",
    "msdocs": "mindspore",
    "mslite": "mindspore",
    "sgl-kernel-npu": "sgl-kernel-npu",
    "sglang": "sglang",
    "torch": "torch-npu",
    "vllm-ascend": "vllm-ascend",
}


@together("surface", [each for each in Surface if not each.row.environment])
def test_options_that_only_the_source_of_a_component_tells_are_of_its_versions(surface: Surface) -> None:
    options = [load().option(surface, name) for name in load().names(surface)]
    told = {_OF_SOURCE.get(source.partition(":")[0]) for option in options if option for source in option.sources}
    if len(told) == 1 and None not in told:
        assert {option.component for option in options if option} == told
