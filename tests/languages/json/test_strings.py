"""What a JSON string says, and where each character of it stands."""

from __future__ import annotations

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.languages.json.strings import decoded
from npu_lsp.text.spans import Span
from tests.together import together

SIGNS = st.text('\\"u/nbdD8c中😀a', max_size=30)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), st.booleans())
def test_what_json_writes_is_read_as_it_was(said: str, plain: bool) -> None:
    text = json.dumps(said, ensure_ascii=plain)
    found = decoded(text, Span(1, len(text) - 1))
    assert found.said == said
    assert [json.loads(f'"{text[a:b]}"') for a, b in zip(found.starts, found.ends, strict=True)] == list(said)


@given(SIGNS, SIGNS)
def test_any_text_has_a_place_for_each_character(one: str, two: str) -> None:
    text = f"{one}|{two}"
    found = decoded(text, Span(0, len(one)), Span(len(one) + 1, len(text)))
    assert len(found.said) == len(found.starts) == len(found.ends)
    found.said.encode()
    around = [*zip(found.starts, found.ends, strict=True)]
    assert all(a < b for a, b in around)
    assert all(b == c or (b, c) == (len(one), len(one) + 1) for (_, b), (c, _) in pairwise(around))


@together(
    ("text", "said"),
    [
        (r"\ud83d\ude00", "😀"),
        (r"\ud83d\u0041", "\ufffdA"),
        (r"\ude00", "\ufffd"),
        (r"\u00g0", "\ufffd00g0"),
        (r"\u+123", "\ufffd+123"),
        (r"\q\/", "q/"),
        ("\\", "\\"),
    ],
)
def test_broken_escapes_take_nothing_else_with_them(text: str, said: str) -> None:
    assert decoded(text, Span(0, len(text))).said == said
