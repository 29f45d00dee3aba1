"""The failures of the field, and their siblings: each is told; and launches as official tutorials write them, which are right."""

from __future__ import annotations

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_CODES = {"NPU216", "NPU217", "NPU218", "NPU219", "NPU220", "NPU222", "NPU605", "NPU606"}
_ANALYZER = Analyzer(Config(), all_rules)
_FOUR = "export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3\n"


def _codes(text: str, kind: Kind) -> set[str]:
    return {finding.code for finding in _ANALYZER.findings(Document(text, path="run", kind=kind))} & _CODES


def _kv(role: str, prefill: int, decode: int, port: int = 36000) -> str:
    sizes = f'{{"prefill": {{"dp_size": 1, "tp_size": {prefill}}}, "decode": {{"dp_size": 1, "tp_size": {decode}}}}}'
    return f'{{"kv_connector": "MooncakeConnectorV1", "kv_role": "{role}", "kv_port": "{port}", "kv_connector_extra_config": {sizes}}}'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # More processes than devices.
        (f"{_FOUR}torchrun --nproc_per_node 8 a.py\n", "NPU216"),
        (f"{_FOUR}python3 -m torch.distributed.launch --nproc_per_node=8 --use_env a.py\n", "NPU216"),
        (f"{_FOUR}N=8\ntorchrun --nproc_per_node=$N a.py\n", "NPU216"),
        (f'{_FOUR}ARGS="--nproc_per_node 8 --nnodes 1"\ntorchrun $ARGS a.py\n', "NPU216"),
        (f"{_FOUR}ARGS=(\n  --nproc_per_node 8\n)\ntorchrun ${{ARGS[@]}} a.py\n", "NPU216"),
        (f"{_FOUR}msrun --worker_num=8 --local_worker_num=8 a.py\n", "NPU216"),
        (f"{_FOUR}accelerate launch --num_processes=8 a.py\n", "NPU216"),
        (f"{_FOUR}vllm serve m -tp 8\n", "NPU216"),
        (f"{_FOUR}vllm serve m --tensor-parallel-size 4 --pipeline-parallel-size 2\n", "NPU216"),
        (f"{_FOUR}vllm serve m -tp 4 --data-parallel-size 2\n", "NPU216"),
        (f"{_FOUR}nohup python -m vllm.entrypoints.openai.api_server --model m -tp 8 > log 2>&1 &\n", "NPU216"),
        ("ASCEND_RT_VISIBLE_DEVICES=0 vllm serve m -tp 2\n", "NPU216"),
        # Connectors and their servers.
        (f"vllm serve m -tp 4 --kv-transfer-config '{_kv('kv_consumer', 8, 8)}'\n", "NPU217"),
        (f"vllm serve m -tp 4 --kv-transfer-config '{_kv('kv_producer', 8, 4)}'\n", "NPU217"),
        (f"vllm serve m -tp 4 --kv-transfer-config='{_kv('kv_producer', 4, 8)}'\n", "NPU217"),
        (f"C='{_kv('kv_producer', 8, 4)}'\nvllm serve m -tp 4 --kv-transfer-config \"$C\"\n", "NPU217"),
        # Ports.
        ("torchrun --nproc_per_node 2 a.py &\ntorchrun --nproc_per_node 2 b.py &\nwait\n", "NPU218"),
        ("torchrun --master_port 6000 a.py &\ntorchrun --master_port=6000 b.py\n", "NPU218"),
        ("P=6000\ntorchrun --master_port $P a.py &\ntorchrun --master_port $P b.py\n", "NPU218"),
        ("nohup vllm serve a > a.log 2>&1 &\nnohup vllm serve b > b.log 2>&1 &\n", "NPU218"),
        ("nohup vllm serve a --port 8001 &\nvllm serve b --port 8001\n", "NPU218"),
        ("for i in 0 1 2 3; do\n  ASCEND_RT_VISIBLE_DEVICES=$i vllm serve m --port 8000 &\ndone\n", "NPU218"),
        ("export HCCL_IF_BASE_PORT=8000\nvllm serve m --port 8010\n", "NPU218"),
        (f"vllm serve m --port 36001 -tp 4 --kv-transfer-config '{_kv('kv_producer', 4, 4)}'\n", "NPU218"),
        (
            "msrun --worker_num=2 --local_worker_num=2 a.py &\nmsrun --worker_num=2 --local_worker_num=2 b.py\n",
            "NPU218",
        ),
        # Addresses.
        ("export ASCEND_MF_STORE_URL=tcp://PIP:24669\n", "NPU219"),
        ('export ASCEND_MF_STORE_URL="tcp://P_NODE_IP:24669"\n', "NPU219"),
        ("HEAD=10.0.0.1\nray start --address=HEAD:6379\n", "NPU219"),
        ("MASTER_ADDR=10.0.0.1\ntorchrun --nnodes 2 --node_rank 0 --master_addr MASTER_ADDR a.py\n", "NPU219"),
        ("msrun --worker_num=16 --local_worker_num=8 --master_addr=MASTER_IP a.py\n", "NPU219"),
        ("vllm serve m --data-parallel-size 2 --data-parallel-address NODE0_IP\n", "NPU219"),
        ("export HCCL_SOCKET_IFNAME=10.0.0.1\n", "NPU219"),
    ],
)
def test_told(text: str, code: str) -> None:
    assert code in _codes(text, Kind.SHELL)


_TRAIN = "pretrain_gpt.py --use-fused-rmsnorm --tensor-model-parallel-size {} --pipeline-model-parallel-size {}"
_RIGHT = (
    f"{_FOUR}torchrun --nproc_per_node 4 a.py",
    f"{_FOUR}vllm serve m --tensor-parallel-size 4 --port 8000",
    f"{_FOUR}vllm serve m -tp 2 --data-parallel-size 2 --enable-expert-parallel",
    f"{_FOUR}vllm serve m -tp 2 -pp 2",
    f"{_FOUR}vllm serve m",
    f"{_FOUR}python -m vllm.entrypoints.openai.api_server --model m --tensor-parallel-size 4 &",
    "vllm serve m -tp 8 --data-parallel-size 4 --data-parallel-size-local 2 --data-parallel-start-rank 2 --headless",
    "vllm serve m -tp 16 --distributed-executor-backend ray --port 8000",
    "export ASCEND_RT_VISIBLE_DEVICES=$1\nvllm serve m --port $2 --data-parallel-size $3 --data-parallel-rank $4 -tp $5",
    "export ASCEND_RT_VISIBLE_DEVICES=0\nvllm serve a --port 8100 &\nexport ASCEND_RT_VISIBLE_DEVICES=1\nvllm serve b --port 8200 &",
    f"export ASCEND_RT_VISIBLE_DEVICES=0,1\nvllm serve m -tp 2 --kv-transfer-config '{_kv('kv_producer', 2, 2)}'",
    f"vllm serve m -tp 8 --kv-transfer-config '{_kv('kv_producer', 8, 4)}'",
    f"vllm serve m -tp 4 --kv-transfer-config '{_kv('kv_consumer', 8, 4)}'",
    "torchrun --standalone --nproc_per_node=8 a.py",
    "torchrun --nproc_per_node 8 --nnodes 2 --node_rank 1 --master_addr 10.0.0.1 --master_port 29500 a.py",
    "torchrun --nproc_per_node 8 --nnodes $N --node_rank $R --master_addr $A --master_port $P a.py",
    f"export CUDA_DEVICE_MAX_CONNECTIONS=1\ntorchrun --nproc_per_node 8 {_TRAIN.format(2, 4)} --sequence-parallel",
    f"torchrun --nproc_per_node 8 --nnodes 4 {_TRAIN.format(8, 4)}",
    f"export CUDA_DEVICE_MAX_CONNECTIONS=1\nNPUS=8\nNODES=2\ntorchrun --nproc_per_node $NPUS --nnodes $NODES {_TRAIN.format(4, 4)}",
    f"python -m torch.distributed.launch --nproc_per_node 16 {_TRAIN.format(8, 2)}",
    "msrun --worker_num=8 --local_worker_num=8 --master_port=8118 --log_dir=msrun_log --join=True --cluster_time_out=300 a.py",
    "msrun --worker_num=16 --local_worker_num=8 --master_addr=10.0.0.1 --node_rank=0 --log_dir=log a.py",
    "export ASCEND_RT_VISIBLE_DEVICES=6,7\nmsrun --worker_num=2 --local_worker_num=2 a.py",
    "ray start --head --port=6379 --dashboard-host=0.0.0.0",
    "ray start --address=10.0.0.1:6379 --num-gpus=8",
    "accelerate launch --num_processes 8 --multi_gpu a.py",
    "deepspeed --num_gpus 8 --master_port 29600 a.py --deepspeed ds.json",
    "export HCCL_IF_IP=10.0.0.1\nexport HCCL_SOCKET_IFNAME=eth0\nexport HCCL_IF_BASE_PORT=50000\ntorchrun --nproc_per_node 8 a.py",
    "for i in 0 1; do\n  export ASCEND_RT_VISIBLE_DEVICES=$i\n  vllm serve m --port $((8100 + i)) &\ndone\nwait",
    "torchrun --nproc_per_node 8 a.py 2>&1 | tee log\ntorchrun --nproc_per_node 8 b.py",
    "vllm serve m &\nsleep 60\nkill $!\nvllm serve n",
)


@pytest.mark.parametrize("text", _RIGHT)
def test_right(text: str) -> None:
    assert _codes(f"#!/bin/bash\n# NPU\n{text}\n", Kind.SHELL) == set()
