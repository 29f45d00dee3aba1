"""`junit`: a test report in which each finding is a failed test, as Jenkins, Azure and others show it.

It holds to the two schemas in use, that of Ant's reports and that of Jenkins' xUnit plugin.
Source: https://github.com/windyroad/JUnit-Schema, https://github.com/jenkinsci/xunit-plugin (junit-10.xsd).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from npu_lsp.checking.report import ReportedFinding, Result
from npu_lsp.reports.identity import project_path
from npu_lsp.reports.style import Style
from npu_lsp.reports.xml_text import attribute, content

# Ant's schema asks for a time. A constant one keeps the reports of equal findings equal.
_TIME = "1970-01-01T00:00:00"


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield the XML: a suite for each file with findings; a clean run is one test that passed."""
    entries = result.open
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
    groups = groupby(entries, key=lambda entry: project_path(entry.path, result))
    for number, (path, group) in enumerate(groups):
        cases = [_case(path, entry) for entry in group]
        yield _suite(number, path, cases, failures=len(cases))
    if not entries:
        yield _suite(0, "npu-lsp", ['    <testcase name="no findings" classname="npu-lsp" time="0"/>\n'], failures=0)
    yield "</testsuites>\n"


def _suite(number: int, name: str, cases: list[str], failures: int) -> str:
    head = (
        f'  <testsuite id="{number}" name={attribute(name)} package="npu-lsp" hostname="localhost" timestamp="{_TIME}"'
        f' tests="{len(cases)}" failures="{failures}" errors="0" skipped="0" time="0">\n    <properties/>\n'
    )
    return head + "".join(cases) + "    <system-out/>\n    <system-err/>\n  </testsuite>\n"


def _case(path: str, entry: ReportedFinding) -> str:
    place = entry.place
    name = attribute(f"{entry.code} {entry.name} {place.line}:{place.column}")
    text = content(f"{path}:{place.line}:{place.column}: {entry.code} {entry.message}")
    return (
        f'    <testcase name={name} classname={attribute(path)} time="0">\n'
        f"      <failure message={attribute(entry.message)} type={attribute(entry.severity.value)}>{text}</failure>\n"
        "    </testcase>\n"
    )
