"""What is wanted at a cursor, told from text that doesn't parse yet. `|` is the cursor."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import cursor, read
from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span
from tests.languages.python.told import at
from tests.together import together

NAMES = """\
pm = op.parameter_map
xop = c.graph_options.rewrite_options.custom_optimizers.add()
opts = npu.global_options()
dump = opts.dump_config
config = torchair.CompilerConfig()
env = os.environ
from npu_bridge.npu_init import NPURunConfig as RC
"""


@together(
    ("marked", "replaced", "before", "after"),
    [
        ('op.parameter_map["pre|', "pre", "", '"].'),
        ("op.parameter_map['pre|", "pre", "", "']."),
        ('op.parameter_map["pre|"]', "pre", "", ""),
        ('op.parameter_map["pre|cision"].s = b"x"', "precision", "", ""),
        ('op.parameter_map["pre|].s = b"x"', "pre", "", '"'),
        ("op.parameter_map[|]", "", '"', '"'),
        ("op.parameter_map[|", "", '"', '"].'),
        ('x = 1; op.parameter_map["|', "", "", '"].'),
        ('if a:\n    op.parameter_map["pre|\n    b()\n', "pre", "", '"].'),
        ('foo(\nop.parameter_map["pre|\n', "pre", "", '"].'),
    ],
)
def test_session_key(marked: str, replaced: str, before: str, after: str) -> None:
    found = at(marked)
    assert found is not None
    cursor_found, text = found
    assert (cursor_found.wanted, cursor_found.surface) == (CompletionKind.KEY, Surface.SESSION)
    assert (text, cursor_found.before, cursor_found.after) == (replaced, before, after)


@together(
    ("marked", "replaced", "after"),
    [
        ('op.parameter_map["a"].|', "", " = "),
        ('op.parameter_map["a"].s|', "s", " = "),
        ('op.parameter_map["a"].| = b"x"', "", ""),
        ("op.parameter_map['a'] . |", "", " = "),
    ],
)
def test_slot(marked: str, replaced: str, after: str) -> None:
    found = at(marked)
    assert found is not None
    assert (found[0].wanted, found[0].option) == (CompletionKind.SLOT, "a")
    assert (found[1], found[0].after) == (replaced, after)


@together(
    ("marked", "replaced", "slot", "before", "after"),
    [
        ('op.parameter_map["a"].s = |', "", "s", 'b"', '"'),
        ('x = tf.compat.as_bytes("y")\nop.parameter_map["a"].s = |', "", "s", 'tf.compat.as_bytes("', '")'),
        ('op.parameter_map["a"].s = tf.compat.as_bytes(|', "", "s", '"', '")'),
        ('op.parameter_map["a"].s = tf.compat.as_bytes(|)', "", "s", '"', '"'),
        ('op.parameter_map["a"].s = tf.compat.as_bytes("fo|', "fo", "s", "", '")'),
        ('op.parameter_map["a"].s = tf.compat.as_bytes("fo|")', "fo", "s", "", ""),
        ('op.parameter_map["a"].s = tf.compat.as_bytes("fo|rce")', "force", "s", "", ""),
        ('op.parameter_map["a"].s = tf.compat.as_bytes(b"fo|', "fo", "s", "", '")'),
        ('op.parameter_map["a"].s = "fo|', "fo", "s", "", '"'),
        ('op.parameter_map["a"].s = tf.compat.as_bytes(\n    "fo|', "fo", "s", "", '"'),
        ('op.parameter_map["a"].b = Tr|', "Tr", "b", "", ""),
        ('op.parameter_map["a"].i = |', "", "i", "", ""),
    ],
)
def test_session_value(marked: str, replaced: str, slot: str, before: str, after: str) -> None:
    found = at(marked)
    assert found is not None
    cursor_found, text = found
    assert (cursor_found.wanted, cursor_found.option, cursor_found.slot) == (CompletionKind.VALUE, "a", slot)
    assert (text, cursor_found.before, cursor_found.after) == (replaced, before, after)


@together(
    ("marked", "surface", "prefix", "after"),
    [
        ("NPURunConfig(pre|", Surface.RUN_CONFIG, "", "="),
        ("NPURunConfig(pre|=3)", Surface.RUN_CONFIG, "", ""),
        ("NPURunConfig(\n    a=1,\n    pre|\n    c=2)\n", Surface.RUN_CONFIG, "", "="),
        ("NPURunConfig(\n    a=1,\n    pre|\nestimator = X()\n", Surface.RUN_CONFIG, "", "="),
        ("NPURunConfig(\n    hcom_parallel=True\n    pre|", Surface.RUN_CONFIG, "", "="),
        ("NPURunConfig(\n    a=1,\n    b=f(x,\n        y)  # b\n    c='d'\n    pre|\n)\n", Surface.RUN_CONFIG, "", "="),
        ("NPURunConfig(a=DumpConfig(pre|", Surface.RUN_CONFIG, "DumpConfig.", "="),
        ("x.DumpConfig(pre|)", Surface.RUN_CONFIG, "DumpConfig.", "="),
        ("RC(pre|)", Surface.RUN_CONFIG, "", "="),
        ('NPURunConfig(**{"pre|', Surface.RUN_CONFIG, "", '": '),
        ("npu.global_options().pre|", Surface.GLOBAL_OPTIONS, "", " = "),
        ("npu.global_options().pre| = 3", Surface.GLOBAL_OPTIONS, "", ""),
        ("npu.global_options().dump_config.pre|", Surface.GLOBAL_OPTIONS, "dump_config.", " = "),
        ("print(npu.global_options().pre|", Surface.GLOBAL_OPTIONS, "", ""),
        ('setattr(npu.global_options(), "pre|', Surface.GLOBAL_OPTIONS, "", '", '),
        ("opts.pre|", Surface.GLOBAL_OPTIONS, "", " = "),
        ("opts.dump_config.pre|", Surface.GLOBAL_OPTIONS, "dump_config.", " = "),
        ("dump.pre|", Surface.GLOBAL_OPTIONS, "dump_config.", " = "),
        ("config.pre|", Surface.TORCHAIR, "", " = "),
        ("config.fusion_config.pre|", Surface.TORCHAIR, "fusion_config.", " = "),
        ('pm["pre|', Surface.SESSION, "", '"].'),
        ('os.environ["pre|', Surface.ENV, "", '"]'),
        ('env["pre|', Surface.ENV, "", '"]'),
        ('os.environ.setdefault("pre|', Surface.ENV, "", '", '),
        ('os.environ.update({"pre|', Surface.ENV, "", '": '),
        ('subprocess.run(x, env={"pre|', Surface.ENV, "", '": '),
        ('torch.npu.set_option({"pre|', Surface.TORCH_NPU, "", '": '),
        ("torch_npu.npu.set_compile_mode(pre|", Surface.NPU_CALLS, "set_compile_mode.", "="),
        ("torch_npu.profiler._ExperimentalConfig(pre|", Surface.PROFILER, "_ExperimentalConfig.", "="),
        ("mindspore.set_context(pre|", Surface.MINDSPORE, "", "="),
        ('mindspore.set_context(mode=0, ascend_config={"pre|', Surface.MINDSPORE, "ascend_config.", '": '),
        ("mindspore.set_auto_parallel_context(pre|", Surface.MINDSPORE_PARALLEL, "", "="),
        ('ms.set_auto_parallel_context(comm_fusion={"pre|', Surface.MINDSPORE_PARALLEL, "comm_fusion.", '": '),
        ('x = [("CANNExecutionProvider", {"pre|', Surface.ONNXRUNTIME, "", '": '),
        ("mindspore.JitConfig(pre|", Surface.MINDSPORE_JIT, "JitConfig.", "="),
        ('mindspore.set_context(ascend_config={"ge_options": {"global": {"pre|', Surface.GE, "", '": '),
        ("torch.npu.config.pre|", Surface.NPU_ATTRIBUTES, "config.", " = "),
        ("torch_npu.npu.matmul.pre| = True", Surface.NPU_ATTRIBUTES, "matmul.", ""),
    ],
)
def test_key_elsewhere(marked: str, surface: Surface, prefix: str, after: str) -> None:
    known = Document(NAMES, kind=Kind.PYTHON)
    read(known)
    offset = marked.index("|")
    document = known.edited(Span(len(NAMES), len(NAMES)), marked.replace("|", "", 1))
    found = cursor(document, len(NAMES) + offset)
    assert found is not None
    assert (found.wanted, found.surface, found.prefix, found.after) == (CompletionKind.KEY, surface, prefix, after)
    assert document.text[slice(*found.replace)] == found.typed == "pre"


@together(
    ("marked", "surface", "option", "replaced", "before", "after"),
    [
        ('NPURunConfig(a=1, precision_mode="al|', Surface.RUN_CONFIG, "precision_mode", "al", "", '")'),
        ('NPURunConfig(a=1\n    precision_mode="al|', Surface.RUN_CONFIG, "precision_mode", "al", "", '"'),
        ("NPURunConfig(a=1, precision_mode=|)", Surface.RUN_CONFIG, "precision_mode", "", '"', '"'),
        ('NPURunConfig(a=DumpConfig(dump_mode="|', Surface.RUN_CONFIG, "DumpConfig.dump_mode", "", "", '"))'),
        ('NPURunConfig(**{"precision_mode": "|"})', Surface.RUN_CONFIG, "precision_mode", "", "", ""),
        ('npu.global_options().precision_mode = "al|', Surface.GLOBAL_OPTIONS, "precision_mode", "al", "", '"'),
        ("npu.global_options().dump_config.x = |", Surface.GLOBAL_OPTIONS, "dump_config.x", "", '"', '"'),
        ('setattr(npu.global_options(), "a", "|', Surface.GLOBAL_OPTIONS, "a", "", "", '")'),
        ('os.environ["X"] = "|', Surface.ENV, "X", "", "", '"'),
        ('os.environ.setdefault("X", "|")', Surface.ENV, "X", "", "", ""),
        ('os.environ.update({"A": "b", "X": "|"})', Surface.ENV, "X", "", "", ""),
        ('torch.npu.set_option({"A": "|', Surface.TORCH_NPU, "A", "", "", '"})'),
        (
            "torch_npu.npu.set_compile_mode(jit_compile=|)",
            Surface.NPU_CALLS,
            "set_compile_mode.jit_compile",
            "",
            '"',
            '"',
        ),
        ('os.system("atc --precision_mode=fo|")', Surface.ATC, "precision_mode", "fo", "", ""),
        ('subprocess.run(["atc", "--x=a", f"--precision_mode=|', Surface.ATC, "precision_mode", "", "", ""),
    ],
)
def test_value_elsewhere(marked: str, surface: Surface, option: str, replaced: str, before: str, after: str) -> None:
    found = at(marked)
    assert found is not None
    cursor_found, text = found
    assert (cursor_found.wanted, cursor_found.surface, cursor_found.option) == (CompletionKind.VALUE, surface, option)
    assert (text, cursor_found.before, cursor_found.after) == (replaced, before, after)


@together(
    ("marked", "present"),
    [
        ('os.system("atc --pre|', frozenset()),
        ('os.system("atc --model=x --pre|")', frozenset({"model"})),
        ('os.system("atc --model=x "\n          "--pre|")', frozenset({"model"})),
        ('os.system(f"atc --model={x} --pre|', frozenset({"model"})),
        ('subprocess.check_call(["atc", "--model=x", "--pre|"])', frozenset({"model"})),
        ('cmd = "atc --pre|', frozenset()),
    ],
)
def test_flag_of_a_command(marked: str, present: frozenset[str]) -> None:
    found = at(marked)
    assert found is not None
    assert (found[0].wanted, found[0].surface, found[1]) == (CompletionKind.FLAG, Surface.ATC, "--pre")
    assert found[0].present == present


@pytest.mark.parametrize("name", ['custom_op.name = "|', "my_optimizer.name = '|Npu'"])
def test_optimizer_name(name: str) -> None:
    found = at(name)
    assert found is not None
    assert found[0].wanted is CompletionKind.NAME


def test_present_keywords_are_those_of_the_same_call() -> None:
    found = at('NPURunConfig(a=f(x=1), b|, c=DumpConfig(d=2), e="x=3")')
    assert found is not None
    assert found[0].present == {"a", "c", "e"}


@together(
    "marked",
    [
        '# op.parameter_map["|',
        'x = 1  # op.parameter_map["|',
        's = "op.parameter_map["|',
        'op.parameters["|',
        'foo("a|',
        "x.y|",
        "|",
        'print("--pre|',
        "def f(a|",
        'pd.set_option({"a|',
        'op.parameter_map["a"] = |',
        "NPURunConfig(a=b(c|",
    ],
)
def test_nothing_is_wanted(marked: str) -> None:
    assert at(marked) is None


def test_a_replacement_stays_on_its_line() -> None:
    text = 'os.system("""\natc --model=x \\\n    --pre|\n""")\n'
    found = at(text)
    assert found is not None
    assert found[1] == "--pre"


def test_behind_a_slot_and_a_blank_nothing_is_wanted() -> None:
    assert at('op.parameter_map["precision_mode"].s | = b"x"') is None
    assert at('op.parameter_map["precision_mode"].s | ') is None
    found = at('op.parameter_map["precision_mode"]. |')
    assert found is not None
    assert found[0].wanted is CompletionKind.SLOT


def test_an_argument_that_goes_on_is_no_new_one() -> None:
    assert at("NPURunConfig(a=1 +\n    pre|)") is None
    assert at('NPURunConfig(a="""\nb=1\n    pre|') is None
    assert at("NPURunConfig(a=[1\n    pre|") is None


def test_what_stands_without_its_comma_is_there() -> None:
    found = at("NPURunConfig(\n    model_dir='a'\n    hcom_parallel=True\n    pre|")
    assert found is not None
    assert found[0].present == {"model_dir", "hcom_parallel"}


def test_half_of_a_pair_is_text_like_any_other() -> None:
    """JSON can carry one, and libcst takes none."""
    text = 'NPURunConfig(\n    model_dir="\ud800"\n    preci'
    assert cursor(Document(text, kind=Kind.PYTHON), len(text)) is None
    whole = 'NPURunConfig(model_dir="\ud800", preci'
    found = cursor(Document(whole, kind=Kind.PYTHON), len(whole))
    assert found is not None
    assert found.surface is Surface.RUN_CONFIG
