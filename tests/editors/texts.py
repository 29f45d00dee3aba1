"""What the sessions in the editors open."""

PYTHON = """\
import tensorflow as tf

config = tf.ConfigProto()
custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
custom_op.name = "NpuOptimizer"
custom_op.parameter_map["use_off_line"].b = True
custom_op.parameter_map["precison_mode"].s = tf.compat.as_bytes("allow_mix_precision")
"""
SHELL = """\
#!/bin/bash
atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 \\
    --op_select_implmode=high_precision \\
    --optypelist_for_implmode="Sigmoid,Softmax"
"""
SAVED = """\
#!/bin/bash
atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --op_select_implmode=high_performance
atc --model=b.onnx --framework=5 --output=b --soc_versoin=Ascend310P3
"""
OWN = """\
#!/bin/bash
NAME=resnet
atc --model=$NAME.onnx --framework=5 --output=$NAME --soc_version=Ascend310P3 --op_select_implmode=high_presicion
"""
CALL = """\
op.parameter_map["precison_mode"].s = b"force_fp16"
run_config = NPURunConfig(precision_mode=
"""
