export ASCEND_RT_VISIBLE_DEVICE=0,1
export PYTORCH_NPU_ALLOC_CONF=expandable_segment:True
vllm serve Qwen/Qwen3-8B --tensor-parallel-size 2
