"""Each format, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.checking.checked import FixMode
from npu_lsp.checking.report import Result
from npu_lsp.docs import labels
from npu_lsp.reports import FORMATS, renderer
from npu_lsp.reports.statistics import statistics, statistics_json
from npu_lsp.reports.style import Style
from npu_lsp.reports.summary import Done, summary
from tests.golden import agrees
from tests.reports.cases import CLEAN, RESULT
from tests.together import together

GOLDEN = Path(__file__).parent / "golden"


def compare(name: str, text: str) -> None:
    agrees(GOLDEN / name, text)


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the package that is installed says of its pages is none of the formats' business."""
    monkeypatch.setattr(labels, "_documentation", lambda: None)


@together("report", FORMATS)
def test_findings(report: str) -> None:
    compare(f"findings.{report}", "".join(renderer(report)(RESULT, Style())))


@together("report", FORMATS)
def test_no_findings(report: str) -> None:
    compare(f"clean.{report}", "".join(renderer(report)(CLEAN, Style())))


@pytest.mark.parametrize("report", ["full", "concise"])
def test_colours(report: str) -> None:
    compare(f"colour.{report}", "".join(renderer(report)(RESULT, Style(colour=True))))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_summary(language: str) -> None:
    lines: list[str] = []
    for result in (RESULT, CLEAN):
        told = Result(result.entries, language="zh" if language == "zh" else "en")
        for done in (Done(), Done({"a.py": {"NPU101": 2}}, mending=FixMode.SAFE)):
            lines += [*summary(told, done, Style()), ""]
    compare(f"summary.{language}", "\n".join(lines))


def test_statistics() -> None:
    text = "".join("".join([*statistics(RESULT, group, Style()), "\n"]) for group in ("rule", "file", "option"))
    compare("statistics.txt", text)
    compare("statistics.json", statistics_json(RESULT, "option"))
