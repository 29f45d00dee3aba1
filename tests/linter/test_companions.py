"""What a block says about an option that one of its settings depends on."""

from __future__ import annotations

import re

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Condition, Relation, Surface
from npu_lsp.languages.model import Setting
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.context import MOST_OF_ONE
from npu_lsp.linter.relations import says_off
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

_OP = "op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
_SAYS_OFF = re.compile(r"(?i)\b(off|no|not|none|nothing|without|don't|stay)\b")
_PROFILER = "from torch_npu.profiler import _ExperimentalConfig\n"


def of(text: str, kind: Kind = Kind.SHELL, config: Config | None = None) -> Companions:
    """Return the companions of the last block of a text."""
    analyzer = Analyzer(config or Config(), all_rules)
    context = analyzer.context(Document(text, kind=kind))
    return Companions.of_block(context.parsed.blocks[-1], context)


def named(companions: Companions, name: str) -> Setting:
    return next(each for each in companions.block.settings if each.name == name)


def op(*lines: str) -> Companions:
    """Return the companions of keys and values of TensorFlow, such as `enable_dump.b = True`."""
    said = "\n".join(f'op.parameter_map["{line.partition(".")[0]}"].{line.partition(".")[2]}' for line in lines)
    return of(f"{_OP}{said}\n", Kind.PYTHON)


def test_what_sets_nothing_is_no_companion() -> None:
    assert op('precision_mode.s = ""').of(None, "precision_mode") == []
    assert len(op('precision_mode.s = "a"').of(None, "precision_mode")) == 1


def test_a_setting_is_no_companion_of_itself() -> None:
    both = op("enable_dump.b = True", "enable_dump.b = False")
    assert [other.value.data for other, _ in both.of(both.pairs[0][0], "enable_dump")] == [False]
    assert both.of(both.pairs[0][0], "dump_path") == []


def test_branches_that_exclude_each_other_have_no_companions() -> None:
    text = (
        f"{_OP}if a:\n    op.parameter_map['dump_path'].s = 'a'\nelse:\n    op.parameter_map['enable_dump'].b = True\n"
    )
    companions = of(text, Kind.PYTHON)
    assert companions.of(named(companions, "enable_dump"), "dump_path") == []
    assert len(companions.of(None, "dump_path")) == 1
    assert companions.holds(named(companions, "enable_dump"), Relation("requires", "dump_path", "")) is None


@together(
    ("text", "complete"),
    [
        ("atc --model=a --framework=5\n", True),
        # More may come from elsewhere ...
        ("atc --model=a --framework=5 $MORE\n", False),
        ("export HCCL_IF_IP=a\n", False),
        # ... or is there, mistyped.
        ("atc --model=a --framework=5 --outptu=a\n", False),
        ("atc --model=a --framework=5 --outptu=a --unheard_of=a\n", False),
        ("atc --model=a --framework=5 --unheard_of=a\n", True),
        # Of an option with very many settings not all are looked at.
        ("atc --framework=5" + " --model=a" * MOST_OF_ONE + "\n", True),
        ("atc --framework=5" + " --model=a" * (MOST_OF_ONE + 1) + "\n", False),
        ("atc --framework=5 --log=info" + " --model=a" * MOST_OF_ONE + "\n", True),
        # Nobody knows what a damaged text says.
        ("atc --model=a --framework=5\nfi )\n", False),
    ],
)
def test_what_is_not_in_a_block_is_set_nowhere(text: str, complete: bool) -> None:
    companions = of(text)
    assert companions.complete(None, "output") is complete
    assert companions.complete(companions.block.settings[0], "output") is complete


@together(
    ("command", "complete"),
    [
        ("atc --soc_version=A", False),
        ("atc --model=a", False),
        *(
            (f"atc --{source}=a --{other}=a", True)
            for source in ("model", "om", "singleop")
            for other in ("soc_version", "mode")
        ),
        ("aoe --model=a --job_type=1", True),
        ("aoe --model_path=a --job_type=1", True),
        ("aoe --job_type=1 --log=info", False),
        ("msprof --output=a", False),
    ],
)
def test_a_page_shows_parts_of_commands(command: str, complete: bool) -> None:
    page = of(f"```sh\n{command}\n```\n", Kind.MARKDOWN)
    assert page.complete(page.block.settings[0], "device") is complete
    assert page.complete(None, "device")
    script = of(f"{command}\n")
    assert script.complete(script.block.settings[0], "device")


def test_a_page_shows_an_option_alone() -> None:
    for calls, complete in (("work_path='a'", False), ("work_path='a', enable_scope_fusion_passes='b'", True)):
        page = of(f"```python\nconfig = NPURunConfig({calls})\n```\n", Kind.MARKDOWN)
        assert page.complete(page.block.settings[0], "device") is complete


def test_an_object_has_what_stands_in_its_call() -> None:
    companions = of("c = NPURunConfig(work_path='a', dump_config=DumpConfig(enable_dump=True))\n", Kind.PYTHON)
    inner, outer = named(companions, "DumpConfig.enable_dump"), named(companions, "work_path")
    assert companions.complete(inner, "DumpConfig.dump_path")
    assert not companions.complete(inner, "MemoryConfig.a")
    assert companions.complete(inner, "precision_mode")
    assert companions.complete(outer, "precision_mode")
    assert not companions.complete(outer, "DumpConfig.dump_path")
    assert not companions.complete(None, "DumpConfig.dump_path")
    alone = of("from npu_bridge.npu_init import *\nd = DumpConfig(enable_dump=True)\n", Kind.PYTHON)
    assert not alone.complete(alone.block.settings[0], "precision_mode")
    assert not alone.complete(None, "precision_mode")
    whole = of('{"ServerConfig": {"port": 1}, "BackendConfig": {"ModelDeployConfig": {}}}', Kind.MINDIE)
    assert whole.complete(whole.block.settings[1], "BackendConfig.npuDeviceIds")


@together(
    ("given", "off"),
    [
        # A switch by its type, and one by the words that it takes.
        *((f"--raw_ge_options_ignore_unsupported={word}", True) for word in ("false", "False", "0", "off", "OFF")),
        *((f"--raw_ge_options_ignore_unsupported={word}", False) for word in ("1", "true", "$A")),
        ("--jit_compile=0", True),
        # Numbers that name something.
        ("--framework=0", False),
        ("--head_stream=0", False),
        ("--external_weight=0", True),
        ("--external_weight=off", True),
        ("--external_weight=1", False),
        ("--external_weight=0 --external_weight=1", False),
        ("--external_weight=0 --external_weight=off", True),
        ("--compress_weight_conf=off", False),
    ],
)
def test_what_is_switched_off(given: str, off: bool) -> None:
    companions = of(f"atc --model=a {given}\n")
    relation = Relation("requires", given[2:].partition("=")[0], "")
    assert companions.is_off(companions.block.settings[0], relation) is off


def test_a_zero_that_is_asked_for_switches_nothing_off() -> None:
    companions = of("export HCCL_WHITELIST_FILE=a\nexport HCCL_WHITELIST_DISABLE=0\n")
    for wanted, off in ((("0",), False), (("1",), True), ((), True)):
        relation = Relation("requires", "HCCL_WHITELIST_DISABLE", "", other_values=wanted)
        assert companions.is_off(companions.block.settings[0], relation) is off


def test_the_first_of_many_numbers_switches_nothing_off() -> None:
    companions = op("local_device_list.s = '0'", "local_rank_id.i = 0")
    assert not companions.is_off(companions.block.settings[0], Relation("requires", "local_rank_id", ""))
    companions = of("export TORCH_HCCL_TRACE_CPP_STACK=1\nexport TORCH_HCCL_TRACE_BUFFER_SIZE=0\n")
    assert companions.is_off(companions.block.settings[0], Relation("requires", "TORCH_HCCL_TRACE_BUFFER_SIZE", ""))


@together(
    ("name", "value", "asked", "off"),
    [
        ("deterministic_level", "0", ("1", "2", "3"), True),
        # Another value is missing, not that it is switched on.
        ("deterministic_level", "0", ("2", "3"), False),
        ("deterministic_level", "0", ("0",), False),
        ("mode", "0", (30,), False),
        ("mode", "1", (30,), False),
    ],
)
def test_a_number_is_off_where_all_others_are_on(
    name: str, value: str, asked: tuple[str | int, ...], off: bool
) -> None:
    relation = Relation("requires", name, "", other_values=asked)
    for text in (f"atc --model=a --{name}={value}\n", "atc --model=a\n"):
        companions = of(text)
        assert companions.is_off(companions.block.settings[0], relation) is (
            off if name in text or value == "0" else False
        )


def test_what_the_catalog_takes_for_off_reads_so() -> None:
    """What switches an option off that another one needs says so to people, too."""
    catalog = load()
    for surface in Surface:
        for name in catalog.names(surface):
            option = catalog.option(surface, name)
            for relation in option.relations if option else ():
                other = catalog.option(relation.other_surface or surface, relation.other)
                if other is None or relation.kind != "requires" or relation.values or other.type == "bool":
                    continue
                for off in (each.value for each in other.values if says_off(each.value, other, relation)):
                    told = catalog.value_text(other.surface, other.name, off)
                    assert told is None or _SAYS_OFF.search(told.en), (other.name, off, told.en)


@together(("value", "void"), [("['a']", False), ("'a'", True), ("a", False), ("[a]", False)] + [
    (f"['a', {wrong}]", True) for wrong in ("1", "1.5", "True", "None")
])  # fmt: skip
def test_a_list_of_other_things_than_texts_does_nothing(value: str, void: bool) -> None:
    companions = of(f"{_PROFILER}_ExperimentalConfig(mstx=True, mstx_domain_include={value})\n", Kind.PYTHON)
    assert companions.is_void(companions.block.settings[1]) is void


def test_what_is_of_no_use_does_nothing() -> None:
    for mode, void in (("1", False), ("0", True), ("$MODE", False)):
        companions = of(f"atc --mode={mode} --dump_mode=1 --unheard_of=1\n")
        assert companions.is_void(named(companions, "dump_mode")) is void
        assert not companions.is_void(named(companions, "unheard_of"))
        assert not companions.is_void(named(companions, "mode"))


def test_a_setting_that_only_spells_out_the_default_says_nothing() -> None:
    for value, nothing in (("0", True), ("1", False), ("$A", False)):
        companions = of(f"atc --model=a --external_weight={value}\n")
        (model, path), (setting, option) = companions.pairs
        assert companions.says_nothing(setting, option) is nothing
        assert not companions.says_nothing(model, path)


@together(
    ("text", "expected"),
    [
        ("atc --model=a --mode=1", True),
        ("atc --model=a --mode=3", False),
        ("atc --model=a --mode=$MODE", None),
        ("atc --model=a --mode=77", None),
        ("atc --model=a $MORE", None),
        ("atc --model=a --mode=1 --mode=3", None),
        ("atc --model=a --mode=1 --mode=1", True),
        ("atc --model=a", False),
    ],
)
def test_a_condition_holds(text: str, expected: bool | None) -> None:
    companions = of(f"{text}\n")
    setting = companions.block.settings[0]
    assert companions.fulfils(setting, Condition((("mode", (1,)),), "")) is expected
    other = Condition((("mode", (1,)), ("framework", ())), "")
    assert companions.fulfils(setting, other) is (None if expected is not False and "$MORE" in text else False)


def test_a_condition_is_that_an_option_is_set() -> None:
    companions = of("atc --model=a --mode=$MODE --framework=5\n")
    for name, expected in (("mode", True), ("framework", True), ("output", False)):
        assert companions.fulfils(companions.block.settings[0], Condition(((name, ()),), "")) is expected


def test_whatever_makes_a_relation_hold_must_run_whenever_the_setting_does() -> None:
    relation = Relation("requires", "mode", "", other_values=(1,))
    for modes, holds in (
        ("--mode=1", True),
        ("--mode=1 --mode=3", False),
        ("--mode=1 --mode=1", True),
        ("--mode=$A", False),
    ):
        companions = of(f"atc --model=a {modes}\n")
        found = companions.holds(companions.block.settings[0], relation)
        assert found is (companions.block.settings[1] if holds else None)


def test_the_chip_that_is_named_counts() -> None:
    target = Config(target=TargetConfig({}, ("a2",)))
    for chip, families in (("Ascend310P3", ("infer",)), ("$SOC", ()), ("Ascend9x9", ())):
        assert of(f"atc --model=a --soc_version={chip}\n", config=target).products() == families
    both = "atc --model=a --soc_version=Ascend310P3 --soc_version=Ascend910B1\n"
    assert len(of(both).products()) == 2
    assert of("atc --model=a\n", config=target).products() == ("a2",)


def test_what_must_be_set_whatever_needs_it() -> None:
    for mode, must in (("0", True), ("1", False), ("$A", False)):
        assert of(f"atc --mode={mode} --log=info\n").must_be_set("model") is must
        assert not of(f"atc --mode={mode} --log=info\n").must_be_set("unheard_of")


_NEEDS = Relation("requires", "external_weight", "", extent="total")


@together(
    ("relation", "partly", "unread"),
    [
        (_NEEDS, False, True),
        (_NEEDS._replace(kind="conflicts"), False, False),
        (_NEEDS._replace(extent="partial"), False, False),
        (_NEEDS._replace(extent="partial"), True, True),
        (_NEEDS, True, True),
        (_NEEDS._replace(rejected=True), False, False),
        (_NEEDS._replace(other_surface=Surface.ENV), False, False),
        (_NEEDS._replace(values=("a",)), False, False),
        (_NEEDS._replace(other="mode"), False, False),
    ],
)
def test_what_needs_something_that_is_off_is_not_read(relation: Relation, partly: bool, unread: bool) -> None:
    companions = of("atc --model=a --external_weight=off --mode=1\n")
    setting, option = companions.pairs[0]
    assert companions.unread(setting, option._replace(relations=(relation,)), partly=partly) is unread
    # Such a tool looks at all that it is given.
    checks = next(each for each in Surface if each.row.complains)
    assert not companions.unread(setting, option._replace(relations=(relation,), surface=checks), partly=partly)


def test_what_is_off_by_itself() -> None:
    for text, off in (("atc --model=a", True), ("atc --model=a $MORE", False)):
        companions = of(f"{text}\n")
        assert companions.is_off(companions.block.settings[0], Relation("requires", "external_weight", "")) is off
        assert not companions.is_off(companions.block.settings[0], Relation("requires", "framework", ""))
        assert not companions.is_off(companions.block.settings[0], Relation("requires", "log", ""))


def test_the_default_of_an_option_fulfils_a_condition() -> None:
    for name, value, expected in (
        ("external_weight", "0", True),
        ("external_weight", "1", False),
        # It has none: nothing is set then, or the tool stops, and what would have been set isn't known.
        ("input_format", "ND", False),
        ("singleop", "a", False),
        ("soc_version", "Ascend310P3", None),
    ):
        companions = of("atc --model=a --framework=5\n")
        condition = Condition(((name, (value,)),), "")
        assert companions.fulfils(companions.block.settings[0], condition) is expected, name
    assert of("atc --model=a\n").default("external_weight") == ("0",)
    assert of("atc --model=a\n").default("unheard_of") == ()


def test_what_runs_sometimes_makes_nothing_hold() -> None:
    text = f"{_OP}if a:\n    op.parameter_map['dump_path'].s = 'a'\nop.parameter_map['enable_dump'].b = True\n"
    companions = of(text, Kind.PYTHON)
    relation = Relation("requires", "dump_path", "")
    assert companions.holds(named(companions, "enable_dump"), relation) is None
    assert companions.holds(None, relation) is named(companions, "dump_path")
    condition = Condition((("dump_path", ()),), "")
    assert companions.fulfils(named(companions, "enable_dump"), condition) is None
    assert companions.fulfils(named(companions, "dump_path"), condition) is False
    text = "if x; then\n  M=--mode=1\nfi\natc --model=a $M{}\n"
    for more in ("", " $MORE"):
        script = of(text.format(more))
        assert script.fulfils(script.block.settings[0], Condition((("mode", (1,)),), "")) is None
    refused = Relation("requires", "mode", "", other_not=(1,))
    for mode, holds in (("1", False), ("3", True)):
        script = of(f"atc --model=a --mode={mode}\n")
        assert (script.holds(script.block.settings[0], refused) is not None) is holds


def test_settings_are_found_by_how_their_values_are_written() -> None:
    companions = of("atc --model=a --input_shape='a:1' --dynamic_batch_size=1,2\n")
    assert [setting.name for setting, _ in companions.written_as("input-shape")] == ["input_shape"]
    assert [setting.name for setting, _ in companions.written_as("dynamic-batch-size", "input-shape")] == [
        "dynamic_batch_size",
        "input_shape",
    ]


def test_blocks_have_companions_of_their_own() -> None:
    context = Analyzer(Config(), all_rules).context(Document("atc --model=a\natc --mode=1\n", kind=Kind.SHELL))
    first, second = (Companions.of_block(block, context) for block in context.parsed.blocks)
    assert (len(first.of(None, "model")), len(second.of(None, "model"))) == (1, 0)
    assert Companions.of_block(context.parsed.blocks[0], context) is first
