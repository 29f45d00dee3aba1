"""What can be done about a finding."""

from __future__ import annotations

import pytest
from lsprotocol import types

from tests.lsp.editor import MARK, Buffer, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

TYPO = 'custom_op.parameter_map["precison_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n'
OLD = "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --op_select_implmode=high_performance\n"
LISTED = OLD.replace("high_performance", "high_precision --optypelist_for_implmode=Gelu,LayerNorm")


async def _action(buffer: Buffer, title: str, place: str) -> types.CodeAction:
    found = [a for a in await buffer.actions(buffer.range(place)) if title in a.title]
    assert found, [a.title for a in await buffer.actions(buffer.range(place))]
    return found[0]


async def test_a_mistyped_key_is_renamed(editor: Editor) -> None:
    buffer = editor.open(TYPO)
    action = await _action(buffer, '"precision_mode"', "precison_mode")
    assert action.kind == types.CodeActionKind.QuickFix
    assert [d.code for d in action.diagnostics or ()] == ["NPU101"]
    assert await buffer.applied(action) == TYPO.replace("precison", "precision")


async def test_a_cursor_on_the_line_is_enough(editor: Editor) -> None:
    buffer = editor.open(MARK + TYPO)
    assert any('"precision_mode"' in action.title for action in await buffer.actions())


async def test_a_safe_fix_is_preferred(editor: Editor) -> None:
    buffer = editor.open(OLD, "convert.sh")
    actions = await buffer.actions(buffer.range("--op_select_implmode"))
    preferred = [a.title for a in actions if a.is_preferred]
    assert preferred == ([actions[0].title] if editor.says("textDocument.codeAction.isPreferredSupport") else [])
    assert await buffer.applied(actions[0]) == OLD.replace(" --op_select_implmode=high_performance", "")


async def test_a_file_is_created_where_the_client_can(editor: Editor) -> None:
    path = editor.folder / f"listed_{editor.name}.sh"
    buffer = await editor.open_file(path, LISTED)
    action = await _action(buffer, "op_precision", "--op_select_implmode")
    text = await buffer.applied(action)
    assert "--op_precision_mode=" in text
    assert "op_select_implmode" not in text
    assert "optypelist_for_implmode" not in text
    if "create" not in (editor.says("workspace.workspaceEdit.resourceOperations") or ()):
        assert buffer.created == {}
        assert "[ByOpType]" in action.title
        assert "Gelu=high_precision" in action.title
    else:
        (made,) = buffer.created.items()
        assert made == (
            (path.parent / "op_precision.ini").as_uri(),
            "[ByOpType]\nGelu=high_precision\nLayerNorm=high_precision\n",
        )
        assert "[ByOpType]" not in action.title


async def test_an_untitled_script_has_no_place_for_a_file(editor: Editor) -> None:
    buffer = editor.open(LISTED, "convert.sh")
    action = await _action(buffer, "op_precision", "--op_select_implmode")
    await buffer.applied(action)
    assert buffer.created == {}
    assert "[ByOpType]" in action.title


async def test_edits_are_bound_to_a_version_where_the_client_takes_that(editor: Editor) -> None:
    buffer = editor.open(TYPO)
    edit = (await buffer.resolved(await _action(buffer, '"precision_mode"', "precison_mode"))).edit
    assert edit is not None
    versioned = editor.says("workspace.workspaceEdit.documentChanges") is True
    assert (edit.document_changes is not None) == versioned
    assert (edit.changes is None) == versioned


@pytest.mark.parametrize("only", ["source.fixAll.npu-lsp", "source.fixAll", "source"])
async def test_everything_safe_is_fixed_at_once(editor: Editor, only: str) -> None:
    text = OLD + "echo done\n" + OLD.replace("a.onnx", "b.onnx")
    buffer = editor.open(text, "convert.sh")
    (action,) = await buffer.actions(only=[only])
    assert action.kind == "source.fixAll.npu-lsp"
    fixed = await buffer.applied(action)
    assert fixed == text.replace(" --op_select_implmode=high_performance", "")


async def test_an_outdated_fix_is_dropped(editor: Editor) -> None:
    support = editor.says("textDocument.codeAction.resolveSupport")
    assert editor.may_resolve_actions == (support is not None)
    if support is None:
        return  # it has no use for actions that get their edit later
    buffer = editor.open(OLD, "convert.sh")
    (action,) = await buffer.actions(only=["source.fixAll"])
    assert action.edit is None
    buffer.type("# a line\n", 0)
    assert (await buffer.resolved(action)).edit is None


@pytest.mark.parametrize(
    "only", ["quickfix", "quickfix.x", "refactor", "source.organizeImports", "source.fixAll.ruff", ""]
)
async def test_kinds_are_asked_for_by_prefix(editor: Editor, only: str) -> None:
    buffer = editor.open(OLD, "convert.sh")
    kinds = {a.kind for a in await buffer.actions(buffer.range("--op_select_implmode"), only=[only])}
    expected = {
        "quickfix": {"quickfix"},
        "refactor": {"refactor.rewrite"},
        "": {"quickfix", "source.fixAll.npu-lsp", "refactor.rewrite"},
    }
    assert {getattr(kind, "value", kind) for kind in kinds} == expected.get(only, set())


async def test_a_finding_can_be_silenced(editor: Editor) -> None:
    buffer = editor.open("def f(custom_op):\n    " + TYPO)
    action = await _action(buffer, "Ignore NPU101", "precison_mode")
    text = await buffer.applied(action)
    assert text == "def f(custom_op):\n    # npu-lsp: ignore[NPU101]\n    " + TYPO
    buffer.type(text, 0, len(buffer.text))
    assert await buffer.codes() == []


async def test_a_second_rule_joins_the_comment(editor: Editor) -> None:
    buffer = editor.open("# npu-lsp: ignore[NPU102]\n" + TYPO)
    action = await _action(buffer, "Ignore NPU101", "precison_mode")
    assert (await buffer.applied(action)).startswith("# npu-lsp: ignore[NPU102, NPU101]\n")


async def test_a_comment_stands_above_a_command_over_several_lines(editor: Editor) -> None:
    command = "atc --model=a.onnx --framework=5 \\\n    --output=a \\\n    --soc_verison=Ascend310P3\n"
    buffer = editor.open("if true; then\n  " + command + "fi\n", "convert.sh")
    action = await _action(buffer, "Ignore NPU101", "--soc_verison")
    text = await buffer.applied(action)
    assert text == "if true; then\n  # npu-lsp: ignore[NPU101]\n  " + command + "fi\n"
    buffer.type(text, 0, len(buffer.text))
    assert "NPU101" not in [code for code, _ in await buffer.codes()]


async def test_one_of_several_findings_in_a_command_is_silenced_by_its_option(editor: Editor) -> None:
    command = "atc --model=a.onnx --framework=5 \\\n    --outptu=a \\\n    --soc_verison=Ascend310P3\n"
    buffer = editor.open(command, "convert.sh")
    action = await _action(buffer, "Ignore NPU101 here for soc_verison", "--soc_verison")
    text = await buffer.applied(action)
    assert text == "# npu-lsp: ignore[NPU101: soc_verison]\n" + command
    buffer.type(text, 0, len(buffer.text))
    assert [place for code, place in await buffer.codes() if code == "NPU101"] == ["--outptu"]
    action = await _action(buffer, "Ignore NPU101", "--outptu")
    assert (await buffer.applied(action)).startswith("# npu-lsp: ignore[NPU101: soc_verison, NPU101: outptu]\n")


async def test_edits_are_made_when_an_action_is_chosen(editor: Editor) -> None:
    """Where the client takes them later: of all that is selected, one is chosen."""
    later = editor.may_resolve_actions
    buffer = editor.open(TYPO * 3)
    whole = types.Range(types.Position(0, 0), types.Position(3, 0))
    actions = await buffer.actions(whole)
    assert len(actions) == 7
    assert [action.edit is None for action in actions] == [later] * len(actions)
    titles = [action.title for action in actions]
    assert titles.count("Ignore NPU101 here") == 3
    for action in actions:
        assert await buffer.applied(action) != buffer.text


async def test_a_file_is_part_of_everything_where_it_comes_with_its_text(editor: Editor) -> None:
    """A client that opens it in an unsaved tab would leave it empty, and the saved script would point to it."""
    buffer = await editor.open_file(editor.folder / f"all_{editor.name}.sh".replace(" ", "_"), LISTED)
    actions = await buffer.actions(only=["source.fixAll"])
    assert not actions or "op_precision_mode" not in await buffer.applied(actions[0])
    assert buffer.created == {}


async def test_line_ends_stay_as_they_are(editor: Editor) -> None:
    buffer = editor.open("import os\r\n" + TYPO.replace("\n", "\r\n"))
    action = await _action(buffer, "Ignore NPU101", "precison_mode")
    assert (await buffer.applied(action)).startswith("import os\r\n# npu-lsp: ignore[NPU101]\r\ncustom_op")


async def test_columns_count_as_the_client_counts(editor: Editor) -> None:
    buffer = editor.open("名 = '😀'; " + TYPO)
    action = await _action(buffer, '"precision_mode"', "precison_mode")
    assert await buffer.applied(action) == buffer.text.replace("precison", "precision")


async def test_nothing_to_do_on_a_clean_line(editor: Editor) -> None:
    buffer = editor.open(MARK + "import os\n\n" + TYPO)
    assert await buffer.actions() == []


TRAINS = (
    "import tensorflow as tf\nfrom npu_bridge.npu_init import *\n"
    'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n'
    "run = NPURunConfig(deterministic=1)\n"
)


async def test_options_are_added_for_the_other_way_to_train(editor: Editor) -> None:
    buffer = editor.open(TRAINS)
    for place, title, line in (
        ("precision_mode", "NPURunConfig", 'precision_mode="allow_mix_precision",'),
        ("deterministic", "session config", 'parameter_map["deterministic"].i = 1'),
    ):
        (action,) = [a for a in await buffer.actions(buffer.range(place), ["refactor"]) if title in a.title]
        text = await buffer.applied(action)
        assert line in text
        assert [left for left in TRAINS.splitlines() if left not in text.splitlines()] == []


async def test_who_only_moves_the_cursor_is_not_offered_a_refactoring(editor: Editor) -> None:
    buffer = editor.open(TRAINS)
    for trigger, offered in ((types.CodeActionTriggerKind.Automatic, 0), (types.CodeActionTriggerKind.Invoked, 1)):
        context = types.CodeActionContext(diagnostics=[], trigger_kind=trigger)
        params = types.CodeActionParams(buffer.identifier, buffer.range("deterministic"), context)
        assert len(await editor.client.text_document_code_action_async(params) or ()) == offered
