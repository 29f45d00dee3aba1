"""What must never reach the parser: it would end the process, or take time with the square of the text."""

from __future__ import annotations

import libcst
import pytest
from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.languages.python.tree.nesting import is_too_deep
from npu_lsp.languages.python.tree.statement import parse
from tests.together import together

_OPEN = (
    "(",
    "[",
    "{",
    "f(",
    "{1: ",
    "[x for x in ",
    "(1 if ",
    "f'{",
    'f"{',
    "f'''{",
    "f'{x:{",
    "lambda: ",
    "not ",
    "-",
    "await ",
)


@together("opening", ["(", "[", "{1: ", "f(", "f(a, ", "x[", "[x for x in ", "(1 if x else ", "f'{"])
def test_brackets_inside_of_one_another(opening: str) -> None:
    assert is_too_deep("x = " + opening * 100)
    assert is_too_deep("x = 'a', " + opening * 3_000)
    assert not is_too_deep("x = " + opening * 20)


@together(
    "chain",
    [
        "a" + ".b" * 300, "a" + "[0]" * 300, "a" + "()" * 300, "a" + " + 1" * 300, "not " * 300 + "a", "-" * 300 + "1", "'a' " * 300, "f'a' 'b' # c\n" * 300, "1 if 2 else " * 300 + "3", "lambda: " * 300 + "0", "lambda a, b=" * 300 + "0", "a ** " * 300 + "b",
    ],
)  # fmt: skip
def test_chains(chain: str) -> None:
    assert is_too_deep(f"({chain})")
    assert is_too_deep(f"f('(', 1, {{'a': {chain}, }})")


@pytest.mark.parametrize(
    "code",
    [
        "f(" + "a.b.c(d + 1)[0], " * 500 + ")",
        "x = {" + "'a': [1, 2, (3, 4)], " * 300 + "}",
        "x = '" + "([{" * 500 + "'",
        "x = '''" + "'([{\n" * 500 + "'''",
        "x = 1  # " + "((((" * 500,
        "x = f'" + "{a}.{b:>{c}} {{ ( " * 100 + "'",
        "x = " + " + ".join(["os.path.join(a, 'b.c.d')"] * 150),
        "command = " + "'--a ' " * 150,
        "x = y = z = " + "f(a=1, b=[2])" + ".g(c=lambda d: d)" * 30,
    ],
)
def test_what_people_write_is_read(code: str) -> None:
    assert not is_too_deep(code)
    assert parse(code) is not None


@together(
    "code",
    [
        "x = f'{y:\"}' + " + "(" * 3_000 + ' + "a"',
        "x = f'{y:{w}\"}' + " + "(" * 3_000 + ' + "a"',
        "x = f'{y!r:\\'}' + " + "(" * 3_000,
        'x = if"{" + ' + "(" * 3_000 + '"',
        'x = f\'{y[":"]:"}\' + ' + "(" * 3_000 + '"',
        "x = r'\\' + " + "(" * 3_000 + "'" + "(" * 3_000,
        "x = f'''{\n# '''\n" + "(" * 3_000,
        "x = '\\\n' " + "(" * 3_000,
    ],
)
def test_no_quotes_hide_brackets(code: str) -> None:
    assert is_too_deep(code)
    assert parse(code) is None


@given(
    st.lists(
        st.sampled_from(
            (*_OPEN, ")", "]", "}", "'", '"', "'''", "a", ", ", " + ", ".b", ":", "#", "\n", "\\", "{{", " 'x' ", "=")
        ),
        max_size=40,
    )
)
def test_what_the_parser_takes_is_as_deep_as_was_counted(pieces: list[str]) -> None:
    code = "x = " + "".join(pieces) * 6
    try:
        tree = libcst.parse_statement(code)
    except (libcst.ParserSyntaxError, libcst.CSTLogicError):
        return
    assert is_too_deep(code) or _depth(tree) <= 2 * 200 + 20


def _depth(node: libcst.CSTNode) -> int:
    deepest, todo = 0, [(node, 1)]
    while todo:
        part, depth = todo.pop()
        deepest = max(deepest, depth)
        todo += [(child, depth + 1) for child in part.children]
    return deepest
