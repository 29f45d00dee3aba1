"""Options of a session that loops and functions set: each stands where its literal stands."""

import six
import tensorflow as tf
from npu_bridge.npu_init import *

from shared_options import DEBUG_LEVEL
import shared_options as shared

FLAGS_ON = {"use_off_line": True, "hcom_parallel": True}
GROWN = dict(enable_dump=True)
GROWN["dump_layer"] = b"conv1"
GROWN.update(dump_mode=b"all")
KEYS, SLOTS = ["aoe_mode", "work_path"], ["s", "s"]


class Defaults:
    MODE = "allow_fp32_to_fp16"
    OPTIONS = {"iterations_per_loop": 10, "op_debug_level": 2}


def put(op, key, value):
    if isinstance(value, bool):
        op.parameter_map[key].b = value
    elif isinstance(value, int):
        op.parameter_map[key].i = value
    else:
        op.parameter_map[key].s = tf.compat.as_bytes(value)


def put_all(op, **options):
    for key, value in options.items():
        put(op, key, value)


def switch(op, key="dynamic_input"): op.parameter_map[key].b = True


class Trainer:
    def __init__(self, config):
        self.custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
        self.custom_op.name = "NpuOptimizer"

    def options(self):
        for key, value in FLAGS_ON.items():
            self.custom_op.parameter_map[key].b = value
        for key in ["profiling_mode", "auto_tune_mode"]:
            self.custom_op.parameter_map[key].s = b"x"
        for key, slot, value in (("graph_run_mode", "i", 1), ("dump_path", "s", b"/tmp")):
            setattr(self.custom_op.parameter_map[key], slot, value)
        self.custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes(Defaults.MODE)
        self.custom_op.parameter_map["op_debug_level"].i = DEBUG_LEVEL
        self.custom_op.parameter_map["buffer_optimize"].s = tf.compat.as_bytes(shared.BUFFER)


def second(config, flags):
    op = config.graph_options.rewrite_options.custom_optimizers.add()
    op.name = "NpuOptimizer"
    for key, value in Defaults.OPTIONS.items():
        op.parameter_map[key].i = value
    for key, value in GROWN.items():
        put(op, key, value)
    for number, (key, value) in enumerate([("enable_data_pre_proc", True)]):
        op.parameter_map[key].b = value
    for key, value in zip(KEYS, ("2", "/tmp")):
        op.parameter_map[key].s = tf.compat.as_bytes(value)
    for key, value in six.iteritems({"fusion_switch_file": "a.cfg"}):
        op.parameter_map[key].s = tf.compat.as_bytes(value)
    put(op, "modify_mixlist", "ops.json")
    put(op, "session_device_id", 3)
    put(op, "variable_memory_max_size", flags.memory)
    put_all(op, stream_max_parallel_num="DNN_VM:10", jit_compile=True)
    switch(op)
    switch(op, "mix_compile_mode")
    for key, value in flags.more.items():
        put(op, key, value)
    [setattr(op.parameter_map[key], "b", True) for key in ("use_off_line", "dynamic_input")]
    text = lambda key, value: setattr(op.parameter_map[key], "s", tf.compat.as_bytes(value))
    text("aoe_mode", "2")
