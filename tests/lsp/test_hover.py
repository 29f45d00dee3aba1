"""What is shown under the mouse."""

from __future__ import annotations

import pytest
from lsprotocol import types

from tests.lsp.editor import MARK, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

SETTING = 'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n'


def _form(editor: Editor, markdown: str) -> str:
    """Return what this client is to show where one that takes Markdown shows `markdown`."""
    formats = editor.says("textDocument.hover.contentFormat") or ()
    return markdown if "markdown" in formats else markdown.replace("**", "").replace("`", "")


async def test_a_key(editor: Editor) -> None:
    buffer = editor.open(SETTING.replace("precision_mode", f"prec{MARK}ision_mode"))
    shown = await buffer.hover()
    assert shown is not None
    assert shown.range is not None
    assert buffer.at(shown.range) == "precision_mode"
    assert isinstance(shown.contents, types.MarkupContent)
    formats = editor.says("textDocument.hover.contentFormat")
    assert shown.contents.kind == ("markdown" if "markdown" in formats else "plaintext")
    text = shown.contents.value
    assert text.startswith(_form(editor, "**`precision_mode`**"))
    assert _form(editor, "slot `.s`") in text
    assert _form(editor, "`must_keep_origin_dtype`") in text
    assert "CANN" in text


async def test_a_slot(editor: Editor) -> None:
    buffer = editor.open(SETTING.replace(".s =", f".{MARK}s ="))
    assert _form(editor, "`precision_mode`") in await buffer.hover_text()


async def test_a_value_stands_first(editor: Editor) -> None:
    buffer = editor.open(SETTING.replace("allow_mix", f"allow{MARK}_mix"))
    assert (await buffer.hover_text()).startswith(_form(editor, "**`precision_mode` = `allow_mix_precision`**"))


async def test_a_flag_and_its_value(editor: Editor) -> None:
    text = f"atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --precision{MARK}_mode=force_fp16\n"
    buffer = editor.open(text, "convert.sh")
    assert (await buffer.hover_text()).startswith(_form(editor, "**`--precision_mode`**"))
    assert "force_fp16" in (await buffer.hover_text(buffer.text.index("force"))).splitlines()[0]


async def test_an_abbreviated_flag(editor: Editor) -> None:
    buffer = editor.open(f"atc --soc_ver{MARK}=Ascend310P3\n", "convert.sh")
    assert (await buffer.hover_text()).startswith(_form(editor, "**`--soc_version`**"))


async def test_an_environment_variable(editor: Editor) -> None:
    buffer = editor.open(f"export ASCEND_GLOBAL_LOG{MARK}_LEVEL=3\n", "run.sh")
    assert "ASCEND_GLOBAL_LOG_LEVEL" in await buffer.hover_text()


async def test_a_variable_that_a_launcher_passes_on(editor: Editor) -> None:
    buffer = editor.open(f"mpirun -n 8 -x HCCL_BUFF{MARK}SIZE=200 python3 train.py\n", "run.sh")
    for place in (buffer.cursor, buffer.text.index("200")):
        assert (await buffer.hover_text(place)).startswith(_form(editor, "**`HCCL_BUFFSIZE`"))


async def test_a_mistyped_key_shows_the_one_that_was_meant(editor: Editor) -> None:
    buffer = editor.open(SETTING.replace("precision_mode", f"precis{MARK}on_mode"))
    text = await buffer.hover_text()
    assert text.startswith(_form(editor, "`precison_mode`"))
    assert _form(editor, "**`precision_mode`**") in text


async def test_half_typed_lines(editor: Editor) -> None:
    buffer = editor.open(f'x = (\ncustom_op.parameter_map["precision{MARK}_mode\nfoo(\n')
    assert (await buffer.hover_text()).startswith(_form(editor, "**`precision_mode`**"))


async def test_nothing_where_nothing_is(editor: Editor) -> None:
    buffer = editor.open(f"import tens{MARK}orflow\n" + SETTING)
    assert await buffer.hover() is None
    buffer = editor.open(f'custom_op.parameter_map["something_of_{MARK}my_own"].b = True\n')
    assert await buffer.hover() is None


async def test_text_of_the_user_is_never_a_link(editor: Editor) -> None:
    evil = "precision_mode](command:evil)"
    buffer = editor.open(f'custom_op.parameter_map["{evil}"].s = b"](command:evil)"\n')
    for at in (buffer.text.index("precision"), buffer.text.index('](command:evil)"\n') + 3):
        shown = await buffer.hover(at)
        if shown is not None:
            assert isinstance(shown.contents, types.MarkupContent)
            assert "](command:" not in shown.contents.value.replace(f"`{evil}`", "")


async def test_the_optimizer(editor: Editor) -> None:
    text = (
        "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
        f'custom_op.name = "Npu{MARK}Optimizer"\n'
    )
    buffer = editor.open(text + SETTING)
    assert "NpuOptimizer" in await buffer.hover_text()
