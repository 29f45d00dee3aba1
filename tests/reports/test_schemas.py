"""Reports hold to the schemas of the programs that read them."""

from __future__ import annotations

import json
import ntpath
import re
from email.message import Message
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest

from npu_lsp.checking.report import Range, ReportedFinding, Result
from npu_lsp.docs import labels
from npu_lsp.linter.severity import Severity
from npu_lsp.reports import identity, merging, renderer, sarif
from npu_lsp.reports.style import Style
from tests.reports.cases import CLEAN, ENTRIES, RESULT
from tests.together import together

FOLDER = Path(__file__).parent
RESULTS = [pytest.param(RESULT, id="findings"), pytest.param(CLEAN, id="clean")]


def xml_schema(name: str) -> Any:
    # Only one of the processes that collect this file runs it, and the package takes as long to load as all of these tests.
    from xmlschema import XMLSchema

    return XMLSchema(FOLDER / name)


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
    xml_schema(schema).validate(rendered("junit", result))


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
            ReportedFinding(
                "a.py",
                Range(line, 1, line, 2),
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
        "suppressed", "url", "fixes",
    ]  # fmt: skip


def test_json_has_every_fix() -> None:
    findings = json.loads(rendered("json", RESULT))["findings"]
    assert [fix["title"] for fix in findings[0]["fixes"]] == ['Change to "名"', "Another way"]
    assert findings[0]["fixes"][0]["edits"] == [
        {"line": 3, "column": 20, "end_line": 3, "end_column": 23, "text": "名"}
    ]
    assert findings[1]["fixes"][0]["creates"] == [{"path": "op.ini", "text": "[a]\n"}]
    (merged,) = {merging.read("a", rendered("json", RESULT)), merging.read("b", rendered("json-lines", RESULT))}
    assert isinstance(merged, tuple)
    assert [entry.reported_fixes for entry in merged] == [entry.reported_fixes for entry in ENTRIES]


def test_an_address_that_nobody_has_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    named = Message()
    named["Project-URL"] = "Documentation, https://OWNER.host.test/docs"
    monkeypatch.setattr("importlib.metadata.metadata", lambda _: named)
    labels._documentation.cache_clear()
    try:
        assert json.loads(rendered("json", RESULT))["findings"][0]["url"] is None
        assert "OWNER" not in rendered("sarif", RESULT) + rendered("rdjson", RESULT) + rendered("markdown", RESULT)
    finally:
        labels._documentation.cache_clear()


def test_rules_have_the_address_that_the_package_names(monkeypatch: pytest.MonkeyPatch) -> None:
    named = Message()
    named["Project-URL"] = "Documentation, https://docs.test"
    monkeypatch.setattr("importlib.metadata.metadata", lambda _: named)
    labels._documentation.cache_clear()
    try:
        assert json.loads(rendered("json", RESULT))["findings"][0]["url"] == "https://docs.test/en/rules/NPU101.html"
        assert json.loads(rendered("rdjson", RESULT))["diagnostics"][0]["code"]["url"].endswith("/en/rules/NPU101.html")
        (run,) = json.loads(rendered("sarif", RESULT))["runs"]
        assert run["tool"]["driver"]["rules"][1]["helpUri"] == "https://docs.test/en/rules/NPU101.html"
        assert "[NPU101](https://docs.test/en/rules/NPU101.html)" in rendered("markdown", RESULT)
    finally:
        labels._documentation.cache_clear()


@pytest.mark.parametrize("result", RESULTS)
def test_rdjson(result: Result) -> None:
    schema = json.loads((FOLDER / "rdjson-part.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    content = json.loads(rendered("rdjson", result))
    jsonschema.Draft7Validator(schema).validate(content)
    assert [each["message"] for each in content["diagnostics"]] == [entry.message for entry in result.open]


def test_rdjson_counts_bytes() -> None:
    first, second, third, _ = json.loads(rendered("rdjson", RESULT))["diagnostics"]
    line = ENTRIES[0].source[1].encode()
    start, end = (first["location"]["range"][key]["column"] - 1 for key in ("start", "end"))
    assert line[start:end].decode() == "名字😀"
    (suggestion,) = first["suggestions"]
    assert (suggestion["range"], suggestion["text"]) == (first["location"]["range"], "名")
    # A fix that makes a file can't be suggested.
    assert "suggestions" not in second
    assert third["location"] == {
        "path": "sub/b.sh",
        "range": {key: {"line": 1, "column": 1} for key in ("start", "end")},
    }
    unknown = json.loads(rendered("rdjson", Result((ENTRIES[0]._replace(source=()),))))["diagnostics"][0]
    assert unknown["location"]["range"] == {"start": {"line": 3}, "end": {"line": 3}}
    assert "suggestions" not in unknown


@pytest.mark.parametrize("result", RESULTS)
def test_checkstyle(result: Result) -> None:
    """Checkstyle publishes no schema; this is what its logger writes and Jenkins' and SonarQube's readers take."""
    xml_schema("checkstyle-part.xsd").validate(rendered("checkstyle", result))
    root = ElementTree.fromstring(rendered("checkstyle", result))  # noqa: S314 - it is our own
    errors = [(file.get("name"), error.get("message")) for file in root for error in file]
    expected = [(f"sub/{entry.path}", entry.message.replace("\x07", "\ufffd")) for entry in result.open]
    assert errors == expected


def test_azure() -> None:
    """Source: https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands."""
    odd = ENTRIES[0]._replace(path="a;b]%.py", message="100%; ]\r\n##vso[task.complete]")
    lines = rendered("azure", Result((odd, *RESULT.open))).splitlines()
    assert len(lines) == len(RESULT.open) + 1
    commands = [re.fullmatch(r"##vso\[task\.logissue ([^\]]*)\](.*)", line) for line in lines]
    assert [command is not None for command in commands] == [True, True, True, True, False]
    for command, entry in zip(commands, (odd, *RESULT.open), strict=True):
        if command is not None:
            values = dict(pair.split("=", 1) for pair in command[1].split(";"))
            assert set(values) == {"type", "sourcepath", "linenumber", "columnnumber", "code"}
            assert values["type"] in ("error", "warning")
            assert int(values["linenumber"]) == entry.place.line
            path = values["sourcepath"].replace("%3B", ";").replace("%5D", "]").replace("%AZP25", "%")
            assert path.endswith(entry.path)
            assert entry.code in command[2]
    assert not lines[-1].startswith("##")


def test_markdown() -> None:
    odd = ENTRIES[0]._replace(path="a|b`c`.py", message="a | b <script> [x](y) *z* `q`")
    text = rendered("markdown", Result((odd, *RESULT.open), language="zh"))
    head, rule, *rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == len(RESULT.open) + 1
    for line in (head, rule, *rows):
        assert len(re.findall(r"(?<!\\)\|", line)) == 5
    assert r"a \| b \<script\> \[x\](y) \*z\*" in rows[0]
    assert rows[0].startswith(r"| ``a\|b`c`.py:3:20`` |")
    assert "|" not in rendered("markdown", CLEAN)


def test_paths_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "os", SimpleNamespace(path=ntpath))
    for module, name in ((identity, "PurePath"), (identity, "Path"), (sarif, "PurePath")):
        monkeypatch.setattr(module, name, PureWindowsPath)
    entries = tuple(
        ReportedFinding(path, Range(1, 2, 1, 3), "NPU101", "n", Severity.ERROR, "m", "o")
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


@together("path", ["train.py", "a b/训练.py", "C:\\a b\\train.py", "a:1:2: b.py", "a%20,b.py", "x(1).py", "a:7:b.py"])
def test_the_problem_matcher_finds_every_sort_of_path(path: str) -> None:
    matcher = json.loads((FOLDER.parent.parent / ".ci/templates/problem-matcher.json").read_text())
    entries = tuple(
        ReportedFinding(path, Range(12, 3, 12, 4), "NPU101", "n", severity, entry.message)
        for entry in ENTRIES
        for severity in Severity
    )
    lines = rendered("concise", Result(entries)).splitlines()
    assert len(lines) == len(entries)
    for line, entry in zip(lines, entries, strict=True):
        ((match, pattern, severity),) = [
            (found, pattern, each.get("severity") or found[pattern["severity"]])
            for each in matcher["problemMatcher"]
            for pattern in each["pattern"]
            if (found := re.match(pattern["regexp"], line))
        ]
        assert [match[pattern[key]] for key in ("file", "line", "column", "code")] == [path, "12", "3", "NPU101"]
        assert match[pattern["message"]] == line.partition("NPU101 ")[2]
        # As the annotations of the format for GitHub.
        assert rendered("github", Result((entry,))).startswith(f"::{severity} ")
