#!/usr/bin/env bash
# Converts an ONNX model for several batch sizes.
for batch in 1 4 8; do
    ASCEND_SLOG_PRINT_TO_STDOUT=1 /usr/local/Ascend/ascend-toolkit/latest/bin/atc \
        --model=resnet50.onnx --framework=5 \
        --output="resnet50_bs${batch}" \
        --input_format=NCHW \
        --input_shape="input:${batch},3,224,224" \
        --precision_mode=force_fp61 \
        --soc_version=Ascend310P3 \
        --log=error
done

atc --model=bert.onnx --framework=5 --output=bert --soc_version=Ascend910B3 \
    --input_shape="input_ids:1,128" --precision_mode=allow_mix_precision --precision_mode_v2=mixed_float16

# A mode without a list of operators, and one that is the default.
atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --op_select_implmode=high_precision
atc --model=b.onnx --framework=5 --output=b --soc_version=Ascend310P3 --op_select_implmode=high_performance
