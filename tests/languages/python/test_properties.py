"""What holds for every text: no crash, ranges on their text, an edit reads as a fresh start would."""

from __future__ import annotations

import re
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from npu_lsp.languages import cursor, read
from npu_lsp.languages.branches import Arm, Branch
from npu_lsp.languages.model import Block, Fact, ParseResult, Setting
from npu_lsp.languages.python.lines.logical_lines import rescan, scan
from npu_lsp.text.decoding import decode
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span, TextChange
from tests.case_files import case_files
from tests.languages.python.told import check_places, reading, told
from tests.robustness.steps import many_steps
from tests.together import together

_PER_CHARACTER = 1_000
"""Steps that a text may take for each of its characters: no limit that a right change meets, one that a hang does."""

SCRIPT = '''\
"""Trains a model."""
import os
import torchair
from npu_bridge.npu_init import *

MODE = "allow_mix_precision"
OPTIONS = {"hcom_parallel": True, "dynamic_input": False}
os.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "3"  # npu-lsp: ignore


def put(op, key, value):
    """Sets one option."""
    if isinstance(value, bool):
        op.parameter_map[key].b = value
    else:
        op.parameter_map[key].s = tf.compat.as_bytes(value)


class Trainer:
    def session(self, flags):
        config = tf.ConfigProto(allow_soft_placement=True)
        custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
        custom_op.name = "NpuOptimizer"
        custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes(MODE)
        if flags.dump:
            custom_op.parameter_map["enable_dump"].b = True; custom_op.parameter_map["dump_step"].s = b"0|5"
            return tf.Session(config=config)
        elif flags.other:
            pm = custom_op.parameter_map
            pm["dump_path"].s = tf.compat.as_bytes(
                "/tmp/"
                "dump")
        for key, value in OPTIONS.items():
            custom_op.parameter_map[key].b = value
        put(custom_op, "aoe_mode", "2")
        config.graph_options.rewrite_options.remapping = RewriterConfig.OFF
        return tf.Session(config=config)


def estimator():
    dump = DumpConfig(enable_dump=True, dump_path="/x")
    return NPURunConfig(model_dir="m", dump_config=dump,
                        iterations_per_loop=10)  # steps


npu.global_options().dump_config.enable_dump = True
compiler = torchair.CompilerConfig()
compiler.mode = "max-autotune"
os.system(f"atc --model={model} "
          "--framework=5")
'''
PIECES = [
    *"()[]{}\"'#\\,.= \t\n\r:;x",
    '"""',
    "\\\n",
    "    \\\n",
    "\n\\\n  ",
    "\r\n",
    "    ",
    "def f():\n",
    "return\n",
    "if x:\n",
    "else:\n",
    "a.b = 1\n",
    "print x\n",
    'op.parameter_map["k"].b = True\n',
    "custom_op",
    "config",
    "中",
    "\x00",
    "\f",
    "\ufeff",
    "# npu-lsp: off",
]
TWICE = "twice"
EDITS = st.lists(
    st.tuples(
        st.floats(0, 1), st.sampled_from([0, 0, 0, 1, 1, 2, 7, 60]), st.sampled_from(["", "", TWICE, TWICE, *PIECES])
    ),
    min_size=1,
    max_size=6,
)
TEXTS = [SCRIPT, *(decode(path.read_bytes()).text for path in case_files("forms", suffix=".py"))]
"""A script, and a sample of each form in which an option is set."""

QUICK = effort(max_examples=40)


def edited(text: str, edit: tuple[float, int, str]) -> tuple[TextChange, str]:
    """Return a text with one edit, and the edit as a change."""
    place, length, insertion = edit
    start = int(place * len(text))
    end = min(len(text), start + length)
    if insertion == TWICE:
        # The line is doubled.
        line = text.rfind("\n", 0, start) + 1
        insertion = text[line : text.find("\n", start) + 1]
        start = end = line
    return TextChange(start, end, start + len(insertion)), text[:start] + insertion + text[end:]


def plain(found: ParseResult) -> object:
    """Return a reading with its branches numbered in the order in which they come."""
    numbers: dict[tuple[object, int | None], int] = {}

    def branch(given: Branch) -> Branch:
        return tuple(
            Arm(
                each.kind,
                (numbers.setdefault((each[:2], None), len(numbers)),),
                numbers.setdefault((each[:2], each.arm), len(numbers)),
            )
            for each in given
        )

    def fact(setup: Fact) -> Fact:
        return setup._replace(branch=branch(setup.branch))

    def setting(one: Setting) -> Setting:
        return one._replace(branch=branch(one.branch))

    def block(one: Block) -> Block:
        settings = tuple(setting(s) for s in one.settings)
        return one._replace(settings=settings, facts=tuple(fact(s) for s in one.facts))

    return (
        tuple(block(b) for b in found.blocks),
        tuple(fact(s) for s in found.facts),
        found.comments,
        found.syntax,
        found.damaged,
    )


TABBED = "if x:\n\tf(\n  import b\n  import c\n  import d\n  import e\n"
FED = TABBED.replace("\t", "    ").replace("  import", "    \f  import")


def check_fresh(document: Document) -> None:
    """Prove that a version reads as its text does without the versions before."""
    assert plain(read(document)) == plain(read(Document(document.text, kind=Kind.PYTHON)))


@QUICK
@example(TABBED, [(1.0, 0, ")\n")])
@example(FED, [(1.0, 0, ")\n")])
@given(st.sampled_from(TEXTS), EDITS)
def test_a_rescanned_skeleton_is_a_fresh_one(text: str, edits: list[tuple[float, int, str]]) -> None:
    logical_lines = scan(text)
    for edit in edits:
        change, text = edited(text, edit)
        logical_lines = rescan(logical_lines, text, change).lines
        assert logical_lines == scan(text)


@QUICK
@given(st.sampled_from(TEXTS), EDITS)
def test_an_edited_document_reads_as_a_fresh_one(text: str, edits: list[tuple[float, int, str]]) -> None:
    document = Document(text, kind=Kind.PYTHON)
    read(document)
    for edit in edits:
        change, after = edited(document.text, edit)
        inserted = after[change.start : change.new_end]
        document = document.edited(Span(change.start, change.old_end), inserted)
        assert document.text == after
        check_fresh(document)


_BETWEEN_QUOTES = re.compile(r"""(?<=["'])[^"'\n]*(?=["'])""")
SHARED = """\
import tensorflow as tf
from npu_bridge.npu_init import *

mode = op.parameter_map["precision_mode"].s = "fp16"
op.parameter_map["aoe_mode"].s = (tune := "2")
op.parameter_map["op_debug_level"].s = mode
entry = op.parameter_map["dump_path"]
entry.s = tf.compat.as_bytes("dump")
op.parameter_map["dump_mode"].s = op.parameter_map["precision_mode"].s = "all"
for key, value in {"dump_step": "0", "fusion_switch_file": "f.cfg"}.items():
    op.parameter_map[key].s = tf.compat.as_bytes(value)
for key in ["work_path", "profiling_mode"]:
    op.parameter_map[key].s = "one text for both"
given = dict(precision_mode="mixed", op_select_implmode="high")
config = NPURunConfig(precision_mode="fp32", op_debug_level=1, dump_config=DumpConfig(dump_path="d", dump_step=given["precision_mode"]))
other = NPURunConfig(**given)
third = NPURunConfig(precision_mode=config.precision_mode, model_dir="m" "n", aoe_mode=b"2", work_path="w".strip())
op.parameter_map[given["op_select_implmode"]].s = "under a name"
os.environ["JOB_ID"] = "10"
os.system("atc --model=%s --job=" + os.environ["JOB_ID"] % "m")
op.name = "NpuOptimizer"
"""
"""Literals that more than one thing hangs on, among others."""

UNSPOKEN = """\
op.parameter_map["precision_mode"].s = "fp16"
other.parameter_map["key"].hidden = "x"
"""
"""No word in it says what the second map belongs to."""
SPOKEN = UNSPOKEN.replace("fp16", "inputs npu")
"""One word in it does, which goes when half of its literal does."""
QUOTED = '''\
op.parameter_map["precision_mode"].s = """a""x"b"""
op.parameter_map["dump_path"].s = 'a"b"'
'''
DAMAGED = '''\
from npu_bridge.npu_init import *
x = foo(1,
op.parameter_map["precision_mode"].s = """
de
"""
op.parameter_map["dump_path"].s = "a"
'''
GIANT = 'op.parameter_map["dump_path"].s = "' + "x" * 99_964 + '"\n'
"""One letter more, and it isn't read."""


@pytest.mark.parametrize(
    ("text", "typed"),
    [(text, "x") for text in (*TEXTS, GIANT)]
    + [
        (text, typed) for text in (SHARED, UNSPOKEN, SPOKEN, DAMAGED, QUOTED) for typed in ("x", "npu", "f x", "\\", "")
    ],
)
def test_what_is_typed_between_quotes_reads_as_a_fresh_text(text: str, typed: str) -> None:
    document = Document(text, kind=Kind.PYTHON)
    read(document)
    for number, found in enumerate(_BETWEEN_QUOTES.finditer(text)):
        start, end = found.span()
        edits = [Span(start, start), Span((start + end) // 2, end)]
        # A sample has many of a kind: each of them gets one of both.
        for edit in edits[number % 2 :: 2] if text in TEXTS else edits:
            check_fresh(document.edited(edit, typed))


@pytest.mark.parametrize("line", ["a_word\n", "# npu-lsp\n"])
def test_places_on_both_sides_of_an_edit_move(line: str) -> None:
    text = 'def f(op):\n    op.parameter_map["aoe_mode"].s = MODE\n    op.parameter_map["x"].s = [MODE]\n\n\n\nMODE = "2"\n'
    document = Document(text, kind=Kind.PYTHON)
    read(document)
    changed = document.edited(Span(at := text.index("\n\n") + 1, at), line)
    check_fresh(changed)


_ONE = 'op.parameter_map["aoe_mode"].s = "2"\n'
_TWO = 'op.parameter_map["dump_mode"].s = "all"\n'
_IN_BRANCH = f"def f(op):\n    if a:\n        {_ONE}        {{}}\n    {_TWO}"
_IN_LOOP = f"for i in x:\n    if a:\n        {_ONE}        {{}}\n    {_TWO}"


@together(
    ("text", "old", "new"),
    [
        pytest.param(f"if a:\n    {_ONE}    {{}}\n    {_TWO}", "x", "x\nelse:\n    y", id="another arm"),
        pytest.param(f"if a:\n    {_ONE}    x\n{{}}    {_TWO}", "", "elif b:\n", id="a header more"),
        pytest.param(f"if a:\n    {_ONE}    if b:\n        x\n{{}}y\n    {_TWO}", "    ", "", id="the suite ends"),
        pytest.param(f"if a:\n    {_ONE}{{}}y\n    {_TWO}", "    ", "", id="the suite ends, blanks only"),
        pytest.param(f"if a:\n    {_ONE}    {{}}\n        {_TWO}", "x", "if b:", id="a deeper suite"),
        pytest.param(f"{{}} a:\n    {_ONE}{_TWO}", "if", "with", id="no branch any more"),
        pytest.param(f"{{}} a:\n    {_ONE}{_TWO}", "with", "if", id="a branch"),
        pytest.param(_IN_BRANCH, "x", "return", id="left"),
        pytest.param(_IN_BRANCH, "return", "x", id="not left"),
        pytest.param(_IN_BRANCH, "return", "return\n        x", id="left, and a line more"),
        pytest.param(_IN_BRANCH, "return\n        x", "return", id="left at the end"),
        pytest.param(_IN_BRANCH, "x", "sys.exit(1)", id="the program ends"),
        pytest.param(
            f"def f(op):\n    if a:\n        {_ONE}        return\n{{}}\n    {_TWO}", "", "        x", id="not the end"
        ),
        pytest.param(f"if a:\n    {_ONE}{{}}\nelse:\n    {_TWO}", "", "y", id="an arm without a branch"),
        pytest.param(_IN_LOOP, "x", "continue", id="the round ends"),
        pytest.param(_IN_LOOP, "break", "x", id="the loop goes on"),
        pytest.param(f"x = foo(\n{_ONE}y = 1{{}}\n{_TWO}", "", ")", id="the bracket is closed"),
        pytest.param(f"x = foo(\n{_ONE}y = 1{{}}\n{_TWO}", ")", "", id="the bracket is open"),
        pytest.param(f"y = 1{{}}\n{_ONE}", "", " \\", id="a line goes on"),
        pytest.param(f"y = 1{{}}\n{_ONE}", " \\", "", id="a line ends"),
        pytest.param(f"y = 1{{}}\n{_ONE}z = 2\n{_TWO}", "", ' + """', id="a text begins"),
        pytest.param(f'y = 1 {{}}\n{_ONE}z = 2  # """\n{_TWO}', "", '"""', id="a text begins, and ends"),
        pytest.param(f"{{}}\ndef g():\n    {_ONE}", "", "@x", id="a decorator"),
    ],
)
def test_an_edit_that_changes_what_others_mean_reads_as_a_fresh_text(text: str, old: str, new: str) -> None:
    at = text.index("{}")
    for before, after in ((old, new), (new, old)):
        document = Document(text.format(before), kind=Kind.PYTHON)
        read(document)
        changed = document.edited(Span(at, at + len(before)), after)
        check_fresh(changed)


@QUICK
@given(st.sampled_from(TEXTS), EDITS, st.floats(0, 1))
def test_edits_never_crash_hang_or_move_a_range_off_its_text(
    text: str, edits: list[tuple[float, int, str]], place: float
) -> None:
    for edit in edits:
        text = edited(text, edit)[1]
    assert not many_steps(lambda: partial(read, Document(text, kind=Kind.PYTHON)), 200_000)
    for block in reading(text).blocks:
        for setting in block.settings:
            check_places(text, setting, block)
    document = Document(text, kind=Kind.PYTHON)
    offset = int(place * len(text))
    found = cursor(document, offset)
    if found is not None:
        assert found.replace.covers(offset)
        assert document.line_of(found.replace.start) == document.line_of(found.replace.end)
        assert text[found.replace.start : offset] == found.typed


@QUICK
@given(st.text(alphabet=st.sampled_from("aop.[]()\"'=:\n \t#\\{}b_,;@"), max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    reading('op.parameter_map["k"].b = True\n' + text)
    document = Document(text, kind=Kind.PYTHON)
    for offset in range(0, len(text), 7):
        cursor(document, offset)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\ufeff",
        "\x00",
        'op.parameter_map["k"].b = ' + "(" * 5000 + ")" * 5000 + "\n",
        'op.parameter_map["k"].b = ' + "not " * 20000 + "x\n",
        'op.parameter_map["k"].b = x' + ".y" * 20000 + "\n",
        'op.parameter_map["k"].b = ' + "a + " * 20000 + "b\n",
        'op.parameter_map["k"].i = ' + "9" * 20000 + "\n",
        'op.parameter_map["k"].s = "' + "x" * 1_000_000 + '"\n',
        'op.parameter_map["k"].s = "\\ud800"\n',
        'op.parameter_map["k"].s = b"\\xff"\n',
        "x = [\n" + "    1,\n" * 20_000 + ']\nop.parameter_map["k"].b = True\n',
        'op.parameter_map["k"].b = True\n' * 3000,
        "if a:\n" * 3000 + 'op.parameter_map["k"].b = True\n',
        'a0 = "x"\n' + "".join(f"a{i + 1} = a{i} + a{i}\n" for i in range(60)) + 'op.parameter_map["k"].s = a60\n',
        'a0 = {"x": 1}\n' + "".join(f"a{i + 1} = {{**a{i}, **a{i}}}\n" for i in range(60)) + "NPURunConfig(**a60)\n",
        'a = {"x": 1}\n' + "a.update(a)\n" * 60 + "for k in a:\n    op.parameter_map[k].b = True\n",
        'c = "atc --model=x "\n' + "c += c\n" * 60 + "os.system(c)\n",
        'a0 = ["atc"]\n' + "".join(f"a{i + 1} = a{i} + a{i}\n" for i in range(60)) + "subprocess.run(a60)\n",
        'p = ["atc"]\n' + 'p.append(" ".join(p))\n' * 40 + 'os.system(" ".join(p))\n',
        "".join(" " * i + "if a:\n" for i in range(2000)) + " " * 2000 + 'op.parameter_map["k"].b = True\n',
    ],
    ids=range(21),
)
def test_odd_texts(text: str) -> None:
    assert not many_steps(lambda: partial(reading, text), 5_000_000 + _PER_CHARACTER * len(text))


SETTINGS = told(SCRIPT)


@together(
    "mutate",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace("    ", "\t"),
        lambda text: text.replace("    ", "  "),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: text.replace("\n\n", "\n# a comment\n\n"),
        lambda text: text.replace("flags", "arguments").replace("Trainer", "Runner").replace("dump)", "dump)  # x"),
        lambda text: text.replace("config", "configuration").replace("configuration_", "config_"),
        lambda text: "\ufeff" + text,
        lambda text: "# -*- coding: utf-8 -*-\n" + text,
        lambda text: text + "x = = broken (\n",
        lambda text: "def broken(:\n" + text,
        lambda text: text.replace("class Trainer:", "\f\nclass Trainer:"),
        lambda text: text.replace("import os\n", "import os\nprint 'old'\n"),
    ],
)
def test_what_does_not_matter_changes_nothing(mutate: object) -> None:
    assert callable(mutate)
    changed = str(mutate(SCRIPT))
    if "configuration" in changed:
        changed = changed.replace("dump_configuration", "dump_config")
    assert told(changed) == SETTINGS


def test_the_script_holds_every_form() -> None:
    assert len(SETTINGS) == 17
