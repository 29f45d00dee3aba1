"""Another name for a variable."""

from __future__ import annotations

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import MARK, Buffer, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _renamed(buffer: Buffer, name: str) -> str:
    place = buffer.position(buffer.cursor)
    edit = await buffer.editor.client.text_document_rename_async(types.RenameParams(buffer.identifier, place, name))
    return await buffer.applied(types.CodeAction("rename", edit=edit))


async def test_all_uses_of_a_script(editor: Editor) -> None:
    text = f"MODE=a # MODE\necho '$MODE' MODE 😀 $MODE\natc --model=${{{MARK}MODE}} --output=\"$MODE\"\n"
    buffer = editor.open(text, "rename.sh")
    place = types.PrepareRenameParams(buffer.identifier, buffer.position(buffer.cursor))
    told = await editor.client.text_document_prepare_rename_async(place)
    assert isinstance(told, types.PrepareRenamePlaceholder)
    assert (buffer.at(told.range), told.placeholder) == ("MODE", "MODE")
    assert await _renamed(buffer, "model") == (
        "model=a # MODE\necho '$MODE' MODE 😀 $model\natc --model=${model} --output=\"$model\"\n"
    )


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (f"X=1\necho ${MARK}X\natc --model=a\n", "Y"),
        (f"export X=1\natc --model=${MARK}X\n", "Y"),
        (f"X=1\nexport X\natc --model=${MARK}X\n", "Y"),
        (f"declare -x X=1\natc --model=${MARK}X\n", "Y"),
        (f"X=1\nprintf -v X %s a\natc --model=${MARK}X\n", "Y"),
        (f"X=1\neval 'echo $X'\natc --model=${MARK}X\n", "Y"),
        (f"X=1\natc --model=${MARK}X\n", "1Y"),
        (f"X=1\natc --model=${MARK}X\n", "a b"),
        (f"X=1\nY=2\natc --model=${MARK}X --output=$Y\n", "Y"),
        (f"X=1\natc --model=${MARK}X\n", "ASCEND_HOME_PATH"),
        (f"PATH=1\natc --model=${MARK}PATH\n", "Y"),
        (f"atc --mod{MARK}el=a\n", "Y"),
    ],
)
async def test_what_may_mean_something_elsewhere_keeps_its_name(editor: Editor, text: str, new: str) -> None:
    with pytest.raises(JsonRpcException, match=r"."):
        await _renamed(editor.open(text, "refused.sh"), new)


async def test_python_is_left_to_others(editor: Editor) -> None:
    text = f'MODE = "a"\nop.parameter_map["precision_mode"].s = tf.compat.as_bytes(MO{MARK}DE)\n'
    with pytest.raises(JsonRpcException, match=r"."):
        await _renamed(editor.open(text), "Y")
