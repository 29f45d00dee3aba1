"""Links, definitions and the outline."""

from __future__ import annotations

import pytest
from lsprotocol import types

from tests.lsp.editor import MARK, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

FUSION = 'custom_op.parameter_map["fusion_switch_file"].s = tf.compat.as_bytes("./fusion.cfg")\n'


async def test_a_link_to_a_file_that_exists(editor: Editor) -> None:
    (editor.folder / "fusion.cfg").write_text("{}", encoding="utf-8")
    buffer = await editor.open_file(editor.folder / "linked.py", FUSION + FUSION.replace("fusion.cfg", "missing.cfg"))
    links = await editor.client.text_document_document_link_async(types.DocumentLinkParams(buffer.identifier))
    assert [(buffer.at(link.range), link.target) for link in links or ()] == [
        ("./fusion.cfg", (editor.folder / "fusion.cfg").as_uri())
    ]


@pytest.mark.parametrize("path", ["/dev/zero", "/etc", "$HOME/fusion.cfg", "x" * 5000, "a\\0b", "~", ""])
async def test_no_link_to_what_is_no_file(editor: Editor, path: str) -> None:
    buffer = await editor.open_file(editor.folder / "linked.py", FUSION.replace("./fusion.cfg", path))
    links = await editor.client.text_document_document_link_async(types.DocumentLinkParams(buffer.identifier))
    assert not links


async def test_from_a_path_to_the_file(editor: Editor) -> None:
    (editor.folder / "fusion.cfg").write_text("{}", encoding="utf-8")
    buffer = await editor.open_file(editor.folder / "defined.py", FUSION.replace("fusion", f"fus{MARK}ion", 2))
    buffer.cursor = buffer.text.index("./fusion") + 4
    assert await _definition(editor, buffer.identifier, buffer.position(buffer.cursor)) == (
        (editor.folder / "fusion.cfg").as_uri(),
        0,
    )


async def test_from_a_name_to_its_literal(editor: Editor) -> None:
    text = 'MODE = "force_fp16"\n\ncustom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes(MODE)\n'
    buffer = editor.open(text)
    place = buffer.position(buffer.text.index("(MODE") + 2)
    assert await _definition(editor, buffer.identifier, place) == (buffer.uri, 0)


async def test_no_definition_of_a_key(editor: Editor) -> None:
    buffer = editor.open(FUSION)
    assert await _definition(editor, buffer.identifier, buffer.position(buffer.text.index("fusion_switch"))) is None


async def _definition(
    editor: Editor, document: types.TextDocumentIdentifier, place: types.Position
) -> tuple[str, int] | None:
    found = await editor.client.text_document_definition_async(types.DefinitionParams(document, place))
    if not found:
        return None
    if isinstance(found, types.Location):
        return found.uri, found.range.start.line
    (link,) = found
    assert isinstance(link, types.LocationLink)
    return link.target_uri, link.target_range.start.line


async def test_the_outline(editor: Editor) -> None:
    text = (
        "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
        'custom_op.name = "NpuOptimizer"\n'
        'custom_op.parameter_map["use_off_line"].b = True\n'
        'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("force_fp16")\n'
    )
    buffer = editor.open(text)
    found = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(buffer.identifier))
    if not editor.says("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport"):
        assert found
        assert {type(symbol) for symbol in found} == {types.SymbolInformation}
        assert {"use_off_line", "precision_mode"} <= {symbol.name for symbol in found}
        return
    (block,) = found or ()
    assert isinstance(block, types.DocumentSymbol)
    children = block.children or ()
    assert [(c.name, c.detail) for c in children] == [("use_off_line", "True"), ("precision_mode", "force_fp16")]
    for symbol in (block, *children):
        outer, inner = symbol.range, symbol.selection_range
        assert (outer.start, inner.end) <= (inner.start, outer.end) or outer.start <= inner.start


async def test_the_outline_of_a_script(editor: Editor) -> None:
    buffer = editor.open("export RANK_SIZE=8\natc --model=a.onnx --output=b\natc --model=c.onnx\n", "convert.sh")
    found = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(buffer.identifier))
    if editor.says("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport"):
        assert [s.name for s in found or ()].count("atc") == 2
    else:
        assert [s.name for s in found or ()] == ["RANK_SIZE", "model", "output", "model"]


async def test_the_status(editor: Editor) -> None:
    buffer = editor.open(FUSION)
    by_request = await editor.ask("npu-lsp/status", {"textDocument": {"uri": buffer.uri}})
    by_command = await editor.client.workspace_execute_command_async(
        types.ExecuteCommandParams(command="npu-lsp.status", arguments=[buffer.uri])
    )
    assert by_request.document.settings == 1
    assert by_request.diagnostics == ("pull" if editor.pulls else "push")
    assert by_command is not None
    assert by_command["document"]["options"] == ["fusion_switch_file"]
