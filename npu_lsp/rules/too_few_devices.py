"""NPU216: a launch with more processes than devices, or with numbers of nodes and processes that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.linter.containers import containers
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.launch.launch import Known, Launch
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_CARDS = "--device /dev/davinci0 --device /dev/davinci1"
_IMAGE = "quay.io/ascend/vllm-ascend:v0.18.0"
_POD = (
    "kind: Pod\nspec:\n  containers:\n    - name: a\n      image: quay.io/ascend/vllm-ascend:v0.18.0\n"
    "      command: [vllm, serve, m, --tensor-parallel-size, '4']\n      resources:\n        limits:\n"
    "          huawei.com/Ascend910: {}\n"
)
_TWO = "export ASCEND_RT_VISIBLE_DEVICES=0,1\n"


class TooFewDevices(Rule):
    """More processes than devices that they see, or numbers of nodes and processes that contradict each other.

    ## What it does
    Counts the processes that a command starts on its node (for an engine, the product of its parallel sizes), and the devices that
    `ASCEND_RT_VISIBLE_DEVICES` leaves it. Nodes are counted from 0, and a part is no more than the whole.

    ## Why is this bad?
    Each process takes a device of its own: those beyond the last one stop with an invalid device id, and the others wait for them.
    """

    code = "NPU216"
    title = Text(en="More processes than devices", zh="进程数多于设备数")
    severity = Severity.ERROR
    messages = {
        "devices": Text(
            en='{program} starts {count} processes here, each on a device of its own, but "{other}" names only {number}; the others stop with an error. Make them as many.',
            zh="{program} 在此启动 {count} 个进程，各占一个设备，但“{other}”只给出 {number} 个设备，多出的进程会报错退出。两者须一致。",
        ),
        "container": Text(
            en="{program} starts {count} processes here, each on a device of its own, but the container gets only {number} NPUs; the others stop with an error. Make them as many.",
            zh="{program} 在此启动 {count} 个进程，各占一个设备，但容器只有 {number} 个 NPU，多出的进程会报错退出。两者须一致。",
        ),
        "local": Text(
            en='"{option}" is {count}, more than "{other}" ({number}); {program} stops with an error. It is the part of this node.',
            zh="“{option}”为 {count}，大于“{other}”（{number}），{program} 会报错退出。前者为本节点的数量，不能超过总数。",
        ),
        "default": Text(
            en='"{option}" isn\'t set, and {count}, its default, is more than "{other}" ({number}); {program} stops with an error. Set it to the part of this node.',
            zh="未设置“{option}”，其默认值 {count} 大于“{other}”（{number}），{program} 会报错退出。请设为本节点的数量。",
        ),
        "rank": Text(
            en='"{option}" is {count}, but of {number} nodes the last one is {last}: nodes are counted from 0.',
            zh="“{option}”为 {count}，但共 {number} 个节点，序号从 0 开始，最大为 {last}。",
        ),
    }
    VALID = (
        "export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3\ntorchrun --nproc_per_node=4 train.py\n",
        f"{_TWO}torchrun --nproc_per_node=2 train.py\n",
        # Fewer processes than devices leave some idle, which may be meant.
        f"{_TWO}vllm serve m\n",
        f"{_TWO}torchrun --nproc_per_node=$N train.py\n",
        f"{_TWO}torchrun --nproc_per_node=auto train.py\n",
        # Who takes other devices, or others of other nodes.
        f"{_TWO}deepspeed --num_gpus 8 train.py\n",
        f"{_TWO}vllm serve m -tp 8 --distributed-executor-backend ray\n",
        f"{_TWO}vllm serve m -tp 2 --data-parallel-size 4 --data-parallel-size-local 1\n",
        f"{_TWO}vllm serve m -tp 4 --nnodes 2\n",
        f"torchrun --nproc_per_node=8 train.py\n{_TWO}",
        f"if x; then\n  {_TWO}fi\ntorchrun --nproc_per_node=8 train.py\n",
        f"docker run {_CARDS} {_IMAGE} vllm serve m -tp 2\n",
        f"docker run --privileged {_CARDS} {_IMAGE} vllm serve m -tp 4\n",
        f"docker run $DEVICES {_CARDS} {_IMAGE} vllm serve m -tp 4\n",
        Valid(_POD.format(4), Kind.YAML),
        "torchrun --nnodes 2 --node_rank 1 --nproc_per_node=8 train.py\n",
        "vllm serve m --node-rank 1 --nnodes 1\n",
        "torchrun --nnodes 1:2 --node_rank 2 --nproc_per_node=8 train.py\n",
        "msrun --worker_num=16 --local_worker_num=8 train.py\n",
    )
    INVALID = (
        "export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3\ntorchrun --nproc_per_node=«8» train.py\n",
        f"{_TWO}torchrun --nproc_per_node=«8» train.py\n",
        "ASCEND_RT_VISIBLE_DEVICES=0 vllm serve m --tensor-parallel-size «2»\n",
        f"{_TWO}vllm serve m -tp «2» --data-parallel-size 2\n",
        f"{_TWO}«msrun» train.py\n",
        f"{_TWO}accelerate launch --multi_gpu --num_processes «4» train.py\n",
        "«msrun» --worker_num=4 train.py\n",
        "msrun --worker_num=4 --local_worker_num=«8» train.py\n",
        "vllm serve m --data-parallel-size 2 --data-parallel-size-local «4»\n",
        "torchrun --nnodes 2 --node_rank «2» --nproc_per_node=8 train.py\n",
        "vllm serve m -tp 16 --nnodes 2 --node-rank «2»\n",
        f"docker run {_CARDS} {_IMAGE} vllm serve m -tp «4»\n",
        f"docker run -e ASCEND_RT_VISIBLE_DEVICES=0,1,2,3 {_CARDS} {_IMAGE} vllm serve m -tp «4»\n",
        Invalid(_POD.format(2), ("4",), ("error",), kind=Kind.YAML),
    )

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        """Compare what is counted; one contradiction is enough for a launch."""
        found = self._local(launch, context) or self._rank(launch, context) or self._devices(launch, context)
        if found is not None:
            yield found

    def _devices(self, launch: Launch, context: Context) -> Finding | None:
        started, visible = launch.processes, launch.devices
        if started is None or launch.program.devices != "each":
            return None
        if visible is None:
            return self._container(launch, started, context)
        if started.number <= len(visible.ids):
            return self._container(launch, started, context)
        seen = self.set_here(context, visible.said)
        return self._finding(
            launch, started, "devices", context, seen, other=visible.said.name, number=len(visible.ids)
        )

    def _container(self, launch: Launch, started: Known, context: Context) -> Finding | None:
        around = next((each for each in containers(context) if each.holds(launch.block.head)), None)
        if around is None or around.npus is None or started.number <= around.npus:
            return None
        given = [*around.settings("resource"), *(setting for _, setting in around.cards)]
        seen = self.set_here(context, given[0]) if given else []
        return self._finding(launch, started, "container", context, seen, number=around.npus)

    def _local(self, launch: Launch, context: Context) -> Finding | None:
        """Look for a part of this node that is more than the whole."""
        row = launch.program
        for part, whole in ((row.processes, row.total), (row.local, row.copies)):
            here = launch.number(part) if part is not None and (part == row.processes or launch.is_set(part)) else None
            every = launch.number(whole) if whole is not None else None
            if here is not None and every is not None and here.number > every.number:
                other = every.said[0].name if every.said else str(whole)
                message, seen = "local" if here.said else "default", self._seen(context, every)
                return self._finding(launch, here, message, context, seen, part, other=other, number=every.number)
        return None

    def _rank(self, launch: Launch, context: Context) -> Finding | None:
        option, nodes = launch.program.rank, launch.nodes
        rank = launch.number(option) if option is not None else None
        if rank is None or nodes is None or not nodes.said or not rank.said:
            return None
        # Where there is one node only, vLLM doesn't look at its number.
        if rank.number < nodes.number or nodes.number == 1:
            return None
        seen = self._seen(context, nodes)
        return self._finding(launch, rank, "rank", context, seen, option, number=nodes.number)

    def _seen(self, context: Context, known: Known) -> list[Related]:
        return self.set_here(context, known.said[0]) if known.said else []

    def _finding(
        self,
        launch: Launch,
        known: Known,
        message: str,
        context: Context,
        related: list[Related],
        option: str | None = None,
        *,
        number: int,
        other: str = "",
    ) -> Finding:
        said = known.said[0] if known.said else None
        return self.finding(
            context,
            said.value.inside if said is not None else launch.block.head,
            message,
            option=said.name if said is not None else option,
            surface=launch.block.surface,
            related=related,
            program=launch.program.title.to(context.language),
            count=known.number,
            number=number,
            other=other,
            last=number - 1,
        )
