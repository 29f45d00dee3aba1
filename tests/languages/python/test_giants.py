"""Giant literals: data that somebody generated. They cost little, and say nothing."""

from __future__ import annotations

import libcst as cst
import pytest

from npu_lsp.languages import read
from npu_lsp.languages.python.source import source_of
from npu_lsp.languages.python.tree import statement
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span
from tests.languages.python.told import reading, told
from tests.together import together

ONE = 'op.parameter_map["a"].b = True\n'
LIST = "[" + ", ".join(f'"{i}"' for i in range(8000)) + "]\n"


@pytest.mark.parametrize(
    "line",
    [
        "x = " + LIST,
        'op.parameter_map["k"].s = ' + LIST,
        "NPURunConfig(x=" + LIST.strip() + ")\n",
        "x = {" + ", ".join(f'"{i}": {i}' for i in range(6000)) + "}\n",
        'x = b"' + "\\x00" * 15_000 + '"\n',
        "x = (" + "1,\n" * 15_000 + ")\n",
    ],
)
def test_giant_lines_cost_little(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not parsed: what the parser gets is what it gets of a text without them, and an edit adds a statement."""
    given: list[int] = []
    parse = cst.parse_statement

    def noting(text: str) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
        given.append(len(text))
        return parse(text)

    monkeypatch.setattr(cst, "parse_statement", noting)
    statement._shared.cache_clear()
    text = ONE + line * 3 + ONE
    assert len(text) > 100_000
    assert told(text) == [("a", True), ("a", True)]
    document = Document(text, kind=Kind.PYTHON)
    read(document)
    read(document.edited(Span(4, 4), "x"))
    assert 0 < sum(given) < 1000


@together(
    "statement",
    [
        'op.parameter_map["k"].s = ' + LIST,
        'op.parameter_map["k"].s = ' + "(" * 61 + "1" + ")" * 61 + "\n",
        'op.parameter_map["k"].s = a' + ".b" * 201 + "\n",
        "NPURunConfig(" + "".join(f"a{i}=1,\n" for i in range(3001)) + ")\n",
    ],
)
def test_a_statement_that_is_set_aside_is_told_once(statement: str) -> None:
    found = reading(ONE + statement)
    assert found.damaged
    assert [mistake.kind for mistake in found.syntax] == ["large-statement"]
    assert found.syntax[0].span.start == len(ONE)
    assert "\n" not in (ONE + statement)[slice(*found.syntax[0].span)]


def test_nobody_is_told_of_data() -> None:
    assert not reading(ONE + "x = " + LIST).syntax


def test_the_trees_of_long_statements_are_not_kept() -> None:
    short = LIST[:12_000].rpartition(",")[0]
    text = "".join(f'op.parameter_map["k{i}"].s = {short}]\n' for i in range(20))
    assert len(text) > 200_000
    document = Document(text, kind=Kind.PYTHON)
    assert len(read(document).blocks[0].settings) == 20
    kept = source_of(document)._statements
    assert sum(len(t) for t in kept) < 200_000
    later = document.edited(Span(len(text), len(text)), ONE)
    assert len(read(later).blocks[0].settings) == 21
