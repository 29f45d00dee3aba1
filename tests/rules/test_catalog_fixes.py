"""The moves that the catalog names by a word: when there is one, what it writes, and whether it is safe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from npu_lsp.catalog.calls import RUN_CONFIG_PARTS
from npu_lsp.catalog.model import Deprecation, Removal
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.rules import all_rules
from npu_lsp.rules.fixes import fixes_for
from npu_lsp.rules.fixes.remove import take_out
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.together import together

_ATC = "atc --model=a --framework=5 "
_WHY = Text("Old.", "旧。")


def made(
    fix: str,
    name: str,
    text: str,
    kind: Kind = Kind.SHELL,
    path: str = "",
    cann: str = "",
    nth: int = 0,
    vllm: str = "",
    **facts: Any,
) -> list[tuple[str, str]]:
    """Return (safety, the text afterwards) of each fix for the `nth` setting of that name, whose option is made to have `facts`."""
    versions = {name: version for name, version in (("cann", cann), ("vllm-ascend", vllm)) if version}
    config = Config(target=TargetConfig(versions, ()))
    context = Analyzer(config, all_rules).context(Document(text, path=path, kind=kind))
    found = [(each, block) for block in context.parsed.blocks for each in block.settings if each.name == name]
    setting, block = found[nth]
    option = context.option(setting)
    assert option is not None
    fixes = fixes_for(fix, setting, option._replace(**facts), block, context)
    return [(each.safety.value, apply_edits(text, each.edits)) for each in fixes]


def gone(replacement: str | None = None, version: str | None = "8.0", **more: Any) -> Deprecation:
    return Deprecation(_WHY, "source", version, replacement, **more)


def test_nothing_is_made_for_a_word_that_nobody_knows() -> None:
    assert made("burn", "log", f"{_ATC}--log=info\n", deprecated=gone("mode")) == []


@together(
    ("flags", "facts", "expected"),
    [
        ("--log=info", {"deprecated": gone("json")}, "--json=info"),
        ("--log=info", {"deprecated": None, "removed": Removal(_WHY, "source", "8.0", "json")}, "--json=info"),
        ("--log=info", {"deprecated": gone(None)}, None),
        ("--log=info", {"deprecated": gone("unheard_of")}, None),
        # It is set already, and to something ...
        ("--log=info --json=b", {"deprecated": gone("json")}, None),
        ("--log=info --json=''", {"deprecated": gone("json")}, "--json=info --json=''"),
        # ... or doesn't take the value, as far as that is known.
        ("--log=info", {"deprecated": gone("external_weight")}, None),
        ("--log=1", {"deprecated": gone("external_weight")}, "--external_weight=1"),
        ("--log=$LOG", {"deprecated": gone("external_weight")}, "--external_weight=$LOG"),
        ("--log=a:0:FP16", {"deprecated": gone("output_type")}, "--output_type=a:0:FP16"),
    ],
)
def test_renaming(flags: str, facts: dict[str, Any], expected: str | None) -> None:
    found = made("rename", "log", f"{_ATC}{flags}\n", cann="8.1", **facts)
    assert found == ([] if expected is None else [("safe", f"{_ATC}{expected}\n")])


def test_renaming_is_safe_where_the_new_name_is_there() -> None:
    for cann, version, safety in (
        ("8.1", "8.0", "safe"),
        ("7.0", "8.0", "unsafe"),
        ("", "8.0", "unsafe"),
        ("8.1", None, "unsafe"),
    ):
        found = made("rename", "log", f"{_ATC}--log=info\n", cann=cann, deprecated=gone("json", version))
        assert [each for each, _ in found] == [safety]
    old = gone("ASCEND_LOG_DEVICE_FLUSH_TIMEOUT")
    found = made(
        "rename", "ASCEND_MAX_OP_CACHE_SIZE", "export ASCEND_MAX_OP_CACHE_SIZE=1\n", cann="8.1", deprecated=old
    )
    assert found == [("unsafe", "export ASCEND_LOG_DEVICE_FLUSH_TIMEOUT=1\n")]
    text = 'op.parameter_map["dump_path"].s = "a"\n'
    assert made("rename", "dump_path", text, Kind.PYTHON, deprecated=gone("dump_step"))
    assert made("rename", "dump_path", text, Kind.PYTHON, deprecated=gone("hccl_timeout")) == []


@together(
    ("flags", "facts", "expected"),
    [
        ("--log=info", {"deprecated": gone("mode", mapping=(("info", "1"),))}, "--mode=1"),
        ("--log=info", {"deprecated": None, "preferred": gone("mode", mapping=(("info", "1"),))}, "--mode=1"),
        ("--log=info", {"deprecated": gone("mode", mapping=(("debug", "1"),))}, None),
        ("--log=$LOG", {"deprecated": gone("mode", mapping=(("info", "1"),))}, None),
        ("--log=info", {"deprecated": gone(None, mapping=(("info", "1"),))}, None),
        ("--log=info", {"deprecated": None}, None),
        ("--log=info --mode=1", {"deprecated": gone("mode", mapping=(("info", "1"),))}, None),
    ],
)
def test_values_with_a_counterpart(flags: str, facts: dict[str, Any], expected: str | None) -> None:
    found = made("map-values", "log", f"{_ATC}{flags}\n", cann="8.1", **facts)
    assert found == ([] if expected is None else [("unsafe", f"{_ATC}{expected}\n")])


def test_a_value_that_cannot_be_rewritten_stays_with_its_name() -> None:
    text = 'LOG = "info"\nfor name in names:\n    os.system(f"atc --model=a --log={LOG}")\n'
    for safety, after in made(
        "map-values", "log", text, Kind.PYTHON, deprecated=gone("mode", mapping=(("info", "1"),))
    ):
        assert safety == "unsafe"
        assert "mode" in after
        assert "info" not in after
    text = 'K = "dump_mode"\nop.parameter_map[K].s = "info"\n'
    old = gone("dump_step", mapping=(("info", "1"),))
    assert made("map-values", "dump_mode", text, Kind.PYTHON, deprecated=old) == []
    assert made("map-values", "dump_mode", text.replace("[K]", '["dump_mode"]'), Kind.PYTHON, deprecated=old)


_VLLM = "vllm serve m --additional-config '{}'\n"
_SCHEDULER = "scheduler_config"


def json_of(*members: str) -> str:
    return _VLLM.replace("{}", "{" + ", ".join(members) + "}")


@together(
    ("before", "facts", "after"),
    [
        (
            ['"a": 1', '"recompute_scheduler_enable": true'],
            {},
            ['"a": 1', '"scheduler_config": {"recompute_scheduler_enable": true}'],
        ),
        (['"recompute_scheduler_enable": true'], {"deprecated": None, "removed": None}, None),
        (['"recompute_scheduler_enable": true'], {"deprecated": gone(None)}, None),
        (['"recompute_scheduler_enable": true'], {"deprecated": gone("unheard_of.a")}, None),
        (['"recompute_scheduler_enable": true', '"scheduler_config": {"recompute_scheduler_enable": true}'], {}, None),
        # One of the values that the other takes, or one that nobody knows.
        (['"recompute_scheduler_enable": 1'], {"deprecated": gone("weight_nz_mode")}, ['"weight_nz_mode": 1']),
        (['"recompute_scheduler_enable": 9'], {"deprecated": gone("weight_nz_mode")}, None),
        (['"recompute_scheduler_enable": $A'], {"deprecated": gone("weight_nz_mode")}, ['"weight_nz_mode": $A']),
    ],
)
def test_moving_to_a_group(before: list[str], facts: dict[str, Any], after: list[str] | None) -> None:
    found = made("move", "recompute_scheduler_enable", json_of(*before), **facts)
    assert [text for _, text in found] == ([] if after is None else [json_of(*after)])


@pytest.mark.parametrize(("more", "many"), [("", 1), ("mindspore.set_context(device_id=1, **d)\n", 0)])
def test_what_two_calls_get_stays(more: str, many: int) -> None:
    text = f'd = {{"precision_mode": "force_fp32"}}\nmindspore.set_context(**d)\n{more}'
    [told] = Analyzer(Config(select=("NPU101",)), all_rules).findings(Document(text, kind=Kind.PYTHON))
    assert len(told.fixes) == many


@pytest.mark.parametrize(("more", "many"), [("", 1), ("atc $A --model=b\n", 0)])
def test_what_two_commands_get_stays(more: str, many: int) -> None:
    context = Analyzer(Config(), all_rules).context(
        Document(f"A=--op_select_implmode=high_precision\natc $A --model=a\n{more}", kind=Kind.SHELL)
    )
    block = context.parsed.blocks[0]
    [(setting, option)] = [pair for pair in context.settings(block) if pair[0].name == "op_select_implmode"]
    assert [fix.safety.value for fix in take_out(setting, option, block, context)] == ["unsafe"] * many


def test_a_move_is_safe_where_both_places_are_there() -> None:
    before = json_of('"recompute_scheduler_enable": true')
    for vllm, facts, safety in (
        ("", {}, "unsafe"),
        ("0.25.1rc1", {}, "safe"),
        ("0.26.0rc1", {}, "safe"),
        (
            "0.26.0rc1",
            {
                "deprecated": None,
                "removed": Removal(_WHY, "source", "0.25.1rc1", f"{_SCHEDULER}.recompute_scheduler_enable"),
            },
            "unsafe",
        ),
    ):
        found = made("move", "recompute_scheduler_enable", before, vllm=vllm, **facts)  # type: ignore[arg-type]
        assert [each for each, _ in found] == [safety], (vllm, facts)
    assert made("move", "recompute_scheduler_enable", before, vllm="0.24.0rc1") == []


def test_one_makes_the_group_and_the_others_follow() -> None:
    both = json_of('"enable_balance_scheduling": true', '"recompute_scheduler_enable": true')
    assert made("move", "recompute_scheduler_enable", both) == []
    assert len(made("move", "enable_balance_scheduling", both)) == 1
    for name in ("enable_balance_scheduling", "recompute_scheduler_enable"):
        other = json_of(f'"{name}": true', '"multistream_overlap_shared_expert": true')
        assert len(made("move", name, other)) == 1
    removed = json_of('"dynamic_eplb": true', '"expert_map_path": "a"')
    assert [len(made("move", name, removed)) for name in ("dynamic_eplb", "expert_map_path")] == [1, 0]
    # To move to the top needs no group.
    group = "torchair_graph_config"
    top = json_of(f'"{group}": {{"enable_kv_nz": true, "enable_multistream_moe": true}}')
    assert [len(made("move", f"{group}.{key}", top)) for key in ("enable_kv_nz", "enable_multistream_moe")] == [1, 1]


@together(
    ("status", "text", "safety"),
    [
        ("no_effect", f"{_ATC}--log=info\n", "safe"),
        ("documented", f"{_ATC}--log=info\n", "unsafe"),
        # Something may happen on the way.
        ("no_effect", f"{_ATC}--log=$(cat a)\n", "unsafe"),
        ("no_effect", f"{_ATC}--log=`cat a`\n", "unsafe"),
        ("no_effect", f"{_ATC}--log=${{A:=info}}\n", "unsafe"),
        ("no_effect", f"{_ATC}--log=$((1 + 1))\n", "safe"),
        # What only looks like a call, or like a variable of the shell that is read.
        ("no_effect", f"{_ATC}--log='a(b)'\n", "safe"),
        ("no_effect", f"{_ATC}--log=info\necho $log\n", "safe"),
        # Others get it, too.
        ("no_effect", f"A=--log=info\n{_ATC}$A\n{_ATC}$A --json=b\n", "unsafe"),
    ],
)
def test_removing(status: str, text: str, safety: str) -> None:
    found = made("remove", "log", text, status=status)
    assert [each for each, _ in found] == [safety]
    assert "--log" not in found[0][1]


@together(
    ("line", "safety"),
    [
        ('npu.global_options().precision_mode = "a"', "safe"),
        ('setattr(npu.global_options(), "precision_mode", "a")', "safe"),
        ('NPURunConfig(precision_mode=[x := "a"][0])', "unsafe"),
        ('op.parameter_map["precision_mode"].s = "a"', "safe"),
        ('op.parameter_map["precision_mode"].s = tf.compat.as_bytes(os.getenv("A"))', "safe"),
        ('op.parameter_map["precision_mode"].s = ask("a")', "unsafe"),
        ('op.parameter_map["precision_mode"].s = tf.compat.as_bytes(ask())', "unsafe"),
        ('op.parameter_map["precision_mode"].s = "a".encode()', "safe"),
        ('op.parameter_map["precision_mode"].s = tf.compat.as_bytes(json.dumps(a))', "safe"),
        ('op.parameter_map["precision_mode"].s = table["a"]()', "unsafe"),
    ],
)
def test_removing_from_code(line: str, safety: str) -> None:
    text = f"import npu_device as npu\nop = x.custom_optimizers.add()\n{line}\n"
    found = made("remove", "precision_mode", text, Kind.PYTHON, status="no_effect")
    assert [each for each, _ in found] == [safety]


@together("part", RUN_CONFIG_PARTS)
def test_removing_an_object(part: str) -> None:
    found = made("remove", "dump_config", f"NPURunConfig(dump_config={part}())\n", Kind.PYTHON, status="no_effect")
    assert found == [("safe", "NPURunConfig()\n")]


def test_removing_an_entry() -> None:
    for value, safety in (("a(b)", "safe"), ("$(ask)", "unsafe")):
        text = _VLLM.replace("'{}'", f'"{{\\"refresh\\": \\"{value}\\", \\"a\\": 1}}"')
        found = made("remove", "refresh", text, status="no_effect")
        assert found == [(safety, _VLLM.replace("'{}'", '"{\\"a\\": 1}"'))]


def test_a_variable_that_is_read_stays() -> None:
    text = "export TE_PARALLEL_COMPILER=1\n"
    assert [safety for safety, _ in made("remove", "TE_PARALLEL_COMPILER", text, status="no_effect")] == ["unsafe"]
    for more in (
        "echo $TE_PARALLEL_COMPILER",
        "echo $((TE_PARALLEL_COMPILER + 1))",
        "eval 'echo $TE_PARALLEL_COMPILER'",
    ):
        for script in (f"{text}{more}\n", f"{more}\n{text}"):
            assert made("remove", "TE_PARALLEL_COMPILER", script, status="no_effect") == [], script
    text = 'import os\nos.environ["TE_PARALLEL_COMPILER"] = "1"\n'
    for more, many in (
        ("", 1),
        ('os.environ["TE_PARALLEL_COMPILER"] = "2"\n', 1),
        ('print(os.environ["TE_PARALLEL_COMPILER"])\n', 0),
        ('n = int(os.getenv("TE_PARALLEL_COMPILER"))\n', 0),
        ('del os.environ["TE_PARALLEL_COMPILER"]\n', 0),
    ):
        found = made("remove", "TE_PARALLEL_COMPILER", text + more, Kind.PYTHON, status="no_effect")
        assert len(found) == many, more


@together(
    ("value", "after", "safety"),
    [
        ("a:[1~8,3]", "a:1~8,3", "safe"),
        ("a:[-1,3]", "a:-1,3", "safe"),
        ("a:[1,3]", "a:1,3", "unsafe"),
        ("a:[1~8,3];b:[2]", "a:1~8,3;b:2", "safe"),
        ("[1~8,3],[2]", "1~8,3;2", "safe"),
        ("[1,3],[2]", "", ""),
        ("a:[1~8", "", ""),
        ("$SHAPES", "", ""),
    ],
)
def test_shapes_without_brackets(value: str, after: str, safety: str) -> None:
    found = made("strip-brackets", "input_shape_range", f'{_ATC}--input_shape_range="{value}"\n')
    assert found == ([(safety, f'{_ATC}--input_shape="{after}"\n')] if after else [])


def test_shapes_that_are_there_go() -> None:
    ranges = '--input_shape_range="a:[1~8,3]"'
    after = f'{_ATC}--input_shape="a:1~8,3"\n'
    assert made("strip-brackets", "input_shape_range", f'{_ATC}{ranges} --input_shape="a:1,3"\n') == [("safe", after)]
    assert made("strip-brackets", "input_shape_range", f"{_ATC}{ranges}\n", deprecated=gone(None)) == []
    assert made("strip-brackets", "input_shape_range", f"{_ATC}{ranges}\n", deprecated=None) == []
    assert made("strip-brackets", "input_shape_range", f"{_ATC}{ranges}\n", deprecated=gone("unheard_of")) == []
    [(safety, _)] = made("strip-brackets", "input_shape_range", f"{_ATC}{ranges} --dynamic_batch_size=1\n")
    assert safety == "unsafe"
    for value, safety in (("$(mktool --write)", "unsafe"), ("$SHAPE", "safe")):
        [(told, _)] = made("strip-brackets", "input_shape_range", f'{_ATC}{ranges} --input_shape="{value}"\n')
        assert told == safety
    assert made("strip-brackets", "input_shape_range", f"{_ATC}{ranges}\n", deprecated=gone("dynamic_dims")) == []
    assert made("strip-brackets", "input_shape_range", f"{_ATC}{ranges}\n", deprecated=gone("log"))
    assert made("strip-brackets", "log", f'{_ATC}--log="a:[1~8]"\n', deprecated=gone("json")) == []
    loop = f'for S in "a:[1~8]"; do {_ATC}--input_shape_range=$S; done\n'
    assert made("strip-brackets", "input_shape_range", loop) == []
    # The name can be changed, and its value can't.
    words = 'shapes = "a:[1~8]"\nsubprocess.run(["atc", "--model=a", "--input_shape_range", shapes])\n'
    assert made("strip-brackets", "input_shape_range", words, Kind.PYTHON) == []
    for many in (49, 50):
        shapes = ' --input_shape="a:1,3"' * many
        found = made("strip-brackets", "input_shape_range", f"{_ATC}{ranges}{shapes}\n")
        assert found == ([("safe", after)] if many < 50 else [])
    branch = f'if x; then\n  S="--json=b --input_shape=a:1,3"\nfi\n{_ATC}{ranges} $S\n'
    assert made("strip-brackets", "input_shape_range", branch) == []
    branch = f'if x; then\n  S=--input_shape="a:1,3"\nfi\n{_ATC}{ranges} $S\n'
    assert made("strip-brackets", "input_shape_range", branch) == []


@together(
    ("mode", "rest", "what"),
    [
        ("high_precision", "", ["unsafe"]),
        ("high_performance", "", ["safe", "unsafe"]),
        ("high_precision_for_all", "", ["unsafe"]),
        ("$MODE", "", []),
        ("unheard_of", "", []),
        ("high_precision", "--optypelist_for_implmode=Conv2D", ["safe"]),
        ("high_precision", "--optypelist_for_implmode=Conv2D,Relu", ["safe"]),
        ("high_precision", "--optypelist_for_implmode=$OPS", []),
        ("high_precision", "--optypelist_for_implmode='Conv 2D'", []),
        ("high_precision_for_all", "--optypelist_for_implmode=Conv2D", ["unsafe"]),
        ("high_precision", "--op_precision_mode=a.ini", ["safe"]),
        ("$MODE", "--op_precision_mode=a.ini", ["safe"]),
        ("high_precision", "--op_precision_mode=''", ["unsafe"]),
        ("high_precision", "--op_select_implmode=high_precision", []),
        ("high_precision", "--optypelist_for_implmode=A --optypelist_for_implmode=B", []),
    ],
)
def test_lists_of_operators(tmp_path: Path, mode: str, rest: str, what: list[str]) -> None:
    text = f"{_ATC}--op_select_implmode={mode} {rest}\n"
    found = made("op-precision-file", "op_select_implmode", text, path=str(tmp_path / "a.sh"))
    assert [safety for safety, _ in found] == what
    for _, after in found:
        assert "op_precision_mode" in after or mode == "high_performance"
        assert "implmode" not in after


def test_lists_of_operators_that_others_get_too(tmp_path: Path) -> None:
    def many(text: str, nth: int = 0) -> int:
        return len(made("op-precision-file", "op_select_implmode", text, path=str(tmp_path / "a.sh"), nth=nth))

    shared = 'A="--op_select_implmode=high_precision"\n'
    assert many(f"{shared}{_ATC}$A\n{_ATC}$A --json=b\n") == 1
    assert many(f"{shared}{_ATC}$A\n{_ATC}$A --optypelist_for_implmode=Relu\n") == 0
    assert many(f"{shared}{_ATC}$A\naoe --model=a --framework=5 --job_type=1\n") == 1
    many_modes = " ".join(["--op_select_implmode=high_precision"] * 51)
    assert many(f"{_ATC}{many_modes} --op_precision_mode=a.ini\n") == 0
    assert many(f"{_ATC}{many_modes[: many_modes.rindex(' ')]} --op_precision_mode=a.ini\n") == 1


def test_branches_of_lists_of_operators() -> None:
    head = "op = x.custom_optimizers.add()\n"

    def many(text: str) -> int:
        return len(made("op-precision-file", "op_select_implmode", f"{head}{text}", Kind.PYTHON))

    mode, new = (
        'op.parameter_map["{}"].s = "{}"\n'.format(*each)
        for each in (("op_select_implmode", "high_precision"), ("op_precision_mode", "a"))
    )
    assert many(f"{mode}{new}") == 1
    assert many(f"if a:\n    {mode}else:\n    {new}") == 1
    assert many(f"{mode}if a:\n    {new}") == 0
    assert many(f"if a:\n    {mode}{new}") == 1
    assert many(f"if a:\n    {mode}else:\n    {mode}") == 1
