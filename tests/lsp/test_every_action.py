"""Each action on each finding of every rule's examples: offered, chosen and made, it leaves a text that parses, without the finding."""

from __future__ import annotations

import ast
import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import yaml
from lsprotocol import types

from npu_lsp.languages.python.lines.logical_lines import scan
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.rule import Invalid, Rule
from npu_lsp.lsp.client import Client
from npu_lsp.lsp.features.chosen_actions import chosen
from npu_lsp.lsp.features.code_actions import code_actions
from npu_lsp.lsp.project import Project
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.lsp.uris import from_path
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span, apply_edits
from tests.lsp.editor import recorded
from tests.rules.test_examples import INVALID
from tests.rules.trial import write_files
from tests.together import in_groups

_MENDS = frozenset({"fix", "value", "ignore"})
"""What says of itself that it takes a finding away."""
_SUFFIXES = {Kind.PYTHON: ".py", Kind.SHELL: ".sh", Kind.MARKDOWN: ".md"}


def _view(rule: Rule, example: Invalid, folder: Path) -> DocumentView:
    """Return what a client sees that has the example open, in a folder with its files."""
    write_files(folder, example.files)
    target = example.target
    products = cast("tuple[str, ...]", tuple(cast("list[str]", target.get("products", ()))))
    versions = cast("dict[str, str]", {name: value for name, value in target.items() if name != "products"})
    config = Config(
        select=(rule.code, *example.others),
        target=TargetConfig(versions, products),
        catalog=(folder / "my-options.toml",) if "my-options.toml" in example.files else (),
    )
    session = Session(Client.read(recorded("vscode")))
    uri = from_path(folder / f"example{_SUFFIXES.get(example.kind, '.' + example.kind.value)}")
    source = session.documents.open(types.TextDocumentItem(uri, "", 1, example.text))
    source.become(example.kind)
    return DocumentView(session, source, Project(1, config, "en", None))


def _actions(view: DocumentView, finding: Finding) -> list[types.CodeAction]:
    context = types.CodeActionContext([], trigger_kind=types.CodeActionTriggerKind.Invoked)
    where = view.source.range(finding.span)
    return code_actions(view, types.CodeActionParams(types.TextDocumentIdentifier(view.source.uri), where, context))


def _edits(view: DocumentView, edit: types.WorkspaceEdit) -> Iterator[Edit]:
    """Yield what an edit changes in the document itself."""
    assert edit.document_changes
    for change in edit.document_changes:
        if isinstance(change, types.TextDocumentEdit) and change.text_document.uri == view.source.uri:
            for each in change.edits:
                assert isinstance(each, types.TextEdit)
                yield Edit(
                    Span(view.source.offset(each.range.start), view.source.offset(each.range.end)), each.new_text
                )


def _parses(kind: Kind, text: str) -> bool:
    """Return whether others can read a text, where we know of any."""
    try:
        if kind is Kind.PYTHON:
            ast.parse(text.removeprefix("\ufeff"))
        elif kind is Kind.SHELL:
            return subprocess.run(["bash", "-n"], input=text.encode(), capture_output=True, check=False).returncode == 0
        elif kind in (Kind.JSON, Kind.NOTEBOOK):
            json.loads(text)
        elif kind is Kind.YAML:
            list(yaml.compose_all(text))
    except (SyntaxError, ValueError, yaml.YAMLError):
        return False
    return True


def _said(findings: tuple[Finding, ...]) -> Counter[tuple[str, str]]:
    return Counter((each.code, each.message) for each in findings if not each.suppressed)


def check_actions(view: DocumentView) -> Counter[str]:
    """Make each action that is offered on each finding; return how many there were of what they do."""
    document, tried = view.document, Counter[str]()
    before, findings = _parses(document.kind, document.text), view.project.analyzer.findings
    for finding in view.findings():
        # What is done about it mustn't hang on what was found out for another one.
        for action in _actions(view, finding):
            data = cast("Mapping[str, object]", action.data)
            if data is not None and data["do"] == "off":
                continue
            edit = action.edit or chosen(view, data)
            assert edit is not None, f"offered, and not made: {action.title}"
            after = apply_edits(document.text, tuple(_edits(view, edit)))
            assert after != document.text, action.title
            assert not before or _parses(document.kind, after), f"{action.title} breaks:\n{after}"
            if data is not None and data["do"] in _MENDS:
                left = _said(findings(Document(after, path=document.path, kind=document.kind)))
                told = _said(tuple(view.findings()))
                about = (str(data["code"]), str(data["message"]))
                assert left[about] < told[about], f"{action.title} leaves {finding.message}:\n{after}"
            tried[str(data["do"]) if data is not None else "edit"] += 1
    return tried


@in_groups(("rule", "example"), INVALID)
def test_what_is_offered_does_what_it_says(rule: Rule, example: Invalid, tmp_path: Path) -> None:
    check_actions(_view(rule, example, tmp_path))


def _joined(text: str) -> Iterator[str]:
    """Yield a text with what backslashes may join to each of its statements: a line in front, and a blank one behind."""
    lines = scan(text)
    for leading in (True, False):
        made, done = [], 0
        for start, end in zip(lines.starts, lines.ends, strict=True):
            line = text.rfind("\n", 0, start) + 1
            indent = text[line:start]
            # A first statement of a suite can't be told from its header by a line without blanks.
            if leading:
                made.append(text[done:line] + f"{indent}\\\n")
                done = line
            elif text[end : end + 1] == "\n" and not text.endswith(":", 0, end):
                made.append(text[done:end] + " \\\n")
                done = end
        yield "".join(made) + text[done:]


_PYTHON = {
    code: [case for case in cases if cast("Invalid", case.values[1]).kind is Kind.PYTHON]
    for code, cases in INVALID.items()
}


@in_groups(("rule", "example"), {code: cases for code, cases in _PYTHON.items() if cases})
def test_what_is_joined_makes_no_difference(rule: Rule, example: Invalid, tmp_path: Path) -> None:
    for number, text in enumerate(_joined(example.text)):
        (folder := tmp_path / str(number)).mkdir()
        check_actions(_view(rule, example._replace(text=text), folder))
