"""Options of a session, written out one by one."""

import tensorflow as tf
from npu_bridge.npu_init import *

PRECISION = "precision_mode"
MODE = "allow_mix_precision"
LIMIT = 26 * 1024 * 1024 * 1024


def session(flags):
    config = tf.compat.v1.ConfigProto(allow_soft_placement=True)
    custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
    custom_op.name = "NpuOptimizer"
    custom_op.parameter_map["use_off_line"].b = True
    custom_op.parameter_map[PRECISION].s = tf.compat.as_bytes(MODE)
    custom_op.parameter_map["graph_memory_max_size"].s = tf.compat.as_bytes(str(LIMIT))
    custom_op.parameter_map["hcom_parallel"].b = True; custom_op.parameter_map["iterations_per_loop"].i = 10
    custom_op.parameter_map["dynamic_input"].b = custom_op.parameter_map["mix_compile_mode"].b = False
    custom_op.parameter_map["enable_dump"].b, custom_op.parameter_map["dump_step"].s = True, b"0|5"
    if flags.profile: custom_op.parameter_map["profiling_mode"].b = True
    else: custom_op.parameter_map["profiling_mode"].b = False
    custom_op.parameter_map["profiling_options"].s = \
        tf.compat.as_bytes('{"output": "/tmp/profiling", '
                           '"task_trace": "on"}')
    custom_op.\
        parameter_map["op_debug_level"].i = 0
    custom_op.parameter_map["dump_path"].s: bytes = f"{'/tmp'}/dump".encode()
    custom_op . parameter_map [ 'work_path' ] . s = ("/tmp/%s" % "work").encode("utf-8")
    custom_op.parameter_map["modify_mixlist"].s = tf.compat.as_bytes(flags.mixlist)
    setattr(custom_op.parameter_map["jit_compile"], "s", b"auto")
    custom_op.parameter_map["op_select_implmode"].CopyFrom(tf.AttrValue(s=b"high_precision"))
    # custom_op.parameter_map["commented_out"].b = True
    """
    custom_op.parameter_map["in_a_text"].b = True
    """
    print(custom_op.parameter_map["only_read"].b, 'custom_op.parameter_map["quoted"].b = True')
    return tf.compat.v1.Session(config=config)


def with_other_names(config):
    rewrite_options = config.graph_options.rewrite_options
    optimizers = rewrite_options.custom_optimizers
    op = optimizers.add(name="NpuOptimizer")
    pm = op.parameter_map
    pm["use_off_line"].b = True
    entry = pm["precision_mode"]
    entry.s = tf.compat.as_bytes("force_fp16")
    again = op
    again.parameter_map["hcom_parallel"].b = True
    pm = {}
    pm["no_option"] = 1
    return npu_config_proto(config_proto=config)


def made_at_once():
    return RewriterConfig.CustomGraphOptimizer(
        name="NpuOptimizer",
        parameter_map={
            "use_off_line": AttrValue(b=True),
            "precision_mode": AttrValue(s=b"must_keep_origin_dtype"),
        },
    )
