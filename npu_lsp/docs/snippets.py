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
