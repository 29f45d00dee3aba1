"""What is completed in comments, of variables that are used, and where a command begins."""

from __future__ import annotations

import re

import pytest

from npu_lsp.docs.snippets import SNIPPETS
from npu_lsp.languages import read
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.lsp.editor import MARK, Editor
from tests.lsp.wire import Wire

async_with_each_client = pytest.mark.asyncio(loop_scope="module")
TYPO = "atc --model=昇腾😀 --soc_verison=Ascend310P3"


@async_with_each_client
async def test_codes_in_a_comment(editor: Editor) -> None:
    buffer = editor.open(f"{TYPO} # npu-lsp: ignore[{MARK}\n", "comment.sh")
    labels = await buffer.labels("[")
    assert labels[0] == "NPU101"
    assert "NPU203" in labels
    assert await buffer.accept("NPU101") == f"{TYPO} # npu-lsp: ignore[NPU101]{MARK}\n"
    buffer = editor.open(f"{TYPO} # npu-lsp: ignore[NPU203, NPU1{MARK}]\n", "more.sh")
    assert await buffer.accept("NPU101") == f"{TYPO} # npu-lsp: ignore[NPU203, NPU101{MARK}]\n"
    assert await editor.open(f"# npu-lsp: {MARK}\natc --model=a\n", "word.sh").labels() == [
        *("ignore", "ignore-file", "off", "on"),
    ]


@async_with_each_client
async def test_variables_that_are_used(editor: Editor) -> None:
    for text, name in (
        (f"echo $ASCEND_GLOBAL_LOG_L{MARK}\n", "use.sh"),
        (f"atc --model=${{ASCEND_GLOBAL_LOG_L{MARK}}}\n", "value.sh"),
        (f'import os\nos.getenv("ASCEND_GLOBAL_LOG_L{MARK}")\n', "use.py"),
    ):
        assert await editor.open(text, name).labels() == [
            *("ASCEND_GLOBAL_LOG_LEVEL", "ASCEND_GLOBAL_LOG_LEVEL_ETP"),
        ]
    labels = await editor.open(f'import os\nx = os.environ.get("{MARK}")\n').labels('"')
    assert labels.index("ASCEND_RT_VISIBLE_DEVICES") < 20
    assert await editor.open(f"echo $no_such{MARK}\n", "none.sh").labels() == []


@async_with_each_client
async def test_a_blank_behind_a_tool_lists_its_flags(editor: Editor) -> None:
    assert "--model" in await editor.open(f"atc {MARK}\n", "blank.sh").labels(" ")
    assert await editor.open(f"echo atc{MARK}\n", "other.sh").labels(" ") == []


@async_with_each_client
async def test_json_in_quotes_that_nobody_has_closed(editor: Editor) -> None:
    for before, after in (("'{\"", ""), ('\'{"a": 1, "', ""), ("'{\"", "\"}'"), ("'{\"", " \\\n  --port 1")):
        text = f"vllm serve 昇腾😀 --additional-config {before}xli{MARK}{after}\n"
        assert "xlite_graph_config" in await editor.open(text, "serve.sh").labels(), text
    # Behind a word whose quote nobody has closed, flags are offered as behind `atc 'a`, and no keys.
    labels = await editor.open(f"vllm serve 'a --additional-config {MARK}\n", "none.sh").labels()
    assert "--tensor-parallel-size" in labels
    assert "xlite_graph_config" not in labels


@async_with_each_client
async def test_a_whole_command(editor: Editor) -> None:
    offered = await editor.open(f"if x; then\n  at{MARK}\nfi\n", "begin.sh").complete()
    if not editor.says("textDocument.completion.completionItem.snippetSupport"):
        assert offered == []
        return
    (item,) = offered
    assert (item.label, item.insert_text_format) == ("atc", 2)
    assert "--soc_version=${4|" in (getattr(item.text_edit, "new_text", ""))
    assert [each.label for each in await editor.open(f"npu{MARK}\n").complete()] == [
        *("npu_session", "npu_run_config", "npu_open"),
    ]
    assert await editor.open(f"import at{MARK}\n").complete() == []
    assert await editor.open(f"at{MARK} --model=a\n", "begun.sh").labels() == []


def test_commands_are_those_of_the_target() -> None:
    """With no product named, each that there is."""
    able = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}
    for products, expected in (
        ([], ["vllm_serve_a2", "vllm_serve_a3"]),
        (["a2"], ["vllm_serve_a2"]),
        (["Ascend910_9391"], ["vllm_serve_a3"]),
        (["infer"], []),
    ):
        with Wire() as wire:
            wire.initialize(able, initializationOptions={"target": {"products": products}})
            wire.open("untitled:a.sh", "vllm\n", "shellscript")
            place = {"textDocument": {"uri": "untitled:a.sh"}, "position": {"line": 0, "character": 4}}
            found = wire.request("textDocument/completion", place)["result"]
            assert [item["label"] for item in (found or {"items": []})["items"]] == expected, products


@pytest.mark.parametrize("kind", SNIPPETS)
def test_what_is_offered_has_nothing_wrong_with_it(kind: Kind) -> None:
    analyzer = Analyzer(Config(), all_rules)
    for snippet in SNIPPETS[kind]:
        text = snippet.body.replace("{chips}", "Ascend310P3")
        if snippet.products:
            analyzer = Analyzer(Config(target=TargetConfig(products=tuple(snippet.products))), all_rules)
        text = re.sub(r"\$\{\d[|:]([^,|}]*)[^}]*\}", r"\1", text).replace("$0", "").replace("\\\\", "\\")
        document = Document(f"{text}\n", kind=kind)
        assert read(document).blocks
        assert [finding.message for finding in analyzer.findings(document)] == [], snippet.word
