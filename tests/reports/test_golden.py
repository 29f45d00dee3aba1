"""Each format, byte for byte. `NPU_LSP_GOLDEN=write` writes the files anew; look at what changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from npu_lsp.checking.report import Result
from npu_lsp.reports import FORMATS, renderer
from npu_lsp.reports.statistics import statistics, statistics_json
from npu_lsp.reports.style import Style
from npu_lsp.reports.summary import summary
from tests.reports.cases import CLEAN, RESULT

GOLDEN = Path(__file__).parent / "golden"


def compare(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("NPU_LSP_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    assert text.encode() == path.read_bytes()


@pytest.mark.parametrize("report", FORMATS)
def test_findings(report: str) -> None:
    compare(f"findings.{report}", "".join(renderer(report)(RESULT, Style())))


@pytest.mark.parametrize("report", FORMATS)
def test_no_findings(report: str) -> None:
    compare(f"clean.{report}", "".join(renderer(report)(CLEAN, Style())))


@pytest.mark.parametrize("report", ["full", "concise"])
def test_colours(report: str) -> None:
    compare(f"colour.{report}", "".join(renderer(report)(RESULT, Style(colour=True))))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_summary(language: str) -> None:
    lines: list[str] = []
    for result in (RESULT, CLEAN):
        told = Result(result.entries, result.files, "zh" if language == "zh" else "en")
        for fixed in ({}, {"NPU101": 2}):
            lines += [*summary(told, fixed, Style(), fixing=bool(fixed)), ""]
    compare(f"summary.{language}", "\n".join(lines))


def test_statistics() -> None:
    text = "".join("".join([*statistics(RESULT, group, Style()), "\n"]) for group in ("rule", "file", "option"))
    compare("statistics.txt", text)
    compare("statistics.json", statistics_json(RESULT, "option"))
