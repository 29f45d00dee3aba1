"""Hovers of options that people set help to choose a value."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from tests.authoring.engines import _merged
from tests.authoring.thin import ENOUGH, counted, helps, main, said, thin


def _option(surface: Surface, name: str) -> Option:
    option = load().option(surface, name)
    assert option is not None
    return option


def test_what_people_set_has_a_hover_that_helps_to_choose() -> None:
    catalog = load()
    options = counted(catalog)
    assert len(options) > 450
    assert {f"{each.surface.value} {each.name}": words for each, words in thin(catalog, options)} == {}


def test_a_model_of_a_hover_says_much_more() -> None:
    catalog = load()
    for name in ("HCCL_BUFFSIZE", "TASK_QUEUE_ENABLE"):
        assert said(catalog, _option(Surface.ENV, name)) > 2 * ENOUGH


def test_form_and_refusal_are_no_help() -> None:
    """`--asym-kv` has a line on its type and one on a flag's form, both of which a hover shows besides."""
    catalog = load()
    found = [each for each, _ in thin(catalog, list(catalog.options(Surface.MINDSPEED)))]
    assert found
    assert all(helps(each) for each in found)
    forms = [each for each in found if "A flag without a value." in str(catalog.docs(each.surface, each.name).text)]
    assert all(said(catalog, each) == len(catalog.docs(each.surface, each.name).summary.en.split()) for each in forms)


def test_the_command_tells_those_that_nobody_was_seen_to_set_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("0 of ")
    assert main(["--all"]) == 0
    assert capsys.readouterr().out.count("\n") > 100


def test_a_renewed_option_keeps_what_its_text_rests_on() -> None:
    made = {"summary": "new", "vllm": {"type": "int", "sources": ["parser@2"]}}
    said = {"summary": "ours", "text": "ours", "vllm": {"type": "int", "sources": ["parser@1", "guide"]}}
    assert _merged("vllm", made, said) == {
        "summary": "ours",
        "text": "ours",
        "vllm": {"type": "int", "sources": ["parser@2", "guide"]},
    }
