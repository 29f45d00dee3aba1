"""Code as it stands in an editor."""

import tensorflow as tf
from npu_bridge.npu_init import *

custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
custom_op.name = "NpuOptimizer"
custom_op.parameter_map["use_off_line"].b = True
custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_
custom_op.parameter_map["hcom_parallel"].b = True
custom_op.parameter_map["dump_
custom_op.parameter_map["enable_dump"].b = True
custom_op.parameter_map[
custom_op.parameter_map["dump_path"].s = tf.compat.as_bytes("/tmp"
custom_op.parameter_map["dump_step"].s = tf.compat.as_bytes("0|5")
def train(:
    custom_op.parameter_map["iterations_per_loop"].i = 10
  custom_op.parameter_map["op_debug_level"].i = = 1
    run = NPURunConfig(precision_mode="force_fp16", hcom_
    os.environ["JOB_ID"] = "1"
<<<<<<< HEAD
custom_op.parameter_map["mix_compile_mode"].b = True
=======
custom_op.parameter_map["mix_compile_mode"].b = False
>>>>>>> other
text = """nobody closes this
custom_op.parameter_map["work_path"].s = tf.compat.as_bytes("/tmp")
