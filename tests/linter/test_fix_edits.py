"""Which fixes can be made together, and with which line ends."""

from __future__ import annotations

from npu_lsp.linter.findings import Fix, Safety
from npu_lsp.linter.fixing.edits import compatible, edits_of
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span, apply_edits
from tests.together import together


def fix(*edits: tuple[int, int, str]) -> Fix:
    return Fix("fix", tuple(Edit(Span(start, end), text) for start, end, text in edits), Safety.SAFE)


@together(
    ("spans", "kept"),
    [
        # They meet, wherever the earlier ones stand ...
        ([(10, 12), (0, 2), (11, 13)], [0, 1]),
        ([(10, 12), (0, 2), (1, 5)], [0, 1]),
        ([(0, 2), (10, 12), (9, 11)], [0, 1]),
        ([(5, 9), (6, 7)], [0]),
        ([(6, 7), (5, 9)], [0]),
        ([(0, 9), (0, 9)], [0]),
        # ... or are beside each other.
        ([(10, 12), (12, 14), (8, 10)], [0, 1, 2]),
        # Two texts at one place have no order; one within what goes is lost.
        ([(3, 3), (3, 3)], [0]),
        ([(3, 3), (4, 4)], [0, 1]),
        ([(3, 5), (4, 4)], [0]),
        ([(4, 4), (3, 5)], [0]),
        ([(3, 5), (3, 3), (5, 5)], [0, 1, 2]),
        # What is left out is in nobody's way.
        ([(0, 4), (2, 8), (6, 9)], [0, 2]),
    ],
)
def test_fixes_that_touch_what_an_earlier_one_changes_are_left_out(
    spans: list[tuple[int, int]], kept: list[int]
) -> None:
    fixes = [fix((start, end, str(number))) for number, (start, end) in enumerate(spans)]
    assert compatible(fixes) == tuple(fixes[number] for number in kept)


def test_what_two_fixes_change_in_the_same_way_is_changed_once() -> None:
    first, second, third = fix((0, 1, "b"), (4, 5, "d")), fix((0, 1, "b"), (2, 3, "c")), fix((2, 3, "x"))
    assert compatible([first, second, third]) == (first, second)
    document = Document("a a a", path="", kind=Kind.PYTHON)
    assert [edit.text for edit in edits_of(document, [first, second])] == ["b", "d", "c"]
    assert apply_edits(document.text, edits_of(document, [first, second])) == "b c d"


@together(
    ("text", "edit", "written"),
    [
        ("a\r\nb\r\n", (0, 0, "x\ny\n"), "x\r\ny\r\n"),
        ("a\r\nb\r\n", (0, 0, "x\r\ny\r\n"), "x\r\ny\r\n"),
        ("a\nb\n", (0, 0, "x\r\ny\n"), "x\ny\n"),
        ("a\rb\r", (0, 1, "x\n"), "x\r"),
        ("a\nb\n", (0, 1, "x\ry"), "x\ry"),
        # It is about the line ends.
        ("a\r\nb\n", (0, 3, "x\n"), "x\n"),
        ("a\nb\r\n", (0, 2, "x\r\n"), "x\r\n"),
        ("a\rb\n", (0, 2, "x\n"), "x\n"),
    ],
)
def test_what_is_written_has_the_line_ends_of_its_place(text: str, edit: tuple[int, int, str], written: str) -> None:
    assert [each.text for each in edits_of(Document(text, path="", kind=Kind.PYTHON), [fix(edit)])] == [written]
