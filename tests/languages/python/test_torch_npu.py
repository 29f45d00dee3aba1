"""`set_option` and `set_compile_mode` of torch_npu."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.branches import exclusive
from tests.languages.python.told import reading, told

SET = "torch.npu.set_option(option)\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('torch.npu.set_option({"A": "x", "B": 1})\n', [("A", "x"), ("B", 1)]),
        ('torch_npu.npu.set_option(option={"A": "x"})\n', [("A", "x")]),
        ('from torch_npu.npu import set_option\nset_option({"A": "x"})\n', [("A", "x")]),
        ('option = {}\noption["A"] = "x"\ntorch.npu.set_option(option)\n', [("A", "x")]),
        ('option = {"A": "x"}\ntorch.npu.set_option(option)\n', [("A", "x")]),
        (
            'option = {"A": "x"}\nif y:\n    option = {"A": "z"}\noption["B"] = 1\n' + SET,
            [("A", "x"), ("A", "z"), ("B", 1)],
        ),
        ('if y:\n    option = {"A": "x"}\nelse:\n    option = {"A": "z"}\n' + SET, [("A", "x"), ("A", "z")]),
        ('option = {"A": "x"}\noption = {"A": "z"}\n' + SET, []),
        ("torch.npu.set_compile_mode(jit_compile=False)\n", [("jit_compile", False)]),
        ("torch_npu.npu.set_compile_mode(False)\n", [("jit_compile", False)]),
        ('pd.set_option("display.width", 3)\n', []),
        ('from pandas import set_option\nset_option({"A": "x"})\n', []),
        ('def f(set_option):\n    set_option({"A": "x"})\n', []),
        ("torch.npu.set_option(option)\n", []),
    ],
)
def test_options(text: str, expected: list[tuple[str, object]]) -> None:
    assert told(text) == expected


def test_they_hold_for_the_process() -> None:
    text = 'torch.npu.set_option({"A": "x"})\ntorch.npu.set_compile_mode(jit_compile=False)\n'
    (block,) = reading(text).blocks
    assert block.surface is Surface.TORCH_NPU
    assert text[slice(*block.head)] == "set_option"
    assert not block.open
    assert reading("torch.npu.set_option({**x, 'A': 1})\n").blocks[0].open


@pytest.mark.parametrize("otherwise", ["else:\n    option = {'A': 'z'}\n", ""])
def test_dicts_of_which_one_is_taken_exclude_each_other(otherwise: str) -> None:
    before = "" if otherwise else "option = {'A': 'z'}\n"
    text = before + "if y:\n    option = {'A': 'x'}\n" + otherwise + SET
    (block,) = reading(text).blocks
    assert exclusive(*(s.branch for s in block.settings))
    assert block.open
