"""The table of what programs refuse: whatever it names is there, and each row says where it is from."""

from __future__ import annotations

import re
from typing import Any

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.launch.programs import plain, programs
from npu_lsp.linter.refusals.conditions import RefusalCondition, condition, names
from npu_lsp.linter.refusals.table import Refusal, refusals
from npu_lsp.linter.refusals.told import model_sizes

_PROGRAMS = sorted({row["program"] for row in load().plain("refusals").values()})
_ROWS = [row for program in _PROGRAMS for row in refusals(load(), program)]
_COUNTED = frozenset(
    {"@processes", "@total", "@copies", "@container", "@megatron", "@heads", "@kv", "@experts", "@recurrent"}
)
_NAME = re.compile(r"\{([^{}]+)\}")


def _is_known(name: str, row: Refusal) -> bool:
    catalog = load()
    if name.startswith("$"):
        return catalog.option(Surface.ENV, name[1:]) is not None or any(
            name[1:] in each for each in catalog.plain("other_variables").values()
        )
    if name in _COUNTED:
        return True
    surface = next(each.surface for each in programs(catalog).values() if each.name == row.program)
    if catalog.option(surface, name) is not None or catalog.of_others(surface, name):
        return True
    if "." in name or "_" in name:
        # Some groups of keys are vLLM's own, whose names the catalog leaves open.
        known = (name, name.partition(".")[0])
        return any(
            catalog.option(each, key) for each in (Surface.VLLM_ARGS, Surface.ADDITIONAL_CONFIG) for key in known
        )
    # Megatron's own flags are no options of MindSpeed.
    return surface is Surface.MINDSPEED or name in set(map(plain, catalog.names(surface)))


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row.name)
def test_what_a_row_names_is_there(row: Refusal) -> None:
    asked = {name for each in row.conditions for name in names(each)} - {"model"}
    shown = {*_NAME.findall(row.says.en), *_NAME.findall(row.says.zh)}
    assert not [name for name in asked | ({row.at} - {"model"}) if not _is_known(name, row)]
    # What is shown is known where the row holds.
    assert shown <= asked
    assert (
        _NAME.findall(row.says.en) and set(_NAME.findall(row.says.en)) == set(_NAME.findall(row.says.zh))
    ) or not shown


@pytest.mark.parametrize("name", load().plain("refusals"))
def test_a_row_says_where_it_is_from(name: str) -> None:
    facts = load().plain("refusals")[name]
    assert load().link(facts["source"]).en.startswith("https://")
    assert not (("since" in facts or "until" in facts) and "component" not in facts)


@pytest.mark.parametrize(
    ("written", "means"),
    [
        ("enforce-eager", RefusalCondition(("enforce-eager",), "on")),
        ("not enforce-eager", RefusalCondition(("enforce-eager",), "off")),
        ("dtype = float16 | half", RefusalCondition(("dtype",), "=", ("float16", "half"))),
        ("tp-size * pp-size % nnodes", RefusalCondition(("tp-size", "pp-size"), "%", ("nnodes",))),
    ],
)
def test_the_form_of_conditions(written: str, means: RefusalCondition) -> None:
    assert condition(written) == means


def test_a_condition_that_says_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no condition"):
        condition("a = b = c")


@pytest.mark.parametrize("row", load().plain("models")["patterns"], ids=lambda row: row["names"][0])
def test_what_is_known_of_models_has_a_source(row: dict[str, Any]) -> None:
    assert ("heads" in row) is ("experts" in row) is ("source" in row)
    assert "source" not in row or load().link(row["source"]).en.startswith("https://")


@pytest.mark.parametrize(
    ("name", "heads"),
    [
        ("qwen2.5-7b-instruct", 28),
        ("qwen3-30b-a3b-w8a8", 32),
        ("deepseek-r1-distill-qwen-7b", 28),
        ("qwen3-32b-awq", None),
    ],
)
def test_the_heads_of_a_model(name: str, heads: int | None) -> None:
    assert model_sizes(name, load()).get("heads") == heads
