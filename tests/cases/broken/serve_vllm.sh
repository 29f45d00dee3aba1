#!/bin/bash
# Two servers as they were started with an early release of vLLM-Ascend.
export HCCL_BUFFSIZE=1024
export VLLM_ASCEND_ENABLE_TOPK_OPTIMIZE=1

vllm serve /models/qwen \
  --tensor-parallel-size 8 \
  --additional-config '{"ascend_scheduler_config": {"enabled": true}, "dynamic_eplb": true,
    "fuse_muls_add": true, "eplb_config": {"num_redundant_expert": 2}}' \
  --port 8000

CONFIG='{"enable_static_kernal": true, "enable_kv_nz": "false"}'
vllm serve /models/deepseek --additional-config "$CONFIG" --port 8001
vllm serve /models/glm --additional-config {"refresh": true}
