"""Hints, lenses, signatures, tokens, folds, selections: what an editor shows beside and around a text."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.editor import MARK, Buffer, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _switched(editor: Editor, **settings: Any) -> None:
    """Have the client's settings say so."""
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({"npuLsp": settings}))


async def _hints(buffer: Buffer) -> list[tuple[str, str]]:
    """Return each hint with what stands in front of it on its line."""
    whole = types.Range(types.Position(0, 0), types.Position(1000, 0))
    found = await buffer.editor.client.text_document_inlay_hint_async(types.InlayHintParams(buffer.identifier, whole))
    return [(buffer.at(types.Range(types.Position(h.position.line, 0), h.position)), str(h.label)) for h in found or ()]


async def test_what_a_number_means(editor: Editor) -> None:
    text = "atc --model=昇腾😀.onnx --framework=5 --output=$X\nexport HCCL_CONNECT_TIMEOUT=7200\nexport HCCL_EXEC_TIMEOUT=$T\n"
    buffer = editor.open(text, "hints.sh")
    assert await _hints(buffer) == [
        ("atc --model=昇腾😀.onnx --framework=5", "ONNX"),
        ("export HCCL_CONNECT_TIMEOUT=7200", "s = 2 h"),
    ]
    where = types.Range(types.Position(1, 0), types.Position(2, 0))
    found = await editor.client.text_document_inlay_hint_async(types.InlayHintParams(buffer.identifier, where))
    assert len(found or ()) == 1


async def test_what_a_call_takes(editor: Editor) -> None:
    buffer = editor.open(f"from npu_bridge.npu_init import *\nrun_config = NPURunConfig(precision_mode={MARK}\n")
    found = await _signature(buffer)
    assert found is not None
    (signature,) = found.signatures
    assert "precision_mode: string" in signature.label
    assert signature.label.startswith("NPURunConfig(…, ")
    (parameter,) = signature.parameters or ()
    said = parameter.label
    assert (said if isinstance(said, str) else signature.label[slice(*said)]) == "precision_mode: string"
    assert parameter.documentation
    assert found.active_parameter == 0


async def test_what_is_left_to_set_in_a_call(editor: Editor) -> None:
    buffer = editor.open(f"run_config = NPURunConfig(dump_config=DumpConfig(enable_dump=True, {MARK}\n")
    found = await _signature(buffer)
    assert found is not None
    assert found.signatures[0].label.startswith("DumpConfig(dump_")
    assert "enable_dump:" not in found.signatures[0].label
    assert found.active_parameter is None
    assert await _signature(editor.open(f"print({MARK}\n")) is None
    assert await _signature(editor.open(f"atc --model={MARK}\n", "call.sh")) is None


async def _signature(buffer: Buffer) -> types.SignatureHelp | None:
    params = types.SignatureHelpParams(buffer.identifier, buffer.position(buffer.cursor))
    return await buffer.editor.client.text_document_signature_help_async(params)


FOLDED = """\
# one
# two
convert() {
  if x; then
    atc --model=a \\
      --framework=5 \\
      --output=b
  else
    echo
    echo
  fi
}
echo # three
"""


async def test_folds(editor: Editor) -> None:
    buffer = editor.open(FOLDED, "folds.sh")
    found = await _folds(buffer)
    assert found == [(0, 1), (2, 10), (3, 9), (4, 6), (7, 9)]
    assert await _folds(editor.open("def f():\n    a\n    b\n")) == []


async def _folds(buffer: Buffer) -> list[tuple[int, int]]:
    params = types.FoldingRangeParams(buffer.identifier)
    found = await buffer.editor.client.text_document_folding_range_async(params)
    return [(each.start_line, each.end_line) for each in found or ()]


async def test_selections_go_from_the_part_to_the_statement(editor: Editor) -> None:
    text = f'echo 😀; atc --model=a --input_shape="in:8,3,2{MARK}24;mask:1,2"\n'
    buffer = editor.open(text, "select.sh")
    params = types.SelectionRangeParams(buffer.identifier, [buffer.position(buffer.cursor), types.Position(0, 1)])
    found = await editor.client.text_document_selection_range_async(params)
    assert found is not None
    texts: list[str] = []
    step: types.SelectionRange | None = found[0]
    while step is not None:
        texts.append(buffer.at(step.range))
        step = step.parent
    value = "in:8,3,224;mask:1,2"
    assert texts[:5] == ["224", "8,3,224", "in:8,3,224", value, f'"{value}"']
    assert texts[-1].startswith("atc --model")
    assert found[1].parent is None


async def test_tokens_and_lenses_are_switched_off(editor: Editor) -> None:
    buffer = editor.open("atc --model=a\n", "off.sh")
    client = editor.client
    assert await client.text_document_code_lens_async(types.CodeLensParams(buffer.identifier)) is None
    full = types.SemanticTokensParams(buffer.identifier)
    assert await client.text_document_semantic_tokens_full_async(full) is None
