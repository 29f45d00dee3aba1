"""What came, changed and went with the versions of CANN: a few facts of each surface, read where users do."""

from __future__ import annotations

from npu_lsp.catalog.availability import as_one, default_change, defaults_on, standing, values_on
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Scalar, Surface
from npu_lsp.catalog.target import Target
from tests.together import together

CAME = [
    # The newest version whose sources or docs don't have it, and the oldest that has.
    (Surface.SESSION, "op_wait_timeout", "5.0.3", "5.0.4"),
    (Surface.SESSION, "customize_dtypes", "5.0.4", "5.1"),
    (Surface.SESSION, "precision_mode_v2", "6.3.RC1", "6.3.RC2"),
    (Surface.SESSION, "ac_parallel_enable", "7.0.RC1", "7.0.0"),
    (Surface.RUN_CONFIG, "jit_compile", "5.1", "6.0"),
    (Surface.GLOBAL_OPTIONS, "event_sync_timeout", "6.0", "6.3"),
    (Surface.ATC, "tiling_schedule_optimize", "7.0.0", "8.0.0"),
    (Surface.ATC, "enable_attr_compression", "8.5.0", "9.0.0"),
    (Surface.ATC, "hccl_sub_comm_config", "9.0.0", "9.1.0"),
    (Surface.ATC, "optimization_switch", "9.1.0", "9.2.0"),
    (Surface.GE, "ge.exec.static_model_ops_lower_limit", "7.0.0", "8.0.RC2"),
    (Surface.TORCH_NPU, "ALLOW_INTERNAL_FORMAT", "6.0.1", "6.3.RC1"),
    (Surface.TORCH_NPU, "CUBE_MATH_TYPE", "8.3.RC1", "8.5.0"),
    (Surface.TORCHAIR, "ge_config.oo_level", "8.0.RC2", "8.0.RC3"),
    (Surface.TORCHAIR, "mode", "8.0.0", "8.1.RC1"),
    (Surface.TORCHAIR, "debug.aclgraph.remove_cat_ops", "8.5.0", "9.0.0"),
    (Surface.ENV, "OP_PCIE_THROUGH_ACCESS_HOST_MEM_CHECK_ENABLE", "9.1.0", "9.2.0"),
]
WENT = [
    (Surface.RUN_CONFIG, "auto_tune_mode", "5.1", "6.0"),
    (Surface.RUN_CONFIG, "ExperimentalConfig.graph_parallel_config", "6.0", "6.3"),
    (Surface.TORCH_NPU, "ACL_AUTO_TUNE_MODE", "6.0", "6.3"),
    (Surface.TORCH_NPU, "deliverswitch", "7.0", "8.0.RC1"),
    (Surface.TORCH_NPU, "COMPATIBLE_IMPL", "8.5.1", "9.0.0"),
    (Surface.ENV, "ATB_OPSRUNNER_KERNEL_CACHE_TYPE", "8.1.RC1", "8.2.RC1"),
    (Surface.ENV, "ASDOPS_LOG_LEVEL", "8.2.RC1", "8.3.RC1"),
    (Surface.ENV, "ATB_WORKSPACE_MEM_ALLOC_GLOBAL", "8.3.RC1", "8.5.0"),
]
TAKEN = [
    (Surface.SESSION, "aoe_mode", "3", "6.0.0", "6.0.RC1"),
    (Surface.SESSION, "precision_mode", "allow_fp32_to_bf16", "6.0", "6.3"),
    (Surface.ATC, "mode", 7, "9.0.0", "9.1.0"),
    (Surface.ATC, "deterministic_level", "3", "9.1.0", "9.2.0"),
    (Surface.ATC, "external_weight", "2", "8.5.0", "9.0.0"),
    (Surface.TORCHAIR, "mode", "npugraph_ex", "8.5.0", "9.0.0"),
]
DEFAULTS = [
    (Surface.SESSION, "hcom_parallel", "5.1", False, "6.0", True),
    (Surface.SESSION, "enable_exception_dump", "7.0.RC1", 0, "7.0.0", 2),
    (Surface.GLOBAL_OPTIONS, "jit_compile", "6.0", False, "6.3.RC2", "auto"),
    (Surface.GLOBAL_OPTIONS, "op_compiler_cache_mode", "6.3", "disable", "7.0", "enable"),
    (Surface.ADDITIONAL_CONFIG, "enable_cpu_binding", "0.14.0rc1", False, "0.15.0rc1", True),
    (Surface.ENV, "TASK_QUEUE_ENABLE", "1.5", "0", "1.8.1.post1", "1"),
    (Surface.ENV, "STREAMS_PER_DEVICE", "2.6.0", "8", "2.6.0.post3", "32"),
    (Surface.ENV, "HCCL_ASYNC_ERROR_HANDLING", "1.11.0.post14", "0", "2.1.0.post4", "1"),
]


def find(surface: Surface, name: str) -> Option:
    option = load().option(surface, name)
    assert option is not None
    return option


@together(("surface", "name", "without", "with_it"), CAME)
def test_an_option_is_missing_before_it_came(surface: Surface, name: str, without: str, with_it: str) -> None:
    option = find(surface, name)
    assert standing(option, Target.parse({option.component: without})).missing
    assert not standing(option, Target.parse({option.component: with_it})).missing


@together(("surface", "name", "with_it", "without"), WENT)
def test_an_option_is_there_before_it_went(surface: Surface, name: str, with_it: str, without: str) -> None:
    option = find(surface, name)
    assert not standing(option, Target.parse({option.component: with_it})).removed
    assert standing(option, Target.parse({option.component: without})).removed


@together(("surface", "name", "value", "without", "with_it"), TAKEN)
def test_a_value_is_there_for_its_versions_only(
    surface: Surface, name: str, value: Scalar, without: str, with_it: str
) -> None:
    option = find(surface, name)
    assert value not in {allowed.value for allowed in values_on(option, Target.parse({option.component: without}))}
    assert value in {allowed.value for allowed in values_on(option, Target.parse({option.component: with_it}))}


@together(("surface", "name", "before", "was", "since", "default"), DEFAULTS)
def test_a_default_holds_from_its_version_on(
    surface: Surface, name: str, before: str, was: Scalar, since: str, default: Scalar
) -> None:
    option = find(surface, name)
    old, new = (Target.parse({option.component: version}) for version in (before, since))
    assert [each.value for each in defaults_on(option, old)] == [was]
    assert default in {each.value for each in defaults_on(option, new)}
    change = default_change(option, new)
    assert change is not None
    assert (change.was, change.default) == (was, default)
    assert default_change(option, Target()) is None


def test_a_line_that_changed_a_default_twice_says_the_first_and_the_last() -> None:
    option = find(Surface.ADDITIONAL_CONFIG, "eplb_config.expert_heat_collection_interval")
    assert [each.value for each in defaults_on(option, Target.parse({"vllm-ascend": "0.13.0"}))] == [4000]
    assert [each.value for each in defaults_on(option, Target.parse({"vllm-ascend": "0.18.0"}))] == [400]
    both = as_one(option.changes)
    assert both is not None
    assert (both.version, both.was, both.default) == ("0.23.0rc1", 4000, 600)
    there = [each for each in option.changes if each.was is not None]
    assert as_one([there[0], there[0]._replace(was=400, default=4000)]) is None
