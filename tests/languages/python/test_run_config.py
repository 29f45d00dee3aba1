"""`NPURunConfig(...)` and the objects that it takes."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, ValueKind
from tests.languages.python.told import reading, settings, told
from tests.together import together


def test_arguments_in_every_form() -> None:
    text = """
config = NPURunConfig(
    model_dir=FLAGS.output_dir,  # where
    precision_mode="allow_mix_precision",
    iterations_per_loop=1 if a else 10,
    hcom_parallel=True, session_config=session_config,
)
"""
    assert told(text) == [
        ("model_dir", "<unknown>"),
        ("precision_mode", "allow_mix_precision"),
        ("iterations_per_loop", "<int>"),
        ("hcom_parallel", True),
        ("session_config", "<unknown>"),
    ]
    (block,) = reading(text).blocks
    assert block.surface is Surface.RUN_CONFIG
    assert text[slice(*block.head)] == "NPURunConfig"
    assert not block.open
    for setting in block.settings:
        assert setting.form is Form.KEYWORD
        assert text[slice(*setting.key)] == setting.name
        assert text[slice(*setting.own)].startswith(setting.name + "=")
        assert text[slice(*setting.statement)].startswith("config = NPURunConfig(")


@together(
    "call",
    [
        "NPURunConfig(a=1)",
        "npu.NPURunConfig(a=1)",
        "npu_config.NPURunConfig(a=1).x",
        "f(x, [NPURunConfig(a=1)])",
        "return_value = g() or NPURunConfig(a=1)",
        "functools.partial(NPURunConfig, a=1)",
        'NPURunConfig(**{"a": 1})',
        "NPURunConfig(**dict(a=1))",
        'NPURunConfig(**dict({"a": 1}))',
        "with x: y = NPURunConfig(a=1)",
    ],
)
def test_calls(call: str) -> None:
    assert told(call + "\n") == [("a", 1)]


@together(
    ("before", "expected", "is_open"),
    [
        ('kw = {"a": 1}\n', [("a", 1)], False),
        ("kw = dict(a=1)\n", [("a", 1)], False),
        ('kw = {}\nkw["a"] = 1\n', [("a", 1)], False),
        ('kw = {"a": 1}\nkw.update(b=2)\n', [("a", 1), ("b", 2)], False),
        ('kw = {"a": 1}\nkw |= {"b": 2}\n', [("a", 1), ("b", 2)], False),
        ('kw = {"a": 1}\nif x:\n    kw["b"] = 2\n', [("a", 1), ("b", 2)], True),
        ('kw = {"a": 1}\nkw.pop("a")\n', [], True),
        ('kw = {"a": 1}\ndel kw["a"]\n', [], True),
        ('kw = {"a": 1, **other}\n', [("a", 1)], True),
        ('kw = {k: v for k, v in {"a": 1, "b": 2}.items()}\n', [("a", 1), ("b", 2)], False),
        ('kw = {k: v for k, v in {"a": 1}.items() if v}\n', [], True),
        ("kw = {k: v for k, v in other.items()}\n", [], True),
        ('kw = {"a": 1, key: 2}\n', [("a", 1)], True),
        ("kw = g()\n", [], True),
        ("", [], True),
        ('kw = {"a": 1}\nkw = {"b": 1}\n', [], True),
    ],
)
def test_arguments_from_a_dict(before: str, expected: list[tuple[str, object]], is_open: bool) -> None:
    text = before + "c = NPURunConfig(**kw)\n"
    assert told(text) == expected
    (block,) = reading(text).blocks
    assert block.open is is_open


def test_nested_objects() -> None:
    text = """
dump = DumpConfig(enable_dump=True, dump_path="/x")
config = NPURunConfig(
    dump_config=dump,
    profiling_config=npu.ProfilingConfig(enable_profiling=False),
    experimental_config=ExperimentalConfig(
        graph_memory_optimize_config=GraphMemoryOptimizeConfig(recompute="auto")),
)
"""
    (block,) = reading(text).blocks
    found = {s.name: s for s in block.settings}
    assert list(found) == [
        "DumpConfig.enable_dump",
        "DumpConfig.dump_path",
        "dump_config",
        "profiling_config",
        "ProfilingConfig.enable_profiling",
        "experimental_config",
        "ExperimentalConfig.graph_memory_optimize_config",
        "GraphMemoryOptimizeConfig.recompute",
    ]
    assert found["dump_config"].value.kind is ValueKind.OBJECT
    assert text[slice(*found["DumpConfig.dump_path"].key)] == "dump_path"
    assert text[slice(*found["DumpConfig.dump_path"].statement)].startswith("dump = ")


def test_an_object_alone_is_a_block() -> None:
    (block,) = reading("from npu_bridge.npu_init import *\nx = DumpConfig(enable_dump=True)\n").blocks
    assert [s.name for s in block.settings] == ["DumpConfig.enable_dump"]


@together(
    ("start", "is_ours"),
    [
        ("from npu_bridge.estimator.npu.npu_config import ProfilingConfig", True),
        ("from tensorflow.contrib.offline_train.python.npu.npu_config import ProfilingConfig", True),
        ("from npu_device.configs import ProfilingConfig", True),
        ("from npu_bridge.npu_init import *", True),
        ("from torchtitan_npu.config.configs import ProfilingConfig", False),
        ("from npu_tools import ProfilingConfig", False),
        ("from torchtitan_npu.config import *", False),
        ("npu = 1", False),
        ("import npu_bridge\nfrom torchtitan_npu.config import ProfilingConfig", False),
    ],
)
def test_a_class_of_that_name_of_another_library_is_none(start: str, is_ours: bool) -> None:
    found = reading(f"{start}\nx = ProfilingConfig(profile_freq=10)\n").blocks
    assert bool(found) is is_ours


def test_an_object_of_two_calls_shows_once() -> None:
    text = "d = DumpConfig(a=1)\nx = NPURunConfig(dump_config=d)\ny = NPURunConfig(dump_config=d)\n"
    assert [name for name, _ in told(text)] == ["DumpConfig.a", "dump_config", "dump_config"]
    assert [b.open for b in reading(text).blocks] == [False, True]


@pytest.mark.parametrize("arguments", ["*args", "1", "**kwargs"])
def test_a_call_with_more_than_can_be_seen_is_open(arguments: str) -> None:
    (block,) = reading(f"NPURunConfig({arguments})\n").blocks
    assert block.open


def test_another_name() -> None:
    text = "from npu_bridge.npu_init import NPURunConfig as RC, DumpConfig as DC\nx = RC(a=1, d=DC(b=2))\n"
    assert told(text)[0] == ("a", 1)


@together(
    "text",
    [
        "class NPURunConfig(Base):\n    def __init__(self, precision_mode=None): pass\n",
        '"""NPURunConfig(precision_mode="x")"""\n',
        "# NPURunConfig(precision_mode='x')\n",
        "from x import NPURunConfig\n",
        "MyNPURunConfig(a=1)\n",
        "x = DumpConfig(a=1)\n",
        "from npu_bridge import x\nfrom other import DumpConfig\ny = DumpConfig(a=1)\n",
        "import npu_bridge\nclass DumpConfig:\n    pass\ny = DumpConfig(a=1)\n",
        "RunConfig(a=1)\n",
    ],
)
def test_what_is_no_call(text: str) -> None:
    assert settings(text) == []


@together(
    "text",
    [
        "from npu_bridge.npu_init import NPURunConfig as R, DumpConfig as D\nR(dump_config=D(enable_dump=True))\n",
        "from npu_bridge.npu_init import DumpConfig as D\nd = D(enable_dump=True)\nNPURunConfig(dump_config=d)\n",
        "import npu_bridge.npu_init as n\nd = n.DumpConfig(enable_dump=True)\nn.NPURunConfig(dump_config=d)\n",
        "class T:\n  def __init__(self):\n    self.d = DumpConfig(enable_dump=True)\n  def f(self):\n    NPURunConfig(dump_config=self.d)\n",
    ],
)
def test_nested_objects_under_other_names(text: str) -> None:
    (block,) = reading(text).blocks
    assert {s.name for s in block.settings} == {"dump_config", "DumpConfig.enable_dump"}
