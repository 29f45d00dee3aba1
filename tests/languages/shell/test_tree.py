"""Nodes are found where the library finds them, and what stands beside them costs nothing."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from npu_lsp.languages.shell import tree as trees
from npu_lsp.languages.shell.tree import ScriptTree, code_of, fresh_tree
from npu_lsp.text.kinds import Kind
from tests.robustness.texts import texts

_SHORT = 3_000


def test_as_the_library_finds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = [text for kind, text in texts() if kind is Kind.SHELL and len(text) < _SHORT][::4]
    scripts += [*(text[: 2 * len(text) // 3] for text in scripts), "", "\n", "a=\nb=\n", "a \\\n", "if a; then\n( b"]
    asked = [
        (tree, start, end, node, ScriptTree(tree).ancestry(node))
        for text in scripts
        for tree in [fresh_tree(code_of(text))]
        for start in range(0, len(text), 5)
        for end in (start, start + 1, start + 7)
        for node in [tree.root_node.descendant_for_byte_range(start, end)]
    ]
    monkeypatch.setattr(trees, "_LARGE", 0)
    monkeypatch.setattr(trees, "_WIDE", 0)
    assert len(asked) > 1_000
    for tree, start, end, node, around in asked:
        places = ScriptTree(tree)
        assert (places.node_at(start, end), places.ancestry(node)) == (node, around), (tree.root_node.text, start, end)


def test_a_script_is_let_go_of() -> None:
    """With each key it is parsed anew, and the library keeps what it is handed while it reads."""
    text = "export A=1\n" * 20_000
    fresh_tree(code_of(text))
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(20):
            fresh_tree(code_of(text + " " * number))
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < len(text)


@pytest.mark.parametrize("around", [("", ""), ("f() {\n", "}\n")])
def test_what_stands_beside_is_listed_once(around: tuple[str, str]) -> None:
    text = around[0] + "#\n" * 6_000 + "a\n" * 6_000 + around[1]
    places = ScriptTree(fresh_tree(code_of(text)))
    for at in range(len(around[0]), len(text) - len(around[1]), 100):
        assert len(places.ancestry(places.node_at(at, at + 1))) > 1
    listed = [children for children, _ in places._children.values()]
    assert max(map(len, listed)) > 10_000
    assert len(listed) <= 3
