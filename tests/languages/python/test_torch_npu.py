"""Functions and attributes of torch_npu, and its profiler."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.branches import exclusive
from npu_lsp.languages.model import ValueKind
from npu_lsp.languages.python.tree.statement import Statement, parse
from tests.languages.python.told import reading, told
from tests.together import together

SET = "torch.npu.set_option(option)\n"


@together(
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
        ('pd.set_option("display.width", 3)\n', []),
        ('from pandas import set_option\nset_option({"A": "x"})\n', []),
        ('def f(set_option):\n    set_option({"A": "x"})\n', []),
        ("torch.npu.set_option(option)\n", []),
    ],
)
def test_options(text: str, expected: list[tuple[str, object]]) -> None:
    assert told(text) == expected


def test_they_hold_for_the_process() -> None:
    text = 'torch.npu.set_option({"A": "x"})\ntorch.npu.set_option({"B": "x"})\n'
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


@together(
    ("text", "expected"),
    [
        ("torch.npu.set_compile_mode(jit_compile=False)\n", [("set_compile_mode.jit_compile", False)]),
        ("torch_npu.npu.set_compile_mode(False)\n", [("set_compile_mode.jit_compile", False)]),
        (
            "from torch_npu.npu import set_compile_mode\nset_compile_mode(False)\n",
            [("set_compile_mode.jit_compile", False)],
        ),
        ("from torch_npu import npu\nnpu.set_aoe('a')\n", [("set_aoe.dump_path", "a")]),
        (
            "import torch_npu.npu as n\nn.set_device_limit(0, 1)\n",
            [("set_device_limit.device", 0), ("set_device_limit.cube_num", 1)],
        ),
        (
            "try:\n    import torch_npu\nexcept ImportError:\n    torch_npu = None\ntorch_npu.npu.set_aoe('a')\n",
            [("set_aoe.dump_path", "a")],
        ),
        (
            "d = dict(profiler_level='Level1')\ntorch_npu.profiler._ExperimentalConfig(**d)\n",
            [("_ExperimentalConfig.profiler_level", "Level1")],
        ),
        ("from npu import set_compile_mode\nset_compile_mode(False)\n", []),
        ("def set_aoe(a):\n    npu\nset_aoe('a')\n", []),
        ("torch_npu = other()\ntorch_npu.npu.set_aoe('a')\n", []),
        ("import torch_npu\ntorch.profiler.profile(with_stack=1)\ntorch.profiler.schedule(wait=1)\n", []),
        ("import torch_npu\nself.profile(with_stack=1)\nprofile(with_stack=1)\n", []),
    ],
)
def test_calls_whose_arguments_are_options(text: str, expected: list[tuple[str, object]]) -> None:
    assert told(text) == expected


@together(
    ("text", "expected"),
    [
        ("torch.npu.config.a = True\n", [("config.a", True)]),
        ("torch_npu.npu.matmul.b = torch.npu.conv.b = 1\n", [("matmul.b", 1), ("conv.b", 1)]),
        ("from torch_npu import npu\nnpu.conv.b = 1\n", [("conv.b", 1)]),
        ("torch.npu.is_available = f\ntorch.npu.config = c\n", []),
        ("self.npu.config.a = True\nnpu.config.a = 1\n", []),
        ("from own import npu\nnpu.config.a = True\n", []),
        ("torch.npu.amp.a = True\nx = torch.npu.config.a\n", []),
    ],
)
def test_attributes_of_objects(text: str, expected: list[tuple[str, object]]) -> None:
    assert told(text) == expected


PROFILER = "from torch_npu.profiler import AiCMetrics, ExportType, _ExperimentalConfig\nimport torch_npu\n"


@together(
    ("argument", "kind", "data"),
    [
        ("torch_npu.profiler.AiCMetrics.Memory", ValueKind.MEMBER, "AiCMetrics.Memory"),
        ("AiCMetrics.Memory", ValueKind.MEMBER, "AiCMetrics.Memory"),
        ("metrics", ValueKind.MEMBER, "AiCMetrics.L2Cache"),
        ("[ExportType.Db, 'text']", ValueKind.LIST, ["ExportType.Db", "text"]),
        ("[ExportType.Db, unknown]", ValueKind.LIST, None),
        ("grown", ValueKind.LIST, None),
        ("[]", ValueKind.LIST, None),
        ("AiCMetrics[name]", ValueKind.UNKNOWN, None),
        ("Own.Memory", ValueKind.UNKNOWN, None),
    ],
)
def test_constants_of_classes(argument: str, kind: ValueKind, data: object) -> None:
    (block,) = reading(
        f"{PROFILER}metrics = AiCMetrics.L2Cache\ngrown = [ExportType.Db]\ngrown.append(x)\n_ExperimentalConfig(a={argument})\n"
    ).blocks
    value = block.settings[0].value
    assert (value.kind, value.data) == (kind, data)


def test_dicts_in_arguments_hold_options_too() -> None:
    text = (
        "import mindspore as ms\nfrom mindspore import context\n"
        'context.set_context(mode=0, ascend_config={"a": 1, "ge_options": {"global": {"ge.x": "1"}, **more}})\n'
        'ms.set_context(jit_config={"jit_level": "O0"})\nother.set_context(mode=1)\n'
    )
    first, inner, second = reading(text).blocks
    assert [s.name for s in first.settings] == [
        "mode",
        "ascend_config",
        "ascend_config.a",
        "ascend_config.ge_options",
        "ascend_config.ge_options.global",
    ]
    assert first.open
    assert (inner.surface, [(s.name, s.value.data) for s in inner.settings]) == (Surface.GE, [("ge.x", "1")])
    assert [s.name for s in second.settings] == ["jit_config", "jit_config.jit_level"]


def test_what_is_handed_on_leaves_a_call_open() -> None:
    assert reading(f"{PROFILER}_ExperimentalConfig(**more)\n").blocks[0].open
    assert reading(f"{PROFILER}_ExperimentalConfig(*more)\n").blocks[0].open
    assert not reading(f"{PROFILER}_ExperimentalConfig(l2_cache=a)\n").blocks[0].open


def test_only_lines_that_import_are_read_for_names_of_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def noted(text: str) -> Statement | None:
        parsed.append(text)
        return parse(text)

    monkeypatch.setattr("npu_lsp.languages.python.source.parse", noted)
    assert reading('import npu_bridge\nself.config.batch = 1\nop.parameter_map["a"].b = True\n').blocks
    # Without torch no name is one of torch_npu.
    assert parsed == ['op.parameter_map["a"].b = True']
    text = "import torch_npu\ninput = layer(inputs)\ntorch_npu.npu.set_compile_mode(jit_compile=False)\n"
    assert [s.name for block in reading(text).blocks for s in block.settings] == ["set_compile_mode.jit_compile"]
    assert "import torch_npu" in parsed
    assert "input = layer(inputs)" not in parsed
