#!/bin/bash
export ASCEND_GLOBAL_LOG_LEVEL=3
atc --model=a.onnx \
    --framework=5 \
    --input_shape="data:1,3"
