"""Joins reports: findings of several JSON reports, runs of several SARIF logs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from npu_lsp.checking.report import Creation, InCell, Range, Replacement, ReportedFinding, ReportedFix, order
from npu_lsp.linter.severity import Severity
from npu_lsp.reports.json import VERSION
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text

Json = dict[str, Any]

_LEVELS = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.INFO, "none": Severity.HINT}


_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z][A-Za-z0-9+.-]*:")
"""A path from the root, from a drive, or a URI."""


class ReportError(ValueError):
    """A report that can't be joined with others."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.what = Text(en, zh)
        """Why, for people."""


def read(name: str, text: str, folder: str = "") -> Json | tuple[ReportedFinding, ...]:
    """Return a SARIF log, or the entries of a JSON report; raise `ReportError` for anything else.

    Their paths lie below `folder`, where one is given: reports of several repositories name the same files.
    """
    report = _read(name, text, quote(folder))
    if folder and isinstance(report, tuple):
        return tuple(entry._replace(path=_joined(folder, entry.path)) for entry in report)
    return report


def _read(name: str, text: str, folder: str) -> Json | tuple[ReportedFinding, ...]:
    def placed(found: Json) -> Json:
        place = found.get("artifactLocation")
        if isinstance(place, dict) and isinstance(place.get("uri"), str):
            place["uri"] = _joined(folder, place["uri"])
        return found

    try:
        content = json.loads(text, object_hook=placed if folder else None)
    except RecursionError as error:
        raise ReportError(f"{name}: nested too deeply", f"{name}：嵌套过深") from error
    except ValueError:
        return tuple(_from_lines(name, text))
    if isinstance(content, dict) and isinstance(content.get("runs"), list):
        if content.get("version") != "2.1.0":
            raise _version(name, "SARIF", content, "2.1.0")
        return content
    if isinstance(content, dict) and isinstance(content.get("findings"), list):
        if content.get("version") != VERSION:
            raise _version(name, "JSON", content, VERSION)
        return tuple(_entry(name, each) for each in content["findings"])
    if isinstance(content, dict) and "code" in content:
        return (_entry(name, content),)
    raise ReportError(
        f"{name}: neither a JSON nor a SARIF report of npu-lsp", f"{name}：不是 npu-lsp 的 JSON 或 SARIF 报告"
    )


def _joined(folder: str, path: str) -> str:
    return path if _ABSOLUTE.match(path) else f"{folder}/{path}"


def _version(name: str, form: str, content: Json, wanted: object) -> ReportError:
    version = content.get("version")
    return ReportError(
        f"{name}: {form} of version {version!r}, not {wanted}", f"{name}：{form} 版本为 {version!r}，应为 {wanted}"
    )


def entries(reports: Iterable[tuple[ReportedFinding, ...]]) -> tuple[ReportedFinding, ...]:
    """Return the findings of all reports, sorted, those that several reports have once."""
    return tuple(sorted(dict.fromkeys(entry for report in reports for entry in report), key=order))


def sarif(logs: Sequence[Json]) -> Json:
    """Return one log with one run that has the rules and the results of all `logs`; equal results come once."""
    runs = [run for log in logs for run in log["runs"]]
    if not runs:
        return logs[0]
    with _expected():
        names = {run["tool"]["driver"]["name"] for run in runs}
        if len(names) > 1:
            raise ReportError(
                f"reports of several programs can't be joined: {', '.join(sorted(names))}",
                f"不能合并多个程序的报告：{', '.join(sorted(names))}",
            )
        rules: dict[str, Json] = {}
        results: dict[str, Json] = {}
        for run in runs:
            for rule in run["tool"]["driver"].get("rules", ()):
                rules.setdefault(rule["id"], rule)
            for result in run.get("results", ()):
                results.setdefault(_key(result), result)
        ordered = sorted(rules)
        numbers = {code: number for number, code in enumerate(ordered)}
        joined = [_renumbered(result, numbers) for result in sorted(results.values(), key=_order)]
        successful = all(each.get("executionSuccessful", True) for run in runs for each in run.get("invocations", ()))
    first = runs[0]
    driver = {**first["tool"]["driver"], "rules": [rules[code] for code in ordered]}
    run = {
        **first,
        "tool": {**first["tool"], "driver": driver},
        "invocations": [{"executionSuccessful": successful}],
        "results": joined,
    }
    return {**logs[0], "runs": [run]}


def has_level(log: Json, limit: int) -> bool:
    """Return whether a log has a result, not a suppressed one, whose severity has at most that rank."""
    with _expected():
        for run in log["runs"]:
            for result in run.get("results", ()):
                written = result.get("properties", {}).get("severity")
                level = (
                    Severity(written)
                    if written in list(Severity)
                    else _LEVELS.get(result.get("level"), Severity.WARNING)
                )
                if not result.get("suppressions") and level.rank <= limit:
                    return True
    return False


@contextmanager
def _expected() -> Iterator[None]:
    """Raise `ReportError` where a report lacks a field that npu-lsp writes, instead of the error of looking it up."""
    try:
        yield
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ReportError(
            "a SARIF report lacks what npu-lsp writes into its own", "SARIF 报告缺少 npu-lsp 写入的内容"
        ) from error


def _from_lines(name: str, text: str) -> Iterator[ReportedFinding]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ReportError(f"{name}:{number}: no JSON: {error}", f"{name}:{number}：不是 JSON：{error}") from error
        yield _entry(f"{name}:{number}", content)


def _entry(name: str, fields: Json) -> ReportedFinding:
    try:
        entry = ReportedFinding(
            path=str(fields["path"]),
            place=Range(*(int(fields[key]) for key in ("line", "column", "end_line", "end_column"))),
            code=str(fields["code"]),
            name=str(fields["name"]),
            severity=Severity(fields["severity"]),
            message=str(fields["message"]),
            option=fields["option"],
            fixable=bool(fields["fixable"]),
            silenced="baseline" if fields["suppressed"] else "",
            reported_fixes=tuple(map(_remedy, fields.get("fixes", ()))),
            in_cell=InCell(**fields["in_cell"]) if fields.get("in_cell") else None,
        )
        hash(entry)  # what stands in the place of a word or a number may be anything
        if not isinstance(entry.option, (str, type(None))):
            raise TypeError("an option has a name")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ReportError(
            f"{name}: a finding lacks what npu-lsp writes into its own: {error}",
            f"{name}：某个问题缺少 npu-lsp 写入的内容：{error}",
        ) from error
    return entry


def _remedy(fields: Json) -> ReportedFix:
    edits = ((Range(*(int(edit[key]) for key in Range._fields)), str(edit["text"])) for edit in fields["edits"])
    creations = tuple(Creation(str(each["path"]), str(each["text"])) for each in fields["creates"])
    replacements = tuple(Replacement(place, text) for place, text in edits)
    return ReportedFix(str(fields["title"]), bool(fields["safe"]), replacements, creations, str(fields["note"]))


def _key(result: Json) -> str:
    return json.dumps({key: value for key, value in result.items() if key != "ruleIndex"}, sort_keys=True)


def _order(result: Json) -> tuple[Any, ...]:
    place = result["locations"][0]["physicalLocation"]
    region = place["region"]
    where = (region["startLine"], region["startColumn"], region["endLine"], region["endColumn"])
    return (place["artifactLocation"]["uri"], where, result["ruleId"], result["message"]["text"])


def _renumbered(result: Json, numbers: dict[str, int]) -> Json:
    return {**result, "ruleIndex": numbers[result["ruleId"]]}
