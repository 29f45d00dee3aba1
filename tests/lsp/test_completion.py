"""What is offered while one types."""

from __future__ import annotations

import pytest
from lsprotocol import types

from tests.lsp.editor import MARK, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPERATOR = (
    "import tensorflow as tf\n"
    "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
    'custom_op.name = "NpuOptimizer"\n'
)


async def test_keys(editor: Editor) -> None:
    buffer = editor.open(OPERATOR + f'custom_op.parameter_map["prec{MARK}\n')
    labels = await buffer.labels()
    assert {"precision_mode", "op_select_implmode", "use_off_line"} <= set(labels)
    assert len(labels) == len(set(labels))
    assert (await buffer.accept("precision_mode")).endswith(f'parameter_map["precision_mode"].{MARK}\n')


async def test_keys_before_the_quote(editor: Editor) -> None:
    buffer = editor.open(OPERATOR + f"custom_op.parameter_map[{MARK}\n")
    assert (await buffer.accept("precision_mode")).endswith(f'parameter_map["precision_mode"].{MARK}\n')


async def test_what_the_editor_closes_by_itself_is_gone_through(editor: Editor) -> None:
    """Where the client takes edits behind the cursor, and nothing follows there."""
    able = editor.says("textDocument.completion.completionItem.insertReplaceSupport")
    end = f'["precision_mode"].{MARK}\n' if able else f'["precision_mode{MARK}"]\n'
    for quote in "\"'":
        buffer = editor.open(OPERATOR + f"custom_op.parameter_map[{quote}prec{MARK}{quote}]\n")
        assert (await buffer.accept("precision_mode")).endswith(end.replace('"', quote))
    for rest in ('"].s = b"x"\n', '"] # c\n', '")\n'):
        buffer = editor.open(OPERATOR + f'custom_op.parameter_map["prec{MARK}{rest}')
        assert (await buffer.accept("precision_mode")).endswith(f'["precision_mode{MARK}{rest}')


async def test_a_key_in_a_whole_line_is_replaced(editor: Editor) -> None:
    buffer = editor.open(OPERATOR + f'custom_op.parameter_map["prec{MARK}ison_mode"].s = b"x"\n')
    item = next(item for item in await buffer.complete() if item.label == "precision_mode")
    if isinstance(item.text_edit, types.InsertReplaceEdit):
        assert buffer.at(item.text_edit.insert) == "prec"
        assert buffer.at(item.text_edit.replace) == "precison_mode"
    assert (await buffer.accept("precision_mode")).endswith(f'parameter_map["precision_mode{MARK}"].s = b"x"\n')


async def test_deprecated_ones_are_struck_out_and_last(editor: Editor) -> None:
    buffer = editor.open(OPERATOR + f'custom_op.parameter_map["{MARK}\n')
    items = await buffer.complete()
    struck = [bool(item.deprecated or item.tags) for item in items]
    able = editor.says("textDocument.completion.completionItem") or {}
    if not (able.get("deprecatedSupport") or able.get("tagSupport")):
        assert True not in struck
        return
    assert True in struck
    assert struck == sorted(struck)
    assert "op_select_implmode" in [item.label for item, old in zip(items, struck, strict=True) if old]


async def test_what_is_set_already_comes_later(editor: Editor) -> None:
    done = 'custom_op.parameter_map["aoe_mode"].s = b"1"\n'
    buffer = editor.open(OPERATOR + done + f'custom_op.parameter_map["{MARK}\n')
    labels = await buffer.labels()
    assert labels.index("aoe_mode") > labels.index("use_off_line")


async def test_slots_the_right_one_first(editor: Editor) -> None:
    for key, right in (("precision_mode", "s"), ("use_off_line", "b"), ("graph_run_mode", "i")):
        buffer = editor.open(OPERATOR + f'custom_op.parameter_map["{key}"].{MARK}\n')
        items = await buffer.complete()
        assert items[0].label == right
        assert sorted(item.label for item in items) == ["b", "f", "i", "s"]
        if editor.says("textDocument.completion.completionItem.preselectSupport"):
            assert [item.label for item in items if item.preselect] == [right]


async def test_what_is_known_comes_before_the_words_of_other_servers(editor: Editor) -> None:
    """Pyright sorts by `00.…` to `99.…`, others by the label; one entry is selected when the list opens."""
    for text, best in (
        (OPERATOR + f'custom_op.parameter_map["precision_mode"].{MARK}\n', "s"),
        (OPERATOR + f'custom_op.parameter_map["use_off_line"].b = {MARK}\n', "True"),
        (f"run = NPURunConfig(precision_mode{MARK}\n", "precision_mode"),
        (f"run = NPURunConfig(dump{MARK}\n", "dump_config"),
        (f"import npu_device as npu\nnpu.global_options().dump{MARK}\n", "dump_config"),
    ):
        items = await editor.open(text).complete()
        assert all((item.sort_text or "") < "0" for item in items)
        chosen = [item.label for item in items if item.preselect]
        assert chosen == ([best] if editor.says("textDocument.completion.completionItem.preselectSupport") else [])


async def test_values(editor: Editor) -> None:
    buffer = editor.open(OPERATOR + f'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("force{MARK}\n')
    assert {"force_fp16", "allow_mix_precision"} <= set(await buffer.labels())
    assert (await buffer.accept("force_fp16")).endswith(f'tf.compat.as_bytes("force_fp16"){MARK}\n')


async def test_values_before_the_quote(editor: Editor) -> None:
    buffer = editor.open(OPERATOR + f'custom_op.parameter_map["precision_mode"].s = {MARK}\n')
    assert (await buffer.accept("force_fp16")).endswith((f'("force_fp16"){MARK}\n', f'b"force_fp16"{MARK}\n'))


async def test_values_that_are_no_strings(editor: Editor) -> None:
    buffer = editor.open(OPERATOR + f'custom_op.parameter_map["use_off_line"].b = {MARK}\n')
    assert await buffer.labels() == ["True", "False"]
    assert (await buffer.accept("True")).endswith(f".b = True{MARK}\n")
    buffer = editor.open(OPERATOR + f'custom_op.parameter_map["graph_run_mode"].i = {MARK}\n')
    assert await buffer.labels() == ["0", "1"]


async def test_constants_come_with_the_module_of_the_call(editor: Editor) -> None:
    text = "import torch_npu.profiler as prof\nprof._ExperimentalConfig(aic_metrics={})\n"
    for typed in ("", "prof.", "prof.AiC"):
        buffer = editor.open(text.format(typed + MARK))
        await buffer.diagnostics()
        assert (await buffer.accept("AiCMetrics.Memory")).endswith(f"(aic_metrics=prof.AiCMetrics.Memory{MARK})\n")
    text = "from torch_npu.profiler import _ExperimentalConfig\n_ExperimentalConfig(aic_metrics={})\n"
    buffer = editor.open(text.format("AiCMetrics.Mem" + MARK))
    await buffer.diagnostics()
    assert (await buffer.accept("AiCMetrics.Memory")).endswith(f"(aic_metrics=AiCMetrics.Memory{MARK})\n")


async def test_attributes_of_torch_npu(editor: Editor) -> None:
    buffer = editor.open(f"import torch_npu\ntorch_npu.npu.matmul.{MARK}\n")
    assert {"allow_hf32", "cube_math_type"} == set(await buffer.labels())
    buffer = editor.open(f"import torch\ntorch.npu.conv.allow_hf32 = {MARK}\n")
    assert await buffer.labels() == ["True", "False"]


async def test_flags(editor: Editor) -> None:
    for typed in ("--", "--soc", "-"):
        buffer = editor.open(f"#!/bin/bash\natc --model=a.onnx {typed}{MARK}\n", "convert.sh")
        assert {"--soc_version", "--output", "--framework"} <= set(await buffer.labels())
        assert (await buffer.accept("--soc_version")).endswith(f"--soc_version={MARK}\n")
        labels = await buffer.labels()
        assert labels.index("--model") > labels.index("--soc_version")


async def test_what_a_command_needs_comes_first(editor: Editor) -> None:
    """And what is there already comes behind all others."""
    needed = ["--output", "--soc_version", "--model", "--framework"]
    assert (await editor.open(f"atc {MARK}\n", "convert.sh").labels())[:4] == needed
    assert (await editor.open(f"atc --model=a.onnx --{MARK}\n", "convert.sh").labels())[:3] == [
        flag for flag in needed if flag != "--model"
    ]
    assert (await editor.open(f"aoe --{MARK}\n", "convert.sh").labels())[0] == "--job_type"


async def test_flags_with_dashes_between_the_words(editor: Editor) -> None:
    """ATC takes `-` for `_`: what a client filters by must begin as the flag was typed."""
    for typed in ("--op-prec", "-op-prec"):
        buffer = editor.open(f"atc {typed}{MARK}\n", "convert.sh")
        left = [item.label for item in await buffer.complete() if (item.filter_text or "").startswith(typed)]
        assert left == ["--op_precision_mode"]
        assert (await buffer.accept("--op_precision_mode")).endswith(f"atc --op_precision_mode={MARK}\n")


async def test_names_come_as_often_as_people_use_them(editor: Editor) -> None:
    labels = await editor.open(f"run = NPURunConfig({MARK})\n").labels()
    assert labels[:4] == ["model_dir", "keep_checkpoint_max", "session_config", "save_checkpoints_steps"]
    labels = await editor.open(OPERATOR + f'custom_op.parameter_map["{MARK}\n').labels()
    assert labels[:2] == ["use_off_line", "precision_mode"]


async def test_what_the_tool_refuses_beside_a_present_one_comes_late(editor: Editor) -> None:
    for present, other in (("precision_mode", "precision_mode_v2"), ("precision_mode_v2", "precision_mode")):
        done = f'custom_op.parameter_map["{present}"].s = b"x"\n'
        labels = await editor.open(OPERATOR + done + f'custom_op.parameter_map["prec{MARK}\n').labels()
        assert labels.index(other) > labels.index("graph_run_mode")


async def test_a_group_leads_on_to_its_options(editor: Editor) -> None:
    buffer = editor.open(f"import npu_device as npu\nnpu.global_options().dump{MARK}\n")
    after = await buffer.accept("dump_config")
    assert after.endswith(f"npu.global_options().dump_config.{MARK}\n")
    inner = await editor.open(after).labels()
    assert {"enable_dump", "dump_path"} <= set(inner)
    assert (await editor.open(after).accept("dump_path")).endswith(f"dump_config.dump_path = {MARK}\n")


async def test_an_object_is_made_by_its_class(editor: Editor) -> None:
    able = editor.says("textDocument.completion.completionItem.snippetSupport")
    for typed, end in (("", "DumpConfig("), ("Dum", "DumpConfig(")):
        buffer = editor.open(f"run = NPURunConfig(dump_config={typed}{MARK}\n")
        assert await buffer.labels() == [end]
        assert (await buffer.accept(end)).endswith(f"(dump_config={end}{'$0)' if able else ''}{MARK}\n")


async def test_numbers_say_what_they_stand_for(editor: Editor) -> None:
    items = await editor.open(f"atc --framework={MARK}\n", "convert.sh").complete()
    beside = {item.label: item.label_details and item.label_details.description for item in items}
    able = editor.says("textDocument.completion.completionItem.labelDetailsSupport")
    expected = {"0": "Caffe", "1": "MindSpore", "3": "TensorFlow", "5": "ONNX"}
    chinese = "MindSpore 的 *.air 文件"
    assert beside in ((expected, {**expected, "1": chinese}) if able else [dict.fromkeys(expected)])


async def test_a_blank_opens_the_list_where_a_value_begins(editor: Editor) -> None:
    key = OPERATOR + 'custom_op.parameter_map["graph_run_mode"]'
    for text, labels in (
        (f"{key}.i = {MARK}\n", ["0", "1"]),
        (f"{key}.i = 1 {MARK}\n", []),
        (f"{key} {MARK}\n", []),
        (f"run = NPURunConfig( {MARK}\n", []),
    ):
        assert await editor.open(text).labels(" ") == labels
    shell = editor.open(f"atc --model=a.onnx {MARK}\n", "convert.sh")
    assert await shell.labels()
    assert not await shell.labels(" ")
    assert await editor.open(f"atc --framework {MARK}\n", "convert.sh").labels(" ")


async def test_chips(editor: Editor) -> None:
    buffer = editor.open(f"atc --soc_version={MARK}\n", "convert.sh")
    labels = await buffer.labels()
    assert {"Ascend310", "Ascend310P3", "Ascend310B4", "Ascend910B4", "Ascend910_9391"} <= set(labels)
    assert len(labels) == len(set(labels))
    assert (await buffer.accept("Ascend310B4")).endswith(f"--soc_version=Ascend310B4{MARK}\n")


async def test_a_flag_without_a_value(editor: Editor) -> None:
    buffer = editor.open(f"atc --{MARK}\n", "convert.sh")
    assert (await buffer.accept("--help")).endswith(f"--help{MARK}\n")


async def test_flag_values(editor: Editor) -> None:
    for before in ("--precision_mode=", "--precision_mode ", "--precision_mode=fo", '--precision_mode="'):
        buffer = editor.open(f"atc --model=a.onnx {before}{MARK}\n", "convert.sh")
        assert "force_fp16" in await buffer.labels(), before


async def test_environment_variables(editor: Editor) -> None:
    buffer = editor.open(f"export ASC{MARK}\n", "run.sh")
    assert "ASCEND_GLOBAL_LOG_LEVEL" in await buffer.labels()
    assert (await buffer.accept("ASCEND_GLOBAL_LOG_LEVEL")) == f"export ASCEND_GLOBAL_LOG_LEVEL={MARK}\n"


async def test_the_optimizer(editor: Editor) -> None:
    buffer = editor.open(
        f'custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\ncustom_op.name = "{MARK}\n'
    )
    assert await buffer.accept("NpuOptimizer") == buffer.text[:-1] + f'NpuOptimizer"{MARK}\n'


async def test_every_edit_is_on_one_line(editor: Editor) -> None:
    buffer = editor.open(OPERATOR + f'custom_op.parameter_map["{MARK}\n')
    items = await buffer.complete()
    assert items
    for item in items:
        assert item.text_edit is not None
        assert item.filter_text
        places = (
            [item.text_edit.range]
            if isinstance(item.text_edit, types.TextEdit)
            else [item.text_edit.insert, item.text_edit.replace]
        )
        assert all(place.start.line == place.end.line for place in places)
        assert "\n" not in item.text_edit.new_text


async def test_insert_and_replace_only_where_the_client_has_both(editor: Editor) -> None:
    buffer = editor.open(OPERATOR + f'custom_op.parameter_map["{MARK}\n')
    kinds = {type(item.text_edit) for item in await buffer.complete()}
    both = editor.says("textDocument.completion.completionItem.insertReplaceSupport")
    assert kinds == {types.InsertReplaceEdit if both else types.TextEdit}


async def _documentation(editor: Editor, item: types.CompletionItem) -> str:
    offered = editor.result.capabilities.completion_provider
    assert offered is not None
    assert offered.resolve_provider
    resolved = await editor.client.completion_item_resolve_async(item)
    assert resolved.text_edit == item.text_edit
    found = resolved.documentation
    formats = editor.says("textDocument.completion.completionItem.documentationFormat") or ()
    if "markdown" not in formats:
        if formats:
            assert isinstance(found, types.MarkupContent)
            assert found.kind == types.MarkupKind.PlainText
            found = found.value
        assert isinstance(found, str)
        assert "**" not in found
        return found
    assert isinstance(found, types.MarkupContent)
    assert found.kind == types.MarkupKind.Markdown
    assert found.value.startswith("**`")
    return found.value


async def test_documentation_comes_on_request(editor: Editor) -> None:
    buffer = editor.open(OPERATOR + f'custom_op.parameter_map["{MARK}\n')
    item = next(item for item in await buffer.complete() if item.label == "precision_mode")
    assert item.documentation is None
    assert item.detail is not None
    assert ".s" in item.detail
    assert "must_keep_origin_dtype" in await _documentation(editor, item)


async def test_the_documentation_of_a_value(editor: Editor) -> None:
    buffer = editor.open(f"atc --precision_mode={MARK}\n", "convert.sh")
    item = next(item for item in await buffer.complete() if item.label == "force_fp16")
    assert "force_fp16" in (await _documentation(editor, item)).splitlines()[0]


async def test_files_beside_the_script(editor: Editor) -> None:
    (editor.folder / "lists").mkdir(exist_ok=True)
    (editor.folder / "lists" / "lossy.json").touch()
    (editor.folder / "op_precision.ini").touch()
    text = OPERATOR + f'custom_op.parameter_map["op_precision_mode"].s = tf.compat.as_bytes("{MARK}\n'
    buffer = await editor.open_file(editor.folder / "files.py", text)
    assert {"op_precision.ini", "lists"} <= set(await buffer.labels())
    buffer.type("lists/")
    assert await buffer.labels() == ["lists/lossy.json"]
    here = editor.folder.as_posix()
    for same in ("lists/../lists/", "lists//", f"{here}/lists/"):
        buffer = editor.open(text.replace(MARK, same + MARK), uri=buffer.uri)
        assert await buffer.labels() == [f"{same}lossy.json"]
    for outside in ("../", "/etc/", "/", "lists/../../", f"{here}/../", f"{here}x/"):
        buffer = editor.open(text.replace(MARK, outside + MARK), uri=buffer.uri)
        assert [label for label in await buffer.labels() if "/" in label] == []


async def test_files_of_the_workspace(editor: Editor) -> None:
    """A script may be started beside itself or in the workspace; what a path leads up to stays inside."""
    (editor.folder / "models").mkdir(exist_ok=True)
    (editor.folder / "models" / "net.onnx").touch()
    (editor.folder / "scripts").mkdir(exist_ok=True)
    for typed in ("models/", "../models/"):
        buffer = await editor.open_file(editor.folder / "scripts/run.sh", f"atc --model={typed}{MARK}\n")
        assert await buffer.labels() == [f"{typed}net.onnx"]
    buffer = await editor.open_file(editor.folder / "scripts/run.sh", f"atc --model=../../{MARK}\n")
    assert [label for label in await buffer.labels() if "/" in label] == []


async def test_nothing_where_nothing_fits(editor: Editor) -> None:
    for text in (f"import {MARK}\n", f"# custom_op.parameter_map[{MARK}\n", f"print('{MARK}')\n"):
        assert await editor.open(text).labels() == []


async def test_columns_count_as_the_client_counts(editor: Editor) -> None:
    buffer = editor.open(OPERATOR + f"x = '😀中'; custom_op.parameter_map[\"prec{MARK}\n")
    assert (await buffer.accept("precision_mode")).endswith(f'parameter_map["precision_mode"].{MARK}\n')
