"""What is shown of variables, tools, chips and codes."""

from __future__ import annotations

import re

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.docs.render import render
from npu_lsp.text.bilingual import Language
from tests.lsp.editor import MARK, Editor


async def _shown(editor: Editor, text: str, name: str) -> str:
    shown = await editor.open(text, name).hover_text()
    return shown.replace("**", "").replace("`", "")


@pytest.mark.asyncio(loop_scope="module")
class TestWords:
    """Asked with each client."""

    async def test_a_variable_that_is_known(self, editor: Editor) -> None:
        text = f"export HCCL_CONNECT_TIMEOUT=200\n\necho 😀 $HCCL_CONNECT{MARK}_TIMEOUT\n"
        shown = await _shown(editor, text, "use.sh")
        assert shown.startswith("- 200, from line 1")
        assert "HCCL_CONNECT_TIMEOUT · environment variable" in shown
        shown = await _shown(editor, f'import os\nos.getenv("HCCL_CONNECT{MARK}_TIMEOUT")\n', "use.py")
        assert shown.startswith("HCCL_CONNECT_TIMEOUT · environment variable")

    async def test_a_variable_in_a_value(self, editor: Editor) -> None:
        text = f"MODE=force_fp16\natc --precision_mode=$MO{MARK}DE\n"
        shown = await _shown(editor, text, "value.sh")
        assert shown.startswith("$MODE\n\n- Set in line 1: force_fp16")
        assert "--precision_mode · ATC" in shown

    async def test_tools_and_calls(self, editor: Editor) -> None:
        shown = await _shown(editor, f"a{MARK}tc --model=a --output=b\n", "tool.sh")
        assert shown.startswith("atc · ATC\n\nSet here: model, output.")
        shown = await _shown(editor, f"config = NPURun{MARK}Config(precision_mode='fp16')\n", "call.py")
        assert shown.startswith("NPURunConfig · NPURunConfig\n\nSet here: precision_mode.")

    async def test_the_chip_comes_first(self, editor: Editor) -> None:
        shown = await _shown(editor, f"atc --soc_version=Ascend310{MARK}P3\n", "chip.sh")
        assert shown.startswith("Ascend310P3 · Atlas inference products")
        assert "--soc_version · ATC" in shown

    async def test_codes_in_comments(self, editor: Editor) -> None:
        shown = await _shown(editor, f"atc --model=a # npu-lsp: ignore[NPU1{MARK}01]\n", "code.sh")
        assert shown.startswith("unknown-option")
        assert "E10001" in await _shown(editor, f"# fails with E100{MARK}01\natc --model=a\n", "error.sh")
        buffer = editor.open(f"echo E100{MARK}01\natc --model=a\n", "word.sh")
        assert await buffer.hover() is None

    async def test_codes_in_logs(self, editor: Editor) -> None:
        log = f"[rank1]: EI00{MARK}06: [PID: 7] Getting socket times out.\n"
        shown = await _shown(editor, log, "train.log")
        assert shown.startswith("### The devices couldn't connect to each other in time.")
        assert "EI0006, HCCL" in shown
        assert await editor.open(f"[rank1]: EQ00{MARK}06: nothing\n", "other.log").hover() is None

    async def test_what_a_value_means_is_said_once(self, editor: Editor) -> None:
        shown = await _shown(editor, f"atc --framework={MARK}5\n", "once.sh")
        meaning = shown.split("\n\n")[1]
        assert meaning.startswith("ONNX")
        assert shown.count(meaning) == 1


def _sentences(text: str, language: Language) -> list[str]:
    found: list[str] = []
    for line in text.splitlines():
        plain = re.sub(r"^(?:[->] |\*\*[^*]+\*\*(?:: |：)?)", "", line).split(" — ")[-1]
        found += re.split(r"(?<=[.])\s+(?=[A-Z`])|(?<=。)", plain)
    least = 18 if language == "en" else 9
    said = (each.strip(" .。") for each in found if len(each.strip()) >= least and not each.startswith("["))
    # The default of a list is a value of it, and no sentence.
    return [each for each in said if not re.fullmatch(r"`[^`]*`", each)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_page_says_a_sentence_twice(language: Language) -> None:
    catalog, twice = load(), []
    for surface in Surface:
        for option in catalog.options(surface):
            said = _sentences(render(catalog, option, language, folded=True), language)
            twice += [(surface.value, option.name, each) for each in set(said) if said.count(each) > 1]
    assert twice == []


def test_long_lists_are_folded_where_one_only_glances() -> None:
    catalog = load()
    option = catalog.option(Surface.ATC, "singleop")
    assert option is not None
    assert "… and 21 more" in render(catalog, option, "en", folded=True)
    assert "… and" not in render(catalog, option, "en")
