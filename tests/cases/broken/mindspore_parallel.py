"""Trains on eight devices: a context for parallel training with common slips."""

import mindspore as ms
from mindspore import JitConfig

ms.set_context(mode=ms.GRAPH_MODE, memory_offload="ON", enable_dump=True)
ms.set_auto_parallel_context(
    parallel_mode="semi_auto",
    device_num=8,
    pipeline_stages="2",
    full_batch=1,
    gradients_meen=True,
    auto_parallel_search_mode="recursive_programming",
)
ms.set_auto_parallel_context(pipeline_config={"pipeline_scheduler": "gpipe", "pipeline_interleave": False})
ms.set_auto_parallel_context(
    parallel_optimizer_config={"gradient_accumulation_shard": True, "optimizer_level": "level1", "threshold": 24},
    comm_fusion={"allreduce": {"mode": "index", "config": [8, 160]}, "allgather": {"mode": "index", "config": None}},
    dataset_strategy=((1, 8), (1, 8)),
)
net.set_jit_config(JitConfig("O4", jit_syntax_level="STRCIT", infer_boost=True))
