"""`context` and `parallel` in YAML of MindFormers."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import cursor, read
from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.languages.model import ValueKind
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.languages.told import told as of_text
from tests.together import together

WHOLE = """seed: 0
# 中😀
context:
  mode: 0 #0--Graph Mode, 1--Pynative Mode
  device_target: "Ascend"
  max_call_depth: 10000
  max_device_memory: 58GB

  save_graphs: False
  ascend_config:
    precision_mode: "must_keep_origin_dtype"
    ge_options: {global: {"ge.opSelectImplmode": "high_precision"}}
model:
  mode: 3
parallel:
  parallel_mode: 1 # 0-data parallel, 1-semi-auto parallel
  full_batch: &full True
  dataset_strategy:
  - [1, 8]
  strategy_ckpt_config: {save_file: "./a.ckpt", only_trainable_params: no}
  parallel_optimizer_config:
    gradient_accumulation_shard: False
runner_config: {epochs: 1}
"""


def told(text: str, version: str = "2.7") -> list[tuple[str, str]]:
    """Return the code and the underlined text of each finding."""
    return of_text(text, Kind.YAML, Config(target=TargetConfig({"mindspore": version})))


def values(text: str) -> dict[str, tuple[ValueKind, object]]:
    """Return the kind and the data of each setting."""
    blocks = read(Document(text, kind=Kind.YAML)).blocks
    assert {block.surface for block in blocks} <= {Surface.MINDFORMERS}
    return {s.name: (s.value.kind, s.value.data) for block in blocks for s in block.settings}


def test_a_whole_file_is_read_and_has_nothing_wrong() -> None:
    assert values(WHOLE) == {
        "context": (ValueKind.DICT, None),
        "context.mode": (ValueKind.INT, 0),
        "context.device_target": (ValueKind.STRING, "Ascend"),
        "context.max_call_depth": (ValueKind.INT, 10000),
        "context.max_device_memory": (ValueKind.STRING, "58GB"),
        "context.save_graphs": (ValueKind.BOOL, False),
        "context.ascend_config": (ValueKind.DICT, None),
        "context.ascend_config.precision_mode": (ValueKind.STRING, "must_keep_origin_dtype"),
        "context.ascend_config.ge_options": (ValueKind.DICT, None),
        "parallel": (ValueKind.DICT, None),
        "parallel.parallel_mode": (ValueKind.INT, 1),
        "parallel.full_batch": (ValueKind.UNKNOWN, None),
        "parallel.dataset_strategy": (ValueKind.LIST, None),
        "parallel.strategy_ckpt_config": (ValueKind.DICT, None),
        "parallel.strategy_ckpt_config.save_file": (ValueKind.STRING, "./a.ckpt"),
        "parallel.strategy_ckpt_config.only_trainable_params": (ValueKind.BOOL, False),
        "parallel.parallel_optimizer_config": (ValueKind.DICT, None),
        "parallel.parallel_optimizer_config.gradient_accumulation_shard": (ValueKind.BOOL, False),
    }
    assert told(WHOLE) == []
    fenced = f"# A\n\n```yaml\n{WHOLE}```\n"
    document = Document(fenced, kind=Kind.MARKDOWN)
    assert {s.name for b in read(document).blocks for s in b.settings} == set(values(WHOLE))


def test_keys_are_where_they_stand() -> None:
    settings = read(Document(WHOLE, kind=Kind.YAML)).settings
    assert settings
    for setting in settings:
        assert WHOLE[setting.key.start : setting.key.end] == setting.name.rpartition(".")[2]


@together(
    ("before", "after", "expected"),
    [
        ("max_call_depth: 10000", 'max_call_depth: "10000"', [("NPU103", '"10000"')]),
        ("save_graphs: False", "deterministic: ON", [("NPU103", "ON")]),
        ("mode: 0 #", "mode: GRAPH #", [("NPU104", "GRAPH")]),
        ("mode: 0 #", "mode: GRAPH_MODE #", []),
        ("parallel_mode: 1", "parallel_mode: semi_auto_parallel", [("NPU104", "semi_auto_parallel")]),
        ("max_device_memory", "max_device_memroy", [("NPU101", "max_device_memroy")]),
        ("precision_mode:", "precision:", [("NPU101", "precision")]),
        ("must_keep_origin_dtype", "force_fp61", [("NPU104", "force_fp61")]),
        ("save_graphs: False", "enable_dump: ${DUMP}", [("NPU302", "enable_dump")]),
        ("accumulation_shard: False", "accumulation_shard: ${A}", []),
        ("accumulation_shard: False", "accumulation_shard: !a False", []),
        ("    gradient", "    optimizer_level: level1\n    gradient", [("NPU203", "gradient_accumulation_shard")]),
    ],
)
def test_told(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    assert WHOLE.count(before) == 1
    assert told(WHOLE.replace(before, after)) == expected


@together(
    "text",
    [
        "context:\n  cluster: a\n  user: b\n",
        "context: {mode: 0, device_target: Ascend}\n",
        "contexts:\n- context:\n    mode: 3\n",
        "context: a\n  device_target: 1\n",
        "job:\n  parallel:\n    matrix:\n    - full: 1\n",
        "model:\n  full_batch: 1\n",
        "context:\n#  device_target: a\nx:\n  device_target: b\n",
    ],
)
def test_other_mappings_are_left_alone(text: str) -> None:
    assert values(text) == {}


@together(
    ("said", "kind", "data"),
    [
        *(("yes", ValueKind.BOOL, True), ("Off", ValueKind.BOOL, False), ("oFF", ValueKind.STRING, "oFF")),
        *(("~", ValueKind.NONE, None), ("", ValueKind.NONE, None), ("1_000", ValueKind.INT, 1000)),
        *(("1.5", ValueKind.FLOAT, 1.5), ("1e5", ValueKind.STRING, "1e5"), ("52.5GB", ValueKind.STRING, "52.5GB")),
        *(("010", ValueKind.UNKNOWN, None), ("1:30", ValueKind.UNKNOWN, None), ("'1'", ValueKind.STRING, "1")),
        *(
            ("*a", ValueKind.UNKNOWN, None),
            ("|\n    a", ValueKind.UNKNOWN, None),
            ("a\n    b", ValueKind.UNKNOWN, None),
        ),
    ],
)
def test_a_value_is_what_pyyaml_makes_of_it(said: str, kind: ValueKind, data: object) -> None:
    found = values(f"context:\n  device_target: Ascend\n  save_graphs_path: {said}\n  mode: 0\n")
    assert found["context.save_graphs_path"] == (kind, data)
    assert found["context.mode"] == (ValueKind.INT, 0)


def test_entries_are_renamed_removed_and_added() -> None:
    document = Document(WHOLE, kind=Kind.YAML)
    blocks = read(document).blocks
    found = {s.name: s for block in blocks for s in block.settings}
    writer = writer_for(found["context.mode"])

    def changed(edits: tuple[object, ...]) -> str:
        return apply_edits(WHOLE, edits)  # type: ignore[arg-type]

    assert "  max_calls: 10000" in changed(
        writer.rename(document, found["context.max_call_depth"], "context.max_calls")
    )
    assert changed(writer.remove(document, [found["context.mode"]])) == WHOLE.replace(
        "  mode: 0 #0--Graph Mode, 1--Pynative Mode\n", ""
    )
    alone = found["parallel.parallel_optimizer_config.gradient_accumulation_shard"]
    assert "parallel_optimizer_config" not in changed(writer.remove(document, [alone]))
    assert writer.remove(document, [found["parallel.strategy_ckpt_config.save_file"]]) == ()
    added = writer.add(document, blocks[0], None, Added("context.deterministic", "ON"))
    assert 'ge.opSelectImplmode": "high_precision"}}\n  deterministic: "ON"\nmodel' in changed(added)
    assert '    op_precision_mode: "a"' in changed(
        writer.add(document, blocks[0], None, Added("context.ascend_config.op_precision_mode", "a"))
    )


@together(
    ("marked", "wanted", "prefix", "option"),
    [
        ("context:\n  device_target: a\n  max|", CompletionKind.KEY, "context.", None),
        ("context:\n  device_target: a\n  jit_config:\n    ji|", CompletionKind.KEY, "context.jit_config.", None),
        ("context:\n  device_target: As|", CompletionKind.VALUE, "", "context.device_target"),
        ('context:\n  device_target: "As|"', CompletionKind.VALUE, "", "context.device_target"),
        ("parallel:\n  parallel_mode: 1\n  |", CompletionKind.KEY, "parallel.", None),
    ],
)
def test_the_cursor(marked: str, wanted: CompletionKind, prefix: str, option: str | None) -> None:
    offset = marked.index("|")
    document = Document(marked.replace("|", "", 1), kind=Kind.YAML)
    read(document)
    found = cursor(document, offset)
    assert found is not None
    assert (found.wanted, found.surface, found.prefix, found.option) == (wanted, Surface.MINDFORMERS, prefix, option)
