"""Python edits: each result is what a careful person would have written, and parses."""

from __future__ import annotations

from collections.abc import Callable

import libcst
import pytest

from npu_lsp.catalog.model import Scalar
from npu_lsp.languages import read
from npu_lsp.languages.model import Block, ParseResult, Setting
from npu_lsp.languages.python.writer import WRITER
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, apply_edits
from tests.together import together

Change = Callable[[Document, Setting], tuple[Edit, ...]]


def _read(text: str) -> tuple[Document, ParseResult]:
    document = Document(text, kind=Kind.PYTHON)
    return document, read(document)


def _named(reading: ParseResult, name: str) -> tuple[Block, Setting]:
    return next((b, s) for b in reading.blocks for s in b.settings if s.name == name)


def changed(text: str, name: str, change: Change) -> str:
    """Return `text` with `change` made to the setting called `name`; the result must parse if `text` did."""
    document, reading = _read(text)
    edits = change(document, _named(reading, name)[1])
    assert edits, "nothing was offered"
    result = apply_edits(text, edits)
    libcst.parse_module(result)
    return result


def with_value(value: Scalar, slot: str | None = None) -> Change:
    return lambda d, s: writer_for(s).set_value(d, s, value, slot=slot)


def removed(text: str, *names: str) -> str:
    document, reading = _read(text)
    chosen = [s for b in reading.blocks for s in b.settings if s.name in names]
    assert chosen
    edits = writer_for(chosen[0]).remove(document, chosen)
    assert edits
    result = apply_edits(text, edits)
    libcst.parse_module(result)
    again = {s.name for b in _read(result)[1].blocks for s in b.settings}
    assert not again & set(names)
    return result


def added(text: str, after: str | None, name: str, value: Scalar, slot: str | None = None) -> str:
    document, reading = _read(text)
    if after is None:
        block, setting = reading.blocks[0], None
    else:
        block, setting = _named(reading, after)
    edits = WRITER.add(document, block, setting, Added(name, value, slot))
    assert edits, "nothing was offered"
    result = apply_edits(text, edits)
    libcst.parse_module(result)
    found = _named(_read(result)[1], name)[1]
    assert found.value.known
    assert found.value.data == value
    assert found.slot == slot
    return result


MAP = 'op.parameter_map["{}"].{} = {}\n'


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ('op.parameter_map["sump"].b = True\n', 'op.parameter_map["dump"].b = True\n'),
        ("op.parameter_map['sump'].b = True\n", "op.parameter_map['dump'].b = True\n"),
        ('op . parameter_map [ """sump""" ] . b = True\n', 'op . parameter_map [ """dump""" ] . b = True\n'),
    ],
)
def test_rename_keeps_the_quotes(text: str, result: str) -> None:
    assert changed(text, "sump", lambda d, s: writer_for(s).rename(d, s, "dump")) == result


def test_a_key_that_stands_elsewhere_is_not_renamed() -> None:
    document, reading = _read('KEY = "sump"\nop.parameter_map[KEY].b = True\n')
    setting = _named(reading, "sump")[1]
    assert writer_for(setting).rename(document, setting, "dump") == ()


def test_set_slot() -> None:
    assert (
        changed('op.parameter_map["a"] . b = "x"\n', "a", lambda d, s: writer_for(s).set_slot(d, s, "s"))
        == 'op.parameter_map["a"] . s = "x"\n'
    )


@together(
    ("text", "value", "slot", "result"),
    [
        (MAP.format("a", "s", 'tf.compat.as_bytes("x")'), "y", "s", MAP.format("a", "s", 'tf.compat.as_bytes("y")')),
        (MAP.format("a", "s", "b'x'"), "y", "s", MAP.format("a", "s", "b'y'")),
        (MAP.format("a", "s", "b'x'"), "y\"'\\", "s", MAP.format("a", "s", "b'y\"\\'\\\\'")),
        (MAP.format("a", "s", '"x"'), "y", "s", MAP.format("a", "s", 'b"y"')),
        (MAP.format("a", "s", '"x".encode()'), "y", "s", MAP.format("a", "s", '"y".encode()')),
        (MAP.format("a", "b", '"True"'), True, "b", MAP.format("a", "b", "True")),
        (MAP.format("a", "i", "'3'"), 3, "i", MAP.format("a", "i", "3")),
        (MAP.format("a", "f", "1"), 0.5, "f", MAP.format("a", "f", "0.5")),
        (MAP.format("a", "b", "False"), "false", "s", MAP.format("a", "b", 'b"false"')),
        (
            MAP.format("a", "s", 'tf.compat.as_bytes("x" "z")'),
            "y",
            "s",
            MAP.format("a", "s", 'tf.compat.as_bytes("y")'),
        ),
        (
            MAP.format("a", "s", 'tf.compat.as_bytes(\n    "x")'),
            "y",
            "s",
            MAP.format("a", "s", 'tf.compat.as_bytes(\n    "y")'),
        ),
        (
            MAP.format("a", "s", "tf.compat.as_bytes(str(3 * 4))"),
            "5",
            "s",
            MAP.format("a", "s", 'tf.compat.as_bytes("5")'),
        ),
        (MAP.format("a", "s", "b'x'"), "中", "s", MAP.format("a", "s", "b'中'").replace("b'中'", "'中'.encode()")),
    ],
)
def test_set_value(text: str, value: Scalar, slot: str, result: str) -> None:
    assert changed(text, "a", with_value(value, slot)) == result


def test_a_value_from_a_name_is_changed_at_the_setting() -> None:
    text = 'MODE = "x"\nop.parameter_map["a"].s = tf.compat.as_bytes(MODE)\n'
    assert changed(text, "a", with_value("y", "s")).endswith('].s = tf.compat.as_bytes("y")\n')
    assert changed(text, "a", with_value("y", "s")).startswith('MODE = "x"\n')


@together(
    ("before", "value", "result"),
    [
        ("", '"x"', 'b"x"'),
        ("", "u'x'", "b'x'"),
        ("", 'r"x"', 'br"x"'),
        ("", '"中"', '"中".encode()'),
        ("", '"x" "y"', '("x" "y").encode()'),
        ("", '"x" + "y"', '("x" + "y").encode()'),
        ("", "str(3)", "str(3).encode()"),
        ('a = tf.compat.as_bytes("z")\n', '"x"', 'tf.compat.as_bytes("x")'),
        ('a = compat.as_bytes("z")\n', "str(n)", "compat.as_bytes(str(n))"),
    ],
)
def test_wrap_bytes(before: str, value: str, result: str) -> None:
    text = before + MAP.format("a", "s", value)
    assert changed(text, "a", lambda d, s: writer_for(s).wrap_bytes(d, s)) == before + MAP.format("a", "s", result)


def test_set_expression_brings_its_import() -> None:
    text = '"""Doc."""\nfrom __future__ import division\nimport sys\n' + MAP.format("a", "s", 'tf.compat.as_bytes("x")')
    expression = 'os.path.join(os.environ["ASCEND_HOME_PATH"], "x.ini")'
    result = changed(text, "a", lambda d, s: writer_for(s).set_expression(d, s, expression))
    assert result == (
        '"""Doc."""\nfrom __future__ import division\nimport os\nimport sys\n'
        f'op.parameter_map["a"].s = tf.compat.as_bytes({expression})\n'
    )
    assert (
        changed("import os\n" + text, "a", lambda d, s: writer_for(s).set_expression(d, s, expression)).count(
            "import os"
        )
        == 1
    )


@together(
    ("text", "result"),
    [
        ('x = 1\nop.parameter_map["a"].b = True  # why\ny = 2\n', "x = 1\ny = 2\n"),
        ('op.parameter_map["a"].s = tf.compat.as_bytes(\n    "x"\n)\ny = 2\n', "y = 2\n"),
        ('x = 1; op.parameter_map["a"].b = True\n', "x = 1\n"),
        ('op.parameter_map["a"].b = True; x = 1\n', "x = 1\n"),
        ('x = 1; op.parameter_map["a"].b = True; y = 2\n', "x = 1; y = 2\n"),
        ('if x:\n    op.parameter_map["a"].b = True\ny = 2\n', "if x:\n    pass\ny = 2\n"),
        ('if x: op.parameter_map["a"].b = True\n', "if x: pass\n"),
        ('if x: op.parameter_map["a"].b = True; y = 1\n', "if x: y = 1\n"),
        ('if x: y = 1\nelse: op.parameter_map["a"].b = True\n', "if x: y = 1\nelse: pass\n"),
        ('if x:\n    op.parameter_map["a"].b = True\n    z = 3\n', "if x:\n    z = 3\n"),
        ('if x:\n    # kept\n    op.parameter_map["a"].b = True', "if x:\n    # kept\n    pass"),
        ('x = 1\r\nop.parameter_map["a"].b = True\r\ny = 2\r\n', "x = 1\r\ny = 2\r\n"),
        ('x = 1\nop.parameter_map["a"].b = True', "x = 1\n"),
    ],
)
def test_remove_statements(text: str, result: str) -> None:
    assert removed(text, "a") == result


@together(
    "text",
    [
        'x = op.parameter_map["a"].s = b"v"\n',
        'op.parameter_map["a"].s = x = b"v"\n',
        'x, op.parameter_map["a"].s = 1, b"v"\n',
        'op.parameter_map["a"].s = (x := b"v")\n',
        'options = npu.global_options()\nx = options.a = "v"\n',
    ],
)
def test_a_statement_that_gives_a_name_a_value_too_stays_as_it_is(text: str) -> None:
    document, reading = _read(text)
    block, setting = next((b, s) for b in reading.blocks for s in b.settings)
    writer = writer_for(setting)
    assert not writer.remove(document, [setting])
    assert not writer.set_value(document, setting, "w", slot=setting.slot)
    assert not writer.set_expression(document, setting, "w")
    assert not writer.wrap_bytes(document, setting)
    assert not writer.add(document, block, setting, Added("b", "w", setting.slot))


def test_remove_several_from_one_suite() -> None:
    text = 'if x:\n    op.parameter_map["a"].b = True\n    op.parameter_map["b"].b = True\n'
    assert removed(text, "a", "b") == "if x:\n    pass\n"
    text = 'op.parameter_map["a"].b = True; op.parameter_map["b"].b = True; op.parameter_map["c"].b = True\n'
    assert removed(text, "a", "b") == 'op.parameter_map["c"].b = True\n'
    assert removed(text, "b", "c") == 'op.parameter_map["a"].b = True\n'
    assert removed(text, "a", "c") == 'op.parameter_map["b"].b = True\n'
    assert removed(text, "a", "b", "c") == ""


@together(
    ("text", "value", "slot", "result"),
    [
        (
            'op.parameter_map["a"].b = True\n',
            False,
            "b",
            'op.parameter_map["a"].b = True\nop.parameter_map["z"].b = False\n',
        ),
        (
            "    op.parameter_map['a'].b=True  # c",
            3,
            "i",
            "    op.parameter_map['a'].b=True  # c\n    op.parameter_map['z'].i=3",
        ),
        (
            "if x:\r\n\top.parameter_map['a'].s = tf.compat.as_bytes('x')\r\n",
            "y",
            "s",
            "if x:\r\n\top.parameter_map['a'].s = tf.compat.as_bytes('x')\r\n\top.parameter_map['z'].s = tf.compat.as_bytes('y')\r\n",
        ),
        (
            'op.parameter_map["a"].s = tf.compat.as_bytes(\n    "x")\ny = 1\n',
            "y",
            "s",
            'op.parameter_map["a"].s = tf.compat.as_bytes(\n    "x")\nop.parameter_map["z"].s = tf.compat.as_bytes("y")\ny = 1\n',
        ),
        (
            'op.parameter_map["a"].s = (\n    b"x")\n',
            "y",
            "s",
            'op.parameter_map["a"].s = (\n    b"x")\nop.parameter_map["z"].s = b"y"\n',
        ),
        (
            'if x: op.parameter_map["a"].b = True\n',
            True,
            "b",
            'if x: op.parameter_map["a"].b = True; op.parameter_map["z"].b = True\n',
        ),
        (
            'op.parameter_map["a"].b = True; y = 1\n',
            True,
            "b",
            'op.parameter_map["a"].b = True; op.parameter_map["z"].b = True; y = 1\n',
        ),
        (
            'pm = op.parameter_map\npm["a"].b = True\n',
            True,
            "b",
            'pm = op.parameter_map\npm["a"].b = True\npm["z"].b = True\n',
        ),
    ],
)
def test_add_a_statement(text: str, value: Scalar, slot: str, result: str) -> None:
    if text.startswith("    "):
        text, result = "if x:\n" + text, "if x:\n" + result
    assert added(text, "a", "z", value, slot) == result


def test_add_goes_below_the_last_setting_that_always_runs() -> None:
    text = 'op.parameter_map["a"].b = True\nif x:\n    op.parameter_map["b"].b = True\n'
    block = _read(text)[1].blocks[0]
    document = Document(text, kind=Kind.PYTHON)
    edits = writer_for(block.settings[0]).add(document, block, None, Added("z", 1, "i"))
    assert apply_edits(text, edits).splitlines()[1] == 'op.parameter_map["z"].i = 1'


def test_add_the_first_option() -> None:
    text = 'op = config.graph_options.rewrite_options.custom_optimizers.add()\nop.name = "NpuOptimizer"\nx = 1\n'
    result = added(text, None, "use_off_line", True, "b")
    assert result.splitlines()[2] == 'op.parameter_map["use_off_line"].b = True'


CALL = """\
run_config = NPURunConfig(
    precision_mode="x",  # why
    model_dir=path,
    dump_config=DumpConfig(enable_dump=True, dump_path="/x"),
    iterations_per_loop=10)
"""


@together(
    ("text", "name", "new", "result"),
    [
        ('NPURunConfig(precison_mode="x")\n', "precison_mode", "precision_mode", 'NPURunConfig(precision_mode="x")\n'),
        ("NPURunConfig(d=DumpConfig(a=1))\n", "DumpConfig.a", "DumpConfig.b", "NPURunConfig(d=DumpConfig(b=1))\n"),
        ("npu.global_options().a.b = 1\n", "a.b", "a.c", "npu.global_options().a.c = 1\n"),
        ("npu.global_options().a = 1\n", "a", "b.c", "npu.global_options().b.c = 1\n"),
        ('os.environ["HCCL_A"] = "1"\n', "HCCL_A", "HCCL_B", 'os.environ["HCCL_B"] = "1"\n'),
        (
            'for k in ["a"]:\n    op.parameter_map[k].b = True\n',
            "a",
            "b",
            'for k in ["b"]:\n    op.parameter_map[k].b = True\n',
        ),
        ('torch.npu.set_option({"A": "x"})\n', "A", "B", 'torch.npu.set_option({"B": "x"})\n'),
    ],
)
def test_rename_elsewhere(text: str, name: str, new: str, result: str) -> None:
    assert changed(text, name, lambda d, s: writer_for(s).rename(d, s, new)) == result


@together(
    ("text", "name", "value", "result"),
    [
        ('NPURunConfig(a="x")\n', "a", "y", 'NPURunConfig(a="y")\n'),
        ("NPURunConfig(a=FLAGS.x, b='z')\n", "a", "y", "NPURunConfig(a=\"y\", b='z')\n"),
        ("NPURunConfig(a=1)\n", "a", True, "NPURunConfig(a=True)\n"),
        ("npu.global_options().a = 'x'\n", "a", "y", "npu.global_options().a = 'y'\n"),
        ('os.environ["HCCL_A"] = "1"\n', "HCCL_A", "2", 'os.environ["HCCL_A"] = "2"\n'),
        ('os.environ.setdefault("HCCL_A", str(x))\n', "HCCL_A", "2", 'os.environ.setdefault("HCCL_A", "2")\n'),
        (
            'for k, v in {"a": "x"}.items():\n    op.parameter_map[k].s = tf.compat.as_bytes(v)\n',
            "a",
            "y",
            'for k, v in {"a": "y"}.items():\n    op.parameter_map[k].s = tf.compat.as_bytes(v)\n',
        ),
        (
            'def f(k, v):\n    op.parameter_map[k].s = tf.compat.as_bytes(v)\nf("a", g())\n',
            "a",
            "y",
            'def f(k, v):\n    op.parameter_map[k].s = tf.compat.as_bytes(v)\nf("a", "y")\n',
        ),
    ],
)
def test_set_value_elsewhere(text: str, name: str, value: Scalar, result: str) -> None:
    if "f(" in text and value == "y" and "g()" in text:
        # What isn't a literal may be bytes already.
        result = result.replace('f("a", "y")', 'f("a", tf.compat.as_bytes("y"))')
    assert changed(text, name, with_value(value)) == result


def test_a_value_that_others_share_stays() -> None:
    document, reading = _read('for k in ["a", "b"]:\n    op.parameter_map[k].b = True\n')
    setting = _named(reading, "a")[1]
    writer = writer_for(setting)
    assert writer.set_value(document, setting, False, slot="b") == ()
    assert writer.set_expression(document, setting, "x") == ()


@together(
    ("names", "gone"),
    [
        (("precision_mode",), ['    precision_mode="x",  # why\n']),
        (("model_dir",), ["    model_dir=path,\n"]),
        (("precision_mode", "model_dir"), ['    precision_mode="x",  # why\n', "    model_dir=path,\n"]),
        (("iterations_per_loop",), [",\n    iterations_per_loop=10"]),
        (("DumpConfig.enable_dump",), ["enable_dump=True, "]),
        (("DumpConfig.dump_path",), [', dump_path="/x"']),
        (("DumpConfig.enable_dump", "DumpConfig.dump_path"), ['enable_dump=True, dump_path="/x"']),
        (("model_dir", "iterations_per_loop"), ["    model_dir=path,\n", ",\n    iterations_per_loop=10"]),
    ],
)
def test_remove_arguments(names: tuple[str, ...], gone: list[str]) -> None:
    expected = CALL
    for part in gone:
        assert part in expected
        expected = expected.replace(part, "", 1)
    assert removed(CALL, *names) == expected


@together(
    ("text", "name", "result"),
    [
        ("NPURunConfig(a=1)\n", "a", "NPURunConfig()\n"),
        ("NPURunConfig(a=1,)\n", "a", "NPURunConfig()\n"),
        ("NPURunConfig(a=1, b=2)\n", "a", "NPURunConfig(b=2)\n"),
        ("NPURunConfig(a=(1), b=(2))\n", "b", "NPURunConfig(a=(1))\n"),
        ("NPURunConfig(\n    a=1,\n    b=2\n)\n", "b", "NPURunConfig(\n    a=1,\n)\n"),
        ("NPURunConfig(\n    a=1,  # c\n    b=2)\n", "b", "NPURunConfig(\n    a=1,  # c\n    )\n"),
        ("NPURunConfig(x, a=1)\n", "a", "NPURunConfig(x)\n"),
        ('NPURunConfig(**{"a": 1, "b": (2)})\n', "b", 'NPURunConfig(**{"a": 1})\n'),
        ("npu.global_options().a = 1\nx = 1\n", "a", "x = 1\n"),
        ('os.environ.setdefault("HCCL_A", "1")\nx = 1\n', "HCCL_A", "x = 1\n"),
        ('os.environ.update({"HCCL_A": "1", "B": "2"})\n', "HCCL_A", 'os.environ.update({"B": "2"})\n'),
        (
            'for k in ["a", "b"]:\n    op.parameter_map[k].b = True\n',
            "a",
            'for k in ["b"]:\n    op.parameter_map[k].b = True\n',
        ),
        (
            'for k, v in (("a", 1), ("b", 2)):\n    op.parameter_map[k].i = v\n',
            "b",
            'for k, v in (("a", 1),):\n    op.parameter_map[k].i = v\n',
        ),
    ],
)
def test_remove_parts(text: str, name: str, result: str) -> None:
    assert removed(text, name) == result


@together(
    ("text", "after", "name", "value", "result"),
    [
        ('NPURunConfig(a="x", b=2)\n', "a", "z", "y", 'NPURunConfig(a="x", z="y", b=2)\n'),
        (
            "NPURunConfig(\n    a='x',  # c\n    b=2)\n",
            "a",
            "z",
            "y",
            "NPURunConfig(\n    a='x',  # c\n    z='y',\n    b=2)\n",
        ),
        ("NPURunConfig(\n    a='x',\n    b=2)\n", "b", "z", 3, "NPURunConfig(\n    a='x',\n    b=2,\n    z=3)\n"),
        ("NPURunConfig(\n    a = 1,\n)\n", "a", "z", True, "NPURunConfig(\n    a = 1,\n    z = True,\n)\n"),
        (
            "NPURunConfig(d=DumpConfig(a=1))\n",
            "DumpConfig.a",
            "DumpConfig.z",
            2,
            "NPURunConfig(d=DumpConfig(a=1, z=2))\n",
        ),
        ('NPURunConfig(**{"a": 1})\n', "a", "z", 2, 'NPURunConfig(**{"a": 1, "z": 2})\n'),
        ("npu.global_options().a=1\n", "a", "z", "y", 'npu.global_options().a=1\nnpu.global_options().z= "y"\n'),
        ("g = npu.global_options()\ng.a.b = 1\n", "a.b", "a.z", 2, "g = npu.global_options()\ng.a.b = 1\ng.a.z = 2\n"),
        (
            'os.environ["HCCL_A"] = "1"  # c\n',
            "HCCL_A",
            "HCCL_B",
            "2",
            'os.environ["HCCL_A"] = "1"  # c\nos.environ["HCCL_B"] = "2"\n',
        ),
        (
            'os.environ.setdefault("HCCL_A", "1")\n',
            "HCCL_A",
            "HCCL_B",
            "2",
            'os.environ.setdefault("HCCL_A", "1")\nos.environ.setdefault("HCCL_B", "2")\n',
        ),
        ('os.environ.update(HCCL_A="1")\n', "HCCL_A", "HCCL_B", "2", 'os.environ.update(HCCL_A="1", HCCL_B="2")\n'),
        ('torch.npu.set_option({"A": "x"})\n', "A", "B", "y", 'torch.npu.set_option({"A": "x", "B": "y"})\n'),
        (
            'LLM("m", additional_config={"a": {"b": 1}})\n',
            "a",
            "z",
            2,
            'LLM("m", additional_config={"a": {"b": 1}, "z": 2})\n',
        ),
    ],
)
def test_add_elsewhere(text: str, after: str, name: str, value: Scalar, result: str) -> None:
    assert added(text, after, name, value) == result


def test_add_beside_what_a_loop_or_a_function_sets() -> None:
    loop = 'for k, v in [("a", "x")]:\n    op.parameter_map[k].s = tf.compat.as_bytes(v)\n'
    assert '[("a", "x"), ("z", "y")]' in added(loop, "a", "z", "y", "s")
    helper = 'def f(k, v):\n    op.parameter_map[k].s = tf.compat.as_bytes(v)\nf("a", "x")\n'
    assert added(helper, "a", "z", "y", "s").endswith('f("a", "x")\nf("z", "y")\n')


def test_a_tuple_stays_one() -> None:
    text = 'for k, v in (("a", 1), ("b", 2)):\n    op.parameter_map[k].i = v\n'
    assert removed(text, "a").startswith('for k, v in (("b", 2),):\n')
    text = text.replace("2))", "2),)")
    assert removed(text, "a").startswith('for k, v in (("b", 2),):\n')


@together(
    ("text", "result"),
    [
        (
            '{}op.parameter_map["a"].s = b"x" \\\n\n',
            '{}op.parameter_map["a"].s = b"x" \\\n\n{}op.parameter_map["b"].s = b"y"\n',
        ),
        (
            '\\\n{}op.parameter_map["a"].s = b"x"  # c \\\n',
            '\\\n{}op.parameter_map["a"].s = b"x"  # c \\\n{}op.parameter_map["b"].s = b"y"\n',
        ),
    ],
)
def test_what_is_added_stands_behind_no_backslash(text: str, result: str) -> None:
    for head, indent in (("", ""), ("if x:\n    y = 1\n", "    ")):
        before = head + text.replace("{}", indent)
        assert added(before, "a", "b", "y", "s") == head + result.replace("{}", indent)


@together(
    ("text", "result"),
    [
        ("if x:\n    y = 1\n\\\n    {}", "if x:\n    y = 1\n"),
        ("if x:\n    y = 1\n    \\\n  {}", "if x:\n    y = 1\n"),
        ("\\\n\\\n{}x = 1\n", "x = 1\n"),
    ],
)
def test_lines_that_are_only_joined_to_a_setting_go_with_it(text: str, result: str) -> None:
    assert removed(text.replace("{}", 'op.parameter_map["a"].s = b"x"\n'), "a") == result
