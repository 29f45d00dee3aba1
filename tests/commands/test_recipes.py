"""`npu-lsp profile NAME`: what an official page sets, compared with a launch; it is advice, and no finding."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.recipes import models, nearest, of_machine, recipe, recipes
from npu_lsp.catalog.surfaces import Surface
from tests.checking.command import npu_lsp
from tests.pages import ROOT
from tests.test_printed import blocks

SERVE = "export TASK_QUEUE_ENABLE=1\nvllm serve /weights/DeepSeek-V3.1-w8a8 --tensor-parallel-size 8 --quantization ascend\n"


def test_each_recipe_has_its_source_and_names_what_exists() -> None:
    catalog = load()
    found = recipes(catalog)
    assert len(found) > 400
    sources, products = catalog.plain("sources"), set(catalog.plain("products"))
    for name, facts in found.items():
        assert facts["source"].partition(":")[0] in sources, name
        assert re.fullmatch(r"20[0-9]{2}-[01][0-9]-[0-3][0-9]", facts["date"]), name
        assert set(facts["products"]) <= products, name
        assert facts["settings"], name
        for key in facts["settings"]:
            surface, _, option = key.partition(".")
            assert catalog.option(Surface(surface), option) is not None, f"{name}: {key}"
            assert not of_machine(option), f"{name}: {key}"


def test_a_page_is_its_own_nearest() -> None:
    """The settings of a recipe, written down with its model, lead back to what sets the same."""
    catalog = load()
    known = recipes(catalog)
    for name, facts in list(known.items())[::9]:
        text = f"vllm serve /weights/{facts['model']} --x\n"
        settings = {key: value for key, value in facts["settings"].items() if isinstance(value, str)}
        if name.startswith("msprechecker/"):
            continue
        best = nearest(text, settings, facts["products"], catalog)[:1] if models(text) else []
        if best:
            same = [key for key, value in known[best[0]]["settings"].items() if settings.get(key) == value]
            assert len(same) == len(known[best[0]]["settings"]), (name, best)


def test_the_nearest_is_of_the_model_and_the_product(tmp_path: Path) -> None:
    (tmp_path / "serve.sh").write_text(SERVE)
    ran = npu_lsp("profile", "--match", "serve.sh", cwd=tmp_path)
    assert ran.code == 0
    assert ran.out.startswith("vllm-ascend/deepseek-v3.1")
    (tmp_path / "serve.sh").write_text("vllm serve nobody/knows-this\n")
    assert npu_lsp("profile", "--match", "serve.sh", cwd=tmp_path).code == 1


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"export HCCL_BUFFSIZE={n}\nexport NAME_{n}_MODEL=qwen-{n}\n" for n in range(1500)),
        "export HCCL_BUFFSIZE=200\npython train.py --model qwen3\n",
        "vllm serve meta-llama/Llama-3-8B\n",
        "vllm serve /w/DeepSeek-R1-Distill-Qwen-7B --max-num-seqs 4\n",
    ],
)
def test_what_is_like_none_has_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(text)
    ran = npu_lsp("profile", "--match", "a.sh", cwd=tmp_path)
    assert (ran.code, "No recipe" in ran.out) == (1, True)


@pytest.mark.parametrize(
    ("model", "nearest"),
    [
        ("Qwen/Qwen3-8B", "vllm-ascend/qwen3-dense"),
        ("Qwen/Qwen3-VL-8B-Instruct", "vllm-ascend/qwen-vl-dense"),
        ("Qwen/Qwen3-Next-80B-A3B-Instruct", "vllm-ascend/qwen3-next"),
        ("Qwen/Qwen3-Embedding-8B", "vllm-ascend/qwen3-embedding"),
    ],
)
def test_models_that_see_or_embed_are_others_of_their_family(model: str, nearest: str, tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(f"vllm serve {model} --tensor-parallel-size 2\n", encoding="utf-8")
    ran = npu_lsp("profile", "--match", "a.sh", cwd=tmp_path)
    assert ran.out.startswith(nearest)
    assert ("VL" in ran.out) == ("VL" in model)


def test_a_file_of_pymotor_has_recipes_of_its_engine(tmp_path: Path) -> None:
    engine = {"model": "/weights/DeepSeek-V3.1-w8a8", "tensor_parallel_size": 8, "quantization": "ascend"}
    section = {"engine_type": "vllm", "engine_config": engine}
    (tmp_path / "user_config.json").write_text(json.dumps({"motor_engine_prefill_config": section}))
    assert npu_lsp("profile", "--match", "user_config.json", cwd=tmp_path).out.startswith("vllm-ascend/deepseek-v3.1")


def test_a_file_is_read_up_to_the_size_that_is_checked(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text("max-file-size = 1000\n")
    (tmp_path / "serve.sh").write_text(SERVE + "#" * 1000)
    for named in ("serve.sh", "/dev/zero", "."):
        ran = npu_lsp("profile", "--match", named, cwd=tmp_path)
        assert (ran.code, ran.out) == (2, "")
        assert f"{named}: " in ran.err


def test_a_launch_that_is_no_part_has_pages_on_the_whole_first(tmp_path: Path) -> None:
    (tmp_path / "serve.sh").write_text(
        "vllm serve /weights/DeepSeek-V3.1-w8a8 --tensor-parallel-size 8 --quantization ascend\n"
    )
    ran = npu_lsp("profile", "--match", "serve.sh", cwd=tmp_path)
    assert ran.out.startswith("vllm-ascend/deepseek-v3.1@a3 ")


@pytest.mark.parametrize(("end", "role"), [("kv_producer", "prefill"), ("kv_consumer", "decode")])
def test_prefill_and_decode_have_recipes_of_their_own(end: str, role: str, tmp_path: Path) -> None:
    transfer = f'{{"kv_connector": "MooncakeConnectorV1", "kv_role": "{end}", "kv_port": "30000"}}'
    (tmp_path / "serve.sh").write_text(SERVE.rstrip("\n") + f" --kv-transfer-config '{transfer}'\n")
    ran = npu_lsp("profile", "--match", "serve.sh", cwd=tmp_path)
    assert ran.out.startswith(f"vllm-ascend/deepseek-v3.1-{role}")


def test_a_server_is_told_of_no_other(tmp_path: Path) -> None:
    (tmp_path / "serve.sh").write_text(
        "python3 -m sglang.launch_server --model-path /weights/DeepSeek-R1 --tp-size 16\n"
    )
    ran = npu_lsp("profile", "--match", "serve.sh", cwd=tmp_path)
    assert "vllm-ascend/" not in ran.out


def test_a_server_is_told_of_no_training(tmp_path: Path) -> None:
    (tmp_path / "serve.sh").write_text("vllm serve Qwen/Qwen3-32B --tensor-parallel-size 4\n")
    ran = npu_lsp("profile", "--match", "serve.sh", cwd=tmp_path)
    assert "vllm-ascend/" in ran.out
    assert "mindspeed-llm/" not in ran.out


def test_a_call_in_python_starts_a_model(tmp_path: Path) -> None:
    call = 'from vllm import LLM\nllm = LLM(model="Qwen/Qwen3-32B", tensor_parallel_size=4)\n'
    (tmp_path / "offline.py").write_text(call)
    assert npu_lsp("profile", "--match", "offline.py", cwd=tmp_path).out.startswith("vllm-ascend/")


@pytest.mark.parametrize("role", ["prefill", "decode"])
def test_prefill_and_decode_are_recipes_of_their_own(role: str, tmp_path: Path) -> None:
    launch = f"python3 -m sglang.launch_server --model-path /weights/DeepSeek-R1-w8a8 --disaggregation-mode {role}"
    (tmp_path / "serve.sh").write_text(
        f"{launch} --tp-size 16 --dp-size 8 --quantization modelslim --enable-dp-attention\n"
    )
    first = npu_lsp("profile", "--match", "serve.sh", cwd=tmp_path).out.split()[0]
    assert first.startswith("sglang/deepseek-r1-")
    assert f"-{role}@a3" in first
    settings = recipes(load())[first]["settings"]
    assert settings["sglang.disaggregation-mode"] == role
    # What is exported in front of both counts for each.
    assert settings["env.SGLANG_USE_FIA_NZ"] == "1"


def test_a_name_stands_apart_from_its_title_and_a_mistyped_one_is_told(tmp_path: Path) -> None:
    (tmp_path / "serve.sh").write_text(SERVE)
    lines = npu_lsp("profile", "--match", "serve.sh", cwd=tmp_path).out.splitlines()
    assert all(line.partition("  ")[0] in recipes(load()) for line in lines)
    ran = npu_lsp("profile", "vllm-ascend/deepsek-v3.1@a3", "serve.sh", cwd=tmp_path)
    assert ran.code == 2
    assert "did you mean 'vllm-ascend/deepseek-v3.1@a3'?" in ran.err


def test_what_is_missing_other_and_additional(tmp_path: Path) -> None:
    (tmp_path / "serve.sh").write_text(SERVE)
    ran = npu_lsp("profile", "vllm-ascend/deepseek-v3.1@a3", "serve.sh", "--format", "json", cwd=tmp_path)
    told = json.loads(ran.out)
    states = {each["option"]: each["state"] for each in told["switches"]}
    assert states["quantization"] == "set"
    assert states["tensor-parallel-size"] == "contradicts"
    assert states["HCCL_OP_EXPANSION_MODE"] == "missing"
    assert [row["option"] for row in told["additional"]] == ["TASK_QUEUE_ENABLE"]


def test_reasons_are_those_of_the_catalog() -> None:
    found = recipe("vllm-ascend/deepseek-v3.1@a3", load())
    assert found is not None
    assert all(switch.why is not None and switch.why.en and switch.why.zh for switch in found.switches)


@pytest.mark.parametrize("name", ["recipes.md", "recipes.zh.md"])
def test_the_commands_of_the_page_work(name: str, tmp_path: Path) -> None:
    ran = 0
    for block in blocks(ROOT / "docs" / name):
        if block.body.startswith("cat "):
            subprocess.run(["sh", "-c", block.body], cwd=tmp_path, check=True)
        for line in block.body.splitlines() if block.body.startswith("npu-lsp ") else ():
            done = npu_lsp(*line.split()[1:], cwd=tmp_path)
            assert done.code in (0, 1), line
            assert done.out, line
            assert not done.err, line
            ran += 1
    assert ran > 1
