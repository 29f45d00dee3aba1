"""NPU220: parallel sizes whose product doesn't divide the number of processes."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.launch.launch import Launch
from npu_lsp.linter.launch.summary import SHORT
from npu_lsp.linter.rule import Rule
from npu_lsp.text.bilingual import Text

_ELSEWHERE = ("layerwise-disaggregated-training", "tp-2d")
"""Flags with which other numbers of processes are right."""
_MEGATRON = "Megatron"
_TP = "actor_rollout_ref.rollout.tensor_model_parallel_size"


def _train(launcher: str, flags: str) -> str:
    return f"{launcher} pretrain_gpt.py --use-fused-rmsnorm {flags}\n"


def _verl(words: str) -> str:
    return f"python3 -m verl.trainer.main_ppo trainer.device=npu {words}\n"


class WorldSize(Rule):
    """Parallel sizes that the number of processes is no multiple of.

    ## What it does
    Multiplies the sizes of tensor, pipeline and context parallelism that a training of Megatron or MindSpeed is given, and those of
    the rollout of verl, and compares them with the processes that are started on all nodes together.

    ## Why is this bad?
    The processes that are left over belong to no copy of the model: the program stops with an error.
    """

    code = "NPU220"
    title = Text(en="Parallel sizes that don't divide the processes", zh="并行度与进程总数不匹配")
    severity = Severity.ERROR
    messages = {
        "rest": Text(
            en="{count} processes are started in all, which {sizes} = {number} doesn't divide; {program} stops with an error. Change one of them.",
            zh="共启动 {count} 个进程，不能被 {sizes} = {number} 整除，{program} 会报错退出。请调整并行度或进程数。",
        ),
    }
    VALID = (
        "torchrun --nproc_per_node 8 pretrain_gpt.py --use-fused-rmsnorm --tensor-model-parallel-size 4 --pipeline-model-parallel-size 2\n",
        _train("torchrun --nproc_per_node 8", "--tensor-model-parallel-size 2"),
        _train("torchrun --nproc_per_node 8 --nnodes 2", "--tensor-model-parallel-size 16"),
        _train("torchrun --nproc_per_node $N", "--tensor-model-parallel-size 3"),
        'ADDR="your master IP"\nARGS="--master_addr $ADDR --worker_num 32"\n'
        + _train("msrun $ARGS", "--tensor-model-parallel-size 32"),
        _train("torchrun --nproc_per_node 8 --nnodes $NODES", "--pipeline-model-parallel-size 16"),
        _train("torchrun --nproc_per_node 8", "--tensor-model-parallel-size $TP --context-parallel-size 16"),
        _train("torchrun --nproc_per_node 8", '"$@" --tensor-model-parallel-size 16'),
        _verl(f"{_TP}=4 trainer.n_gpus_per_node=8"),
        _verl(f"{_TP}=16 trainer.n_gpus_per_node=8 trainer.nnodes=2"),
        _verl(f"{_TP}=16 trainer.n_gpus_per_node=$N"),
        _verl(f"--config-path=a {_TP}=16"),
        _verl(f"actor_rollout_ref.rollout.nnodes=2 {_TP}=16"),
        _train("torchrun --nproc_per_node 3", "--pipeline-model-parallel-size 4 --layerwise-disaggregated-training"),
    )
    INVALID = (
        "torchrun --nproc_per_node 8 pretrain_gpt.py --use-fused-rmsnorm --tensor-model-parallel-size 4 --pipeline-model-parallel-size «4»\n",
        _train("torchrun --nproc_per_node 8", "--tensor-model-parallel-size «16»"),
        _verl(f"{_TP}=«8» trainer.n_gpus_per_node=4"),
        # Without one the rollout has two.
        _verl("trainer.n_gpus_per_node=«1» trainer.nnodes=1"),
        _train("torchrun --nproc_per_node 8 --nnodes 2", "--context-parallel-size «3»"),
        (
            "TP=8\nPP=2\n"
            + _train(
                "torchrun --nproc_per_node=8",
                "--tensor-model-parallel-size ${TP} --pipeline-model-parallel-size «${PP}»",
            )
        ),
    )

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        row = launch.program
        sized = launch.inner or (launch.block if row.multiplied and row.processes is not None else None)
        started, sizes = launch.total, launch.factors()
        if sized is None or sized.open or started is None or sizes is None:
            return
        if any(launch.settings(flag, sized) for flag in _ELSEWHERE):
            return
        number = prod(size.number for size in sizes)
        said = [setting for size in sizes for setting in size.said if size.number > 1] or [*started.said]
        if not said or number < 1 or started.number % number == 0:
            return
        last = max(said, key=lambda setting: setting.key)
        named = (f"{SHORT[what]} {size.number}" for what in SHORT if (size := launch.size(what)) and size.number > 1)
        yield self.finding(
            context,
            last.value.inside,
            "rest",
            of=last,
            related=[
                each for setting in started.said if setting is not last for each in self.set_here(context, setting)
            ],
            program=_MEGATRON if launch.inner is not None else row.title.to(context.language),
            count=started.number,
            sizes=" x ".join(named),
            number=number,
        )
