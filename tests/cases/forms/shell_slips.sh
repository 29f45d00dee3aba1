#!/bin/bash
# What a shell takes in silence.
atc --model=a.onnx \
    --framework=5
    --log=info
atc --model=b.onnx \ 
    --log=info
atc --model=c.onnx --log =info --output= c
atc --model=d.onnx --input_shape=a:1,2;b:3
atc —model=e.onnx --log=“info”
atc　--model=f.onnx
atc atc --model=g.onnx
export ASCEND_GLOBAL_LOG_LEVEL==3
export HCCL_BUFFSIZE = 200
atc --model=h.onnx --log="info
atc --model=i.onnx \
exit 0
