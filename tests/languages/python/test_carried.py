"""What is known of one version of a text is carried over to the next, and is what a fresh start finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from npu_lsp.languages.branches import Branch
from npu_lsp.languages.python.dataflow.names import Names
from npu_lsp.languages.python.lines.scopes import Scopes
from npu_lsp.languages.python.source import Source
from npu_lsp.text.spans import TextChange
from tests.languages.python.test_properties import EDITS, SCRIPT, TEXTS, edited
from tests.robustness.steps import steps


def surroundings(source: Source, names: list[str]) -> list[object]:
    """Return what is told of every line and of every name."""
    scopes, lines = source.scopes, range(len(source.logical_lines.starts))
    of_lines = [(scopes.header(n), scopes.scope(n), scopes.branch(n), scopes.suite_end(n)) for n in lines]
    return [*of_lines, *(Names(source).bindings(name) for name in names)]


@effort(max_examples=100, deadline=None)
@given(st.sampled_from(TEXTS), EDITS)
def test_lines_and_names_are_those_of_a_fresh_source(text: str, edits: list[tuple[float, int, str]]) -> None:
    source = Source.of(text)
    for edit in edits:
        change, text = edited(source.text, edit)
        names = sorted(set(re.findall(r"\b[^\W\d]\w*", text)))
        surroundings(source, names)
        source = source.edited(text, change)
        bound = [[(b.index, b.scope, b.branch, b.augments) for b in Names(source).bindings(name)] for name in names]
        fresh = Source.of(text)
        assert bound == [
            [(b.index, b.scope, b.branch, b.augments) for b in Names(fresh).bindings(name)] for name in names
        ]
        assert surroundings(source, [])[: len(source.logical_lines.starts)] == surroundings(fresh, [])


def test_a_letter_has_only_its_own_line_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    text = SCRIPT * 20
    source = Source.of(text)
    surroundings(source, ["custom_op", "config", "key"])
    looked_at: list[int] = []
    find = Scopes._find_arm

    def noted(scopes: Scopes, header: int) -> Branch:
        looked_at.append(header)
        return find(scopes, header)

    monkeypatch.setattr(Scopes, "_find_arm", noted)
    at = text.index("soft_placement", len(text) // 2)
    after = source.edited(text[:at] + "x" + text[at:], TextChange(at, at, at + 1))
    surroundings(after, [])
    assert not looked_at
    carried = steps(lambda: Names(after).bindings("config"))
    anew = steps(lambda: Names(Source.of(after.text)).bindings("config"))
    assert carried * 4 < anew
