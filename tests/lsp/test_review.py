"""All fixes of a document as one edit to look through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.test_notebooks import NOTEBOOKS, OPERATOR, TYPO, Notebook
from tests.lsp.wire import Wire

SAFE = 'op.parameter_map["use_off_line"].b = "True"\n'
UNSAFE = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
RULES = {"select": ["NPU101", "NPU103"]}
ANNOTATES: dict[str, Any] = {"workspace": {"workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}}}}


def _review(text: str, capabilities: dict[str, Any], **more: Any) -> dict[str, Any]:
    with Wire() as wire:
        wire.initialize(capabilities, initializationOptions=RULES, **more)
        wire.open("untitled:a.py", text)
        found: dict[str, Any] = wire.request("npu-lsp/review", {"textDocument": {"uri": "untitled:a.py"}})["result"]
        return found


def test_those_to_review_wait_for_a_yes() -> None:
    found = _review(SAFE + UNSAFE, ANNOTATES)
    assert (found["safe"], found["review"], found["message"]) == (1, 1, "1 safe, 1 to review")
    (change,) = found["edit"]["documentChanges"]
    told = found["edit"]["changeAnnotations"]
    labels = [told[edit["annotationId"]]["label"].split(":")[0] for edit in change["edits"]]
    assert labels == ["Safe", "To review"]
    assert {each["label"].split(":")[0]: each["needsConfirmation"] for each in told.values()} == {
        "Safe": False,
        "To review": True,
    }


def test_safe_ones_wait_where_nothing_else_does() -> None:
    told = _review(SAFE, ANNOTATES)["edit"]["changeAnnotations"]
    assert [each["needsConfirmation"] for each in told.values()] == [True]


def test_a_client_without_them_gets_what_is_safe() -> None:
    found = _review(SAFE + UNSAFE, {})
    assert (found["safe"], found["review"]) == (1, 1)
    assert [edit["newText"] for edits in found["edit"]["changes"].values() for edit in edits] == ["True"]


@pytest.mark.parametrize(
    ("text", "locale", "said"),
    [(UNSAFE, "en", "1 to review"), (UNSAFE, "zh-cn", "1 个需审阅"), ("x = 1\n", "en", "Nothing to fix")],
)
def test_what_is_said_where_nothing_is_safe(text: str, locale: str, said: str) -> None:
    assert _review(text, ANNOTATES, locale=locale)["message"] == said


def test_a_title_says_that_a_fix_is_to_be_looked_at() -> None:
    with Wire() as wire:
        wire.initialize({"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}}, initializationOptions=RULES)
        wire.open("untitled:a.py", SAFE + UNSAFE)
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}
        params = {"textDocument": {"uri": "untitled:a.py"}, "range": whole, "context": {"diagnostics": []}}
        titles = [each["title"] for each in wire.request("textDocument/codeAction", params)["result"]]
    assert 'Change to "precision_mode" (review)' in titles
    assert len([title for title in titles if "(review)" in title]) == 1


@pytest.mark.parametrize("capabilities", [{}, ANNOTATES], ids=["plain", "annotated"])
def test_what_two_fixes_share_is_written_once(capabilities: dict[str, Any]) -> None:
    text = "# npu-lsp: ignore[NPU101: ours, NPU103: ours, NPU103: theirs]\n" + UNSAFE.replace("precison_mode", "ours")
    with Wire() as wire:
        wire.initialize(capabilities, initializationOptions={"select": ["ALL"]})
        wire.open("untitled:a.py", text)
        found = wire.request("npu-lsp/review", {"textDocument": {"uri": "untitled:a.py"}})["result"]
    assert found["safe"] >= 2
    edit = found["edit"]
    edits = edit["documentChanges"][0]["edits"] if capabilities else edit["changes"]["untitled:a.py"]
    assert [each["newText"] for each in edits] == ["NPU101: ours"]


_NOTEBOOK: dict[str, Any] = {**NOTEBOOKS, **ANNOTATES}
_FOLDED = 'a:\n  command: >\n    bash -c "export HCCL_BUFFSIZ=1 &&\n    python x.py"\n'


def test_a_notebook_is_looked_through_whole() -> None:
    """Whichever of its cells is asked about."""
    with Wire() as wire:
        wire.initialize(_NOTEBOOK, initializationOptions=RULES)
        notebook = Notebook(wire, OPERATOR, SAFE.replace("op.", "custom_op."), "x = 1\n" + TYPO)
        for cell in notebook.cells:
            found = wire.request("npu-lsp/review", {"textDocument": {"uri": cell}})["result"]
            assert (found["safe"], found["review"]) == (1, 1)
            assert [each["textDocument"]["uri"] for each in found["edit"]["documentChanges"]] == notebook.cells[1:]


def test_in_folded_yaml_of_each_folder(tmp_path: Path) -> None:
    """What a folder leaves out isn't there, and what is folded is mended on its line."""
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    (folders[0] / "npu-lsp.toml").write_text('ignore = ["NPU101"]\n', encoding="utf-8")
    with Wire() as wire:
        named = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        wire.initialize(ANNOTATES, workspaceFolders=named, initializationOptions=RULES)
        for folder, count in zip(folders, (0, 1), strict=True):
            uri = (folder / "a.yaml").as_uri()
            wire.open(uri, _FOLDED, "yaml")
            found = wire.request("npu-lsp/review", {"textDocument": {"uri": uri}})["result"]
            assert found["safe"] + found["review"] == count
            changes = found["edit"]["documentChanges"] if count else []
            assert [(e["range"]["start"]["line"], e["newText"]) for c in changes for e in c["edits"]] == (
                [(2, "HCCL_BUFFSIZE")] * count
            )
