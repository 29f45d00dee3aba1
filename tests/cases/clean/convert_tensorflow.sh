#!/bin/sh
# Converts a frozen TensorFlow graph; nothing is wrong here.
convert() {
    atc --model="$1" --framework=3 --output="$2" \
        --input_shape="input:1,224,224,3" --input_format=NHWC \
        --out_nodes="resnet/predictions:0" \
        --soc_version="${SOC_VERSION:-Ascend310P3}" \
        --precision_mode=force_fp16
}

convert resnet_v1_50.pb resnet_v1_50
convert resnet_v1_101.pb resnet_v1_101 && echo "atc is done"
