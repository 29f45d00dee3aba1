"""A script in the middle of an edit: it does not parse, and what is whole is checked all the same."""

import tensorflow as tf

config = tf.ConfigProto(
custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
custom_op.name = "Npuoptimizer"
custom_op.parameter_map["use_off_line"].b = True
custom_op.parameter_map["precision_mode"].b = tf.compat.as_bytes("allow_mix_precision")
custom_op.parameter_map["graph_run_mode"].i =
def train(
    custom_op.parameter_map["auto_tune_mdoe"].s = tf.compat.as_bytes("RL,GA")
