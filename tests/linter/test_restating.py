"""Options of a session written as an `NPURunConfig` and the other way round: the same values, and nothing new to say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Scalar, Surface
from npu_lsp.catalog.usage import class_of, holders
from npu_lsp.languages import read
from npu_lsp.languages.model import Block, ValueKind
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.tensorflow.migration import block_at, migrated
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span, apply_edits
from tests.together import together

CATALOG = load()
ANALYZER = Analyzer(Config(select=("ALL",)), all_rules)
BOTH = {
    option.topic: (option, other)
    for option in CATALOG.options(Surface.SESSION)
    if (name := CATALOG.topic(option.topic).get(Surface.RUN_CONFIG)) is not None
    and (other := CATALOG.option(Surface.RUN_CONFIG, name)) is not None
    # An Estimator stores its bytes as they are: what is right on one side is wrong on the other.
    and option.topic != "insert_op_file"
}
NOT_ALONE = {
    # The constructor of `DynamicInputConfig` raises unless it gets all of them.
    *("dynamic_dims", "dynamic_node_type", "input_shape"),
    # The run stops without `op_select_implmode`.
    "optypelist_for_implmode",
}
"""Options that can't be by themselves, on either side; they are told of in a comment."""
GONE = {option.topic for pair in BOTH.values() for option in pair if option.removed is not None}
"""Versions of today raise, or don't know them."""
NEED = {
    # An Estimator doesn't hand them on while `aoe_mode` isn't set; the last is an argument of `DynamicInputConfig`, too.
    Surface.SESSION: {"work_path", "distribute_config", "compile_hybrid_mode"},
    Surface.RUN_CONFIG: set[str](),
}
"""Options that can't be by themselves on the other side."""
HEAD = "import tensorflow as tf\nfrom npu_bridge.npu_init import *\n"
Values = Mapping[str, Scalar]
"""By topic."""


def values_of(option: Option) -> Sequence[Scalar]:
    """Return values that an option takes, and odd ones where any text is one."""
    found: list[Scalar] = [*(each.value for each in option.values if each.value is not None), *option.examples]
    if option.type in ("string", "path") and not option.values:
        found += [*([""] if option.topic != "work_path" else []), '中文 it\'s "quoted"\\n\n\x00\x1b#']
    if option.type == "int" and not found:
        found += [1 if option.minimum is None else int(option.minimum)]
    return found or [True]


def session(values: Values) -> str:
    """Return a session that sets options, by topic."""
    lines = [
        "config = tf.ConfigProto()",
        "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()",
        'custom_op.name = "NpuOptimizer"',
        'custom_op.parameter_map["use_off_line"].b = True',
    ]
    for topic, value in values.items():
        option, written = BOTH[topic][0], repr(value)
        assert option.slot is not None
        written = f"tf.compat.as_bytes({written})" if isinstance(value, str) else written
        lines.append(f'custom_op.parameter_map["{option.name}"].{option.slot.value} = {written}')
    lines += ["with tf.Session(config=npu_config_proto(config)) as sess:", "    sess.run(step)"]
    return HEAD + "\n".join(lines) + "\n"


def run_config(values: Values) -> str:
    """Return an `NPURunConfig` that sets options, by topic."""
    inner: dict[str, list[str]] = {}
    for topic, value in values.items():
        option = BOTH[topic][1]
        holding = holders(CATALOG, option)
        inner.setdefault(class_of(holding[-1]) if holding else "", []).append(
            f"{option.name.rpartition('.')[2]}={value!r}"
        )
        for outer, holder in zip(("", *map(class_of, holding)), holding, strict=False):
            inner.setdefault(outer, []).append(f"{holder.name.rpartition('.')[2]}=@{class_of(holder)}")
    text = f"run = NPURunConfig({', '.join(dict.fromkeys(inner[''])) if '' in inner else ''})"
    while "@" in text:
        name = text.partition("@")[2]
        name = name[: next(i for i, c in enumerate(name) if not c.isalnum())]
        text = text.replace(f"@{name}", f"{name}({', '.join(dict.fromkeys(inner[name]))})")
    return f"{HEAD}{text}\nestimator = NPUEstimator(model_fn=model, config=run)\n"


def written(text: str) -> tuple[Document, Document]:
    """Return a text, and what it is with the options of its block added for the other side."""
    document = Document(text, path="/train.py", kind=Kind.PYTHON)
    (start,) = (b.settings[0].key.start for b in read(document).blocks if b.settings)
    block = block_at(ANALYZER, document, Span(start, start))
    edits = migrated(ANALYZER, document, block) if block is not None else ()
    return document, Document(apply_edits(text, edits), path="/train.py", kind=Kind.PYTHON)


def options(document: Document, surface: Surface) -> Iterator[tuple[str, Scalar]]:
    """Yield topic and value of what the block of a surface sets."""
    block: Block
    (block,) = (each for each in read(document).blocks if each.surface is surface and each.settings)
    for setting in block.settings:
        option = CATALOG.option(surface, setting.name)
        if setting.value.kind is not ValueKind.OBJECT and option is not None:
            assert setting.value.known
            assert option.slot is None or option.slot.value == setting.slot
            yield option.topic, setting.value.data


def findings(document: Document) -> Counter[tuple[str, str]]:
    """Count what is said, by code and topic."""
    found: Counter[tuple[str, str]] = Counter()
    for each in ANALYZER.findings(document):
        if each.name == "unstable-option":
            continue  # It is that on both sides; a name that says so itself is not told.
        option = CATALOG.option(each.surface, each.option or "") if each.surface else None
        found[each.code, option.topic if option is not None else each.option or ""] += 1
    return found


def carried(values: Values, origin: Surface) -> dict[str, Scalar]:
    """Return what the other side sets after the options were added there; check what every such addition must keep."""
    before, after = written(session(values) if origin is Surface.SESSION else run_config(values))
    if after.text == before.text:
        return {}
    kept = iter(after.text)
    assert all(char in kept for char in before.text), "something was taken away"
    more = findings(after)
    more.subtract(findings(before))
    more.subtract(findings(before))
    assert not [about for about, count in more.items() if count > 0]
    other = Surface.RUN_CONFIG if origin is Surface.SESSION else Surface.SESSION
    compile(after.text, "train.py", "exec")
    return dict(options(after, other))


@pytest.mark.parametrize("origin", [Surface.SESSION, Surface.RUN_CONFIG])
def test_each_value_of_each_option_that_both_have_is_carried(origin: Surface) -> None:
    left: dict[str, set[str]] = {}
    for topic, pair in BOTH.items():
        for value in values_of(pair[origin is not Surface.SESSION]):
            if carried({topic: value}, origin).get(topic, "not there") != value:
                left.setdefault(topic, set()).add(repr(value))
    assert set(left) == NOT_ALONE | GONE | NEED[origin]


def _some(origin: Surface) -> st.SearchStrategy[dict[str, Scalar]]:
    choices = {topic: st.sampled_from(values_of(pair[origin is not Surface.SESSION])) for topic, pair in BOTH.items()}
    names = st.lists(st.sampled_from(sorted(BOTH)), min_size=1, max_size=8, unique=True)
    return names.flatmap(lambda chosen: st.fixed_dictionaries({name: choices[name] for name in chosen}))


@pytest.mark.parametrize("origin", [Surface.SESSION, Surface.RUN_CONFIG])
@given(data=st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_not_carried_is_told(origin: Surface, data: st.DataObject) -> None:
    values = data.draw(_some(origin))
    before, after = written(session(values) if origin is Surface.SESSION else run_config(values))
    found = carried(values, origin)
    if not found:
        assert after.text == before.text
        return
    comments = "".join(line for line in after.text.splitlines() if line.lstrip().startswith("#"))
    for topic, value in values.items():
        name = BOTH[topic][origin is not Surface.SESSION].name
        assert found.get(topic) == value or name in comments


def restated_at(text: str, sign: str) -> str:
    """Return a text with the options of the block at `sign` added for the other side; as it is where none are."""
    document = Document(text, path="/train.py", kind=Kind.PYTHON)
    at = text.index(sign)
    block = block_at(ANALYZER, document, Span(at, at))
    return apply_edits(text, migrated(ANALYZER, document, block)) if block is not None else text


SET = 'custom_op.parameter_map["{}"].{} = {}\n'.format


@together(
    ("lines", "written"),
    [
        # An expression goes with its value, and bytes become the text that they are made of.
        (SET("precision_mode", "s", "tf.compat.as_bytes(FLAGS.mode)"), "precision_mode=FLAGS.mode,"),
        (SET("debug_dir", "s", "os.path.join(out, 'x').encode()"), "debug_dir=os.path.join(out, 'x'),"),
        (SET("debug_dir", "s", "folder"), "debug_dir=folder.decode(),"),
        (SET("iterations_per_loop", "i", "FLAGS.loop + 1"), "iterations_per_loop=FLAGS.loop + 1,"),
        (SET("hcom_parallel", "b", "1"), "hcom_parallel=True,"),
        (SET("jit_compile", "s", "b'true'"), "jit_compile='true',"),
        # What a call does is done once, what changes in between is not what it was.
        (SET("debug_dir", "s", "tf.compat.as_bytes(make())"), "# Not taken over, look at the value: debug_dir"),
        (
            "name = ask()\n" + SET("debug_dir", "s", "name") + "name = ask()\n" + SET("deterministic", "i", "1"),
            "# Not taken over, look at the value: debug_dir",
        ),
        (
            SET("debug_dir", "s", "o.dir") + "o.dir = b'/tmp'\n" + SET("deterministic", "i", "1"),
            "# Not taken over, look at the value: debug_dir",
        ),
        ("if a:\n    " + SET("deterministic", "i", "1"), "# Set under a condition, not taken over: deterministic"),
        (SET("graph_exec_timeout", "i", "1000"), "# NPURunConfig doesn't have: graph_exec_timeout"),
        (SET("insert_op_file", "s", "b'a.cfg'"), "# Not taken over, look at the value: insert_op_file"),
        # A value in a field that nobody reads.
        (SET("deterministic", "s", "b'1'"), "# Not taken over, look at the value: deterministic"),
    ],
)
def test_lines_of_a_session(lines: str, written: str) -> None:
    text = HEAD + SET("hcom_multi_mode", "b", "True") + lines + SET("op_debug_config", "s", "b'a.cfg'")
    assert written in restated_at(text, "hcom_multi").replace(text, "")


def test_names_that_are_taken_and_imports_that_are_missing() -> None:
    text = 'run_config = 1\ncustom_op.parameter_map["dump_path"].s = b"/tmp"\n'
    assert restated_at(text, "dump_path") == (
        f"from npu_bridge.estimator.npu.npu_config import NPURunConfig, DumpConfig\n{text}"
        "run_config_2 = NPURunConfig(\n"
        "    # Another default here: enable_data_pre_proc (True)\n"
        "    dump_config=DumpConfig(\n"
        '        dump_path="/tmp",\n'
        "    ),\n"
        ")\n"
    )


FUNCTION = """\
def npu_session_config():
    # A session doesn't have: model_dir
    # Another default here: enable_data_pre_proc (False)
    config_2 = tf.compat.v1.ConfigProto()
    custom_op = config_2.graph_options.rewrite_options.custom_optimizers.add()
    custom_op.name = "NpuOptimizer"
    custom_op.parameter_map["use_off_line"].b = True
    custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes(config.mode)
    config_2.graph_options.rewrite_options.remapping = RewriterConfig.OFF
    config_2.graph_options.rewrite_options.memory_optimization = RewriterConfig.OFF
    return config_2
"""
CALL = "NPURunConfig(model_dir=a, precision_mode=config.mode, graph_run_mode=None)\n"


def test_a_session_is_a_function_so_that_nothing_runs_before_it_is_wanted() -> None:
    text = f"{HEAD}run = {CALL}go(run)\n"
    assert restated_at(text, "graph_run") == text.replace("go(", f"\n\n{FUNCTION}\n\ngo(")


def test_a_session_stands_above_a_statement_that_leaves() -> None:
    text = f"{HEAD}def make(config):\n\treturn {CALL}"
    inside = "".join(f"\t{line}\n" for line in FUNCTION.splitlines())
    assert restated_at(text, "graph_run") == text.replace("\treturn", f"{inside}\n\treturn")


@together(
    "text",
    [
        "class A:\n    run = NPURunConfig(deterministic=1)\n",
        "if NPURunConfig(deterministic=1):\n    pass\n",
        'for op in ops: op.parameter_map["deterministic"].i = 1\n',
        "dump = DumpConfig(enable_dump=True)  # npu deterministic\n",
        'x.parameter_map["deterministic_"].i = 1\n',
        "run = NPURunConfig(model_dir=deterministic)\n",
    ],
)
def test_nothing_is_written_where_it_has_no_place(text: str) -> None:
    assert restated_at(text, "deterministic") == text


def test_in_a_notebook_and_in_a_fence() -> None:
    text = f"Train:\n\n```python\n{HEAD}run = NPURunConfig(deterministic=1)\n```\n"
    document = Document(text, path="/README.md", kind=Kind.MARKDOWN)
    at = text.index("deterministic")
    block = block_at(ANALYZER, document, Span(at, at))
    assert block is not None
    assert 'parameter_map["deterministic"].i = 1' in apply_edits(text, migrated(ANALYZER, document, block))


@pytest.mark.parametrize("end", [" \\\n\n", " \\\r\n\r\n", "\\\n", " \\\n  # here\n"])
def test_it_stands_behind_no_backslash(end: str) -> None:
    lines = session({"precision_mode": "allow_mix_precision"}).splitlines()
    at = max(number for number, line in enumerate(lines) if "parameter_map" in line or "rewrite_options." in line)
    text = "\n".join([*lines[:at], lines[at] + end, *lines[at + 1 :], ""])
    compile(text, "train.py", "exec")
    document = Document(text, kind=Kind.PYTHON)
    span = Span(at := text.index("precision_mode"), at)
    block = block_at(ANALYZER, document, span)
    assert block is not None
    after = apply_edits(text, migrated(ANALYZER, document, block))
    assert after != text
    compile(after, "train.py", "exec")
