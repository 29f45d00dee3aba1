"""Diagnostics reach the client, by push and by pull."""

from __future__ import annotations

import pytest
from lsprotocol import types

from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

TYPO = 'custom_op.parameter_map["precison_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n'


async def test_a_mistyped_key_is_underlined(editor: Editor) -> None:
    buffer = editor.open(TYPO)
    (found,) = await buffer.diagnostics()
    assert buffer.at(found.range) == "precison_mode"
    assert (found.code, found.source, found.severity) == ("NPU101", "npu-lsp", types.DiagnosticSeverity.Error)
    assert "precision_mode" in found.message
    assert found.code_description is None


async def test_a_shell_script_is_checked(editor: Editor) -> None:
    buffer = editor.open("atc --model=a.onnx --framework=5 --output=a --soc_verison=Ascend310P3\n", "convert.sh")
    assert ("NPU101", "--soc_verison") in await buffer.codes()


async def test_a_change_is_looked_at(editor: Editor) -> None:
    buffer = editor.open(TYPO)
    assert await buffer.codes() == [("NPU101", "precison_mode")]
    buffer.replace("precison", "precision")
    assert await buffer.codes() == []
    buffer.replace(".s", ".i")
    assert await buffer.codes() == [("NPU102", "i")]


async def test_a_syntax_error_silences_nothing_else(editor: Editor) -> None:
    buffer = editor.open("x = (\n" + TYPO + "def f(:\n")
    assert await buffer.codes() == [("NPU101", "precison_mode")]


async def test_columns_count_as_the_client_counts(editor: Editor) -> None:
    buffer = editor.open("名 = '😀'; " + TYPO)
    assert await buffer.codes() == [("NPU101", "precison_mode")]


async def test_a_deprecated_option_is_tagged(editor: Editor) -> None:
    buffer = editor.open("atc --model=a.onnx --framework=5 --output=a --op_select_implmode=high_precision\n", "a.sh")
    found = [d for d in await buffer.diagnostics() if d.code == "NPU301"]
    shown = editor.says("textDocument.publishDiagnostics.tagSupport")
    assert [tag for d in found for tag in d.tags or ()] == ([types.DiagnosticTag.Deprecated] if shown else [])


async def test_related_places_only_for_clients_that_show_them(editor: Editor) -> None:
    text = (
        "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 "
        "--precision_mode=force_fp16 --precision_mode_v2=fp16\n"
    )
    buffer = editor.open(text, "a.sh")
    found = [d for d in await buffer.diagnostics() if d.code == "NPU203"]
    assert found
    related = [buffer.at(r.location.range) for d in found for r in d.related_information or ()]
    shown = editor.says("textDocument.publishDiagnostics.relatedInformation")
    assert related == (["--precision_mode"] if shown else [])


async def test_what_a_comment_silences_is_not_shown(editor: Editor) -> None:
    buffer = editor.open("# npu-lsp: ignore[NPU101]\n" + TYPO)
    assert await buffer.codes() == []


async def test_a_closed_document_has_none(editor: Editor) -> None:
    buffer = editor.open(TYPO)
    assert await buffer.codes()
    buffer.close()
    if editor.pulls:
        assert not await buffer.diagnostics()
    else:
        assert not await buffer.sent()


async def test_what_the_client_has_already_is_not_sent_again(editor: Editor) -> None:
    if not editor.pulls:
        assert editor.result.capabilities.diagnostic_provider is None
        return
    buffer = editor.open(TYPO)
    ask = editor.client.text_document_diagnostic_async
    first = await ask(types.DocumentDiagnosticParams(buffer.identifier))
    assert isinstance(first, types.RelatedFullDocumentDiagnosticReport)
    params = types.DocumentDiagnosticParams(buffer.identifier, previous_result_id=first.result_id)
    second = await ask(params)
    assert isinstance(second, types.RelatedUnchangedDocumentDiagnosticReport)
    buffer.replace("precison", "precision")
    third = await ask(params)
    assert isinstance(third, types.RelatedFullDocumentDiagnosticReport)
    assert not third.items


async def test_a_client_that_asks_is_sent_nothing(editor: Editor) -> None:
    buffer = editor.open(TYPO)
    await buffer.diagnostics()
    assert (buffer.uri in editor.client.diagnostics) is not editor.pulls


@pytest.mark.parametrize(
    "language", ["python", "shellscript", "sh", "bash", "dockerfile", "markdown", "yaml", "makefile"]
)
async def test_every_language_takes_odd_texts(editor: Editor, language: str) -> None:
    for text in ("", "\n", "\0", "#", "x" * 10_000):
        buffer = editor.open(text, "odd", language)
        assert await buffer.codes() == [], text[:10]


async def test_a_language_that_nobody_reads(editor: Editor) -> None:
    buffer = editor.open(TYPO, "notes.txt", "plaintext")
    assert await buffer.codes() == []
