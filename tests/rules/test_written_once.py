"""What is wrong in a text under a name is told once, where the text is written, in however many ways it goes on."""

from __future__ import annotations

import itertools

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_CODES = ("NPU101", "NPU104", "NPU111", "NPU405")
_JSON = (
    "os.system(f\"vllm serve m --additional-config '{given}'\")\n",
    "command = f\"vllm serve m --additional-config '{given}' --port 80\"\nos.system(command)\n",
    'os.system("vllm serve m --additional-config \'" + given + "\'")\n',
    'subprocess.run(["vllm", "serve", "m", "--additional-config", given])\n',
)
_MODES = (
    'os.system(f"atc --precision_mode={given}")\n',
    'os.system(f"atc --precision_mode={given} --log=info; echo")\n',
    'os.system("atc --precision_mode=" + given)\n',
    'subprocess.run(["atc", "--precision_mode", given])\n',
    'subprocess.run(["atc", f"--precision_mode={given}"])\n',
    'subprocess.run(["atc", "--precision_mode=" + given])\n',
)
_FLAGS = ('os.system(f"atc {given} --log=info")\n', 'os.system("atc --log=info " + given)\n')
_TEXTS = (
    ("given = '{\"enable_balance_schedulin\": true}'\n", "enable_balance_schedulin", _JSON),
    ("n = 1\ngiven = f'{{\"enable_balance_schedulin\": {n}}}'\n", "enable_balance_schedulin", _JSON),
    ('given = "fast"\n', "fast", _MODES),
    ('given = "--precision_mode=fast"\n', "fast", _FLAGS),
)


def _found(text: str) -> list[Finding]:
    return list(Analyzer(Config(select=_CODES), all_rules).findings(Document(text, kind=Kind.PYTHON)))


@pytest.mark.parametrize(("text", "wrong", "ways"), _TEXTS)
def test_it_is_told_where_it_is_written(text: str, wrong: str, ways: tuple[str, ...]) -> None:
    for one, other in itertools.chain(itertools.permutations(ways, 2), zip(ways, [""] * len(ways), strict=True)):
        [found] = _found(text + one + other)
        assert found.span == (text.index(wrong), text.index(wrong) + len(wrong)), one + other


@pytest.mark.parametrize(
    ("start", "field"),
    [('a = "Ascend"\nb = "31OP3"\n', "{a}{b}"), ('b = "31OP3"\n', "Ascend{b}"), ('a = "Ascend"\n', "{a}31OP3")],
)
def test_a_part_of_a_word_is_told_where_the_word_is(start: str, field: str) -> None:
    text = f'{start}os.system(f"atc --soc_version={field}")\n'
    [found] = _found(text)
    assert text[found.span.start : found.span.end] == field


@pytest.mark.parametrize("value", ['a + "31OP3"', '"Asc" + a', "a + b"])
def test_words_put_together_of_several_texts_are_no_place(value: str) -> None:
    assert not _found(f'a = "Ascend"\nb = "31OP3"\nsubprocess.run(["atc", "--soc_version=" + {value}])\n')
