"""`parameter_map` in the form that most scripts use."""

from __future__ import annotations

from npu_lsp.languages.branches import exclusive
from npu_lsp.languages.model import Form, ValueKind
from tests.languages.python.told import reading, settings, told
from tests.together import together

OP = "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\n"


def test_a_setting_tells_where_each_part_stands() -> None:
    text = OP + 'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n'
    (setting,) = settings(text)
    assert setting.form is Form.PARAMETER_MAP
    assert (setting.name, setting.slot, setting.receiver) == ("precision_mode", "s", "custom_op")
    assert text[slice(*setting.key)] == "precision_mode"
    assert setting.slot_span is not None
    assert text[slice(*setting.slot_span)] == "s"
    assert text[slice(*setting.statement)] == text.splitlines()[1]
    value = setting.value
    assert (value.kind, value.known, value.data) == (ValueKind.BYTES, True, "allow_mix_precision")
    assert value.wrapper == "tf.compat.as_bytes"
    assert value.content is not None
    assert text[slice(*value.content)] == "allow_mix_precision"
    assert text[slice(*value.span)] == 'tf.compat.as_bytes("allow_mix_precision")'


@together(
    ("expression", "kind", "data"),
    [
        ('tf.compat.as_bytes("x")', ValueKind.BYTES, "x"),
        ('compat.as_bytes("x")', ValueKind.BYTES, "x"),
        ('tf.compat.v1.as_bytes("x")', ValueKind.BYTES, "x"),
        ('tf.compat.as_text("x")', ValueKind.STRING, "x"),
        ('tf.compat.as_bytes(str("x"))', ValueKind.BYTES, "x"),
        ("tf.compat.as_bytes(str(28 * 1024 * 1024 * 1024))", ValueKind.BYTES, "30064771072"),
        ('"x".encode()', ValueKind.BYTES, "x"),
        ('"x".encode("utf-8")', ValueKind.BYTES, "x"),
        ('bytes("x", "utf-8")', ValueKind.BYTES, "x"),
        ('bytes("x", encoding="utf-8")', ValueKind.BYTES, "x"),
        ('six.b("x")', ValueKind.BYTES, "x"),
        ('b"x"', ValueKind.BYTES, "x"),
        ("b'x' b'y'", ValueKind.BYTES, "xy"),
        ('"x"', ValueKind.STRING, "x"),
        ('r"x\\y"', ValueKind.STRING, "x\\y"),
        ('u"x"', ValueKind.STRING, "x"),
        ('"""x"""', ValueKind.STRING, "x"),
        ('"x" "y"', ValueKind.STRING, "xy"),
        ('"x" + "y"', ValueKind.STRING, "xy"),
        ('"%s_%d" % ("x", 3)', ValueKind.STRING, "x_3"),
        ('"{}_{}".format("x", 3)', ValueKind.STRING, "x_3"),
        ('"{1}{0}{a}".format("x", 3, a="z")', ValueKind.STRING, "3xz"),
        ("f\"x{3}{'y'}\"", ValueKind.STRING, "x3y"),
        ('"a\\tb"', ValueKind.STRING, "a\tb"),
        ("3", ValueKind.INT, 3),
        ("-3", ValueKind.INT, -3),
        ("0x10", ValueKind.INT, 16),
        ("1 << 4", ValueKind.INT, 16),
        ("2 ** 10", ValueKind.INT, 1024),
        ("0.5", ValueKind.FLOAT, 0.5),
        ("1 / 2", ValueKind.FLOAT, 0.5),
        ("True", ValueKind.BOOL, True),
        ("not True", ValueKind.BOOL, False),
        ("None", ValueKind.NONE, None),
        ('("x")', ValueKind.STRING, "x"),
        ('"x" if a else "x"', ValueKind.STRING, "x"),
        ('json.dumps({"output": "/tmp"})', ValueKind.STRING, '{"output": "/tmp"}'),
    ],
)
def test_literals_are_known(expression: str, kind: ValueKind, data: object) -> None:
    (setting,) = settings(f'op.parameter_map["k"].s = {expression}\n')
    assert (setting.value.kind, setting.value.known, setting.value.data) == (kind, True, data)


@together(
    ("expression", "kind"),
    [
        ("mode", ValueKind.UNKNOWN),
        ("FLAGS.mode", ValueKind.UNKNOWN),
        ("tf.compat.as_bytes(mode)", ValueKind.BYTES),
        ("mode.encode()", ValueKind.BYTES),
        ("str(mode)", ValueKind.STRING),
        ('"x" if a else "y"', ValueKind.STRING),
        ('f"x{mode}"', ValueKind.STRING),
        ('f"x{3:>10}"', ValueKind.STRING),
        ('"%10d" % 3', ValueKind.STRING),
        ('"x" + mode', ValueKind.STRING),
        ('os.path.join("a", "b")', ValueKind.STRING),
        ("int(mode)", ValueKind.INT),
        ("not mode", ValueKind.BOOL),
        ("mode()", ValueKind.UNKNOWN),
        ("10 ** 10 ** 10", ValueKind.INT),
        ("1 << 100000000", ValueKind.INT),
        ('"x" * 1000000000', ValueKind.STRING),
        ("1 / 0", ValueKind.UNKNOWN),
        ('str(b"x")', ValueKind.STRING),
    ],
)
def test_what_is_not_certain_is_unknown(expression: str, kind: ValueKind) -> None:
    (setting,) = settings(f'op.parameter_map["k"].s = {expression}\n')
    assert (setting.value.kind, setting.value.known, setting.value.data) == (kind, False, None)


@together(
    ("literal", "content"),
    [
        ('"x"', "x"),
        ("'x'", "x"),
        ('"""x"""', "x"),
        ('r"x"', "x"),
        ('"a\\tb"', None),
        ('"a" "b"', None),
        ('"中文"', "中文"),
    ],
)
def test_content_is_where_the_text_stands_one_to_one(literal: str, content: str | None) -> None:
    text = f'op.parameter_map["k"].s = {literal}\n'
    (setting,) = settings(text)
    found = setting.value.content
    assert (text[slice(*found)] if found else None) == content


def test_settings_stand_anywhere() -> None:
    text = """
import tensorflow as tf
class Trainer:
    def session(self):
        if self.npu:
            op.parameter_map["a"].b = True
        with x as y: op.parameter_map["b"].i = 1
        op.parameter_map['c'].s = tf.compat.as_bytes(
            "x"
            "y")
        op.parameter_map["d"].b = True; op.parameter_map["e"].b = False
        op.parameter_map["f"].b, op.parameter_map["g"].b = True, False
\tif bad:
\t\top . parameter_map [ "h" ] . i = 3  # comment
    def other(self): op.parameter_map["i"].i = 4
else: op.parameter_map["j"].i = 5
op.parameter_map["k"].b = op.parameter_map["l"].b = True
op.\\
    parameter_map["m"].b = True
try: op.parameter_map["n"].b = True
except (ValueError, TypeError) as error: op.parameter_map["o"].b = True
finally: op.parameter_map["p"].b = True
match mode:
    case {"x": 1, "y": [2, "a:b"]}: op.parameter_map["q"].b = True
"""
    assert told(text) == [
        ("a", True),
        ("b", 1),
        ("c", "xy"),
        ("d", True),
        ("e", False),
        ("f", True),
        ("g", False),
        ("h", 3),
        ("i", 4),
        ("j", 5),
        *((name, True) for name in "klmnopq"),
    ]


def test_arms_on_one_line_exclude_each_other() -> None:
    text = 'if x: op.parameter_map["a"].b = True\nelif y: op.parameter_map["a"].b = False\n'
    text += 'else: op.parameter_map["a"].b = False\n'
    first, second, third = settings(text)
    assert exclusive(first.branch, second.branch)
    assert exclusive(first.branch, third.branch)
    assert exclusive(second.branch, third.branch)


def test_text_and_comments_are_not_code() -> None:
    text = '''
# op.parameter_map["a"].b = True
"""
op.parameter_map["a"].b = True
"""
x = 'op.parameter_map["a"].b = True'
print(op.parameter_map["a"].b)
if op.parameter_map["a"].b == True: pass
'''
    assert told(text) == []


@together(
    "broken",
    [
        "def f(:\n    x = = 3\n",
        "foo(a, b\n",
        'x = "unclosed\n',
        "    stray indent\n",
        "custom_op.parameter_map[\n",
        'custom_op.parameter_map["pre\n',
        "run(NPURunConfig(precision_mode=\n",
        "print 'Python 2', x\n",
        "x = [1, 2\ny = 3\n",
        '"""\nan unclosed text\n',
        "x = \\\n",
    ],
)
def test_broken_code_silences_nothing_else(broken: str) -> None:
    good = 'custom_op.parameter_map["a"].b = True\n'
    assert told(good + broken + good.replace('"a"', '"b"')) == [("a", True), ("b", True)]


def test_each_optimizer_has_its_block() -> None:
    text = OP + 'custom_op.parameter_map["a"].b = True\n' + OP + 'custom_op.parameter_map["b"].b = True\n'
    text += "other = c.graph_options.rewrite_options.custom_optimizers.add()\n"
    text += 'other.parameter_map["c"].b = True\n'
    text += "def f():\n    " + OP + '    custom_op.parameter_map["d"].b = True\n'
    blocks = reading(text).blocks
    assert [[s.name for s in b.settings] for b in blocks] == [["a"], ["b"], ["c"], ["d"]]
    assert [b.id for b in blocks] == [0, 1, 2, 3]


def test_an_optimizer_made_in_either_arm_is_one_block() -> None:
    text = f"if a:\n    {OP}" + '    custom_op.parameter_map["a"].b = True\n'
    text += f"else:\n    {OP}" + '    custom_op.parameter_map["a"].b = False\ncustom_op.parameter_map["b"].b = True\n'
    (block,) = reading(text).blocks
    first, second, third = block.settings
    assert exclusive(first.branch, second.branch)
    assert not exclusive(first.branch, third.branch)


def test_session_setup() -> None:
    text = OP + 'custom_op.name = "NpuOptimizer"\ncustom_op.parameter_map["a"].b = True\n'
    (block,) = reading(text).blocks
    facts = {f.kind.value: f for f in block.facts}
    assert facts["optimizer_name"].value is not None
    assert facts["optimizer_name"].value.data == "NpuOptimizer"
    assert "optimizer_added" in facts


@together(
    ("definition", "use", "data"),
    [
        ('MODE = "x"\n', "MODE", "x"),
        ('MODE = "x"\ndef f():\n    pass\n', "MODE", "x"),
        ('A = "x"\nMODE = A + "y"\n', "MODE", "xy"),
        ('MODE: str = "x"\n', "MODE", "x"),
        ('MODE, B = "x", "y"\n', "MODE", "x"),
    ],
)
def test_a_name_with_one_binding_is_known(definition: str, use: str, data: str) -> None:
    text = f'{definition}op.parameter_map["k"].s = {use}\n'
    (setting,) = settings(text)
    assert (setting.value.known, setting.value.data) == (True, data)
    assert setting.value.content is None
    assert setting.value.origin is not None


@together(
    "definition",
    [
        'MODE = "x"\nMODE = "y"\n',
        'if a:\n    MODE = "x"\n',
        'for MODE in ["x"]:\n    pass\n',
        'MODE = "x"\nMODE += "y"\n',
        'MODE = "x"\ndel MODE\n',
        'MODE = "x"\ndef f():\n    global MODE\n    MODE = "y"\n',
        "from config import MODE\n",
        'MODE = "x"\nfrom config import *\n',
        'MODE = "x"\nimport MODE\n',
        'MODE = "x"\nwith open() as MODE:\n    pass\n',
        'MODE = "x"\nwhile (MODE := g()):\n    pass\n',
        'MODE = "x"\nprint MODE = 3\n',
        'MODE = "x"\nfor a, (b, MODE) in c:\n    pass\n',
        "def f(MODE='x'):\n    pass\n",
        "try:\n    MODE = 'x'\nexcept: pass\n",
        "MODE = 'x'\ntry: g()\nexcept E as MODE: pass\n",
    ],
)
def test_a_name_that_may_be_something_else_is_unknown(definition: str) -> None:
    (setting,) = settings(f'{definition}op.parameter_map["k"].s = MODE\n')
    assert not setting.value.known


def test_a_parameter_hides_a_constant() -> None:
    text = 'MODE = "x"\ndef f(op, MODE):\n    op.parameter_map["k"].s = MODE\n'
    assert told(text) == [("k", "<unknown>")]


@together(
    ("text", "damaged"),
    [
        ("", False),
        ("x = = 1\n", False),
        ('op.parameter_map["b"].s = = 1\n', True),
        ("op.parameter_map[\n", True),
        ("print op.parameter_map\n", False),
        ("foo(\n", True),
    ],
)
def test_a_reading_says_when_something_may_be_missing(text: str, damaged: bool) -> None:
    assert reading('op.parameter_map["a"].b = True\n' + text).damaged is damaged


@together(("word", "count"), [("inputs", 0), ("INPUT", 0), ("x", 0), ("use_npu", 1), ("myNpu", 1), ("NPU", 1)])
def test_a_field_that_no_option_has_counts_where_something_names_the_device(word: str, count: int) -> None:
    assert len(settings(f'other.parameter_map["key"].hidden = {word}\n')) == count
