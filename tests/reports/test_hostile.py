"""Whatever a file, its name, a merged report or a log says: printed in any form, it is no command, and controls no terminal."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import settings as configured
from hypothesis import strategies as st

from npu_lsp.catalog.error_codes import ErrorCode, Wanted
from npu_lsp.catalog.load import load
from npu_lsp.catalog.profiles import Profile, Switch
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.checking.causes import Cause
from npu_lsp.checking.comparing import Difference
from npu_lsp.checking.diagnosis import Diagnosis, Explained, RunTold
from npu_lsp.checking.inventory import Row
from npu_lsp.checking.logs.reader import LogMention
from npu_lsp.checking.logs.runs import Ranks
from npu_lsp.checking.profile_state import ProfileStanding, ProfileState
from npu_lsp.checking.report import Creation, Note, Range, Replacement, ReportedFinding, ReportedFix, Result, RuleFacts
from npu_lsp.checking.upgrading import Effect, Step, Upgrade
from npu_lsp.checking.wishes import Wish
from npu_lsp.commands import diff, upgrade
from npu_lsp.linter.findings import Safety
from npu_lsp.linter.severity import Severity
from npu_lsp.reports import FORMATS, explanation, merging, profile_table, renderer, settings_table
from npu_lsp.reports.statistics import statistics, statistics_json
from npu_lsp.reports.style import Style
from npu_lsp.reports.summary import Done, summary
from npu_lsp.reports.table import FORMS, Table
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import aligned, shown, shown_path
from tests.reports.logs import PIECES, wrong

COMMANDS = {"github": "::", "azure": "##vso[task.logissue "}
"""The formats that are commands, and how these begin."""
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
STYLES = (Style(), Style(colour=True, columns=80))


def entry(said: str, severity: Severity = Severity.ERROR) -> ReportedFinding:
    """Return a finding that says `said` wherever a file, a report or a catalog can."""
    place = Range(1, 1, 1, 3)
    remedy = ReportedFix(said, True, (Replacement(place, said),), (Creation(said, said),), said)
    notes = (Note(place, said),)
    source = tuple(said.split("\n"))
    return ReportedFinding(said, place, said, said, severity, said, said, True, "", (remedy,), notes, source, 1)


def result(said: str, times: int = 1) -> Result:
    """Return a report on such findings, of each severity so many."""
    entries = tuple(
        entry(said, severity)._replace(place=Range(1, at, 1, 9)) for at in range(1, times + 1) for severity in Severity
    )
    return Result(entries, rules={said: RuleFacts(said, said, said, Severity.ERROR, said, True)})


def row(said: str) -> Row:
    return Row(said, 1, 1, 1, 2, "env", said, said, said, True, 0)


def tables(said: str) -> Iterator[Table]:
    """Yield a table of each command that has one."""
    catalog, text = load(), Text(said, said)
    yield settings_table.table([row(said), row(said)._replace(value={said: [said]})])
    difference = Difference(said, "env", said, row(said), None)
    yield diff._table_of([difference, difference._replace(left=None)], (said, said), catalog, "en")
    steps = tuple(Step(effect, said, 1, said, said, said, said) for effect in Effect)
    yield upgrade._table_of(Upgrade(steps, ()), "en")
    switch = Switch(Surface.ENV, said, (said,), why=text, source=text)
    standing = ProfileStanding(switch, ProfileState.CONTRADICTS, (row(said),))
    yield profile_table.table_of(Profile(said, text, text, (switch,)), [standing], "en")


def diagnosis(said: str) -> Diagnosis:
    """Return an answer in which all that a log, a folder and names in both may bring is `said`."""
    known = Text("known", "已知")
    code = ErrorCode(
        "E10001", known, Text(said, said), known, (), known, looks=(said,), wants=Wanted(said, said, "least")
    )
    wish = Wish(said, 1, said, Wanted(said, said), Safety.UNSAFE, said)
    cause = Cause(said, 1, 1, row(said), entry(said), wish=wish)
    causes = (cause, cause._replace(row=row(said)._replace(known=False)), cause._replace(row=None, entry=None))
    mention = LogMention("E10001", 1, said, (), path=said)
    run = RunTold((1, 2, 3, 4, 5, 6), Ranks(said, (1, 2, 3, 4, 5, 6), said, 2, 1.0, (said,)))
    errors = [
        Explained(code, mention, causes, (said,), reason=said),
        Explained(code._replace(code=said, kind="wrapper"), mention, (), unknown=True),
    ]
    return Diagnosis(errors, [entry(said)], [run, run._replace(begin=None)])


def texts_in(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, (list, dict)):
        for each in content.values() if isinstance(content, dict) else content:
            yield from texts_in(each)


def as_xml(said: str) -> str:
    """Return `said` with what XML can't hold as it is read back."""
    return "".join(
        c if c in "\t\n\r" or " " <= c < "\ud800" or (c > "\udfff" and c not in "\ufffe\uffff") else "\ufffd"
        for c in said
    )


@pytest.mark.parametrize("report", FORMATS)
@configured(max_examples=40)
@given(said=TEXTS)
@example(said="a\n::error::x")
@example(said="\u3000\u200d::error::x")
@example(said="a\r##vso[task.complete]\x1b[2J\x9b\u202e")
def test_findings(report: str, said: str) -> None:
    for style in STYLES:
        log = "".join(renderer(report)(result(said), style))
        if report in COMMANDS:
            lines = log.split("\n")[:-1]
            assert len(lines) == len(result(said).open)
            starts = [line.startswith(COMMANDS[report]) for line in lines]
            assert all(starts) or report == "azure"
            log = "\n".join(
                line[len(COMMANDS[report]) :] if starts else line for line, starts in zip(lines, starts, strict=True)
            )
        ends = "\r\n" if report == "csv" else "\n"
        assert not list(wrong(log.removeprefix("\ufeff"), ends))


@pytest.mark.parametrize("report", ["json", "json-lines", "sarif", "gitlab", "rdjson", "junit", "checkstyle"])
@configured(max_examples=40)
@given(said=TEXTS)
def test_programs_read_back_what_was_said(report: str, said: str) -> None:
    log = "".join(renderer(report)(result(said), Style()))
    log.encode("utf-8", "backslashreplace")
    if report in ("junit", "checkstyle"):
        root = ElementTree.fromstring(log)  # noqa: S314 - it is our own
        assert any(as_xml(said) == node.get("message") for node in root.iter())
        assert report == "checkstyle" or any((node.text or "").endswith(as_xml(said)) for node in root.iter("failure"))
    else:
        read = json.loads(log.split("\n")[0] if report == "json-lines" else log)
        assert any(text.endswith(said) for text in texts_in(read))


@configured(max_examples=40)
@given(said=TEXTS)
def test_merged_reports(said: str) -> None:
    read = merging.read("a", "".join(renderer("json")(result(said), Style())))
    assert isinstance(read, tuple)
    assert {each.message for each in read} == {said}


@configured(max_examples=40)
@given(said=TEXTS)
def test_what_ends_a_report_and_what_counts(said: str) -> None:
    told = result(said, 3)  # enough for a summary to count them
    lines = [*summary(told, Done({said: {said: 2}}, listed=True), Style())]
    assert not [fault for line in lines for fault in wrong(line)]
    for group in ("rule", "file", "option"):
        assert not list(wrong("".join(statistics(told, group, Style()))))
        assert not list(wrong(statistics_json(told, group)))


@pytest.mark.parametrize("form", FORMS)
@configured(max_examples=40)
@given(said=TEXTS)
def test_tables(form: str, said: str) -> None:
    for table in tables(said):
        log = "".join(FORMS[form](table, "en"))
        assert not list(wrong(log.removeprefix("\ufeff"), "\r\n" if form == "csv" else "\n"))
        if form == "csv":
            cells = [cell for line in csv.reader(io.StringIO(log, newline="")) for cell in line]
            formulas = [cell for cell in cells if cell.lstrip().startswith(tuple("=+-@＝＋－＠"))]
            assert all(cell.strip("+-.").isdecimal() for cell in formulas)


@configured(max_examples=40)
@given(said=TEXTS)
def test_errors_of_a_log(said: str) -> None:
    found = diagnosis(said)
    logs = (explanation.render(found, "en", Style()), explanation.markdown(found, "en"), explanation.page(found, "en"))
    for log in (*logs, explanation.whole(found)):
        assert not list(wrong("".join(log)))


@configured(max_examples=40)
@given(said=TEXTS)
def test_a_line_begins_with_nothing_that_is_a_command(said: str) -> None:
    assert not list(wrong(shown(said)))
    assert not list(wrong(shown_path(said)))
    assert not list(wrong("".join(aligned([[said, "a"], ["b", said]]))))
