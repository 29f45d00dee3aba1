"""What a name that the catalog doesn't have was meant to be."""

from __future__ import annotations

from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.context import Context
from npu_lsp.linter.names.meant import intended, is_another_release, is_before_all, meant, newest_known, other_place
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together


def about(text: str, name: str, kind: Kind = Kind.SHELL, **versions: str) -> tuple[Setting, Block, Context]:
    """Return the setting of that name in a text."""
    config = Config(target=TargetConfig({each.replace("_", "-"): version for each, version in versions.items()}, ()))
    context = Analyzer(config, all_rules).context(Document(text, path="", kind=kind))
    return next(
        (each, block, context) for block in context.parsed.blocks for each in block.settings if each.name == name
    )


@together(
    ("flags", "complete", "near"),
    [
        ("--outptu=a", True, "output"),
        ("--outptu=a", False, "output"),
        ("--outptu=a --output=a", True, "output"),
        # A name beside the right one is wrong, too.
        ("--outptu=a --output=a", False, "output"),
        ("--outptu=a --output=b", False, "output"),
        ("--outptu=$A --output=$A", False, "output"),
        ("--outptu=a --log=a", False, "output"),
    ],
)
def test_a_mistyped_name(flags: str, complete: bool, near: str | None) -> None:
    assert meant(*about(f"atc --model=a {flags}\n", "outptu"), complete=complete) == near
    assert meant(*about("atc --unheard_of=a\n", "unheard_of"), complete=complete) is None


def test_who_has_both_in_a_file_knows_the_right_one() -> None:
    text = '{"ServerConfig": {"httpsEnabled": true, "maxLinkNum": 1, "openAiSupport": "a", "openAiSuport": "b"}}'
    name = "ServerConfig.openAiSuport"
    assert meant(*about(text, name, Kind.MINDIE), complete=False) is None
    assert meant(*about(text, name, Kind.MINDIE), complete=True) == "ServerConfig.openAiSupport"
    alone = text.replace('"openAiSupport": "a", ', "")
    assert meant(*about(alone, name, Kind.MINDIE), complete=False) == "ServerConfig.openAiSupport"


def test_who_has_both_in_a_list_of_lines_may_have_missed_one() -> None:
    text = "[ascend_context]\nprecision_mod=force_fp16\nprecision_mode=enforce_fp32\n"
    assert meant(*about(text, "precision_mod", Kind.MSLITE), complete=False) == "precision_mode"


def test_a_name_that_is_gone_stands_for_the_one_that_took_its_place() -> None:
    text = "vllm serve m --additional-config '{\"dynamic_epbl\": true}'\n"
    for version, near in (("0.13.0", "dynamic_eplb"), ("0.18.0", "eplb_config.dynamic_eplb")):
        assert meant(*about(text, "dynamic_epbl", vllm_ascend=version), complete=True) == near
    old = 'op.parameter_map["auto_tune_mod"].s = "a"\n'
    assert meant(*about(old, "auto_tune_mod", Kind.PYTHON), complete=True) == "aoe_mode"


def test_versions_that_the_catalog_does_not_know() -> None:
    text = "vllm serve m --additional-config '{\"a\": true}'\n"
    for version, before, after in (("0.5.0", True, False), ("0.18.0", False, False), ("9.0.0", False, True)):
        setting, _, context = about(text, "a", vllm_ascend=version)
        assert is_before_all(setting, context) is before
        newest = newest_known(setting, None, context)
        assert (newest is not None) is after
        if newest is not None:
            assert newest[0] == "vllm-ascend"
            assert newest_known(setting, "eplb_config.dynamic_eplb", context) == newest
    variable, _, context = about("export ASCEND_A=1\n", "ASCEND_A", vllm_ascend="9.0.0", cann="99.0")
    assert not is_before_all(variable, context)
    assert newest_known(variable, None, context) is None
    known = newest_known(variable, "ASCEND_GLOBAL_LOG_LEVEL", context)
    assert known is not None
    assert known[0] == "cann"


def test_a_working_copy_may_have_names_of_its_own() -> None:
    start = "vllm serve m --additional-config '{\"a\": true}'\n"
    for before, own in (("", False), ("export PYTHONPATH=/home/u/vllm-ascend\n", True)):
        setting, _, context = about(f"{before}{start}", "a")
        assert is_another_release(context, setting.surface) is own
    setting, _, context = about("export PYTHONPATH=/home/u/vllm-ascend\natc --unheard_of=a\n", "unheard_of")
    assert not is_another_release(context, setting.surface)
    setting, _, context = about("export PYTHONPATH=/home/u/vllm-ascend:\nexport ASCEND_A=1\n", "ASCEND_A")
    assert not is_another_release(context, setting.surface)
    # That is where it is installed.
    setting, _, context = about("export PYTHONPATH=/usr/local/Ascend/cann\natc --unheard_of=a\n", "unheard_of")
    assert not is_another_release(context, setting.surface)


@together(
    ("name", "place"),
    [
        ("num_iterations_eplb_update", None),
        ("expert_map_record_path", "eplb_config.expert_map_record_path"),
        ("expert_map_record_pat", "eplb_config.expert_map_record_path"),
        ("other.expert_map_record_path", "eplb_config.expert_map_record_path"),
        ("unheard_of", None),
        # In several groups there is one.
        ("enabled", None),
        # It had another place before.
        ("eplb_config.enable_balance_scheduling", "scheduler_config.enable_balance_scheduling"),
    ],
)
def test_a_key_of_another_group(name: str, place: str | None) -> None:
    *groups, last = name.split(".")
    member = f'"{last}": 1'
    for group in groups:
        member = f'"{group}": {{{member}}}'
    setting, _, context = about(f"vllm serve m --additional-config '{{{member}}}'\n", name)
    assert place is None or other_place(setting, context) == place
    flat, _, context = about("atc --expert_map_record_path=a\n", "expert_map_record_path")
    assert other_place(flat, context) is None
    if name == "enabled":
        assert other_place(setting, context) is None


def test_where_not_all_names_are_known_only_the_same_name_elsewhere_is_meant() -> None:
    there = "eplb_config.expert_map_record_path"
    for name, complete, expected in (
        ("expert_map_record_path", False, (there, there)),
        ("expert_map_record_pat", False, (there, None)),
        ("expert_map_record_pat", True, (there, None)),
        ("other_names.expert_map_record_path", False, (None, there)),
        ("other_names.expert_map_record_pat", False, (None, None)),
        ("other_names.expert_map_record_pat", True, (None, there)),
    ):
        group, _, last = name.rpartition(".")
        member = f'"{group}": {{"{last}": 1}}' if group else f'"{name}": 1'
        setting, block, context = about(f"vllm serve m --additional-config '{{{member}}}'\n", name)
        assert intended(setting, block, context, complete=complete) == expected, (name, complete)
