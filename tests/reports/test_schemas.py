"""Reports hold to the schemas of the programs that read them."""

from __future__ import annotations

import json
import ntpath
import re
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema

from npu_lsp.checking.report import Entry, Place, Result
from npu_lsp.linter.severity import Severity
from npu_lsp.reports import places, renderer, sarif
from npu_lsp.reports.style import Style
from tests.reports.cases import CLEAN, ENTRIES, RESULT

FOLDER = Path(__file__).parent
RESULTS = [pytest.param(RESULT, id="findings"), pytest.param(CLEAN, id="clean")]


def rendered(report: str, result: Result) -> str:
    return "".join(renderer(report)(result, Style()))


@pytest.mark.parametrize("result", RESULTS)
def test_sarif(result: Result) -> None:
    schema = json.loads((FOLDER / "sarif-2.1.0-part.schema.json").read_text())
    log = json.loads(rendered("sarif", result))
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.Draft7Validator(schema).validate(log)


def test_sarif_says_where_and_what() -> None:
    (run,) = json.loads(rendered("sarif", RESULT))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted({entry.code for entry in ENTRIES})
    for result, entry in zip(run["results"], ENTRIES, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == entry.code
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
        assert unquote(place["artifactLocation"]["uri"]) == f"sub/{entry.path}"
        assert place["region"]["startColumn"] == entry.place.column
        assert bool(result["suppressions"]) is bool(entry.silenced)
    # Where a fix makes a file, SARIF has no words for it.
    assert ["fixes" in result for result in run["results"]] == [True, False, False, False, False, False]
    marks = [result["partialFingerprints"]["npuLspFinding/v1"] for result in run["results"]]
    assert len(set(marks)) == len(marks)


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("schema", ["junit-ant.xsd", "junit-jenkins.xsd"])
def test_junit(result: Result, schema: str) -> None:
    xmlschema.XMLSchema(FOLDER / schema).validate(rendered("junit", result))


def test_junit_counts() -> None:
    root = ElementTree.fromstring(rendered("junit", RESULT))  # noqa: S314 - it is our own
    suites = root.findall("testsuite")
    assert [suite.get("name") for suite in suites] == ["sub/a b/训练.py", "sub/b.sh", "sub/c.sh"]
    assert [int(suite.get("failures", "")) for suite in suites] == [2, 1, 1]
    assert root.find(".//failure").get("message") == ENTRIES[0].message  # type: ignore[union-attr]


@pytest.mark.parametrize("result", RESULTS)
def test_gitlab(result: Result) -> None:
    """Source: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format."""
    issues: list[dict[str, Any]] = json.loads(rendered("gitlab", result))
    assert len(issues) == len(result.open)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    for issue, entry in zip(issues, result.open, strict=True):
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["description"].startswith(f"{entry.code}: ")
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        path = issue["location"]["path"]
        assert not path.startswith(("/", "./"))
        assert "\\" not in path
        assert issue["location"]["positions"]["begin"]["line"] >= 1


def test_fingerprints_stay_when_lines_move() -> None:
    def marks(*lines: int) -> list[str]:
        entries = tuple(
            Entry(
                "a.py",
                Place(line, 1, line, 2),
                "NPU101",
                "n",
                Severity.ERROR,
                "m",
                "o",
                source=("x",),
                source_line=line,
            )
            for line in lines
        )
        return [issue["fingerprint"] for issue in json.loads(rendered("gitlab", Result(entries)))]

    assert marks(1, 5) == marks(11, 15)
    assert len(set(marks(1, 5, 9))) == 3
    assert marks(1, 5) == marks(1, 5, 9)[:2]


def test_github() -> None:
    """Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions."""
    lines = rendered("github", RESULT).splitlines()
    assert len(lines) == len(RESULT.open)
    assert [line.split(" ")[0] for line in lines] == ["::error", "::warning", "::error", "::notice"]
    for line, entry in zip(lines, RESULT.open, strict=True):
        properties, _, message = line.partition(" ")[2].partition("::")
        values = dict(pair.split("=", 1) for pair in properties.split(","))
        assert values["file"] == f"sub/{entry.path}".replace(",", "%2C")
        assert int(values["line"]) == entry.place.line
        assert ("col" in values) is (entry.place.line == entry.place.end_line)
        assert all(sign not in message for sign in "\r\n")
        assert "%25" in message or "%" not in entry.message


def test_json_lines_are_the_findings_of_json() -> None:
    findings = json.loads(rendered("json", RESULT))["findings"]
    assert [json.loads(line) for line in rendered("json-lines", RESULT).splitlines()] == findings
    assert list(findings[0]) == [
        "path", "line", "column", "end_line", "end_column", "code", "name", "severity", "message", "option", "fixable",
        "suppressed",
    ]  # fmt: skip


def test_paths_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "os", SimpleNamespace(path=ntpath))
    for module, name in ((places, "PurePath"), (places, "Path"), (sarif, "PurePath")):
        monkeypatch.setattr(module, name, PureWindowsPath)
    entries = tuple(
        Entry(path, Place(1, 2, 1, 3), "NPU101", "n", Severity.ERROR, "m", "o")
        for path in ("a b\\训练,1.py", ".\\x.py", "D:\\else where\\y.py")
    )
    result = Result(entries, here="C:\\project\\sub", root="C:\\project")
    found = json.loads(rendered("gitlab", result))
    assert [each["location"]["path"] for each in found] == ["sub/a b/训练,1.py", "sub/x.py", "D:/else where/y.py"]
    (run,) = json.loads(rendered("sarif", result))["runs"]
    uris = [each["locations"][0]["physicalLocation"]["artifactLocation"] for each in run["results"]]
    assert uris == [
        {"uri": "sub/a%20b/%E8%AE%AD%E7%BB%83%2C1.py", "uriBaseId": "%SRCROOT%"},
        {"uri": "sub/x.py", "uriBaseId": "%SRCROOT%"},
        {"uri": "file:///D:/else%20where/y.py"},
    ]
    lines = rendered("github", result).splitlines()
    assert [re.findall("file=([^,]*),", line)[0] for line in lines] == [
        "sub/a b/训练%2C1.py",
        "sub/x.py",
        "D%3A/else where/y.py",
    ]
    root = ElementTree.fromstring(rendered("junit", result))  # noqa: S314 - it is our own
    assert [suite.get("name") for suite in root] == ["sub/a b/训练,1.py", "sub/x.py", "D:/else where/y.py"]


@pytest.mark.parametrize(
    "path", ["train.py", "a b/训练.py", "C:\\a b\\train.py", "a:1:2: b.py", "a%20,b.py", "x(1).py", "a:7:b.py"]
)
def test_the_problem_matcher_finds_every_sort_of_path(path: str) -> None:
    matcher = json.loads((FOLDER.parent.parent / ".ci/templates/problem-matcher.json").read_text())
    (pattern,) = matcher["problemMatcher"][0]["pattern"]
    messages = [entry.message for entry in ENTRIES]
    entries = tuple(Entry(path, Place(12, 3, 12, 4), "NPU101", "n", Severity.ERROR, each) for each in messages)
    lines = rendered("concise", Result(entries)).splitlines()
    assert len(lines) == len(entries)
    for line in lines:
        match = re.match(pattern["regexp"], line)
        assert match is not None
        assert [match[pattern[key]] for key in ("file", "line", "column", "code")] == [path, "12", "3", "NPU101"]
        assert match[pattern["message"]] == line.partition("NPU101 ")[2]
