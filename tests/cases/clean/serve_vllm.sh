#!/bin/bash
export HCCL_BUFFSIZE=1024
MODEL=/models/qwen

vllm serve "$MODEL" \
  --tensor-parallel-size 8 \
  --additional-config '{"ascend_compilation_config": {"enable_npugraph_ex": true, "enable_static_kernel": true},
    "eplb_config": {"num_redundant_experts": 2}, "dump_config": {"task": "statistics", "level": "L1"}}' \
  --port 8000

vllm serve "$MODEL" --additional-config "{\"enable_kv_nz\": $KV_NZ, \"weight_nz_mode\": 2}" --port "$1"
vllm serve "$MODEL" --additional-config "$2"
