"""Calls with a dict of options, for rows that no surface has yet: whose call it is, which argument, dicts in dicts."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.calls import DictCall
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.languages.python.completing import at_argument
from npu_lsp.languages.python.completing.at_cursor import cursor_at
from npu_lsp.languages.python.matchers import calls
from npu_lsp.languages.python.parsing import read_source
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

IMPORT = "from serving import Engine\n"
KEYED = DictCall("Engine", ("serving",), "extra")
PLACED = DictCall("Engine", ("serving",), "extra", position=1)
TOGETHER = DictCall("Engine", ("serving",), "extra", together=True)
NESTED = Surface.ADDITIONAL_CONFIG


def blocks(monkeypatch: pytest.MonkeyPatch, text: str, call: DictCall, surface: Surface = NESTED) -> list[list[str]]:
    """Return the names that each block sets."""
    monkeypatch.setattr(calls, "CALLS", ((surface, call),))
    found = read_source(Document(text, kind=Kind.PYTHON)).blocks
    return [[setting.name for setting in block.settings] for block in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (IMPORT + 'Engine(extra={"a": 1, "b": 2})\n', [["a", "b"]]),
        ('import serving\nserving.Engine(extra={"a": 1})\n', [["a"]]),
        ('from other import Engine\nEngine(extra={"a": 1})\n', []),
        ('class Engine: ...\nEngine(extra={"a": 1})\n', []),
        (IMPORT + 'Engine({"a": 1}, {"b": 1})\n', []),
        (IMPORT + 'Engine(other={"a": 1}, extra=None)\n', []),
        (IMPORT + 'more = {"a": 1}\nEngine(extra=more)\n', [["a"]]),
        (IMPORT + 'Engine(extra={"a": 1})\nEngine(extra={"a": 2})\n', [["a"], ["a"]]),
        (IMPORT + 'Engine(extra={"a": {"b": {"c": 1}}})\n', [["a", "a.b", "a.b.c"]]),
    ],
)
def test_what_is_set(monkeypatch: pytest.MonkeyPatch, text: str, expected: list[list[str]]) -> None:
    assert [names for names in blocks(monkeypatch, text, KEYED) if names] == expected


def test_an_argument_may_have_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    assert blocks(monkeypatch, IMPORT + 'Engine({"a": 1}, {"b": 1})\n', PLACED) == [["b"]]


def test_calls_may_set_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert blocks(monkeypatch, IMPORT + 'Engine(extra={"a": 1})\nEngine(extra={"b": 2})\n', TOGETHER) == [["a", "b"]]


def test_dicts_in_dicts_are_values_where_the_surface_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert blocks(monkeypatch, IMPORT + 'Engine(extra={"a": {"b": 1}})\n', KEYED, Surface.TORCH_NPU) == [["a"]]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('Engine(extra={"', (CompletionKind.KEY, "", None)),
        ('Engine(extra={"a": {"b": 1, "', (CompletionKind.KEY, "a.", None)),
        ('Engine(extra={"a": {"b": "', (CompletionKind.VALUE, "", "a.b")),
        ('Engine(other={"', None),
        ('Engine({"', None),
        ('Engine(extra={"a": [{"', None),
    ],
)
def test_what_is_completed(
    monkeypatch: pytest.MonkeyPatch, written: str, expected: tuple[CompletionKind, str, str | None] | None
) -> None:
    rows = ((NESTED, KEYED),)
    monkeypatch.setattr(calls, "CALLS", rows)
    monkeypatch.setattr(at_argument, "CALLS", rows)
    document = Document(f"import serving\nserving.{written}", kind=Kind.PYTHON)
    found = cursor_at(document, len(document.text))
    assert (found and (found.wanted, found.prefix, found.option)) == expected


AMCT = """import amct_pytorch as amct
cfg = {
    "batch_num": 1,
    "quant_cfg": {
        "weights": {"type": "int8", "symmetric": True, "strategy": "channel"},
        "*down_proj.weights": {"type": "anything", "symmetirc": 1},
    },
    "algorithm": {"minmax"},
    "skip_layers": {"lm_head"},
}
amct.quantize(model, cfg)
"""


@together(
    ("before", "after", "expected"),
    [
        ("", "", []),
        ('"batch_num": 1', '"batch_num": 0', [("NPU106", "0")]),
        ('"int8"', '"int88"', [("NPU104", "int88")]),
        ('"int8", "symmetric": True', '"hifloat8", "symmetric": False', [("NPU201", "symmetric")]),
        ('"channel"', '"group"', [("NPU201", "strategy")]),
        ('"channel"', '"group", "group_size": 32', []),
        ('"channel"', '"channel", "group_size": 32', [("NPU201", "group_size")]),
        ('"strategy"', '"strateyg"', [("NPU101", "strateyg")]),
        ('{"minmax"}', '{"awq": {"grids_num": 0}}', [("NPU106", "0")]),
        ('{"minmax"}', '{"one_of_ours": {"grids_num": 0}}', []),
    ],
)
def test_groups_in_a_dict_that_is_handed_on(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    text = AMCT.replace(before, after, 1) if before else AMCT
    found = Analyzer(Config(), all_rules).findings(Document(text, kind=Kind.PYTHON))
    assert [(each.code, text[each.span.start : each.span.end]) for each in found] == expected
