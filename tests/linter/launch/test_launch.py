"""What is known of a launch: processes, devices, parallel sizes and ports, and that nothing is known where nobody says it."""

from __future__ import annotations

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.launch.launch import Launch, launches
from npu_lsp.linter.launch.summary import summary
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_ANALYZER = Analyzer(Config(), all_rules)
_VISIBLE = "export ASCEND_RT_VISIBLE_DEVICES=0,1\n"


def started(text: str, kind: Kind = Kind.SHELL) -> tuple[Launch, ...]:
    """Return what a text starts."""
    return launches(_ANALYZER.context(Document(text, path="run.sh", kind=kind)))


def _only(text: str, kind: Kind = Kind.SHELL) -> Launch:
    found = started(text, kind)
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("command", "here", "total"),
    [
        ("torchrun train.py", 1, 1),
        ("torchrun --nproc_per_node=8 train.py", 8, 8),
        ("torchrun --nproc-per-node 8 --nnodes 2 train.py", 8, 16),
        ("torchrun --nproc-per-node 8 --nnodes 1:4 train.py", 8, None),
        ("torchrun --nproc-per-node auto train.py", None, None),
        ("torchrun --nproc-per-node $N train.py", None, None),
        ("torchrun $ARGS train.py", None, None),
        ("torchrun --standalone --nproc_per_node 4 train.py --nproc_per_node 8", 4, 4),
        ("N=8\ntorchrun --nproc_per_node $N train.py", 8, 8),
        ("ARGS='--nproc_per_node 8'\ntorchrun $ARGS train.py", 8, 8),
        ("if x; then\n  N='--nproc_per_node 8'\nfi\ntorchrun $N train.py", None, None),
        ("torchrun --nproc_per_node 8 --nproc_per_node 4 train.py", 4, 4),
        ("python3 -m torch.distributed.run --nproc_per_node 8 train.py", 8, 8),
        ("python -m torch.distributed.launch --use_env --nproc_per_node=8 train.py", 8, 8),
        ("nohup torchrun --nproc_per_node 8 train.py > log 2>&1 &", 8, 8),
        ("msrun train.py", 8, 8),
        ("msrun --worker_num=16 --local_worker_num=8 --node_rank=0 train.py", 8, 16),
        ("msrun --worker_num=1024 --local_worker_num=1 --sim_level=1 train.py", None, 1024),
        ("accelerate launch --num_processes 8 train.py", 8, 8),
        ("accelerate launch --num_processes 16 --num_machines 2 train.py", None, 16),
        ("accelerate launch --config_file a.yaml --num_processes 8 train.py", None, 8),
        ("deepspeed --num_gpus 8 train.py", 8, None),
        ("deepspeed --include localhost:0,1 --num_gpus 8 train.py", None, None),
        ("vllm serve m", 1, 1),
        ("vllm serve m --tensor-parallel-size 8", 8, 8),
        ("vllm serve m -tp 4 -pp 2", 8, 8),
        ("vllm serve m -tp 4 --data-parallel-size 2", 8, 8),
        ("vllm serve m -tp 4 --data-parallel-size 4 --data-parallel-size-local 1", 4, 4),
        ("vllm serve m -tp 4 --data-parallel-size 4 --data-parallel-rank 0", 4, 4),
        ("vllm serve m -tp 16 --nnodes 2 --node-rank 0", 8, None),
        ("vllm serve m -tp 16 --distributed-executor-backend ray", None, None),
        ("vllm serve m -tp 16 --distributed-executor-backend mp", 16, 16),
        ('vllm serve m -tp "$TP"', None, None),
        ('vllm serve m "$@"', None, None),
        ("python -m vllm.entrypoints.openai.api_server --model m --tensor_parallel_size=2", 2, 2),
        ("mpirun -n 8 python train.py", 8, 8),
        ("mpirun --allow-run-as-root -np 8 -x A=b python train.py", 8, 8),
        ("mpirun --hostfile hosts -n 16 python train.py", None, 16),
        ("mpirun -n 2 torchrun --nproc_per_node 8 train.py", 8, 8),
        ("NPROC_PER_NODE=4 swift sft --model m", 4, None),
        ("NPROC_PER_NODE=4 NNODES=2 megatron sft --model m", 4, 8),
        ("swift sft --model m", None, None),
        ("export NPROC_PER_NODE=2\nFORCE_TORCHRUN=1 llamafactory-cli train a.yaml", 2, None),
        ("python3 -m verl.trainer.main_ppo data.a=b +trainer.n_gpus_per_node=4 trainer.nnodes=2", 4, 8),
        ("python3 -m verl.trainer.main_ppo data.a=b", 8, 8),
        ("python3 -m verl.trainer.main_ppo --config-name=a trainer.nnodes=1", None, None),
        ("python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=4 $@", 4, None),
        ("RAY_ADDRESS=a python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=4", None, None),
        ("python launch_online_dp.py --dp-size 16 --tp-size 2 --dp-size-local 8 --dp-rank-start 8", 16, None),
    ],
)
def test_processes(command: str, here: int | None, total: int | None) -> None:
    launches = started(f"{command}\n")
    assert launches
    for launch in launches:
        known = launch.processes
        every = launch.total
        assert (known and known.number) == here
        if total is not None:
            assert every is not None
            assert every.number == total


@pytest.mark.parametrize(
    ("script", "ids"),
    [
        (f"{_VISIBLE}torchrun a.py", (0, 1)),
        ("ASCEND_RT_VISIBLE_DEVICES=2 torchrun a.py", (2,)),
        (f"{_VISIBLE}ASCEND_RT_VISIBLE_DEVICES=2 torchrun a.py", (2,)),
        (f"{_VISIBLE}env ASCEND_RT_VISIBLE_DEVICES=2 torchrun a.py", (2,)),
        (f"torchrun a.py\n{_VISIBLE}", None),
        (f"{_VISIBLE}unset ASCEND_RT_VISIBLE_DEVICES\ntorchrun a.py", None),
        (f"{_VISIBLE}export ASCEND_RT_VISIBLE_DEVICES=4,5,6\ntorchrun a.py", (4, 5, 6)),
        (f"if x; then\n  {_VISIBLE}fi\ntorchrun a.py", None),
        (f"{_VISIBLE}if x; then\n  export ASCEND_RT_VISIBLE_DEVICES=3\nfi\ntorchrun a.py", None),
        (f"if x; then\n  {_VISIBLE}  torchrun a.py\nfi", (0, 1)),
        (f"if x; then\n  {_VISIBLE}else\n  torchrun a.py\nfi", None),
        (f"{_VISIBLE}if x; then\n  torchrun a.py\nfi", (0, 1)),
        (f"{_VISIBLE}for i in 1 2; do\n  torchrun a.py\ndone", (0, 1)),
        (
            f"{_VISIBLE}for i in 1 2; do\n  torchrun a.py\n  export ASCEND_RT_VISIBLE_DEVICES=3\ndone",
            None,
        ),
        ("for i in 1 2; do\n  export ASCEND_RT_VISIBLE_DEVICES=$i\n  torchrun a.py\ndone", None),
        (f"({_VISIBLE.strip()})\ntorchrun a.py", None),
        ("export ASCEND_RT_VISIBLE_DEVICES=$1\ntorchrun a.py", None),
        ("export ASCEND_RT_VISIBLE_DEVICES=${DEVICES:-0,1}\ntorchrun a.py", None),
        ("export ASCEND_RT_VISIBLE_DEVICES=1,0\ntorchrun a.py", None),
        ("export ASCEND_RT_VISIBLE_DEVICES=0-7\ntorchrun a.py", None),
        (f"{_VISIBLE}run() {{\n  torchrun a.py\n}}\nrun", (0, 1)),
        (f"run() {{\n  torchrun a.py\n}}\n{_VISIBLE}run", None),
        (f"{_VISIBLE}bash -c 'torchrun a.py'", (0, 1)),
        (f"bash -c '{_VISIBLE.strip()}'\ntorchrun a.py", None),
        (f"{_VISIBLE}cat > a.sh <<'EOF'\ntorchrun a.py\nEOF", (0, 1)),
    ],
)
def test_devices(script: str, ids: tuple[int, ...] | None) -> None:
    devices = _only(f"{script}\n").devices
    assert (devices and devices.ids) == ids


@pytest.mark.parametrize(
    ("page", "known"),
    [
        (f"```bash\n{_VISIBLE}torchrun a.py\n```\n", True),
        (f"```bash\n{_VISIBLE}```\nThen:\n```bash\ntorchrun a.py\n```\n", False),
    ],
)
def test_fences_are_examples_of_their_own(page: str, known: bool) -> None:
    assert (_only(page, Kind.MARKDOWN).devices is not None) is known


def test_python_and_dockerfiles() -> None:
    python = (
        'import os\nos.environ["ASCEND_RT_VISIBLE_DEVICES"] = "0,1"\nos.system("torchrun --nproc_per_node 8 a.py")\n'
    )
    assert _only(python, Kind.PYTHON).devices is not None
    image = 'FROM x\nENV ASCEND_RT_VISIBLE_DEVICES=0,1\nCMD ["torchrun", "--nproc_per_node", "8", "a.py"]\n'
    launch = _only(image, Kind.DOCKERFILE)
    assert launch.devices is not None
    assert launch.processes is not None
    assert launch.processes.number == 8


def test_what_a_launcher_starts() -> None:
    launch = _only(
        "torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 --use-fused-rmsnorm\n"
    )
    tensor, data = launch.size("tensor"), launch.size("data")
    assert tensor is not None
    assert tensor.number == 2
    assert data is None
    assert [each.number for each in launch.factors() or ()] == [2, 2, 1]


@pytest.mark.parametrize(
    ("command", "ports"),
    [
        ("torchrun a.py", [29500]),
        ("torchrun --standalone a.py", []),
        ("torchrun --rdzv_endpoint=a:1 a.py", []),
        ("torchrun --master_port=6000 a.py", [6000]),
        ("torchrun --master_port=$P a.py", []),
        ("torchrun $ARGS a.py", []),
        ("ray start --head", [6379, 8265]),
        ("ray start --address=a:6379", []),
        ("vllm serve m", [8000]),
        ("vllm serve m --headless", []),
        ("vllm serve m --port 9000 --data-parallel-size 2 --data-parallel-rpc-port 13389", [9000, 13389]),
        ("msrun a.py", [8118]),
    ],
)
def test_ports(command: str, ports: list[int]) -> None:
    assert [port.number for port in _only(f"{command}\n").ports()] == ports


@pytest.mark.parametrize(
    ("command", "said", "in_chinese"),
    [
        ("torchrun --nproc_per_node 8 a.py", "8 processes", "8 个进程"),
        (
            "ASCEND_RT_VISIBLE_DEVICES=0,1 vllm serve m -tp 8",
            "8 processes on 2 devices, tp 8",
            "8 个进程使用 2 个设备，tp 8",
        ),
        ("torchrun --nproc_per_node 8 --nnodes 2 a.py", "8 processes on 2 nodes", "8 个进程，共 2 个节点"),
        ("ASCEND_RT_VISIBLE_DEVICES=3 torchrun a.py", "1 process on 1 device", "1 个进程使用 1 个设备"),
        ("ASCEND_RT_VISIBLE_DEVICES=0,3 torchrun $X a.py", "devices 0,3", "设备 0,3"),
        ("torchrun $X a.py", "", ""),
    ],
)
def test_summary(command: str, said: str, in_chinese: str) -> None:
    launch = _only(f"{command}\n")
    assert (summary(launch, "en"), summary(launch, "zh")) == (said, in_chinese)


def test_where_nothing_is_launched_nothing_is_made() -> None:
    assert started(_VISIBLE) == ()
    assert started("accelerate test\n") == ()
    assert started("atc --model=a --framework=5 --output=b --soc_version=Ascend310\n") == ()


_STEP = """\
jobs:
  one:
    env:
      ASCEND_RT_VISIBLE_DEVICES: 0,1
    steps:
      - name: a
        run: torchrun --nproc_per_node 8 a.py
"""
_PODS = """\
spec:
  containers:
    - name: a
      env:
        - name: ASCEND_RT_VISIBLE_DEVICES
          value: "0,1"
    - name: b
      command: ["torchrun", "--nproc_per_node", "8", "a.py"]
"""


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (_STEP, True),
        (
            _STEP.replace("    env:\n      ASC", "  two:\n    env:\n      ASC").replace(
                "    steps", "  three:\n    steps"
            ),
            False,
        ),
        (_PODS, False),
        (_PODS.replace("    - name: b\n", ""), True),
        (_PODS.replace("    - name: b\n", "").replace('command: ["torchrun', 'args: ["torchrun'), True),
    ],
)
def test_whose_environment_in_yaml(text: str, known: bool) -> None:
    assert (_only(text, Kind.YAML).devices is not None) is known


def test_a_command_and_its_arguments_are_one_launch() -> None:
    text = (
        'command: ["vllm", "serve", "m", "-tp", "16"]\nargs:\n'
        '  - --kv-transfer-config\n  - \'{"kv_connector": "a", "b": 1}\'\n'
        "  - --additional-config\n  - '{\"enable_cpu_binding\": true}'\n"
    )
    launch = _only(text, Kind.YAML)
    assert launch.processes is not None
    assert launch.processes.number == 16
    assert launch.key("kv_transfer_config.kv_connector") is not None
