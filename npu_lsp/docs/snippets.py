"""Whole commands and sessions to begin with, in the form that editors fill in: `${1:name}`, `${2|one,other|}`, `$0`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class Snippet(NamedTuple):
    """A piece of code with places to fill in; `{chips}` stands for the chips of the target."""

    word: str
    """What is typed for it."""
    about: Text
    body: str
    products: frozenset[str] = frozenset()
    """The products that it is for; empty: all."""


def _serve(devices: str, sizes: str) -> str:
    """Return the start of a server that uses `devices` (vllm-ascend: `docs/source/tutorials`)."""
    return (
        f"export ASCEND_RT_VISIBLE_DEVICES={devices}\nvllm serve ${{1:Qwen/Qwen3-8B}} \\\\\n"
        f"  --tensor-parallel-size ${{2|{sizes}|}} \\\\\n  --max-model-len ${{3:32768}} \\\\\n  --port ${{4:8000}}$0"
    )


def _container(image: str) -> str:
    """Return the start of a container, with the devices and the driver's files that it needs (vllm-ascend: `docs/source/quick_start.md`)."""
    files = ("/usr/local/dcmi", "/usr/local/bin/npu-smi", "/usr/local/Ascend/driver", "/etc/ascend_install.info")
    devices = ("/dev/davinci${1:0}", "/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc")
    return (
        "docker run --rm -it \\\\\n"
        + "".join(f"  --device {each} \\\\\n" for each in devices)
        + "".join(f"  -v {each}:{each} \\\\\n" for each in files)
        + f"  {image} bash$0"
    )


SNIPPETS: Mapping[Kind, tuple[Snippet, ...]] = {
    Kind.SHELL: (
        Snippet(
            "atc",
            Text("Convert a model with ATC", "使用 ATC 转换模型"),
            "atc \\\\\n  --model=${1:model.onnx} \\\\\n  --framework=${2|5,3,0,1|} \\\\\n  --output=${3:model} \\\\\n"
            "  --soc_version=${4|{chips}|}$0",
        ),
        Snippet(
            "aoe",
            Text("Tune a model with AOE", "使用 AOE 调优模型"),
            "aoe \\\\\n  --framework=${1|5,3,0,1|} \\\\\n  --model=${2:model.onnx} \\\\\n  --job_type=${3|1,2|} \\\\\n"
            "  --output=${4:tuned}$0",
        ),
        Snippet(
            "vllm_serve_a2",
            Text(
                "Serve a model with vLLM-Ascend on an Atlas A2 (8 NPUs)",
                "使用 vLLM-Ascend 在 Atlas A2（8 个 NPU）上部署模型",
            ),
            _serve("0,1,2,3,4,5,6,7", "1,2,4,8"),
            frozenset({"a2"}),
        ),
        Snippet(
            "vllm_serve_a3",
            Text(
                "Serve a model with vLLM-Ascend on an Atlas A3 (16 NPUs)",
                "使用 vLLM-Ascend 在 Atlas A3（16 个 NPU）上部署模型",
            ),
            _serve("0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", "1,2,4,8,16"),
            frozenset({"a3"}),
        ),
        Snippet(
            "docker_run_a2",
            Text("A container with one NPU of an Atlas A2", "使用 Atlas A2 上的一个 NPU 启动容器"),
            _container("quay.io/ascend/vllm-ascend:${2:v0.18.0}"),
            frozenset({"a2"}),
        ),
        Snippet(
            "docker_run_a3",
            Text("A container with one NPU of an Atlas A3", "使用 Atlas A3 上的一个 NPU 启动容器"),
            _container("quay.io/ascend/vllm-ascend:${2:v0.18.0}-a3"),
            frozenset({"a3"}),
        ),
    ),
    Kind.PYTHON: (
        Snippet(
            "npu_session",
            Text("A TensorFlow 1 session on the NPU", "在 NPU 上运行的 TensorFlow 1 会话"),
            "config = tf.ConfigProto()\n"
            "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
            'custom_op.name = "NpuOptimizer"\n'
            'custom_op.parameter_map["use_off_line"].b = True\n'
            "config.graph_options.rewrite_options.remapping = RewriterConfig.OFF\n"
            "config.graph_options.rewrite_options.memory_optimization = RewriterConfig.OFF\n"
            "with tf.Session(config=config) as sess:\n"
            "    ${0:pass}",
        ),
        Snippet(
            "npu_run_config",
            Text("An NPURunConfig for a TensorFlow 1 estimator", "TensorFlow 1 Estimator 的 NPURunConfig"),
            'run_config = NPURunConfig(\n    model_dir="${1:./model}",\n    precision_mode="${2|allow_mix_precision,'
            'must_keep_origin_dtype,force_fp16|}",\n)$0',
        ),
        Snippet(
            "npu_open",
            Text("TensorFlow 2 on the NPU", "在 NPU 上运行 TensorFlow 2"),
            'import npu_device as npu\n\nnpu.global_options().precision_mode = "${1|allow_mix_precision,'
            'must_keep_origin_dtype,force_fp16|}"\nnpu.open().as_default()$0',
        ),
    ),
}
