#!/bin/bash
# Converts a Caffe detector for an edge box.
set -e

MODEL_DIR=${1:-./model}
soc=Ascend310P3

source /usr/local/Ascend/ascend-toolkit/set_env.sh
export ASCEND_GLOBAL_LOG_LEVEL=3

if ! atc --framework=0 \
    --model="${MODEL_DIR}/yolov3.prototxt" \
    --weight="${MODEL_DIR}/yolov3.caffemodel" \
    --output=yolov3_bs1 \
    --input_shape="data:1,3,416,416;img_info:1,4" \
    --soc_version=$soc \
    --op_select_implmode=high_precision \
    --optypelist_for_implmode="Sigmoid,Softmax" \
    --insert_op_conf=./aipp.cfg \
    --input_fromat=NCHW; then
    echo "atc --framework=9 failed" >&2
    exit 1
fi
