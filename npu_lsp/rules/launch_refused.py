"""NPU223: settings of a launch that are right by themselves, and that its program refuses together."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.availability import values_on
from npu_lsp.languages.model import Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Related
from npu_lsp.linter.launch.launch import Launch
from npu_lsp.linter.refusals.conditions import names
from npu_lsp.linter.refusals.table import Refusal, met
from npu_lsp.linter.refusals.told import Told
from npu_lsp.linter.rule import Invalid, Rule, Valid, told
from npu_lsp.linter.severity import Severity
from npu_lsp.linter.values import is_comparable, refused, same
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_NAME = re.compile(r"\{([^{}]+)\}")
_LENGTHS = "vllm serve m --no-enable-chunked-prefill --max-model-len {} --max-num-batched-tokens {}\n"
_TRAIN = "torchrun --nproc_per_node 8 pretrain_gpt.py --use-fused-rmsnorm --use-fused-swiglu --num-layers 32 {}\n"
_COMM = "export VLLM_ASCEND_ENABLE_FLASHCOMM1=1\nvllm serve Qwen/Qwen3-30B-A3B -tp 4 {}\n"
_CAPTURED = """vllm serve m --compilation-config '{"cudagraph_capture_sizes": [1, 2, 64], "max_cudagraph_capture_size": %d}'\n"""
_ATTENTION = "python -m sglang.launch_server --model-path m --device npu --attention-backend {}\n"
_CRITIC = (
    "python3 -m verl.trainer.main_ppo algorithm.adv_estimator={} data.train_batch_size=64"
    " actor_rollout_ref.actor.ppo_mini_batch_size=64"
    " critic.ppo_mini_batch_size=256 actor_rollout_ref.actor.use_dynamic_bsz={}\n"
)
_TOGETHER = "NPROC_PER_NODE=2 {} sft --model m --packing true --attn_impl sdpa\n"


class LaunchRefused(Rule):
    """Settings of a launch that are right by themselves, and that its program refuses together.

    ## What it does
    Compares what a launch is told (its options, the JSON in them, the variables that it gets, the name of its model) with what the
    programs check when they start: vLLM and vLLM-Ascend, SGLang, Megatron and MindSpeed. What isn't known says nothing, and on pages
    that show a part of a command only what is there counts.

    ## Why is this bad?
    The program stops when it starts, often after minutes of loading.
    """

    code = "NPU223"
    title = Text(en="Settings that a program refuses together", zh="启动时互相冲突的配置")
    severity = Severity.ERROR
    messages = {"refused": Text(en="{said}", zh="{said}")}
    VALID = (
        "vllm serve model --no-enable-chunked-prefill --max-model-len 32768 --max-num-batched-tokens 32768\n",
        _LENGTHS.format(8192, 8192),
        _LENGTHS.format("$LENGTH", 8192),
        # It has no attention.
        "python -m sglang.launch_server --model-path rwkv7 --device npu --page-size 1\n",
        # Where the first node is, other options say as well.
        *(
            f"vllm serve m --headless --data-parallel-size 4 --data-parallel-size-local 2 {first}\n"
            for first in ("--master-addr 10.0.0.1", "--data-parallel-backend ray")
        ),
        "vllm serve m --max-model-len 32768 --max-num-batched-tokens 8192\n",
        _TRAIN.format("--pipeline-model-parallel-size 4"),
        _TRAIN.format("--pipeline-model-parallel-size 3 --num-layer-list 10,11,11"),
        _TRAIN.format("--pipeline-model-parallel-size 3 $MORE"),
        _TRAIN.format("--micro-batch-size 2 --global-batch-size 32"),
        _TRAIN.format("--profile-level level_none --shape-order BNSD"),
        _TRAIN.format("--mm-model model.json --profile-level level1 --shape-order BSND"),
        # What MindSpeed-LLM alone refuses, Megatron and MindSpeed-MM take.
        *(
            _TRAIN.format(f"{program} --profile-step-start 0 --wandb-project a --wandb-exp-name b")
            for program in ("--mm-model model.json", "")
        ),
        # What `--mm-model` names has the sizes.
        _TRAIN.format(
            "--mm-model a.json --pipeline-model-parallel-size 3 --tensor-model-parallel-size 2 --num-attention-heads 3"
        ),
        _TRAIN.format(
            "--moe-router-load-balancing-type group_limited_greedy --topk-group 3 --expert-model-parallel-size 4 --num-experts 8"
        ),
        *(
            Valid(_TRAIN.format(said), Kind.SHELL, {"mindspeed": release})
            for said, release in (
                ("--moe-alltoall-overlap-comm --moe-token-dispatcher-type alltoall_seq --moe-grouped-gemm", "26.0.0"),
                ("--defer-embedding-wgrad-compute", "2.1.0"),
                ("--enable-high-availability", "26.0.0"),
            )
        ),
        _TRAIN.format("--recompute-granularity full --recompute-method block --recompute-num-layers 0"),
        _COMM.format("--enable-expert-parallel"),
        Valid(f"```sh\n{_COMM.format('')}```\n", Kind.MARKDOWN),
        _ATTENTION.format("ascend"),
        "vllm serve m --dtype bfloat16\n",
        "vllm serve Qwen/Qwen3-32B -tp 8\n",
        "vllm serve /m/finetuned -tp 5 --enable-expert-parallel\n",
        "vllm serve m --quantization awq\n",
        # vLLM has no such value: NPU104 says so.
        Valid("vllm serve m --quantization w8a8\n", Kind.SHELL, target={"vllm-ascend": "0.18"}),
        Valid("finetuning_type: full\nstage: sft\nmodel_name_or_path: m\nquantization_bit: null\n", Kind.YAML),
        Valid("finetuning_type: full\nstage: sft\nmodel_name_or_path: m\nquantization_bit:  # later\n", Kind.YAML),
        _CRITIC.format("gae", True),
        _CRITIC.format("grpo", False),
        _TOGETHER.format("megatron"),
        "NNODES=2 NODE_RANK=1 RANK=1 MASTER_ADDR=10.0.0.1 llamafactory-cli train a.yaml\n",
        "NNODES=1 RANK=1 python train.py\n",
        "export ASCEND_RT_VISIBLE_DEVICES=0,1\nswift sft --model m --deepspeed zero2 --use_ray true\n",
        _CAPTURED % 64,
    )
    INVALID = (
        told(
            "vllm serve model --no-enable-chunked-prefill --max-model-len 32768 --max-num-batched-tokens «8192»\n",
            "info",
        ),
        told("finetuning_type: full\nstage: sft\nmodel_name_or_path: m\nquantization_bit: «4»\n", kind=Kind.YAML),
        Invalid(_CRITIC.format("gae", False), ("256",), ("error",), kind=Kind.SHELL),
        Invalid(_TOGETHER.format("swift"), ("true",), ("error",), kind=Kind.SHELL),
        told("vllm serve m --data-parallel-size 4 «--headless»\n", "warning"),
        "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=«vlm»\n",
        "llamafactory-cli train --stage dpo --finetuning_type full --use_dora «true»\n",
        # Its releases up to 0.9.0 read this name.
        told("NNODES=2 RANK=«1» MASTER_ADDR=10.0.0.1 llamafactory-cli train a.yaml\n", "info"),
        "export ASCEND_RT_VISIBLE_DEVICES=0,1\nswift sft --model m --deepspeed «zero2»\n",
        "vllm serve Qwen/Qwen2.5-7B-Instruct -tp «8»\n",
        "vllm serve Qwen/Qwen3-32B «--enable-expert-parallel»\n",
        "vllm serve m «--enable-auto-tool-choice»\n",
        "vllm serve m --data-parallel-size 4 --data-parallel-start-rank «2»\n",
        Invalid(_CAPTURED % 32, ("32",), ("info",), kind=Kind.SHELL),
        Invalid(_TRAIN.format("--pipeline-model-parallel-size 3"), ("32",), ("error",), kind=Kind.SHELL),
        _TRAIN.format("--micro-batch-size 2 --global-batch-size «24»"),
        _TRAIN.format("--mm-model model.json --profile-level «level_none»"),
        _TRAIN.format("--tensor-model-parallel-size 8 --num-attention-heads «28»"),
        Invalid(_COMM.format(""), ("1",), ("info",), kind=Kind.SHELL),
        told(_ATTENTION.format("«triton»"), "warning"),
        told(
            "from vllm import LLM\nllm = LLM('m', tensor_parallel_size=4, decode_context_parallel_size=«3»)\n",
            kind=Kind.PYTHON,
        ),
    )

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        told = Told(launch, context)
        for row in met(told, context.catalog):
            severity = row.severity_in(context, launch.block.surface)
            if severity is not None and not any(_is_no_value(each, context) for each in told.ask(row.at).said[-1:]):
                yield self._finding(row, severity, told, context)

    def _finding(self, row: Refusal, severity: Severity, told: Told, context: Context) -> Finding:
        said = told.ask(row.at).said
        others = {
            setting.key: setting for each in row.conditions for name in names(each) for setting in told.ask(name).said
        }
        related: list[Related] = []
        for setting in others.values():
            if setting not in said:
                related += self.set_here(context, setting)
        return self.finding(
            context,
            self._place(row, told),
            "refused",
            of=said[-1] if said else None,
            surface=told.launch.block.surface,
            severity=severity,
            related=related,
            said=_NAME.sub(lambda found: str(told.ask(found[1]).data), row.says.to(context.language)),
        )

    def _place(self, row: Refusal, told: Told) -> Span:
        """Return the value that is told, the flag where it has none, or the program where nothing says it."""
        said = told.ask(row.at).said
        if not said:
            return told.launch.block.head
        inside = said[-1].value.inside
        return inside if inside.end > inside.start else said[-1].key


def _is_no_value(setting: Setting, context: Context) -> bool:
    """Return whether the option has no such value in any release: `NPU104` tells that, and a row is about one that there is."""
    option = context.option(setting)
    return (
        option is not None
        and is_comparable(setting, option)
        and refused(option, setting.value)
        and not any(same(setting.value, each.value) for each in values_on(option, context.target))
    )
