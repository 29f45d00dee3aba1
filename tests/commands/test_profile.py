"""`npu-lsp profile`: which switches of a set are set where, which are missing, and which contradict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from npu_lsp.catalog.files import DATA
from npu_lsp.catalog.load import load
from npu_lsp.catalog.profiles import profiles
from npu_lsp.text.toml import parse, read
from tests.authoring import phrases
from tests.checking.command import npu_lsp

SCRIPT = "export HCCL_DETERMINISTIC=strict\nexport ATB_MATMUL_SHUFFLE_K_ENABLE=1\nexport LCCL_DETERMINISTIC=$MODE\n"


def states(folder: Path, *arguments: str) -> tuple[int, dict[str, str]]:
    ran = npu_lsp("profile", *arguments, "--format", "json", cwd=folder)
    assert ran.err == ""
    return ran.code, {each["option"]: each["state"] for each in json.loads(ran.out)["switches"]}


def test_the_profiles_of_the_catalog_name_options_and_values_that_exist() -> None:
    catalog = load()
    assert list(phrases.problems(read(DATA / "profiles.toml"))) == []
    sources = catalog.plain("sources")
    for facts in catalog.plain("profiles").values():
        for switch in facts["switches"]:
            for told in (switch, *filter(None, [switch.get("not_on")])):
                assert told["source"].partition(":")[0] in {*sources, "https"}
            assert set(switch.get("not_on", {}).get("products", ())) <= set(catalog.plain("products"))
    for profile in profiles(catalog, {}).values():
        for switch in profile.switches:
            option = catalog.option(switch.surface, switch.option)
            assert option is not None, switch.option
            allowed = {str(each.value) for each in option.values}
            assert option.open or not allowed or set(switch.values) <= allowed, switch.option


def test_a_folder_is_compared_with_what_it_uses(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(SCRIPT)
    assert states(tmp_path, "determinism") == (
        1,
        {
            "HCCL_DETERMINISTIC": "set",
            "LCCL_DETERMINISTIC": "unknown",
            "ATB_MATMUL_SHUFFLE_K_ENABLE": "contradicts",
            "ATB_LLM_LCOC_ENABLE": "missing",
        },
    )
    (tmp_path / "run.sh").write_text("atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3\n")
    assert states(tmp_path, "determinism") == (1, {"deterministic": "missing"})
    (tmp_path / "run.sh").write_text("torchrun pretrain_gpt.py --use-fused-rmsnorm\n")
    assert states(tmp_path, "determinism") == (1, {"npu-deterministic": "missing"})
    (tmp_path / "run.sh").write_text("torchrun pretrain_gpt.py --use-fused-rmsnorm --npu-deterministic\n")
    assert states(tmp_path, "determinism") == (0, {"npu-deterministic": "set"})
    (tmp_path / "run.sh").write_text("echo nothing\n")
    assert states(tmp_path, "determinism") == (0, {})


def test_one_key_of_several_serves(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(
        "export PYTORCH_NPU_ALLOC_CONF=max_split_size_mb:250,expandable_segments:True\n"
        "export TASK_QUEUE_ENABLE=2\nexport CPU_AFFINITY_CONF=1\n"
    )
    code, found = states(tmp_path, "performance")
    assert (code, set(found.values())) == (0, {"set"})


def test_people_read_what_is_missing_and_why(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(SCRIPT)
    ran = npu_lsp("profile", "determinism", cwd=tmp_path)
    assert "  env HCCL_DETERMINISTIC=true  set: run.sh:1\n" in ran.out
    assert "  env ATB_MATMUL_SHUFFLE_K_ENABLE=0  set otherwise: run.sh:2 (1)\n    All blocks" in ran.out
    assert ran.out.endswith("\n1 of 4 switches are as the profile has them.\n")
    assert "未配置" in npu_lsp("profile", "determinism", "--lang", "zh", cwd=tmp_path).out
    assert ">set otherwise</td>" in npu_lsp("profile", "determinism", "--format", "html", cwd=tmp_path).out


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text(
        '[profiles.ours]\nHCCL_CONNECT_TIMEOUT = "1200"\n"atc.precision_mode" = "must_keep_origin_dtype"\n'
    )
    (tmp_path / "run.sh").write_text("export HCCL_CONNECT_TIMEOUT=120\n")
    assert states(tmp_path, "ours") == (1, {"HCCL_CONNECT_TIMEOUT": "contradicts", "precision_mode": "missing"})
    assert "ours " in npu_lsp("profile", cwd=tmp_path).out
    shown = npu_lsp("config", cwd=tmp_path).out
    assert parse(shown)["profiles"]["ours"]["atc.precision_mode"] == "must_keep_origin_dtype"


@pytest.mark.parametrize(
    ("name", "config", "said"),
    [
        ("nope", "", "there are determinism, performance, precision-debugging"),
        ("ours", '[profiles.ours]\nHCCL_CONECT_TIMEOUT = "1"\n', "HCCL_CONECT_TIMEOUT: "),
        ("ours", "[profiles]\nours = 1\n", "profiles.ours"),
    ],
)
def test_what_is_no_profile_is_told(tmp_path: Path, name: str, config: str, said: str) -> None:
    (tmp_path / "npu-lsp.toml").write_text(config)
    ran = npu_lsp("profile", name, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_a_switch_that_froze_a_product_is_not_recommended_there(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    name = "HCCL_OP_EXPANSION_MODE"

    def state(product: str) -> str | None:
        (tmp_path / "npu-lsp.toml").write_text(f"[target]\nproducts = [{product}]\n")
        return states(tmp_path, "performance")[1].get(name)

    script.write_text("export VLLM_ASCEND_ENABLE_NZ=1\n")
    # Atlas 300I Duo has no such value.
    assert [state(each) for each in ("", '"a3"', '"a2"', '"infer"')] == ["missing", "missing", None, None]
    script.write_text(f"export {name}=AIV\n")
    assert [state(each) for each in ("", '"a3"', '"a2"')] == ["set", "set", "advised_against"]
    ran = npu_lsp("profile", "performance", cwd=tmp_path)
    assert f"env {name}=AIV  set, and not recommended on this product: run.sh:1\n    Vector cores" in ran.out
    assert "On Atlas A2 it made servers hang" in ran.out
    page = npu_lsp("profile", "performance", "--format", "html", "--lang", "zh", cwd=tmp_path)
    assert "vllm-ascend/pull/5419" in page.out
    assert "已配置，但在该产品上不建议配置" in page.out
    script.write_text(f"export {name}=AI_CPU\n")
    assert [state(each) for each in ('"a3"', '"a2"')] == ["contradicts", None]


def test_upper_and_lower_case_count_where_the_tool_looks_at_them(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("export HCCL_DETERMINISTIC=True\n")
    assert states(tmp_path, "determinism") == (0, {"HCCL_DETERMINISTIC": "set"})
