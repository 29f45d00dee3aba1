"""Positions in every encoding, line ends as LSP counts them, edits that keep the line index true."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.languages.detection import detect
from npu_lsp.text.document import Document, PositionEncoding
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memo
from npu_lsp.text.spans import Edit, Span, TextChange, apply_edits
from tests.together import together

TEXT = "a\n中文😀 = 1\r\n\f\u2028x\rend"


def document(text: str) -> Document:
    return Document(text, kind=Kind.OTHER)


def test_lines_end_where_lsp_says() -> None:
    assert [document(TEXT).line_text(i) for i in range(4)] == ["a", "中文😀 = 1", "\f\u2028x", "end"]


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 10), ("utf-16", 4), ("utf-32", 3)])
def test_columns(encoding: PositionEncoding, column: int) -> None:
    doc = document(TEXT)
    offset = TEXT.index("😀") + 1
    assert doc.position(offset, encoding) == (1, column)
    assert doc.offset(1, column, encoding) == offset


def test_column_inside_a_character_means_its_start() -> None:
    assert document(TEXT).offset(1, 3, "utf-16") == TEXT.index("😀")


def test_positions_outside_are_moved_inside() -> None:
    doc = document(TEXT)
    assert doc.offset(1, 999, "utf-16") == TEXT.index("\r\n")
    assert doc.offset(99, 0, "utf-16") == len(TEXT)
    assert doc.offset(-1, 5, "utf-16") == 0


def test_reports_count_from_one_in_code_points() -> None:
    assert document(TEXT).line_column(TEXT.index("= 1")) == (2, 5)


PIECES = st.lists(st.sampled_from(["a", "中", "😀", "\n", "\r", "\r\n", "\u2028", " "]), max_size=30).map("".join)


@given(PIECES, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), PIECES), max_size=6))
def test_edits_keep_lines_and_change_true(text: str, edits: list[tuple[int, int, str]]) -> None:
    doc = document(text)
    Memo[Document, bool]().keep(doc, True)
    assert doc.line_count
    for a, b, new in edits:
        start, end = sorted((min(a, len(doc.text)), min(b, len(doc.text))))
        doc = doc.edited(Span(start, end), new)
        assert doc.line_starts == document(doc.text).line_starts
        before = doc.before
        assert before is not None
        change: TextChange = before.change
        assert before.document.text == text
        assert text[: change.start] == doc.text[: change.start]
        assert text[change.old_end :] == doc.text[change.new_end :]


@pytest.mark.parametrize(
    ("encoding", "width"), [("utf-8", (1, 3, 4, 3)), ("utf-16", (1, 1, 2, 1)), ("utf-32", (1, 1, 1, 1))]
)
def test_columns_of_a_long_line(encoding: PositionEncoding, width: tuple[int, ...]) -> None:
    document = Document("\n" + "a中😀\ud800" * 1000 + "\n", kind=Kind.OTHER)
    column = 0
    for at in range(4000):
        assert document.position(1 + at, encoding) == (1, column)
        for inside in range(width[at % 4]):
            assert document.offset(1, column + inside, encoding) == 1 + at
        column += width[at % 4]
    assert document.offset(1, column, encoding) == document.offset(1, column + 1, encoding) == 4001


@given(PIECES, st.integers(0, 40), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_position_and_offset_are_inverse(text: str, offset: int, encoding: PositionEncoding) -> None:
    doc = document(text)
    offset = min(offset, len(text))
    line, column = doc.position(offset, encoding)
    back = doc.offset(line, column, encoding)
    assert back == offset or text[back:offset] in ("\r", "\n")


def test_apply_edits_refuses_overlaps() -> None:
    assert apply_edits("abc", (Edit(Span(2, 3), "C"), Edit(Span(0, 1), "A"))) == "AbC"
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abc", (Edit(Span(0, 2), ""), Edit(Span(1, 3), "")))


@together(
    ("path", "head", "language_id", "kind"),
    [
        ("train.py", "", "", Kind.PYTHON),
        ("C:\\models\\TRAIN.PY", "", "", Kind.PYTHON),
        ("convert", "#!/usr/bin/env bash\n", "", Kind.SHELL),
        ("convert", "#!/bin/sh -e\n", "", Kind.SHELL),
        ("tool", "#!/usr/bin/python3\n", "", Kind.PYTHON),
        ("tool", "#!/usr/bin/env -S bash -x\n", "", Kind.SHELL),
        ("docker/Dockerfile.npu", "", "", Kind.DOCKERFILE),
        ("untitled:Untitled-1", "", "shellscript", Kind.SHELL),
        ("convert.sh", "", "python", Kind.SHELL),
        ("train", "", "python", Kind.PYTHON),
        ("train.ipynb", "", "python", Kind.NOTEBOOK),
        ("train.py", "", "shellscript", Kind.SHELL),
        ("notes.txt", "atc --mode=0", "", Kind.OTHER),
        ("conf/op_precision.ini", "", "ini", Kind.OP_PRECISION),
    ],
)
def test_kind(path: str, head: str, language_id: str, kind: Kind) -> None:
    assert detect(path, head, language_id) is kind
