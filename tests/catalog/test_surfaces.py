"""What the catalog knows about AOE, torch_npu, TorchAir and GE's own keys."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from tests.together import together


def _option(surface: Surface, name: str) -> Option:
    found = load().option(surface, name)
    assert found is not None, name
    return found


@together(("short", "name"), [("m", "model"), ("w", "weight"), ("j", "job_type"), ("f", "framework"), ("h", "help")])
def test_aoe_knows_the_letters_that_stand_for_its_flags(short: str, name: str) -> None:
    assert _option(Surface.AOE, short).name == name


@pytest.mark.parametrize(("flag", "job"), [("Fdeeper_opat", 2), ("Fop_format", 2), ("Fnonhomo_split", 1)])
def test_aoe_flags_of_one_way_of_tuning_need_its_job_type(flag: str, job: int) -> None:
    needs = [relation for relation in _option(Surface.AOE, flag).relations if relation.kind == "requires"]
    assert [(relation.other, relation.other_values) for relation in needs] == [("job_type", (job,))]


@together(
    ("flat", "nested"),
    [
        ("force_eager", "debug.run_eagerly"),
        ("capture_limit", "debug.aclgraph.static_capture_size_limit"),
        ("frozen_parameter", "experimental_config.frozen_parameter"),
        ("dump_tensor_data", "dump_config.enable_dump"),
    ],
)
def test_the_flat_names_of_npugraph_ex_are_those_of_torchair(flat: str, nested: str) -> None:
    assert _option(Surface.TORCHAIR, flat).name == nested


def test_what_only_the_graph_engine_does_is_ignored_in_the_acl_graph_modes() -> None:
    for name in ("ge_config.enable_single_stream", "experimental_config.enable_ref_data", "ge_config.aicore_num"):
        ignored = [each for each in _option(Surface.TORCHAIR, name).relations if each.kind == "ignored_when"]
        assert ("mode", ("reduce-overhead", "npugraph_ex")) in [(each.other, each.other_values) for each in ignored], (
            name
        )


def test_one_option_is_linked_under_all_its_names() -> None:
    assert load().topic("jit_compile") == {
        **load().topic("jit_compile"),
        Surface.NPU_CALLS: "set_compile_mode.jit_compile",
        Surface.TORCHAIR: "experimental_config.jit_compile",
        Surface.GE: "ge.jit_compile",
    }
    assert load().topic("ALLOW_MATMUL_HF32")[Surface.TORCH_NPU] == "ALLOW_MATMUL_HF32"


@together("flag", ["head_stream", "encrypt_mode", "encrypt_key", "certificate", "performance_mode"])
def test_flags_of_early_atc_are_known_as_gone(flag: str) -> None:
    assert _option(Surface.ATC, flag).removed is not None


@together(
    ("surface", "name", "cann"),
    [
        (Surface.SESSION, "precision_mode_v2", "6.3.RC2"),
        (Surface.RUN_CONFIG, "MemoryConfig.static_memory_policy", "5.1"),
        (Surface.GLOBAL_OPTIONS, "ac_parallel_enable", "7.0.0"),
        (Surface.ATC, "hccl_sub_comm_config", "9.1"),
    ],
)
def test_options_say_since_when_they_are_there(surface: Surface, name: str, cann: str) -> None:
    assert _option(surface, name).since == cann
