"""Frames fit into the terminal that they are shown in, and what is underlined stays above its line."""

from __future__ import annotations

import pytest

from npu_lsp.checking.report import Range, ReportedFinding, Result
from npu_lsp.linter.severity import Severity
from npu_lsp.reports import renderer
from npu_lsp.reports.style import Style
from npu_lsp.text.terminal import cells

WRONG = "--soc_verison"
LINE = f"atc --model=模型😀.onnx --framework=5 --output=resnet50 --input_shape=data:1,3,224,224 {WRONG}=Ascend310P3 --log=info"


def frame(line: str, columns: int | None, number: int = 1) -> list[str]:
    start = line.index(WRONG) + 1
    place = Range(number, start, number, start + len(WRONG))
    entry = ReportedFinding("a.sh", place, "NPU101", "n", Severity.ERROR, "m", "o", source=(line,), source_line=number)
    return "".join(renderer("full")(Result((entry,)), Style(columns=columns))).splitlines()[3:5]


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 120, 200, None])
@pytest.mark.parametrize("before", [0, 20, 60, 300])
@pytest.mark.parametrize("number", [1, 12345])
def test_a_frame_fits(columns: int | None, before: int, number: int) -> None:
    source, marks = frame("昇" * before + LINE, columns, number)
    widest = min(columns or 1000, 120 + len(f"{number} | "))
    assert max(cells(source), cells(marks)) <= widest
    at = cells(marks.partition("^")[0])
    shown = next(source[index:] for index in range(len(source)) if cells(source[:index]) == at)
    # At least its beginning is to be seen, and the marks end where it does.
    count = marks.count("^")
    assert shown[:4] == WRONG[:4]
    assert count == len(WRONG) or cells(source) == at + count


@pytest.mark.parametrize("columns", [0, 1, 10])
def test_a_terminal_that_is_too_narrow_gets_what_can_be_read(columns: int) -> None:
    source, marks = frame(LINE, columns)
    assert WRONG[:4] in source
    assert "^" in marks
