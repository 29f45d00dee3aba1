"""NPU605: a variable that a launch needs beside what it is given."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import Path

from npu_lsp.languages import read
from npu_lsp.languages.innermost import innermost
from npu_lsp.languages.model import Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.context import Context
from npu_lsp.linter.deliberate import is_in_test
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.launch.kv_transfer import connectors
from npu_lsp.linter.launch.launch import Launch
from npu_lsp.linter.rule import Invalid, Rule, Valid, told
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized

_CONNECTIONS = "CUDA_DEVICE_MAX_CONNECTIONS"
_FORK = "VLLM_WORKER_MULTIPROC_METHOD"
_ELSEWHERE = re.compile(r"VLLM_ENABLE_V1_MULTIPROCESSING|set_start_method|external_launcher|is_initialized")
"""What makes the engine start no process, or start it in another way."""
_IMPORTED = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)
_LARGEST = 1 << 18
_NOSET = "RAY_EXPERIMENTAL_NOSET_ASCEND"
_RESOURCES, _ROCE = "ASCEND_GLOBAL_RESOURCE_CONFIG", "HCCL_INTRA_ROCE_ENABLE"
_FSDP = ("use-torch-fsdp2", "use-custom-fsdp")
_NETWORK, _GLOO = ("HCCL_IF_IP", "HCCL_SOCKET_IFNAME"), "GLOO_SOCKET_IFNAME"
_STORE = "AscendStoreConnector"
_HANDED = re.compile(r"[ \t](?:-x|--?g?env(?:list|all)?|--export|--mca[ \t]+mca_base_env_list)(?=[ \t=])")
_HERE = re.compile(r"(?:(?:localhost|127\.0\.0\.1)(?::\d+)?(?:,|\Z))+")

_TRAIN = "torchrun --nproc_per_node 8 pretrain_gpt.py --use-fused-rmsnorm --tensor-model-parallel-size 2"
_SERVE = f'vllm serve m --kv-transfer-config \'{{"kv_connector": "{_STORE}", "kv_role": "kv_both"}}\''
_OVER_ROCE = "export ASCEND_GLOBAL_RESOURCE_CONFIG='{comm_resource_config.protocol_desc: [\"roce:device\"]}'\n"
_RAY = "export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3,4,5,6,7\nray start --head --port=6379\n"
_IMPORTS = "import torch\nimport torch_npu\nfrom vllm import LLM\n"
_LLM = 'llm = LLM("m", additional_config={"enable_cpu_binding": True})\n'


@Memoized
def _exported(document: Document) -> tuple[Setting, ...]:
    """Return the variables of the NPU that the text sets for all that runs behind them, in order."""
    found = (
        setting
        for block in read(document).blocks
        for setting in block.settings
        if block.surface.row.environment and block.command is None
    )
    ours = (each for each in found if each.name.startswith(("HCCL_", "ASCEND_", "MS_")))
    return tuple(sorted(ours, key=lambda each: each.key))


class LaunchCompanion(Rule):
    """A variable that a launch needs, and that nothing in its file sets.

    ## What it does
    Looks for launches that need a variable beside what they are given:

    - `CUDA_DEVICE_MAX_CONNECTIONS=1` for Megatron and MindSpeed with tensor or context parallelism and sequence parallelism;
    - `VLLM_WORKER_MULTIPROC_METHOD=spawn` where a script uses the NPU before it makes a vLLM engine;
    - `RAY_EXPERIMENTAL_NOSET_ASCEND_RT_VISIBLE_DEVICES=1` where Ray is started for vLLM, and the devices are chosen;
    - `GLOO_SOCKET_IFNAME` where vLLM or SGLang runs on several nodes, and the network of HCCL alone is chosen;
    - `HCCL_INTRA_ROCE_ENABLE=1` where Mooncake is told to go over RoCE;
    - what a script exports where `mpirun` starts processes on other hosts, which get what `-x` names alone.

    ## Why is this bad?
    The program stops with an error: with an assertion, with "Cannot re-initialize NPU in forked subprocess", or at the first transfer.
    """

    code = "NPU605"
    title = Text(en="Variable that a launch needs", zh="启动缺少必需的环境变量")
    severity = Severity.WARNING
    messages = {
        "connections": Text(
            en='"{option}" with "{other}" {number} needs the variable CUDA_DEVICE_MAX_CONNECTIONS=1, which nothing here sets; Megatron stops with an error. Export it.',
            zh="“{option}”与“{other}”{number} 同时使用时须设置环境变量 CUDA_DEVICE_MAX_CONNECTIONS=1，此处未设置，Megatron 会报错退出。请先 export。",
        ),
        "fork": Text(
            en='This uses the NPU, and the engine below forks its processes: they stop with "Cannot re-initialize NPU in forked subprocess". Set VLLM_WORKER_MULTIPROC_METHOD to spawn before.',
            zh="此处已使用 NPU，而其后的引擎默认以 fork 方式创建进程，会报错 Cannot re-initialize NPU in forked subprocess。请提前设置 VLLM_WORKER_MULTIPROC_METHOD=spawn。",
        ),
        "roce": Text(
            en='"{option}" chooses RoCE, which needs HCCL_INTRA_ROCE_ENABLE=1 as well; without it the transfer fails. Export it on both sides.',
            zh="“{option}”选择了 RoCE，须同时设置 HCCL_INTRA_ROCE_ENABLE=1，否则传输失败。请在两侧均 export。",
        ),
        "ray": Text(
            en="Ray gives each worker a list of devices of its own, and vLLM-Ascend takes the ids of the whole node: they stop with an invalid device id. Export RAY_EXPERIMENTAL_NOSET_ASCEND_RT_VISIBLE_DEVICES=1 before `ray start`, on each node.",
            zh="Ray 会为每个 worker 单独设置设备列表，而 vLLM-Ascend 使用整个节点的设备 ID，会因设备 ID 无效而退出。请在每个节点的 `ray start` 之前 export RAY_EXPERIMENTAL_NOSET_ASCEND_RT_VISIBLE_DEVICES=1。",
        ),
        "hosts": Text(
            en="mpirun starts processes on other hosts, which don't get what is exported here ({names}): they run with other settings, or find no library. Hand it on with `-x NAME`.",
            zh="mpirun 会在其他主机上启动进程，而这些进程得不到此处 export 的环境变量（{names}），配置会不一致或找不到库。请用 `-x NAME` 传递。",
        ),
        "gloo": Text(
            en='"{option}" says over what HCCL meets the other nodes, and nothing says it to Gloo, which takes the address that this host\'s name has, often 127.0.1.1: the nodes may wait for each other. Export GLOO_SOCKET_IFNAME as well.',
            zh="“{option}”指定了 HCCL 使用的网络，但未指定 Gloo 的网卡，Gloo 会使用本机主机名对应的地址（常为 127.0.1.1），节点间可能一直等待。请同时 export GLOO_SOCKET_IFNAME。",
        ),
        "engine": Text(en="The engine is made here", zh="此处创建引擎"),
    }
    VALID = (
        (
            "export CUDA_DEVICE_MAX_CONNECTIONS=1\n"
            "torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2 --sequence-parallel --use-fused-rmsnorm\n"
        ),
        f"export {_CONNECTIONS}=1\n{_TRAIN} --sequence-parallel\n",
        f"{_TRAIN}\n",
        "export HCCL_BUFFSIZE=200\nmpirun --hostfile hosts -x HCCL_BUFFSIZE -n 16 python train.py\n",
        "export HCCL_BUFFSIZE=200\nmpirun -n 8 python train.py\n",
        "export HCCL_BUFFSIZE=200\nmpirun --host localhost:4,localhost:4 -n 8 python train.py\n",
        f"{_TRAIN} --sequence-parallel --use-torch-fsdp2\n",
        f"{_TRAIN.replace(' 2', ' 1')} --sequence-parallel\n",
        f"source env.sh\n{_TRAIN} --sequence-parallel\n",
        Valid(f"```bash\n{_TRAIN} --sequence-parallel\n```\n", Kind.MARKDOWN),
        f"{_OVER_ROCE}export {_ROCE}=1\n{_SERVE}\n",
        f"export ASCEND_GLOBAL_RESOURCE_CONFIG='{{\"fabric_memory.max_capacity\":32}}'\n{_SERVE}\n",
        f"{_OVER_ROCE}vllm serve m\n",
        "export HCCL_IF_IP=10.0.0.1\nvllm serve m -dp 4\n",
        "export HCCL_IF_IP=10.0.0.1 GLOO_SOCKET_IFNAME=eth0\nvllm serve m -dp 4 --data-parallel-size-local 2\n",
        _RAY,
        f"export {_NOSET}_RT_VISIBLE_DEVICES=1\n{_RAY}vllm serve m -tp 16\n",
        Valid(f'{_IMPORTS}import os\nos.environ["{_FORK}"] = "spawn"\ntorch.npu.set_device(0)\n{_LLM}', Kind.PYTHON),
        Valid(
            f"{_IMPORTS}from start import prepare\ntorch.npu.set_device(0)\n{_LLM}",
            files={"start.py": f'import os\nos.environ["{_FORK}"] = "spawn"\n'},
        ),
        Valid(f"{_IMPORTS}{_LLM}torch.npu.synchronize()\n", Kind.PYTHON),
        Valid(f"{_IMPORTS}def f():\n    torch.npu.synchronize()\n{_LLM}", Kind.PYTHON),
        Valid(f"{_IMPORTS}if x:\n    torch.npu.synchronize()\n{_LLM}", Kind.PYTHON),
        Valid(f"{_IMPORTS}torch.npu.is_available()\n{_LLM}", Kind.PYTHON),
        Valid(f"{_IMPORTS}def test_engine():\n    torch.npu.set_device(0)\n    {_LLM}", Kind.PYTHON),
    )
    INVALID = (
        "torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2 «--sequence-parallel» --use-fused-rmsnorm\n",
        told("export HCCL_BUFFSIZE=200\n«mpirun» --hostfile hosts -n 16 python train.py\n", "info"),
        Invalid(f"{_RAY}vllm serve m -tp 16\n", ("start",), ("warning",), kind=Kind.SHELL),
        told("export «HCCL_SOCKET_IFNAME»=eth0\nvllm serve m -dp 4 --data-parallel-size-local 2\n", "info"),
        Invalid(f"{_OVER_ROCE}{_SERVE}\n", ("ASCEND_GLOBAL_RESOURCE_CONFIG",), ("warning",), kind=Kind.SHELL),
        told(f"{_IMPORTS}«torch.npu.set_device»(0)\n{_LLM}", kind=Kind.PYTHON),
        told(
            f"{_IMPORTS}if __name__ == '__main__':\n    total = «torch.npu.get_device_properties»(0).total_memory\n    {_LLM}",
            kind=Kind.PYTHON,
        ),
    )

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        """Look for what is missing; nothing is in a page, which shows a part, and where another script is sourced."""
        if context.document.kind in PAGES or context.parsed.damaged:
            return
        if launch.block.command is None:
            yield from self._fork(launch, context)
        elif not launch.sources_before():
            yield from self._connections(launch, context)
            yield from self._roce(launch, context)
            yield from self._ray(launch, context)
            yield from self._hosts(launch, context)
            yield from self._gloo(launch, context)

    def _gloo(self, launch: Launch, context: Context) -> Iterator[Finding]:
        if launch.program.name not in ("vllm", "sglang") or _GLOO in context.document.text:
            return
        copies, here = (launch.number(each) if each else None for each in (launch.program.copies, launch.program.local))
        over = copies is not None and here is not None and here.number < copies.number
        chosen = next(filter(None, map(launch.environment.value, _NETWORK)), None)
        if chosen is not None and (over or (launch.nodes is not None and launch.nodes.number > 1)):
            yield self.finding(context, chosen.key, "gloo", of=chosen, surface=chosen.surface, severity=Severity.INFO)

    def _hosts(self, launch: Launch, context: Context) -> Iterator[Finding]:
        if launch.program.name != "mpirun" or _HANDED.search(context.text(launch.span)):
            return
        host = launch.setting("host")
        elsewhere = launch.is_set("hostfile") or (host is not None and not _HERE.fullmatch(str(host.value.data)))
        first = islice(takewhile(lambda each: each.key.start < launch.span.start, _exported(context.document)), 3)
        told = list(first) if elsewhere else []
        if told:
            yield self.finding(
                context,
                launch.block.head,
                "hosts",
                surface=launch.block.surface,
                severity=Severity.INFO,
                related=self.set_here(context, told[0]),
                names=", ".join(dict.fromkeys(each.name for each in told)),
            )

    def _ray(self, launch: Launch, context: Context) -> Iterator[Finding]:
        text = context.document.text
        if launch.program.name != "ray" or _NOSET in text or "vllm serve" not in text:
            return
        if launch.environment.value("ASCEND_RT_VISIBLE_DEVICES") is not None:
            yield self.finding(context, launch.block.head, "ray", surface=launch.block.surface)

    def _connections(self, launch: Launch, context: Context) -> Iterator[Finding]:
        if launch.inner is None or launch.inner.open or _CONNECTIONS in context.document.text:
            return
        sequence = launch.settings("sequence-parallel", launch.inner)
        sizes = [each for what in ("tensor", "context") if (each := launch.size(what)) is not None and each.number > 1]
        if not sequence or not sizes or any(launch.settings(each, launch.inner) for each in _FSDP):
            return
        said = sizes[0].said[0]
        yield self.finding(
            context,
            sequence[-1].key,
            "connections",
            of=sequence[-1],
            related=self.set_here(context, said),
            other=said.name,
            number=sizes[0].number,
        )

    def _roce(self, launch: Launch, context: Context) -> Iterator[Finding]:
        chosen = launch.environment.value(_RESOURCES)
        if chosen is None or "roce:" not in str(chosen.value.data) or launch.environment.is_set(_ROCE):
            return
        if any(each.name == _STORE or "Mooncake" in each.name for each in connectors(launch)):
            yield self.finding(context, chosen.key, "roce", of=chosen, surface=chosen.surface)

    def _fork(self, launch: Launch, context: Context) -> Iterator[Finding]:
        here = innermost(context.document, launch.block.head.start)
        text = here.document.text
        if here.document.kind is not Kind.PYTHON or launch.program.name != "vllm":
            return
        # What runs tests sets variables for all of them.
        if _FORK in text or _starts_elsewhere(here.document) or is_in_test(context.document, launch.block.head.start):
            return
        from npu_lsp.languages.python.first_use import npu_used_before

        used = npu_used_before(here.document, here.offset)
        if used is not None and not _is_set_beside(context, here.document):
            engine = Related(launch.block.head, self.say(context, "engine"))
            yield self.finding(context, here.span(used), "fork", related=[engine])


@Memoized
def _starts_elsewhere(document: Document) -> bool:
    return _ELSEWHERE.search(document.text) is not None


@Memoized
def _is_set_beside(context: Context, document: Document) -> bool:
    """Return whether a module that stands beside the file, and is imported there, says how processes are started."""
    path = context.document.path
    folder = Path(path).absolute().parent if path else None
    names = {match[1] for match in _IMPORTED.finditer(document.text)} if folder is not None else ()
    return folder is not None and any(
        _FORK.encode() in (surroundings.content_below(folder, f"{name}.py", _LARGEST) or b"") for name in names
    )
