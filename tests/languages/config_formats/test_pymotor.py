"""MindIE-PyMotor's `user_config.json`: what its components read, and the command line that each engine gets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages import cursor, read
from npu_lsp.languages.detection import detect
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

DEPLOY = {"p_instances_num": 1, "d_instances_num": 1, "image_name": "a", "job_id": "a", "hardware_type": "800I_A3"}
ENGINE = {"served_model_name": "a", "model": "/mnt/a", "tensor_parallel_size": 2, "kv_transfer_config": {}}


def _file(arguments: dict[str, Any] | None = None, role: str = "prefill", engine: str = "vllm") -> str:
    section = {"engine_type": engine, "engine_config": {**ENGINE, **(arguments or {})}}
    return json.dumps({"motor_deploy_config": DEPLOY, f"motor_engine_{role}_config": section}, indent=1)


def _findings(text: str) -> tuple[Finding, ...]:
    return Analyzer(Config(), all_rules).findings(Document(text, kind=Kind.MINDIE))


def _codes(text: str) -> list[str]:
    return [finding.code for finding in _findings(text)]


def test_it_is_known_by_its_parts() -> None:
    assert detect("user_config pd_hetero.json", _file()) is Kind.MINDIE
    assert detect("config_sample.json", '{"motor_nodemanger_config": {}}') is Kind.MINDIE


def test_a_section_is_a_block_and_its_arguments_are_a_command() -> None:
    blocks = read(Document(_file({"max-model-len": 8}), kind=Kind.MINDIE)).blocks
    assert [(block.surface, block.receiver) for block in blocks][:3] == [
        (Surface.PYMOTOR, ""),
        (Surface.PYMOTOR_ENGINE, "motor_engine_prefill_config"),
        (Surface.VLLM, ""),
    ]
    assert "max-model-len" in {setting.name for setting in blocks[2].settings}
    assert "engine_config.max_model_len" in {setting.name for setting in blocks[1].settings}


def test_right_arguments_are_taken_however_they_are_written() -> None:
    given = {"enforce-eager": True, "trust_remote_code": False, "block-size": "128", "compilation-config": {"mode": 3}}
    assert _codes(_file(given)) == []


@pytest.mark.parametrize(
    ("text", "was", "now", "code"),
    [
        (_file(), '"served_model_name"', '"served_modl_name"', "NPU101"),
        (_file({"max-model-len": 8}), '"max-model-len"', '"max-modle-len"', "NPU101"),
        (_file({"compilation_config": {"cudagraph_mode": "FULL"}}), '"FULL"', '"FULLL"', "NPU104"),
        (
            _file(engine="sglang").replace('"kv_transfer_config": {}', '"base_gpu_id": 1'),
            "base_gpu",
            "base_gup",
            "NPU101",
        ),
        (_file(), '"vllm"', '"vlm"', "NPU104"),
        (_file(), '"p_instances_num"', '"p_instanse_num"', "NPU235"),
        (_file(), '"p_instances_num": 1', '"p_instances_num": 17', "NPU106"),
        (_file(), '"hardware_type"', '"hardware_typ"', "NPU101"),
        (_file(), "kv_transfer_config", "kv_transfer_conf", "NPU235"),
    ],
)
def test_a_slip_is_told(text: str, was: str, now: str, code: str) -> None:
    assert _codes(text) == []
    assert text.count(was) == 1
    assert code in _codes(text.replace(was, now))


def test_what_pymotor_puts_in_is_nobodys_fault() -> None:
    transfer = {"kv_connector": "MooncakeConnectorV1", "kv_role": "kv_producer", "kv_port": "30000", "engine_id": "0"}
    both = json.loads(_file({"kv_transfer_config": transfer}))
    other = {**transfer, "kv_role": "kv_consumer"}
    both["motor_engine_decode_config"] = json.loads(_file({"kv_transfer_config": other}, "decode"))[
        "motor_engine_decode_config"
    ]
    assert _codes(json.dumps(both)) == []


def test_a_key_and_a_value_are_mended_where_they_stand() -> None:
    text = _file({"enable_expert_pparallel": True})
    found = next(each for each in _findings(text) if each.code == "NPU101")
    edit = found.fixes[0].edits[0]
    assert text[: edit.span.start] + edit.text + text[edit.span.end :] == text.replace("pparallel", "parallel")


def test_arguments_are_completed_as_flags_and_the_rest_as_keys() -> None:
    text = _file().replace('"kv_transfer_config": {}', '"max_mod": 1')
    found = cursor(Document(text, kind=Kind.MINDIE), text.index("max_mod") + 7)
    assert found is not None
    assert (found.surface, found.prefix) == (Surface.VLLM_ARGS, "")
    text = _file({"additional-config": {"enable": True}})
    found = cursor(Document(text, kind=Kind.MINDIE), text.index('"enable"') + 7)
    assert found is not None
    assert (found.surface, found.prefix) == (Surface.ADDITIONAL_CONFIG, "")
    text = _file({"compilation_config": {"mode": 1}})
    found = cursor(Document(text, kind=Kind.MINDIE), text.index('"mode": 1') + 8)
    assert found is not None
    assert (found.surface, found.option) == (Surface.VLLM_ARGS, "compilation_config.mode")
    text = _file().replace('"job_id"', '"job"')
    found = cursor(Document(text, kind=Kind.MINDIE), text.index('"job"') + 3)
    assert found is not None
    assert (found.surface, found.prefix) == (Surface.PYMOTOR, "motor_deploy_config.")
    text = _file().replace('"engine_type"', '"engine_t"')
    found = cursor(Document(text, kind=Kind.MINDIE), text.index("engine_t") + 8)
    assert found is not None
    assert (found.surface, found.prefix) == (Surface.PYMOTOR_ENGINE, "")


def test_a_damaged_file_is_told_and_ends_nothing() -> None:
    assert "NPU804" in _codes(_file().replace('"a",', '"a"', 1))


def _whole(**changes: Any) -> str:
    """Return a file with both engines, changed at dotted paths, which have `__` for a dot."""
    one, other = json.loads(_file()), json.loads(_file(role="decode"))
    data = {**one, **other, "motor_controller_config": {"api_config": {"controller_api_port": 2026}}}
    data["motor_coordinator_config"] = {"api_config": {"coordinator_api_mgmt_port": 1026}, "scheduler_config": {}}
    data["motor_deploy_config"] |= {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "single_p_instance_pod_num": 1}
    for path, value in changes.items():
        *above, key = path.split("__")
        inner = data
        for each in above:
            inner = inner.setdefault(each, {})
        if value is None:
            del inner[key]
        else:
            inner[key] = value
    return json.dumps(data, indent=1)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, ""),
        ({"motor_engine_decode_config__engine_config__served_model_name": "b"}, "NPU232"),
        ({"motor_engine_decode_config__engine_type": "sglang"}, "NPU232"),
        ({"motor_engine_prefill_config__engine_config__tensor_parallel_size": 16}, "NPU231"),
        ({"motor_engine_prefill_config__engine_config__data_parallel_size": 8}, "NPU231"),
        ({"motor_engine_prefill_config__engine_config__kv_transfer_config": None}, "NPU235"),
        ({"motor_deploy_config__job_id": "my_job"}, "NPU230"),
        ({"motor_deploy_config__p_instances_num": None}, "NPU235"),
        ({"motor_deploy_config__hardware_type": "800I_A2", "motor_deploy_config__d_pod_npu_num": 16}, "NPU230"),
        ({"motor_coordinator_config__scheduler_config__deploy_mode": "single_node"}, "NPU230"),
        (
            {
                "motor_deploy_config__deploy_mode": "single_container",
                "motor_coordinator_config__scheduler_config__deploy_mode": "pd_disaggregation_single_container",
                "motor_controller_config__api_config__controller_api_port": 1026,
            },
            "NPU232",
        ),
    ],
)
def test_parts_must_go_together(changes: dict[str, Any], code: str) -> None:
    assert [*dict.fromkeys(_codes(_whole(**changes)))][:1] == ([code] if code else [])


def test_instances_that_do_both_need_no_mode() -> None:
    """`deploy.py` asked for one for some weeks."""
    data = {
        "motor_deploy_config": {
            "hybrid_instances_num": 1,
            "single_hybrid_instance_pod_num": 1,
            "hybrid_pod_npu_num": 2,
            "image_name": "a",
            "job_id": "a",
            "hardware_type": "800I_A3",
        },
        "motor_coordinator_config": {},
        "motor_engine_union_config": {"engine_type": "vllm", "engine_config": {"model": "/mnt/a"}},
    }
    assert _codes(json.dumps(data)) == []


def test_the_environment_is_that_of_another_file() -> None:
    """`env.json` beside it says what an engine gets."""
    balanced = {"additional_config": {"eplb_config": {"dynamic_eplb": True}}, "enable_expert_parallel": True}
    assert "NPU223" not in _codes(_file(balanced))


def test_what_is_empty_is_told_once() -> None:
    assert _codes(_whole(motor_deploy_config__job_id="")) == ["NPU109"]
