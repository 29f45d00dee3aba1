"""An example of each surface in each language that holds it, for `test_every_surface`.

In an example ⟨⟩ surround a key and ⟪⟫ a value that has a list; where a surface has none, the example has no such marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.text.kinds import Kind

KEY = re.compile("⟨(.*?)⟩")
VALUE = re.compile("⟪(.*?)⟫")


class Example(NamedTuple):
    """A text that sets an option of a surface."""

    surface: Surface
    kind: Kind
    text: str
    slip: tuple[str, str] | None = None
    """What stands in it, and what somebody types instead; `None`: two letters of the key are turned."""
    begun: int = 0
    """Signs of the value that stand there when it is completed."""
    mended: bool = True
    """False: what was meant isn't known, so that the slip is told alone."""


_OPERATOR = (
    "import tensorflow as tf\n"
    "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
    'custom_op.name = "NpuOptimizer"\n'
)
_ATC = "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 "
_AOE = "aoe --model=a.onnx --framework=5 --output=a "
_SIDECAR = "import mindspore\n"


EXAMPLES = (
    Example(
        Surface.SESSION,
        Kind.PYTHON,
        _OPERATOR + 'custom_op.parameter_map["⟨precision_mode⟩"].s = tf.compat.as_bytes("⟪force_fp16⟫")\n',
    ),
    Example(
        Surface.RUN_CONFIG,
        Kind.PYTHON,
        'from npu_bridge.npu_init import *\nconfig = NPURunConfig(⟨precision_mode⟩="⟪force_fp16⟫")\n',
    ),
    Example(
        Surface.GLOBAL_OPTIONS,
        Kind.PYTHON,
        'import npu_device as npu\nnpu.global_options().⟨precision_mode⟩ = "⟪force_fp16⟫"\n',
    ),
    Example(Surface.ATC, Kind.SHELL, _ATC + "⟨--precision_mode⟩=⟪force_fp16⟫\n"),
    Example(Surface.AOE, Kind.SHELL, _AOE + "--job_type=2 ⟨--precision_mode⟩=⟪force_fp16⟫\n"),
    Example(Surface.ENV, Kind.SHELL, "export ⟨HCCL_OP_EXPANSION_MODE⟩=⟪AIV⟫\npython3 train.py\n"),
    Example(Surface.ENV, Kind.PYTHON, 'import os\nos.environ["⟨HCCL_OP_EXPANSION_MODE⟩"] = "⟪AIV⟫"\n'),
    Example(Surface.ENV, Kind.DOCKERFILE, "FROM x\nENV ⟨HCCL_OP_EXPANSION_MODE⟩=⟪AIV⟫\n"),
    Example(Surface.ENV, Kind.YAML, "env:\n  ⟨HCCL_OP_EXPANSION_MODE⟩: ⟪AIV⟫\n", begun=1),
    Example(Surface.ENV, Kind.MAKEFILE, "export ⟨HCCL_OP_EXPANSION_MODE⟩ := ⟪AIV⟫\n"),
    Example(Surface.ENV, Kind.DOTENV, "⟨HCCL_OP_EXPANSION_MODE⟩=⟪AIV⟫\n"),
    Example(Surface.ENV, Kind.INI, "[testenv]\nsetenv =\n    ⟨HCCL_OP_EXPANSION_MODE⟩ = ⟪AIV⟫\n"),
    Example(Surface.ENV, Kind.JSON, '{"env": {"⟨HCCL_OP_EXPANSION_MODE⟩": "⟪AIV⟫"}}\n'),
    Example(
        Surface.TORCH_NPU,
        Kind.PYTHON,
        'import torch_npu\ntorch.npu.set_option({"⟨ACL_PRECISION_MODE⟩": "⟪must_keep_origin_dtype⟫"})\n',
    ),
    Example(
        Surface.NPU_ATTRIBUTES,
        Kind.PYTHON,
        "import torch_npu\ntorch.npu.config.⟨allow_internal_format⟩ = ⟪False⟫\n",
    ),
    Example(Surface.NPU_CALLS, Kind.PYTHON, "import torch_npu\ntorch.npu.set_compile_mode(⟨jit_compile⟩=⟪False⟫)\n"),
    Example(
        Surface.PROFILER,
        Kind.PYTHON,
        "import torch_npu\ntorch_npu.profiler._ExperimentalConfig(\n"
        "    ⟨profiler_level⟩=⟪torch_npu.profiler.ProfilerLevel.Level1⟫,\n)\n",
    ),
    Example(Surface.MINDSPORE, Kind.PYTHON, 'import mindspore\nmindspore.set_context(⟨device_target⟩="⟪Ascend⟫")\n'),
    Example(
        Surface.MINDSPORE_PARALLEL,
        Kind.PYTHON,
        'import mindspore\nmindspore.set_auto_parallel_context(⟨parallel_mode⟩="⟪data_parallel⟫")\n',
    ),
    Example(
        Surface.MINDSPORE_DEVICE, Kind.PYTHON, 'import mindspore\nmindspore.set_device(⟨device_target⟩="⟪Ascend⟫")\n'
    ),
    Example(Surface.MINDSPORE_JIT, Kind.PYTHON, 'import mindspore\nmindspore.JitConfig(⟨jit_level⟩="⟪O1⟫")\n'),
    Example(
        Surface.MINDSPORE_ASCEND,
        Kind.PYTHON,
        'import mindspore\nmindspore.device_context.ascend.op_precision.precision_mode(⟨mode⟩="⟪force_fp16⟫")\n',
        ("force_fp16", "force_fp61"),
    ),
    Example(Surface.MINDFORMERS, Kind.YAML, 'context:\n  max_device_memory: "58GB"\n  ⟨device_target⟩: "⟪Ascend⟫"\n'),
    Example(
        Surface.TORCHAIR,
        Kind.PYTHON,
        "import torchair\nfrom torchair.configs.compiler_config import CompilerConfig\n"
        'config = CompilerConfig()\nconfig.⟨mode⟩ = "⟪reduce-overhead⟫"\n',
        ("reduce-overhead", "reduce-ovehread"),
    ),
    Example(Surface.GE, Kind.GE_OPTIONS, '{"⟨ge.exec.precision_mode⟩": "⟪force_fp16⟫"}\n'),
    Example(
        Surface.OP_PRECISION,
        Kind.OP_PRECISION,
        "[⟨ByOpType⟩]\nAdd=⟪high_precision⟫\n",
        ("high_precision", "high_percision"),
    ),
    Example(Surface.OP_CACHE, Kind.OP_CACHE, "[op_compiler_cache]\n⟨max_op_cache_size⟩=500\n"),
    Example(Surface.MIXLIST, Kind.MIXLIST, '{"black-list": {"⟨to-add⟩": ["Add"]}}\n', ("to-add", "to-ad")),
    Example(
        Surface.CUSTOMIZE_DTYPES,
        Kind.CUSTOMIZE_DTYPES,
        "OpType::Add:⟨InputDtype⟩:⟪float16⟫,float32\n",
        ("float16", "flaot16"),
        mended=False,
    ),
    Example(Surface.KEEP_DTYPE, Kind.KEEP_DTYPE, "⟨OpType⟩::Add\n", ("OpType", "Optype")),
    Example(
        Surface.FUSION_SWITCH,
        Kind.FUSION_SWITCH,
        '{"Switch": {"GraphFusion": {"⟨ConvFormatRefreshFusionPass⟩": "⟪off⟫"}}}\n',
    ),
    Example(Surface.OP_DEBUG, Kind.OP_DEBUG, "⟨op_debug_config⟩=⟪oom⟫\n"),
    Example(
        Surface.COMPRESSION,
        Kind.COMPRESSION,
        "calibration: {\n  input_data_dir: ./d\n  input_shape: in:16,3\n  ⟨log⟩: ⟪debug⟫\n}\n",
        ("log: debug", "log: debgu"),
    ),
    Example(
        Surface.SINGLE_OP,
        Kind.SINGLE_OP,
        '[{"op": "Add", "input_desc": [{"⟨format⟩": "⟪ND⟫", "shape": [1], "type": "float16"}], '
        '"output_desc": [{"format": "ND", "shape": [1], "type": "float"}]}]\n',
        ("float16", "floaat16"),
    ),
    Example(Surface.AIPP, Kind.AIPP, "aipp_op {\n  ⟨aipp_mode⟩: ⟪static⟫\n}\n"),
    Example(
        Surface.ADDITIONAL_CONFIG,
        Kind.SHELL,
        'vllm serve m --additional-config \'{"ascend_compilation_config": {"⟨enable_npugraph_ex⟩": ⟪true⟫}}\'\n',
    ),
    Example(
        Surface.ADDITIONAL_CONFIG,
        Kind.PYTHON,
        "from vllm import LLM\n"
        'LLM("m", additional_config={"ascend_compilation_config": {"⟨enable_npugraph_ex⟩": ⟪True⟫}})\n',
    ),
    Example(
        Surface.ADDITIONAL_CONFIG,
        Kind.YAML,
        'args:\n  - --additional-config\n  - \'{"ascend_compilation_config": {"⟨enable_npugraph_ex⟩": ⟪true⟫}}\'\n',
    ),
    Example(
        Surface.MINDIE,
        Kind.MINDIE,
        '{"ServerConfig": {"maxLinkNum": 10, "metricsPort": 1027, "⟨inferMode⟩": "⟪standard⟫"}}\n',
    ),
    Example(
        Surface.MINDIE_DEPLOY,
        Kind.MINDIE,
        '{"deploy_config": {"p_pod_npu_num": 8, "single_p_instance_pod_num": 2, "⟨hardware_type⟩": "⟪800I_A2⟫"}}\n',
    ),
    Example(
        Surface.MS_CONTROLLER,
        Kind.MINDIE,
        '{"role_decision_methods": "digs", "digs_prefill_slo": 1000, "⟨deploy_mode⟩": "⟪pd_separate⟫"}\n',
    ),
    Example(
        Surface.MS_COORDINATOR,
        Kind.MINDIE,
        '{"string_token_rate": 4.02, "request_limit": {}, "tls_config": {"⟨status_tls_enable⟩": ⟪true⟫}}\n',
    ),
    Example(
        Surface.NODE_MANAGER,
        Kind.MINDIE,
        '{"node_manager_port": 1028, "heartbeat_interval_seconds": 1, "tls_config": {"⟨server_tls_enable⟩": ⟪true⟫}}\n',
    ),
    Example(
        Surface.PYMOTOR,
        Kind.MINDIE,
        '{"motor_deploy_config": {"image_name": "", "job_id": "a", "⟨hardware_type⟩": "⟪800I_A2⟫"}}\n',
    ),
    Example(
        Surface.PYMOTOR_ENGINE,
        Kind.MINDIE,
        '{"motor_engine_prefill_config": {"engine_config": {}, "⟨engine_type⟩": "⟪vllm⟫"}}\n',
    ),
    Example(
        Surface.RANK_TABLE,
        Kind.RANK_TABLE,
        '{"⟨status⟩": "⟪completed⟫", "version": "1.0", "server_count": "1", "server_list": [{"server_id": "a", "device": '
        '[{"device_id": "0", "device_ip": "1.1.1.1", "rank_id": "0"}]}]}\n',
        ("completed", "complteed"),
        mended=False,
    ),
    Example(Surface.ACL_JSON, Kind.ACL_JSON, '{"dump": {"dump_path": "/a", "⟨dump_mode⟩": "⟪all⟫"}}\n'),
    Example(
        Surface.ONNXRUNTIME,
        Kind.PYTHON,
        "import onnxruntime\n"
        'onnxruntime.InferenceSession("m", providers=[("CANNExecutionProvider", {"⟨precision_mode⟩": "⟪force_fp16⟫"})])\n',
    ),
    Example(
        Surface.AMCT,
        Kind.AMCT,
        '{"version": 1, "conv1": {"quant_enable": true, "activation_quant_params": {"search_step": 0.02}, '
        '"weight_quant_params": {"⟨wts_algo⟩": "⟪ada_quantize⟫"}}}\n',
        mended=False,
    ),
    Example(
        Surface.AMCT_QUANTIZE,
        Kind.PYTHON,
        "import amct_pytorch as amct\n"
        'amct.quantize(model, {"quant_cfg": {"weights": {"symmetric": True, "⟨strategy⟩": "⟪channel⟫", "type": "int8"}}})\n',
    ),
    Example(
        Surface.MSPROF,
        Kind.SHELL,
        "msprof --output=./o ⟨--aic-mode⟩=⟪task-based⟫ python3 train.py\n",
        ("task-based", "task-baesd"),
    ),
    Example(Surface.MSLITE, Kind.MSLITE, "[ascend_context]\n⟨provider⟩=⟪ge⟫\n"),
    Example(
        Surface.CONVERTER_LITE,
        Kind.SHELL,
        "converter_lite --fmk=ONNX --modelFile=a --outputFile=b ⟨--optimize⟩=⟪ascend_oriented⟫\n",
    ),
    Example(
        Surface.MINDSPEED,
        Kind.SHELL,
        "torchrun pretrain_gpt.py \\\n    --attention-mask-type causal \\\n    ⟨--use-fused-rmsnorm⟩\n",
    ),
    Example(
        Surface.TORCHRUN,
        Kind.SHELL,
        "torchrun --nproc-per-node=8 ⟨--start-method⟩=⟪spawn⟫ train.py\n",
        ("spawn", "spwan"),
    ),
    Example(Surface.MSRUN, Kind.SHELL, "msrun --worker_num=8 ⟨--join⟩=⟪True⟫ train.py\n", ("True", "Ture")),
    Example(Surface.ACCELERATE, Kind.SHELL, "accelerate launch --num_machines 1 ⟨--num_processes⟩ 8 train.py\n"),
    Example(Surface.DEEPSPEED, Kind.SHELL, "deepspeed --master_port 29501 ⟨--num_gpus⟩ 8 train.py\n"),
    Example(Surface.RAY, Kind.SHELL, "ray start --head ⟨--port⟩=6379\n"),
    Example(Surface.MPIRUN, Kind.SHELL, "mpirun -x HCCL_BUFFSIZE=200 ⟨--hostfile⟩ hosts -n 8 python train.py\n"),
    Example(Surface.SWIFT, Kind.SHELL, "megatron sft --model m ⟨--tensor_model_parallel_size⟩ 2\n"),
    Example(Surface.LLAMAFACTORY, Kind.SHELL, "llamafactory-cli train --stage sft ⟨--deepspeed⟩ ds.json\n"),
    Example(
        Surface.VERL, Kind.SHELL, "python3 -m verl.trainer.main_ppo trainer.nnodes=1 ⟨trainer.n_gpus_per_node⟩=8\n"
    ),
    Example(Surface.ONLINE_DP, Kind.SHELL, "python launch_online_dp.py --dp-size 2 ⟨--dp-rpc-port⟩ 12345\n"),
    Example(
        Surface.VLLM,
        Kind.SHELL,
        "vllm serve m \\\n    --additional-config '{}' \\\n    ⟨--scheduling-policy⟩ ⟪fcfs⟫\n",
        ("fcfs", "fcsf"),
    ),
    Example(
        Surface.VLLM_ARGS,
        Kind.SHELL,
        'vllm serve m --compilation-config \'{"⟨cudagraph_mode⟩": "⟪FULL_DECODE_ONLY⟫"}\'\n',
    ),
    Example(
        Surface.VLLM_ARGS,
        Kind.PYTHON,
        'from vllm import LLM\nLLM("m", ⟨scheduling_policy⟩="⟪fcfs⟫")\n',
        ("fcfs", "fcsf"),
    ),
    Example(
        Surface.SGLANG,
        Kind.SHELL,
        "python3 -m sglang.launch_server --model-path m ⟨--attention-backend⟩ ⟪ascend⟫\n",
    ),
    Example(
        Surface.SGLANG_ARGS,
        Kind.PYTHON,
        'import sglang as sgl\nsgl.Engine(model_path="m", ⟨attention_backend⟩="⟪ascend⟫")\n',
    ),
    Example(Surface.PACKAGE, Kind.REQUIREMENTS, "mindspore==2.7.1\n", ("mindspore", "mindspore-ascend")),
    Example(
        Surface.CONTAINER,
        Kind.SHELL,
        "docker run --privileged --device /dev/davinci_manager quay.io/ascend/vllm-ascend bash\n",
        ("davinci_", "dav_"),
    ),
)


def _indented(text: str, indent: str) -> str:
    return "".join(indent + line for line in text.splitlines(keepends=True))


def _cell(text: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": text.splitlines(keepends=True)}]}, ensure_ascii=False)


def _fence(label: str) -> Callable[[str], str]:
    return lambda text: f"# x\n\n```{label}\n{text}```\n"


def _recipe(text: str) -> str:
    return "run:\n" + _indented(text, "\t")


def _here(text: str) -> str:
    return f"python3 - <<'EOF'\n{text}EOF\n"


def _added(name: str) -> Callable[[str], str]:
    def wrap(text: str) -> str:
        lines = text.splitlines(keepends=True)
        return f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1,{len(lines)} @@\n" + "".join("+" + line for line in lines)

    return wrap


HOLDERS: dict[tuple[Kind, Kind], Callable[[str], str]] = {
    (Kind.SHELL, Kind.MARKDOWN): _fence("bash"),
    (Kind.SHELL, Kind.NOTEBOOK): lambda text: _cell("%%bash\n" + text),
    (Kind.SHELL, Kind.DOCKERFILE): lambda text: f"FROM x\nRUN <<EOF\n{text}EOF\n",
    (Kind.SHELL, Kind.YAML): lambda text: f"steps:\n  - run: |\n{_indented(text, '      ')}",
    (Kind.SHELL, Kind.MAKEFILE): _recipe,
    (Kind.SHELL, Kind.PYTHON): lambda text: f"import os\nos.system('''{text}''')\n",
    (Kind.SHELL, Kind.SHELL): lambda text: f"bash <<'EOF'\n{text}EOF\n",
    (Kind.PYTHON, Kind.MARKDOWN): _fence("python"),
    (Kind.PYTHON, Kind.NOTEBOOK): _cell,
    (Kind.PYTHON, Kind.SHELL): _here,
    (Kind.PYTHON, Kind.DOCKERFILE): lambda text: f"FROM x\nRUN <<EOF python3\n{text}EOF\n",
    (Kind.PYTHON, Kind.YAML): lambda text: f"steps:\n  - run: |\n{_indented(_here(text), '      ')}",
    (Kind.YAML, Kind.MARKDOWN): _fence("yaml"),
    (Kind.DOCKERFILE, Kind.MARKDOWN): _fence("dockerfile"),
    (Kind.MAKEFILE, Kind.MARKDOWN): _fence("make"),
    (Kind.DOTENV, Kind.MARKDOWN): _fence("env"),
    (Kind.JSON, Kind.MARKDOWN): _fence("json"),
    (Kind.MINDIE, Kind.MARKDOWN): _fence("json"),
    (Kind.AMCT, Kind.MARKDOWN): _fence("json"),
    (Kind.SHELL, Kind.PATCH): _added("a.sh"),
    (Kind.MINDIE, Kind.PATCH): _added("conf/config.json"),
}
"""What stands in what, and how; the first is the language of an example."""


def everywhere() -> Iterator[tuple[Surface, Kind, Kind, Example]]:
    """Yield each example alone and in each text that can hold it: surface, its language, that of the text around."""
    for example in EXAMPLES:
        yield example.surface, example.kind, example.kind, example
        for (inner, around), wrap in HOLDERS.items():
            if inner is example.kind:
                yield example.surface, inner, around, example._replace(text=wrap(example.text))
