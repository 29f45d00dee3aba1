"""`parameter_map` under other names, in loops, in functions: the settings stand where their literals stand."""

from __future__ import annotations

import pytest

from npu_lsp.languages.model import Form, ValueKind
from tests.languages.python.told import reading, settings, told
from tests.together import together

LOOP = "    op.parameter_map[k].s = tf.compat.as_bytes(v)\n"


@together(
    ("text", "expected"),
    [
        ('pm = op.parameter_map\npm["a"].b = True\n', [("a", True)]),
        ('def f(self):\n    self.pm = self.op.parameter_map\n    self.pm["a"].b = True\n', [("a", True)]),
        ('e = op.parameter_map["a"]\ne.s = b"x"\n', [("a", "x")]),
        ('KEY = "a"\nop.parameter_map[KEY].b = True\n', [("a", True)]),
        ('class K:\n    A = "a"\nop.parameter_map[K.A].b = True\n', [("a", True)]),
        ('op.parameter_map["a"].CopyFrom(tf.AttrValue(s=b"x"))\n', [("a", "x")]),
        ('setattr(op.parameter_map["a"], "s", b"x")\n', [("a", "x")]),
        ('if (pm := op.parameter_map) is not None:\n    pm["a"].b = True\n', [("a", True)]),
        ('use(pm := op.parameter_map)\npm["a"].b = True\n', [("a", True)]),
        ('x and (pm := op.parameter_map)\npm["a"].b = True\n', []),
        ('get().parameter_map["a"].b = True\n', [("a", True)]),
        ('c.custom_optimizers[0].parameter_map["a"].b = True\n', [("a", True)]),
        ('c.custom_optimizers.add().parameter_map["a"].b = True\n', [("a", True)]),
        ('op.parameter_map["a"].b: bool = True\n', [("a", True)]),
        ('Optimizer(name="N", parameter_map={"a": AttrValue(b=True), "b": AttrValue(i=3)})\n', [("a", True), ("b", 3)]),
        ('Optimizer(parameter_map={"a": True, **more})\n', []),
        ('op.parameter_map["a"].i += 1\n', []),
        ("op.parameter_map[key].b = True\n", []),
        ('model.parameter_map["a"].value = 3\n', []),
        ('# for the NPU\nop.parameter_map["a"].value = 3\n', [("a", 3)]),
        ('pm = other\npm["a"].b = True\n', []),
        ('pm = op.parameter_map\npm = {}\npm["a"].b = True\n', []),
        ('x = op.parameter_map["a"].b\n', []),
        ('del op.parameter_map["a"]\n', []),
    ],
)
def test_other_names(text: str, expected: list[tuple[str, object]]) -> None:
    assert told(text) == expected


@together(
    "loop",
    [
        'for k, v in {"a": "x", "b": "y"}.items():\n' + LOOP,
        'for k, v in (("a", "x"), ("b", "y")):\n' + LOOP,
        'for k, v in [["a", "x"], ["b", "y"]]:\n' + LOOP,
        'OPTIONS = {"a": "x", "b": "y"}\nfor k, v in OPTIONS.items():\n' + LOOP,
        'OPTIONS = {"a": "x", "b": "y"}\ndef f(op):\n    for k, v in OPTIONS.items():\n    ' + LOOP,
        'OPTIONS = {"a": "x", "b": "y"}\nfor k in OPTIONS:\n' + LOOP.replace("(v)", "(OPTIONS[k])"),
        'OPTIONS = [("a", "x"), ("b", "y")]\nfor k, v in OPTIONS:\n' + LOOP,
        'for k, v in {"a": "x", "b": "y"}.items(): ' + LOOP.strip() + "\n",
        'for (k, v) in {"a": "x", "b": "y"}.items():\n    if True:\n    ' + LOOP,
        'for o in [{"k": "a", "v": "x"}, {"k": "b", "v": "y"}]:\n'
        + LOOP.replace("[k]", '[o["k"]]').replace("v)", 'o["v"])'),
        'for o in [dict(k="a", v="x"), dict(k="b", v="y")]:\n'
        + LOOP.replace("[k]", '[o["k"]]').replace("v)", 'o["v"])'),
        'for o in [("a", "x"), ("b", "y")]:\n' + LOOP.replace("[k]", "[o[0]]").replace("(v)", "(o[1])"),
        'for k, (slot, v) in {"a": ("s", "x"), "b": ("s", "y")}.items():\n    setattr(op.parameter_map[k], slot, as_bytes(v))\n',
        "def put(op, k, v):\n" + LOOP + 'put(custom_op, "a", "x")\nput(custom_op, k="b", v="y")\n',
        'def put(k, v="y", op=None):\n' + LOOP + 'put("a", "x")\nput("b")\n',
        "class T:\n    def put(self, k, v):\n    "
        + LOOP
        + '    def f(self):\n        self.put("a", "x")\n        self.put("b", "y")\n',
        "def put(op, k, v):\n" + LOOP + 'for a, b in [("a", "x"), ("b", "y")]:\n    put(custom_op, a, b)\n',
        'put("a", "x")\nput("b", "y")\ndef put(k, v):\n' + LOOP,
        'def put(k, v): op.parameter_map[k].s = as_bytes(v)\nput("a", "x")\nput("b", "y")\n',
        'for i, (k, v) in enumerate([("a", "x"), ("b", "y")]):\n' + LOOP,
        'for k, v in dict(a="x", b="y").items():\n' + LOOP,
        'for k, v in dict([("a", "x"), ("b", "y")]).items():\n' + LOOP,
        'for k, v in sorted({"a": "x", "b": "y"}.items()):\n' + LOOP,
        'for k, v in six.iteritems({"a": "x", "b": "y"}):\n' + LOOP,
        'OPTIONS = dict(a="x")\nOPTIONS.update(b="y")\nfor k, v in OPTIONS.items():\n' + LOOP,
        'class K:\n    OPTIONS = {"a": "x", "b": "y"}\nfor k, v in K.OPTIONS.items():\n' + LOOP,
        'class K:\n    OPTIONS = {"a": "x", "b": "y"}\n    def f(self):\n        for k, v in self.OPTIONS.items():\n        '
        + LOOP,
        'for options in [{"a": "x"}, {"b": "y"}]:\n    for k, v in options.items():\n    ' + LOOP,
        "def put(op, options):\n    for k, v in options.items():\n    "
        + LOOP
        + 'put(custom_op, {"a": "x", "b": "y"})\n',
        '[setattr(op.parameter_map[k], "s", as_bytes(v)) for k, v in {"a": "x", "b": "y"}.items()]\n',
        'put = lambda k, v: setattr(op.parameter_map[k], "s", as_bytes(v))\nput("a", "x")\nput("b", "y")\n',
        "def put(op, **options):\n    for k, v in options.items():\n    " + LOOP + 'put(custom_op, a="x", b="y")\n',
    ],
)
def test_loops_and_functions(loop: str) -> None:
    assert told(loop) == [("a", "x"), ("b", "y")]
    for setting in settings(loop):
        assert setting.form is Form.ITEM
        assert loop[slice(*setting.key)] == setting.name
        assert setting.slot == "s"
        assert setting.value.kind is ValueKind.BYTES
        assert setting.value.content is not None
        assert loop[slice(*setting.value.content)] == setting.value.data
        # The default of a parameter stands in the function.
        assert setting.value.content.within(setting.own) or 'v="y"' in loop
        assert setting.key.within(setting.own)


@together(
    "text",
    [
        "for k, v in options.items():\n" + LOOP,
        'OPTIONS = {"a": "x"}\nOPTIONS.pop("a")\nfor k, v in OPTIONS.items():\n' + LOOP,
        'OPTIONS = {"a": "x"}\ndef g():\n    OPTIONS.clear()\ndef f():\n    for k, v in OPTIONS.items():\n    ' + LOOP,
        "for k, v in zip(keys, ['x']):\n" + LOOP,
        "def put(op, **options):\n    for k, v in options.items():\n    " + LOOP + "put(custom_op, **more)\n",
        "def put(op, k, v):\n" + LOOP,
        "def put(op, k, v):\n" + LOOP + "put(*arguments)\n",
        "def put(k, v):\n" + LOOP + 'def put(k, v):\n    pass\nput("a", "x")\n',
        "def put(op, k, v):\n" + LOOP + "put(custom_op, key, value)\n",
        'for k in ["a"]:\n    k = g(k)\n' + LOOP,
        "def put(k, v):\n    k = k.lower()\n" + LOOP + 'put("A", "x")\n',
    ],
)
def test_what_a_loop_or_a_function_gets_from_elsewhere_is_not_guessed(text: str) -> None:
    assert told(text) == []


def test_sequences_side_by_side() -> None:
    text = 'KEYS = ["a", "b"]\nfor k, v in zip(KEYS, ("x", "y", "z")):\n' + LOOP
    assert told(text) == [("a", "x"), ("b", "y")]


@pytest.mark.parametrize(
    ("before", "options", "expected"),
    [
        ('OPTIONS = {"a": "x"}\nOPTIONS["b"] = g()\n', "OPTIONS", [("a", "x"), ("b", "<bytes>")]),
        ('OPTIONS = {"a": "x"}\nif z:\n    OPTIONS["b"] = "y"\n', "OPTIONS", [("a", "x"), ("b", "y")]),
        ("", '{"a": "x", **more}', [("a", "x")]),
    ],
)
def test_a_dict_that_grows(before: str, options: str, expected: list[tuple[str, object]]) -> None:
    text = f"{before}for k, v in {options}.items():\n{LOOP}"
    assert told(text) == expected
    assert reading(text).blocks[0].open


def test_a_dict_that_two_calls_take_sets_its_options_once() -> None:
    text = "def put(op, options):\n    for k, v in options.items():\n    " + LOOP
    text += 'OPTIONS = {"a": "x"}\nput(custom_op, OPTIONS)\nput(custom_op, OPTIONS)\nput(custom_op, other)\n'
    assert told(text) == [("a", "x")]


def test_a_function_that_asks_for_the_type_runs_one_arm() -> None:
    text = """
def put(op, key, value):
    if isinstance(value, bool):
        op.parameter_map[key].b = value
    elif isinstance(value, int):
        op.parameter_map[key].i = value
    else:
        op.parameter_map[key].s = tf.compat.as_bytes(value)
put(op, "a", True)
put(op, "b", 3)
put(op, "c", "x")
put(op, "d", FLAGS.x)
"""
    found = settings(text)
    assert [(s.name, s.slot, s.value.data) for s in found] == [
        ("a", "b", True),
        ("b", "i", 3),
        ("c", "s", "x"),
        ("d", None, None),
    ]
    assert found[3].value.kind is ValueKind.UNKNOWN


def test_a_function_that_is_told_the_slot() -> None:
    text = """
def put(op, key, slot, value):
    setattr(op.parameter_map[key], slot, value)
put(op, "a", "b", True)
def by_name(op, key, slot, value):
    if slot == "s":
        op.parameter_map[key].s = tf.compat.as_bytes(value)
    elif slot in ("b", "bool"):
        op.parameter_map[key].b = value
by_name(op, "c", "s", "x")
by_name(op, "d", "bool", False)
"""
    assert [(s.name, s.slot, s.value.data) for s in settings(text)] == [
        ("a", "b", True),
        ("c", "s", "x"),
        ("d", "b", False),
    ]


def test_what_one_function_does_to_an_optimizer_is_in_its_block() -> None:
    text = """
def configure(op):
    op.parameter_map["b"].b = True
def main():
    custom_op = c.graph_options.rewrite_options.custom_optimizers.add()
    custom_op.parameter_map["a"].b = True
    configure(custom_op)
"""
    (block,) = reading(text).blocks
    assert {s.name for s in block.settings} == {"a", "b"}
    assert not block.open


@together(
    ("more", "is_open"),
    [
        ("", False),
        ("tf.Session(config=c)\n", False),
        ("other = custom_op\nother.parameter_map['b'].b = True\n", False),
        ("configure(custom_op)\n", True),
        ("custom_op.parameter_map[key].b = True\n", True),
        ("def f():\n    return custom_op\n", True),
    ],
)
def test_a_block_is_open_where_more_may_be_set(more: str, is_open: bool) -> None:
    text = (
        'custom_op = c.graph_options.rewrite_options.custom_optimizers.add()\ncustom_op.parameter_map["a"].b = True\n'
    )
    (block,) = reading(text + more).blocks
    assert block.open is is_open


def test_an_optimizer_from_elsewhere_is_open() -> None:
    assert reading('def f(op):\n    op.parameter_map["a"].b = True\n').blocks[0].open
    assert reading('op = make()\nop.parameter_map["a"].b = True\n').blocks[0].open


def test_a_value_that_a_function_changes_is_unknown() -> None:
    text = "def put(k, v):\n    v = g(v)\n" + LOOP + 'put("a", "x")\n'
    (setting,) = settings(text)
    assert (setting.name, setting.value.kind, setting.value.known) == ("a", ValueKind.BYTES, False)


def test_a_call_with_stars_leaves_the_block_open() -> None:
    text = (
        'custom_op = c.custom_optimizers.add()\ndef put(k, v="x"):\n' + LOOP.replace("op.", "custom_op.") + 'put("a")\n'
    )
    assert told(text) == told(text + 'put(*["b"])\n') == [("a", "x")]
    assert not reading(text).blocks[0].open
    assert reading(text + 'put(*["b"])\n').blocks[0].open
