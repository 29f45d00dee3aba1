"""What it takes to offer actions: counted, since seconds say nothing on another machine."""

from __future__ import annotations

from collections import Counter

import pytest
from lsprotocol import types

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.lsp.client import Client
from npu_lsp.lsp.features import code_actions, edits
from npu_lsp.lsp.session import DocumentView, Session
from tests.lsp.editor import recorded

LINE = 'custom_op.parameter_map["precison_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n'
URI = "untitled:train.py"


def _opened(count: int) -> DocumentView:
    session = Session(Client.read(recorded("vscode")))
    item = types.TextDocumentItem(URI, "python", 1, "import tensorflow as tf\n" + LINE * count)
    view = session.view(session.documents.open(item))
    assert len([finding for finding in view.findings() if finding.code == "NPU101"]) == count
    return view


def _offered(view: DocumentView, first: int, last: int) -> list[types.CodeAction]:
    where = types.Range(types.Position(first, 0), types.Position(last, 0))
    context = types.CodeActionContext(diagnostics=[])
    return code_actions.code_actions(view, types.CodeActionParams(types.TextDocumentIdentifier(URI), where, context))


@pytest.fixture
def effort(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the texts that are analysed and the edits that are made for the client."""
    counted: Counter[str] = Counter()
    check, edit = Analyzer._check, edits.workspace_edit

    def checked(*args: object) -> object:
        counted["analyses"] += 1
        return check(*args)  # type: ignore[arg-type]

    def edited(*args: object) -> object:
        counted["edits"] += 1
        return edit(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(Analyzer, "_check", checked)
    for module in ("code_actions", "chosen_actions"):
        monkeypatch.setattr(f"npu_lsp.lsp.features.{module}.workspace_edit", edited)
    return counted


@pytest.mark.parametrize("count", [40, 400])
def test_everything_selected_takes_two_trials_and_no_edit(count: int, effort: Counter[str]) -> None:
    view = _opened(count)
    effort.clear()
    assert len(_offered(view, 0, count + 1)) > count
    assert effort == {"analyses": 2}, "all fixes in one text, all comments in one; edits are made when one is chosen"
    _offered(view, 0, count + 1)
    assert effort == {"analyses": 2}


def test_the_cursor_on_a_line_is_asked_about_once_a_version(effort: Counter[str]) -> None:
    view = _opened(40)
    effort.clear()
    for _ in range(5):
        assert _offered(view, 3, 3)
    assert effort == {"analyses": 2}
