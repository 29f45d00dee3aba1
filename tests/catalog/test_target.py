"""Versions, targets, and what an option is on one."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.catalog.availability import default_change, defaults_on, standing, values_on
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Allowed, Change, Default, Deprecation, Option, Removal, Surface
from npu_lsp.catalog.products import products
from npu_lsp.catalog.target import Stated, Target, Version
from npu_lsp.linter.context import is_assumed
from npu_lsp.text.bilingual import Text
from tests.together import together

WHY = Text("Old.", "旧。")
ORDER = [
    "5.0.2",
    "5.1.RC1",
    "6.3.RC2.alpha002",
    "6.3.RC2",
    "7.0.0",
    "7.0.0.5.242",
    "8.0.RC1.beta1",
    "8.0.RC1",
    "8.0.RC3",
    "8.0.RC3.20",
    "8.0.0.beta1",
    "8.0",
    "8.0.1",
    "8.1.RC1",
    "8.5.0",
    "9.0.0",
    "9.1.alpha2",
    "9.1.beta1",
    "9.1.0-beta.3",
    "9.1.0",
    "CANN 10.0",
]


def option(**facts: object) -> Option:
    return Option(name="a", surface=Surface.SESSION, topic="a", type="string", **facts)  # type: ignore[arg-type]


def test_versions_are_ordered_as_they_came_out() -> None:
    versions = [Version.parse(text) for text in ORDER]
    mixed = versions[::-1]
    assert sorted(mixed) == versions
    assert [str(version) for version in versions] == ORDER


def test_releases_of_packages_are_ordered_as_they_came_out() -> None:
    order = [
        "0.9.1.dev2",
        "v0.9.1-rc1",
        "0.9.1rc2",
        "v0.9.1",
        "0.9.1.post1.dev20250619",
        "0.9.1.post1.dev20250620",
        "0.9.1.post1",
        "0.9.1.post2.dev1",
        "0.9.2rc1-openeuler",
        "2.7.1",
        "2.7.1.post2",
    ]
    versions = [Version.parse(text) for text in order]
    mixed = versions[::-1]
    assert sorted(mixed) == versions
    assert len(set(versions)) == len(versions)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str):
        yield value


def test_every_version_that_packages_are_paired_by_is_read() -> None:
    versions = {text for text in _texts(load().plain("pairs")) if re.fullmatch(r"v?\d+\.[\w.+-]+", text)}
    assert len(versions) > 50
    for text in versions:
        Version.parse(text)


@together(
    ("target", "fact", "holds"),
    [("0.9", "0.9.2rc1", True), ("0.9.1", "0.9.2rc1", False), ("0.8", "0.9.0rc1", False), ("0.9.1rc1", "0.9", True)],
)
def test_a_line_as_a_target_is_its_newest_release(target: str, fact: str, holds: bool) -> None:
    assert Target.parse({"vllm-ascend": target}).at_least(fact, "vllm-ascend") is holds


def test_a_component_that_is_not_named_is_the_newest() -> None:
    target = Target.parse({"cann": "8.0"})
    assert target.at_least("99.0", "vllm-ascend")
    assert not target.at_least("99.0", "cann")
    made = option(component="vllm-ascend", since="0.9.0rc1", removed=Removal(WHY, "tf:a", version="0.11.0rc1"))
    assert standing(made, target).removed
    assert standing(made, Target.parse({"vllm-ascend": "0.8.5rc1"})).missing
    assert standing(made, Target.parse({"vllm-ascend": "0.10", "cann": "8.0"})).usable


def test_a_line_is_its_first_release() -> None:
    assert Version.parse("8.0") == Version.parse("8.0.0")
    assert Version.parse("v8.0") == Version.parse("CANN-8.0") == Version.parse("8.0.0")
    assert Version.parse("8.0.RC3").line == "8.0"


@together("text", ["", "8", "8.", "latest", "8.0.RC", "8.0 or so", "8.0.0.0.0.x", "9" * 50 + ".0"])
def test_what_is_no_version(text: str) -> None:
    with pytest.raises(ValueError, match="is no version"):
        Version.parse(text)


@given(st.text(max_size=60))
def test_any_text_is_a_version_or_a_value_error(text: str) -> None:
    with suppress(ValueError):
        assert Version.parse(text).text == text.strip()


@together(
    ("target", "fact", "holds"),
    [
        ("8.0.RC1", "8.0", True),
        ("8.1.RC1", "8.1", True),
        ("7.0.0", "8.0", False),
        ("8.0.RC1", "8.0.RC3", False),
        ("8.0.RC3", "8.0.RC3", True),
        ("8.0", "8.0.RC3", True),
        (None, "99.0", True),
        ("8.0", None, None),
    ],
)
def test_a_fact_about_a_line_holds_for_all_its_releases(target: str | None, fact: str | None, holds: bool) -> None:
    assert Target.parse({"cann": target} if target else {}).at_least(fact, "cann") is holds


@pytest.mark.parametrize(
    ("version", "fact", "sure"),
    [
        ("8.3.RC1.alpha001", "8.3", False),
        ("8.5.0.alpha002", "8.5", False),
        ("9.1.0-beta.3", "9.1", False),
        ("8.5.1.alpha001", "8.5", True),
        ("8.3.RC2.alpha001", "8.3", True),
        ("8.3.RC1", "8.3", True),
        ("8.5.0.alpha002", "8.3", True),
    ],
)
def test_before_a_line_is_out_nobody_is_sure_of_what_holds_for_it(version: str, fact: str, sure: bool) -> None:
    # ASDOPS_LOG_LEVEL went in 8.3: the images of 8.3.RC1.alpha001 and alpha002 still set it, that of alpha003 doesn't.
    parsed = Version.parse(version)
    told = Target().with_stated([Stated("cann", parsed, parsed)], ())
    configured = Target.parse({"cann": version})
    for target in (told, configured):
        assert target.is_sure(fact, "cann") is sure
        assert is_assumed(fact, "cann", target, {}) is not sure
        assert not target.lacks(fact, "cann"), "it may be there"


def test_products_may_be_ids_chips_or_names() -> None:
    target = Target.parse(
        {"cann": "8.0"}, ["a2", "Ascend310P3", "Atlas A3 训练系列产品/Atlas A3 推理系列产品", "ascend910b4", "A2"]
    )
    assert target.products == ("a2", "infer", "a3")


def test_what_cant_be_read_is_logged_and_left_open(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert Target.parse({"cann": "newest"}, ["toaster"]) == Target()
    assert "'newest' is no version" in caplog.text
    assert "no product 'toaster'" in caplog.text


@together(
    ("soc", "family"),
    [
        ("Ascend310", "310"),
        ("Ascend310P3", "infer"),
        ("Ascend310P9", "infer"),
        ("Ascend310B1", "200i"),
        ("Ascend910A", "train"),
        ("Ascend910B", "train"),
        ("Ascend910ProB", "train"),
        ("Ascend910B1", "a2"),
        ("Ascend910B4-1", "a2"),
        ("Ascend910_9391", "a3"),
        ("Ascend910_9399", "a3"),
        ("Ascend950PR_9589", "950"),
        ("Ascend950XX_1", "950"),
        ("Ascend910_9591", "950"),
        ("Ascend035A", "ipv350"),
        ("SD3403", None),
        ("Ascend910B9", None),
        ("Kirin", None),
    ],
)
def test_the_family_of_a_chip(soc: str, family: str | None) -> None:
    assert products(load()).of_soc(soc) == family


@together(
    ("name", "family"),
    [
        ("a2", "a2"),
        ("Atlas A2 训练系列产品", "a2"),
        ("Atlas A2训练系列产品/Atlas 800I A2推理产品", "a2"),
        ("atlas a3 inference products", "a3"),
        ("Atlas A3系列产品", "a3"),
        ("Atlas 350加速卡", "950"),
        ("昇腾910_95 AI处理器", "950"),
        ("Atlas 推理系列产品", "infer"),
        ("Atlas Training Series Product", "train"),
        ("Atlas 200I/500 A2 推理产品", "200i"),
        ("Ascend 310", "310"),
        ("Atlas", None),
    ],
)
def test_the_family_that_a_page_of_any_time_means(name: str, family: str | None) -> None:
    assert products(load()).resolve(name) == family


def test_an_option_before_and_after_its_time() -> None:
    made = option(
        since="7.0",
        deprecated=Deprecation(WHY, "tf:a", version="8.0"),
        removed=Removal(WHY, "tf:a", version="9.0"),
        products=("a2", "a3"),
    )
    assert standing(made, Target.parse({"cann": "6.3"})).missing
    assert not standing(made, Target.parse({"cann": "6.3"})).usable
    assert standing(made, Target.parse({"cann": "7.0.RC1"})).usable
    assert standing(made, Target.parse({"cann": "8.0.RC1"})).deprecated
    assert not standing(made, Target.parse({"cann": "8.5"})).removed
    assert standing(made, Target.parse({"cann": "9.0"})).removed
    assert standing(made, Target()).removed
    assert standing(made, Target.parse(None, ["a2", "310"])).unsupported == ("310",)


def test_what_no_page_dates_holds_always() -> None:
    made = option(deprecated=Deprecation(WHY, "tf:a"))
    assert standing(made, Target.parse({"cann": "5.0"})).deprecated
    assert not standing(option(), Target.parse({"cann": "5.0"}, ["310"])).missing
    assert standing(option(), Target.parse({"cann": "5.0"}, ["310"])).usable


def test_values_come_and_go() -> None:
    made = option(
        values=(Allowed("a"), Allowed("b"), Allowed("c", since="8.5")),
        changes=(Change("8.0", "tf:a", added=("b",), dropped=("old",)),),
    )

    def values(version: str | None) -> list[object]:
        return [allowed.value for allowed in values_on(made, Target.parse({"cann": version} if version else {}))]

    assert values("7.0") == ["a", "old"]
    assert values("8.0") == ["a", "b"]
    assert values(None) == ["a", "b", "c"]


def test_the_default_of_a_version() -> None:
    made = option(
        defaults=(Default("t", "training"), Default("i", "inference")),
        changes=(Change("8.0", "tf:a", default="x"), Change("9.0.RC2", "tf:b", default="t")),
    )

    def known(version: str | None) -> list[object]:
        return [default.value for default in defaults_on(made, Target.parse({"cann": version} if version else {}))]

    def changed(version: str | None) -> object:
        change = default_change(made, Target.parse({"cann": version} if version else {}))
        return change and change.default

    assert known(None) == known("9.1") == known("9.0.0") == ["t", "i"]
    assert known("9.0.RC1") == known("8.0") == ["x"]
    assert known("7.0") == []
    assert changed(None) is changed("9.1") is changed("9.0.RC1") is changed("8.1") is changed("7.0") is None
    assert changed("8.0.RC1") == "x"
    assert changed("9.0.0") == "t"


@together(
    ("version", "newer"),
    [("0.25", False), ("0.30", False), ("0.30.0rc2", False), ("0.30.0", True), ("0.31", True)],
)
def test_a_version_may_be_newer_than_what_is_known(version: str, newer: bool) -> None:
    assert Target.parse({"vllm-ascend": version}).follows("0.30.0rc2", "vllm-ascend") is newer
    parsed = Version.parse(version)
    # At least that one: what is later still may run, but nobody says so.
    stated = Target().with_stated([Stated("vllm-ascend", parsed, None)], ())
    assert stated.follows("0.30.0rc2", "vllm-ascend") is newer
    assert not Target().follows("0.30.0rc2", "vllm-ascend")
