#!/bin/bash
# Schedulers that don't go together, and a kernel without what compiles it.
vllm serve /models/qwen --additional-config '{
  "ascend_compilation_config": {"enable_npugraph_ex": false, "enable_static_kernel": true},
  "scheduler_config": {
    "enable_balance_scheduling": true,
    "profiling_chunk_config": {"enabled": true, "smooth_factor": 1.5},
    "short_request_first_config": {"enabled": true}
  }}'
vllm serve /models/qwen --additional-config '{
  "scheduler_config": {
    "short_request_first_config": {"enabled": true},
    "batch_job_sched_config": {"enabled": true, "max_jobs": -1}
  }}'
