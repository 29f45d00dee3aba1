"""Options in branches, and what else makes a session."""

import tensorflow as tf
from npu_bridge.npu_init import *
from tensorflow.core.protobuf.rewriter_config_pb2 import RewriterConfig


def configured(flags, mode):
    config = tf.ConfigProto()
    custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
    custom_op.name = "NpuOptimizer"
    config.graph_options.rewrite_options.remapping = RewriterConfig.OFF
    config.graph_options.rewrite_options.memory_optimization = RewriterConfig.OFF
    if flags.debug:
        custom_op.parameter_map["op_debug_level"].i = 1
        return config
    if flags.high:
        custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("must_keep_origin_dtype")
    elif flags.low:
        custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("force_fp16")
    else:
        custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")
    try:
        custom_op.parameter_map["fusion_switch_file"].s = tf.compat.as_bytes(flags.fusion)
    except AttributeError: custom_op.parameter_map["fusion_switch_file"].s = tf.compat.as_bytes("fusion.cfg")
    finally: custom_op.parameter_map["use_off_line"].b = True
    while flags.wait: custom_op.parameter_map["hcom_parallel"].b = True; break
    with tf.Session(config=config) as session:
        custom_op.parameter_map["iterations_per_loop"].i = 10
    match mode:
        case "train":
            custom_op.parameter_map["graph_run_mode"].i = 1
        case {"mode": 0}: custom_op.parameter_map["graph_run_mode"].i = 0
    async def later():
        async with session:
            custom_op.parameter_map["enable_dump"].b = True
    return session
