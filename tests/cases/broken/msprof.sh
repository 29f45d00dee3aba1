#!/bin/bash
msprof --output=./prof --task-time=l5 --ai-core=on --aic-freq=200 python train.py --task-time=l5 --model-id=x
msprof --output=./prof --task_time=on --hccl=on ./main --output=$OUT
msprof --dynamic=on --sys-cpu-profiling=on --pid=$PID
msprof --mstx-domain-include=mine bash run.sh
msprof op --kernel-name=add ./main
msprof --output=./prof \
  torchrun pretrain_gpt.py --use-fused-rmsnorm --use-fused-rotary-pos-enb
export FLAGS_npu_jit_compile=on
