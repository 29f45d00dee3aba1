"""JSON with places: what parses, and what exactly is wrong with what doesn't."""

from __future__ import annotations

import json
from typing import Any

import pytest

from npu_lsp.languages.json.tree import Node, parse
from npu_lsp.languages.model import ValueKind
from tests.together import together


def plain(node: Node) -> Any:
    if node.kind is ValueKind.DICT:
        return {m.key: plain(m.node) for m in node.members}
    if node.kind is ValueKind.LIST:
        return [plain(item) for item in node.items]
    return node.data


@together(
    "text",
    [
        "{}",
        "[]",
        ' { "a" : [ 1 , -2.5 , true , false , null ] } ',
        '{"a": {"b": {"c": "d"}}, "e": "\\n\\u4e2d\\"\\/"}',
        "[0, -0, 1e3, 1.5E-2]",
        '"text"',
        '{"中文": "值"}',
        '["\\ud83d\\ude00"]',
    ],
)
def test_good_text_is_read_as_it_is(text: str) -> None:
    node, problem = parse(text)
    assert problem is None
    assert node is not None
    assert plain(node) == json.loads(text)


@together(
    ("text", "reason", "where"),
    [
        ('{"a": 1,}', "extra-comma", ","),
        ("[1, 2,]", "extra-comma", ","),
        ("[1 2]", "comma", "2"),
        ('{"a": 1 "b": 2}', "comma", '"'),
        ('{"a" 1}', "colon", "1"),
        ('{"a":}', "value", ":"),
        ('{"a": off}', "value", "off"),
        ("{a: 1}", "key", "a"),
        ("{'a': 1}", "single-quote", "'a'"),
        ('{"a": "b}\n', "string", '"b}'),
        ('{"a": 1', "closing", "{"),
        ("[1}", "closing", "}"),
        ("{} x", "after", "x"),
        ('{// why\n"a": 1}', "comment", "// why"),
        ("# why\n{}", "comment", "# why"),
        ("[01]", "value", "01"),
        ("[NaN]", "value", "NaN"),
        ("", "value", ""),
    ],
)
def test_the_first_problem_is_told(text: str, reason: str, where: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        json.loads(text, parse_constant=lambda word: int(word, 2))
    _, problem = parse(text)
    assert problem is not None
    assert (problem.reason, text[slice(*problem.span)]) == (reason, where)


def test_what_follows_a_problem_is_read() -> None:
    node, problem = parse('{"a": [1,], "b" 2, "c": {"d": "e"}}')
    assert problem is not None
    assert node is not None
    assert plain(node)["c"] == {"d": "e"}


def test_a_text_that_nobody_closes_is_no_value() -> None:
    node, _ = parse('{"a": "x,\n "b": 1, "c": ["y]\n}')
    assert node is not None
    assert [(each.key, each.node.value().known) for each in node.members] == [("a", False), ("b", True), ("c", False)]


@pytest.mark.parametrize("text", ["[" + "1," * 150_000 + "1]", "[" * 100_000, '{"a":' * 100_000, "[1," * 200_000])
def test_a_bomb_is_stepped_over(text: str) -> None:
    _, problem = parse(text)
    assert problem is not None
    assert problem.reason == "deep"
