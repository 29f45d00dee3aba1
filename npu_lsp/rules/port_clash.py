"""NPU218: a port that two programs, or two parts of one, take on the same machine."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.launch.kv_transfer import connectors, number, of_mooncake
from npu_lsp.linter.launch.launch import Launch, launches, whole
from npu_lsp.linter.rule import Invalid, Rule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_MOST_BESIDE = 20
"""Launches above one that it is compared with."""
_HCCL, _HCCL_COUNT = "HCCL_IF_BASE_PORT", 32
"""How many ports HCCL takes: https://github.com/hicann/hccl/blob/master/docs/zh/user_guide/hccl_env/HCCL_IF_BASE_PORT.md"""
_NPU_PORTS = "HCCL_NPU_SOCKET_PORT_RANGE"
"""Without it each process of an NPU that HCCL connects listens at the same port of it: hccl's page of the variable."""
_PURPOSES = {
    "kv": Text("the transfer of KV caches", "KV Cache 传输"),
    "hccl": Text("HCCL", "HCCL"),
}


class _Taken(NamedTuple):
    """Ports that are taken, one behind the other."""

    first: int
    many: int
    purpose: Text
    span: Span | None
    """Where the first one is set; `None`: it is the program's default."""
    option: str
    joint: bool = False
    """True: those who belong together name the same one, and one of them takes it."""

    def meets(self, other: _Taken) -> bool:
        return self.first < other.first + other.many and other.first < self.first + self.many


def _kv(port: int) -> str:
    return f'--kv-transfer-config \'{{"kv_connector": "MooncakeConnectorV1", "kv_role": "kv_producer", "kv_port": "{port}"}}\''


_SGLANG = "python -m sglang.launch_server --model-path m"


def _shared(first: str) -> str:
    serve = "vllm serve m -tp 2 --gpu-memory-utilization 0.4 --port"
    return f"{first}export ASCEND_RT_VISIBLE_DEVICES=4,5\n{serve} 9002 &\n{serve} 9003 &\n"


class PortClash(Rule):
    """A port that is taken twice on one machine.

    ## What it does
    Looks at the ports that a launch takes, and at those of launches that still run when it starts (`&`), with the ports that programs
    take where none is set: 29500 of torchrun, 8118 of msrun, 8000 of vLLM, and the 32 from `HCCL_IF_BASE_PORT` on. A connector takes
    `kv_port` and one port more for each further device. Two launches on the same NPUs need ranges of ports for HCCL.

    ## Why is this bad?
    The second one stops, since the address is already in use; or the two jobs join each other.
    """

    code = "NPU218"
    title = Text(en="Port that is taken twice", zh="端口冲突")
    severity = Severity.ERROR
    messages = {
        "twice": Text(
            en='Port {number} is taken twice, for {one} and for {other}; the second one stops with an error. Choose another one ("{option}").',
            zh="端口 {number} 同时用于{one}和{other}，后启动者会报错退出。请为“{option}”改用其他端口。",
        ),
        "beside": Text(
            en='Port {number} of {one} is taken already: the launch above still runs with it; this one stops with an error. Choose another one ("{option}").',
            zh="{one}端口 {number} 已被上方仍在运行的任务占用，本任务会报错退出。请为“{option}”改用其他端口。",
        ),
        "loop": Text(
            en='Port {number} of {one} is the same for each turn of the loop, and those before still run; they stop with an error. Count it up ("{option}").',
            zh="循环中每次启动的{one}端口均为 {number}，而之前的任务仍在运行，后启动者会报错退出。请让“{option}”随循环变化。",
        ),
        "shared": Text(
            en='The launch above still runs on "{option}" {ids} as well, and on one NPU the processes of both take the same port of HCCL; this one stops with an error. Export HCCL_NPU_SOCKET_PORT_RANGE=auto and HCCL_HOST_SOCKET_PORT_RANGE=auto before both, or choose other devices.',
            zh="上方任务仍在使用“{option}”{ids}，同一 NPU 上的多个进程会占用相同的 HCCL 端口，本任务会报错退出。请在两者之前 export HCCL_NPU_SOCKET_PORT_RANGE=auto 和 HCCL_HOST_SOCKET_PORT_RANGE=auto，或改用其他设备。",
        ),
        "first": Text(en="It is taken here", zh="此处已占用"),
    }
    VALID = (
        (
            "torchrun --nproc_per_node=4 --master_port=29500 a.py &\n"
            "torchrun --nproc_per_node=4 --master_port=29501 b.py\n"
        ),
        "torchrun a.py\ntorchrun b.py\n",
        "torchrun a.py &\nwait\ntorchrun b.py\n",
        "vllm serve a &\nP=$!\nkill $P\nvllm serve a\n",
        "torchrun --master_port=1111 a.py &\ntorchrun b.py\n",
        "torchrun --standalone a.py &\ntorchrun --standalone b.py\n",
        "torchrun --master_port=$P a.py &\ntorchrun --master_port=$Q b.py\n",
        "torchrun $ARGS a.py &\ntorchrun $ARGS b.py\n",
        "if x; then\n  vllm serve a &\nelse\n  vllm serve b &\nfi\n",
        # Parts of one service.
        (
            "vllm serve m --port 1 --data-parallel-size 2 --data-parallel-rank 0 --data-parallel-rpc-port 9 &\n"
            "vllm serve m --port 2 --data-parallel-size 2 --data-parallel-rank 1 --data-parallel-rpc-port 9\n"
        ),
        # On other machines.
        "ssh a 'vllm serve m &'\nssh b 'vllm serve m &'\n",
        "torchrun --nnodes 2 --node_rank 1 --master_addr a train.py &\ntorchrun b.py\n",
        "for i in 0 1; do\n  vllm serve m --port $((8000 + i)) &\ndone\n",
        "for i in 0 1; do\n  vllm serve m\ndone\n",
        f"vllm serve m --port 8100 {_kv(30000)} &\nvllm serve m --port 8200 {_kv(30100)}\n",
        _shared("export HCCL_NPU_SOCKET_PORT_RANGE=auto\n"),
        _shared("").replace("-tp 2", "-tp 1"),
        "export HCCL_IF_BASE_PORT=60000\ntorchrun --master_port=60032 a.py\n",
        # The second node finds it on the first one; a server that decodes asks another one.
        f"{_SGLANG} --port 6688 --nnodes 2 --node-rank 1 --dist-init-addr 10.0.0.1:6688\n",
        f"{_SGLANG} --port 8998 --disaggregation-mode decode\n",
    )
    INVALID = (
        "torchrun --nproc_per_node=4 a.py &\n«torchrun» --nproc_per_node=4 b.py\n",
        "vllm serve a --port 8001 &\nvllm serve b --port «8001» &\n",
        "vllm serve a &\nsleep 100\nvllm serve b --port «8000»\n",
        "vllm serve a --port 8000 --data-parallel-size 2 --data-parallel-rpc-port «8000»\n",
        "for i in 0 1; do\n  vllm serve m --port «8000» &\ndone\n",
        "export HCCL_IF_BASE_PORT=30000\ntorchrun --master_port=«30010» a.py\n",
        Invalid(f"vllm serve m --port 30002 -tp 4 {_kv(30000)}\n", ("30000",), ("error",), kind=Kind.SHELL),
        Invalid(
            f"vllm serve m --port 8100 -tp 4 {_kv(30000)} &\nvllm serve m --port 8200 -tp 4 {_kv(30003)}\n",
            ("30003",),
            ("error",),
            kind=Kind.SHELL,
        ),
        "msrun a.py &\n«msrun» b.py\n",
        Invalid(_shared(""), ("serve",), ("warning",), kind=Kind.SHELL),
        "ray start --head --dashboard-port=«6379»\n",
        f"{_SGLANG} --port 6688 --nnodes 2 --node-rank $i --dist-init-addr «${{NODES[0]}}:6688»\n",
        f"{_SGLANG} --port 8998 --disaggregation-mode prefill\n".replace(
            "sglang.launch_server", "«sglang.launch_server»"
        ),
    )

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        mine = list(_taken(launch))
        for at, port in enumerate(mine):
            other = next((each for each in mine[:at] if each.meets(port)), None)
            if other is not None:
                yield self._finding("twice", port, launch, context, other)
                return
        every = launches(context)
        at = bisect_left(every, launch.block.id, key=lambda each: each.block.id)
        above = every[max(0, at - _MOST_BESIDE) : at]
        for beside in (
            *(each for each in above if each.runs_beside(launch)),
            *([launch] if launch.runs_beside(launch) else ()),
        ):
            for port, other in ((p, o) for o in _taken(beside) for p in mine if p.option != _HCCL != o.option):
                together = port.joint and other.joint and port.option == other.option
                if port.meets(other) and not together and not _joins(launch, beside):
                    yield self._finding("loop" if beside is launch else "beside", port, launch, context, other)
                    return
            if beside is not launch and _share(launch, beside) and launch.devices is not None:
                ids, said = ",".join(map(str, launch.devices.ids)), launch.devices.said
                yield self.finding(
                    context,
                    launch.block.head,
                    "shared",
                    option=said.name,
                    surface=launch.block.surface,
                    severity=Severity.WARNING,
                    related=self.set_here(context, said),
                    ids=ids,
                )
                return

    def _finding(self, message: str, port: _Taken, launch: Launch, context: Context, other: _Taken) -> Finding:
        where = other.span if other.span is not None and other.span != port.span else None
        return self.finding(
            context,
            port.span or launch.block.head,
            message,
            option=port.option,
            surface=launch.block.surface,
            related=[Related(where, self.say(context, "first"))] if where is not None else (),
            number=max(port.first, other.first),
            one=port.purpose.to(context.language),
            other=other.purpose.to(context.language),
        )


def _taken(launch: Launch) -> Iterator[_Taken]:
    """Yield the ports that a launch takes on its machine, as far as they are known."""
    based = launch.environment.value(_HCCL)
    first = whole(based.value.data) if based is not None else None
    if based is not None and first is not None:
        yield _Taken(first, _HCCL_COUNT, _PURPOSES["hccl"], based.value.inside, _HCCL)
    later = launch.number(launch.program.rank) if launch.program.rank is not None else None
    for port in launch.ports():
        behind = port.row.joint and later is not None and later.number > 0
        if not behind and not _is_of_other_node(launch):
            span = port.said.value.inside if port.said is not None else None
            yield _Taken(port.number, 1, port.row.purpose, span, port.row.option, port.row.joint)
    processes = launch.processes
    for connector in connectors(launch):
        given = number(connector, "kv_port") if of_mooncake(connector) else None
        if given is not None:
            count = processes.number if processes is not None else 1
            yield _Taken(given[0], count, _PURPOSES["kv"], given[1], "kv_port")


def _is_of_other_node(launch: Launch) -> bool:
    """Return whether a launcher only connects to its port: that of the first node, which this one isn't, or may not be."""
    if launch.program.processes is None or launch.program.rank is None:
        return False
    rank, nodes = launch.number(launch.program.rank), launch.nodes
    return (nodes is not None and nodes.number > 1 and (rank is None or rank.number > 0)) or (
        nodes is None and launch.program.nodes is not None
    )


def _share(one: Launch, other: Launch) -> bool:
    """Return whether two launches connect processes on the same NPUs, with the ports that HCCL takes without being told."""
    both = (one, other)
    if any(each.processes is None or each.processes.number < 2 or each.program.devices != "each" for each in both):
        return False
    mine, its = (set(each.devices.ids) if each.devices is not None else set() for each in both)
    return not mine.isdisjoint(its) and not one.environment.is_set(_NPU_PORTS) and not _joins(one, other)


def _joins(one: Launch, other: Launch) -> bool:
    """Return whether two launches are parts of one job: the nodes of a cluster that is tried on one machine."""
    rank = one.program.rank
    if rank is None or one.program is not other.program:
        return False
    return one.is_set(rank) and other.is_set(rank) and one is not other
