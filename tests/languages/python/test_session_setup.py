"""What stands around the options of a session."""

from __future__ import annotations

import pytest

from npu_lsp.languages.model import Fact
from tests.languages.python.told import reading
from tests.together import together

ADD = "op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
USED = "tf.Session(config=config)\n"


def facts(text: str) -> list[tuple[str, object]]:
    """Return the facts of the only block as (what, value), in the order of the text."""
    (block,) = reading(text).blocks
    return [(f.kind, f.value.data if f.value is not None else None) for f in block.facts]


def what(setup: tuple[Fact, ...]) -> set[str]:
    return {f.kind for f in setup}


@together(
    "text",
    [
        ADD + 'op.name = "Npu"\n',
        ADD.replace("add()", 'add(name="Npu")'),
        ADD.replace("add()", 'add().name = "Npu"').removeprefix("op = "),
        'NAME = "Npu"\n' + ADD + "op.name = NAME\n",
        "rewrite = config.graph_options.rewrite_options\nop = rewrite.custom_optimizers.add()\nop.name = 'Npu'\n",
        "class T:\n    def f(self):\n        self." + ADD + '        self.op.name = "Npu"\n',
        ADD + "other = op\nother.name = 'Npu'\n",
    ],
)
def test_the_name_of_the_optimizer(text: str) -> None:
    assert dict(facts(text))["optimizer_name"] == "Npu"


@pytest.mark.parametrize("switch", ["remapping", "memory_optimization"])
@pytest.mark.parametrize(
    "form",
    [
        "config.graph_options.rewrite_options.{} = RewriterConfig.OFF\n",
        "config.graph_options.rewrite_options.{} = rewriter_config_pb2.RewriterConfig.OFF\n",
        "rewrite = config.graph_options.rewrite_options\nrewrite.{} = RewriterConfig.OFF\n",
    ],
)
def test_switches(switch: str, form: str) -> None:
    assert dict(facts(ADD + form.format(switch) + USED))[switch] == "OFF"


def test_a_switch_in_a_constructor_is_the_files() -> None:
    text = "config = tf.ConfigProto(graph_options=GraphOptions(rewrite_options=RewriterConfig(remapping=RewriterConfig.OFF)))\n"
    assert what(reading(text + ADD).facts) == {"remapping"}


def test_switches_belong_to_their_config() -> None:
    text = """
a = tf.ConfigProto()
x = a.graph_options.rewrite_options.custom_optimizers.add()
b = tf.ConfigProto()
y = b.graph_options.rewrite_options.custom_optimizers.add()
a.graph_options.rewrite_options.remapping = RewriterConfig.OFF
tf.Session(config=a)
tf.Session(config=b)
"""
    first, second = reading(text).blocks
    assert "remapping" in what(first.facts)
    assert "remapping" not in what(second.facts)


@together(
    ("before", "after", "used"),
    [
        ("    config = tf.ConfigProto()\n", "    tf.Session()\n", False),
        ("    config = tf.ConfigProto()\n", "    config.allow_soft_placement = True\n    tf.Session()\n", False),
        ("    config = tf.ConfigProto()\n", "    tf.Session(config=config)\n", True),
        ("    config = tf.ConfigProto()\n", "    return config\n", True),
        ("    config = tf.ConfigProto()\n", "    self.config = config\n", True),
        ("    config = tf.ConfigProto()\n", "    NPURunConfig(session_config=config)\n", True),
        ("    config = tf.ConfigProto()\n", "    x = config.SerializeToString()\n", True),
        ("    config = self.config\n", "    tf.Session()\n", False),
        ("", "    tf.Session()\n", True),
    ],
)
def test_whether_the_config_is_used(before: str, after: str, used: bool) -> None:
    text = f"def f(self):\n{before}    {ADD}{after}"
    block = reading(text).blocks[0]
    assert ("config_used" in what(block.facts)) is used


def test_a_config_that_goes_through_the_adapter() -> None:
    text = "config = tf.ConfigProto()\n" + ADD + "config = npu_config_proto(config_proto=config)\n"
    text += "config.graph_options.rewrite_options.remapping = RewriterConfig.OFF\n"
    (block,) = reading(text).blocks
    assert {"npu_config_proto", "remapping", "config_used"} <= what(block.facts)


@together(
    ("text", "old"),
    [
        ("print 'x'\n", True),
        ('print "x" % y\n', True),
        ("print x, y\n", True),
        ("print >>f, x\n", True),
        ("try:\n    pass\nexcept Exception, e:\n    pass\n", True),
        ("raise ValueError, 'x'\n", True),
        ("exec 'x'\n", True),
        ("print('x')\n", False),
        ("print ('x')\n", False),
        ("print = x\n", False),
        ("except_ = 1\n", False),
        ("x = '''\nprint x\n'''\n", False),
        ("# print x\n", False),
        ("try:\n    pass\nexcept (A, B):\n    pass\n", False),
        ("raise ValueError\n", False),
        ("print if x else y\n", False),
    ],
)
def test_python_2(text: str, old: bool) -> None:
    assert ("python2" in what(reading('op.parameter_map["a"].b = True\n' + text).facts)) is old


def test_an_optimizer_that_is_added_to_a_list_with_a_name() -> None:
    text = "options = config.graph_options.rewrite_options\nlist = options.custom_optimizers\n"
    text += 'op = list.add()\nop.name = "NpuOptimizer"\nop.parameter_map["a"].b = True\n'
    (block,) = reading(text).blocks
    assert {f.kind for f in block.facts} >= {"optimizer_added", "optimizer_name"}
    assert not block.open
