"""`npu.global_options()` and TorchAir's `CompilerConfig`: options that are attributes."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form
from tests.languages.python.told import reading, settings, told
from tests.together import together


@together(
    ("text", "expected"),
    [
        ("npu.global_options().a = 1\n", [("a", 1)]),
        ("npu_device.global_options().d.a = 1\n", [("d.a", 1)]),
        ("from npu_device import global_options\nglobal_options().a = 1\n", [("a", 1)]),
        ("from npu_device import global_options as g\ng().a = 1\n", [("a", 1)]),
        ("g = npu.global_options\ng().a = 1\no = g()\no.b = 2\n", [("a", 1), ("b", 2)]),
        ("def g():\n    return npu.global_options()\ng().a = 1\no = g()\no.b = 2\n", [("a", 1), ("b", 2)]),
        ("def g():\n    return npu.global_options()\nx.g().a = 1\n", []),
        ("parser.global_options().a = 1\n", []),
        ("npu . global_options ( ) . d . a = 1\n", [("d.a", 1)]),
        ("o = npu.global_options()\no.a = 1\no.d.b = 2\n", [("a", 1), ("d.b", 2)]),
        ("d = npu.global_options().d\nd.a = 1\n", [("d.a", 1)]),
        ("o = npu.global_options()\nd = o.d\ne = d.e\ne.a = 1\n", [("d.e.a", 1)]),
        ("o = npu.global_options()\ndef f():\n    o.a = 1\n", [("a", 1)]),
        (
            "class T:\n    def f(self):\n        self.o = npu.global_options()\n    def g(self):\n        self.o.a = 1\n",
            [("a", 1)],
        ),
        ("def f(o):\n    o.a = 1\nf(npu.global_options())\n", [("a", 1)]),
        ('setattr(npu.global_options(), "a", 1)\n', [("a", 1)]),
        ('setattr(npu.global_options().d, "a", 1)\n', [("d.a", 1)]),
        ('for k, v in {"a": 1, "b": 2}.items():\n    setattr(npu.global_options(), k, v)\n', [("a", 1), ("b", 2)]),
        ("with npu.open().as_default():\n    npu.global_options().a = 1\n", [("a", 1)]),
        ("npu.global_options().a, x = 1, 2\n", [("a", 1)]),
        ("npu.global_options().a = npu.global_options().b = 1\n", [("a", 1), ("b", 1)]),
        ("x = npu.global_options().a\n", []),
        ("npu.global_options().reset()\n", []),
        ("o = npu.global_options()\no = other()\no.a = 1\n", []),
        ("def f(o):\n    o.a = 1\n", []),
        ("o.a = 1\nnpu.global_options()\n", []),
        ("npu.global_options(x).a = 1\n", []),
        ("setattr(npu.global_options(), key, 1)\n", []),
    ],
)
def test_global_options(text: str, expected: list[tuple[str, object]]) -> None:
    assert told(text) == expected
    assert all(s.surface is Surface.GLOBAL_OPTIONS for s in settings(text))


def test_the_process_has_one_set_of_them() -> None:
    text = "npu.global_options().a = 1\ndef f():\n    o = npu.global_options()\n    o.b = 2\n"
    (block,) = reading(text).blocks
    first, second = block.settings
    assert first.form is second.form is Form.ATTRIBUTE
    assert (first.receiver, second.receiver) == ("npu.global_options()", "o")
    assert text[slice(*second.key)] == "b"


def test_compiler_config() -> None:
    text = """
import torchair as tng
config = tng.CompilerConfig()
config.fusion_config.fusion_switch_file = "./x.cfg"
config.mode = "max-autotune"
other = torchair.configs.CompilerConfig()
other.mode = "reduce-overhead"
"""
    assert told(text) == [
        ("fusion_config.fusion_switch_file", "./x.cfg"),
        ("mode", "max-autotune"),
        ("mode", "reduce-overhead"),
    ]
    first, second = reading(text).blocks
    assert first.surface is second.surface is Surface.TORCHAIR
    assert (first.receiver, second.receiver) == ("config", "other")


def test_another_library_has_compiler_configs_too() -> None:
    assert told("import tvm\nconfig = tvm.CompilerConfig()\nconfig.mode = 3\n") == []
    assert told("import torchair\nfrom tvm import CompilerConfig\nconfig = CompilerConfig()\nconfig.mode = 3\n") == []
    own = "class CompilerConfig:\n    pass\n"
    assert told(f"import torchair\n{own}config = CompilerConfig()\nconfig.mode = 3\n") == []
