"""Trains on eight devices."""

import mindspore as ms

ms.set_auto_parallel_context(
    parallel_mode=ms.ParallelMode.SEMI_AUTO_PARALLEL,
    pipeline_stages=2,
    full_batch=True,
    dataset_strategy=((1, 8), (1, 8)),
    enable_parallel_optimizer=True,
    parallel_optimizer_config={"gradient_accumulation_shard": True, "parallel_optimizer_threshold": 24},
    comm_fusion={"allreduce": {"mode": "auto", "config": None}},
    strategy_ckpt_config={"save_file": "./strategy.json", "only_trainable_params": False},
)
ms.set_auto_parallel_context(**config.parallel)
net.set_jit_config(ms.JitConfig(jit_level="O1", exc_mode=mode))
