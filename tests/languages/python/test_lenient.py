"""Statements that this version of Python doesn't take: odd blanks and signs, Python 2."""

from __future__ import annotations

import pytest

from npu_lsp.languages.python.tree.statement import mended
from tests.languages.python.told import reading, told
from tests.together import together

ONE = 'op.parameter_map["a"].b = True'
TWO = ONE.replace('"a"', '"b"')


@pytest.mark.parametrize("odd", ["\v", "\f", "\x00", "\x1a", "\xa0", "\u3000", "\u200b", "\ufeff", " \v \f"])
@pytest.mark.parametrize("text", ["{1}{0}\n{2}\n", "{0}{1}\n{2}\n", "{1}\n{0}{2}", "if x:\n    {0}{1}\n{2}{0}# x\n"])
def test_odd_blanks_hide_nothing(odd: str, text: str) -> None:
    code = text.format(odd, ONE, TWO)
    assert told(code) == [("a", True), ("b", True)]
    assert not reading(code).damaged


@pytest.mark.parametrize("odd", ["\x85", "\u2028", "\u2029"])
def test_what_ends_a_line_elsewhere(odd: str) -> None:
    assert told(ONE + odd + TWO + "\n") == [("a", True), ("b", True)]


@together(
    ("text", "expected"),
    [
        ("if x: print 'x'; " + ONE, [("a", True)]),
        ("print 'x', y; " + ONE, [("a", True)]),
        ('exec "x"; ' + ONE, [("a", True)]),
        ("if a <> b: " + ONE, [("a", True)]),
        ("x = `y`; " + ONE, [("a", True)]),
        (ONE.replace("True", "0777"), [("a", "<unknown>")]),
        (ONE.replace("True", "3L"), [("a", 3)]),
        (ONE.replace("True", "0x1fL"), [("a", 31)]),
        (ONE.replace("True", 'ur"x\\y"'), [("a", "x\\y")]),
        (ONE + "\\", [("a", True)]),
        ("NPURunConfig(a=1\uff0c b=2\uff09", [("a", 1), ("b", 2)]),
        ("NPURunConfig(a=1\uff0c b=2)", [("a", 1), ("b", 2)]),
    ],
)
def test_other_signs(text: str, expected: list[tuple[str, object]]) -> None:
    assert told(text) == expected


@together(
    "text", ['x = "a\xa0<> `b`"', "x = '''\n\xa00777L\n'''", "x = 1  # \xa0`y` 0777", "x = 10, 0, 0.5, 1e5, y0777, 0o7"]
)
def test_texts_comments_and_plain_code_stay(text: str) -> None:
    assert mended(text) is None


def test_what_is_mended_is_as_long() -> None:
    text = "print x\xa0; y = `z`, 0777, 3L, ur'x' <> '\u4e2d\uff0c'\uff0c\v\\"
    found = mended(text)
    assert found == "print,x ; y = (z), _777, 3 ,  r'x' != '\u4e2d\uff0c',  "
    assert len(found) == len(text)
