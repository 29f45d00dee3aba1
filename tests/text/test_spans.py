"""Stretches of a text: to ask which of many lie in one costs no look at all of them, and says the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.text.spans import EnclosedIntervalIndex, Span

_SPANS = st.builds(lambda start, size: Span(start, start + size), st.integers(0, 30), st.integers(0, 12))


@given(st.lists(_SPANS, max_size=12), _SPANS)
def test_what_is_held_is_what_lies_inside(many: list[Span], one: Span) -> None:
    assert EnclosedIntervalIndex(many).within(one) == any(each.within(one) for each in many)
