"""Many words in one pass: each place of each word, also inside of another, whatever the text is."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.text import lazy_re as re
from npu_lsp.text import word_search
from npu_lsp.text.word_search import Words, lines_with

_SIGNS = "abcé中😀\ud800\n"


def one_by_one(looked_for: Sequence[str], text: str, start: int, end: int) -> set[tuple[int, int]]:
    found = set()
    for number, word in enumerate(looked_for):
        at = text.find(word, start, end)
        while at >= 0:
            found.add((number, at))
            at = text.find(word, at + 1, end)
    return found


@given(
    st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=6, unique=True),
    st.text(_SIGNS, max_size=60),
    st.integers(0, 60),
    st.integers(0, 60),
    st.integers(5, 20),
)
def test_places_are_those_that_looking_for_one_after_the_other_finds(
    looked_for: list[str], text: str, one: int, other: int, stride: int
) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    usual, word_search._STRIDE = word_search._STRIDE, stride
    try:
        places = Words(looked_for).places(text, start, end)
        whole = Words(looked_for).found(text)
    finally:
        word_search._STRIDE = usual
    assert len(places) == len(set(places))
    assert set(places) == one_by_one(looked_for, text, start, end)
    assert whole == {word for word in looked_for if word in text}


def test_bytes_count_bytes() -> None:
    assert Words((b"npu", b"pu")).places("中npu".encode()) == [(0, 3), (1, 4)]


def test_control_characters_are_no_words() -> None:
    assert Words((b"npu",)).places(b"\x01\x01npu\x02\x02") == [(0, 2)]


def test_no_words_are_found_nowhere() -> None:
    assert Words[str](()).places("text") == []


@given(st.text("ab\n中", max_size=40))
def test_the_lines_that_have_a_word(text: str) -> None:
    lines = [match.span() for match in re.finditer("^.*$", text, re.MULTILINE)]
    assert list(lines_with(text, "ab")) == [line for line in lines if "ab" in text[slice(*line)]]
    assert list(lines_with(text, "ab", "c")) == [
        line for line in lines if {"ab", "c"} & {*re.findall("ab|c", text[slice(*line)])}
    ]
    assert list(lines_with(text)) == []
