# coding=utf-8
"""Pre-trains a BERT model on one Ascend NPU or on many."""

import os

import tensorflow as tf
from npu_bridge.npu_init import *
from tensorflow.core.protobuf.rewriter_config_pb2 import RewriterConfig

import modeling
import optimization

flags = tf.flags
FLAGS = flags.FLAGS

flags.DEFINE_string("bert_config_file", None, "The model's configuration.")
flags.DEFINE_string("input_files_dir", "./data", "A folder of tf_record files.")
flags.DEFINE_string("output_dir", "./output", "Where checkpoints go.")
flags.DEFINE_string("precision_mode", "allow_mix_precision", "Precision mode of the network.")
flags.DEFINE_integer("train_batch_size", 24, "Batch size of one device.")
flags.DEFINE_integer("max_seq_length", 128, "Tokens of one example.")
flags.DEFINE_integer("num_train_steps", 100000, "Steps to train.")
flags.DEFINE_integer("iterations_per_loop", 1000, "Steps that run on the device between two visits of the host.")
flags.DEFINE_bool("profile", False, "Collect a profile.")
flags.DEFINE_float("learning_rate", 5e-5, "Initial learning rate.")

DEVICE_MEMORY = 28 * 1024 * 1024 * 1024
LOSSY_OPERATORS = "./lossy_operators.json"


def build_input(files, batch_size, is_training):
    """Reads examples from TFRecord files."""
    dataset = tf.data.Dataset.from_tensor_slices(tf.constant(files))
    if is_training:
        dataset = dataset.repeat().shuffle(buffer_size=len(files))
    dataset = dataset.apply(
        tf.contrib.data.map_and_batch(
            lambda record: tf.parse_single_example(record, {
                "input_ids": tf.FixedLenFeature([FLAGS.max_seq_length], tf.int64),
                "input_mask": tf.FixedLenFeature([FLAGS.max_seq_length], tf.int64),
            }),
            batch_size=batch_size,
            drop_remainder=True,
        )
    )
    return dataset.make_initializable_iterator()


def session_config():
    """The configuration of the session, with everything that the NPU needs."""
    config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=False)
    custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
    custom_op.name = "NpuOptimizer"
    custom_op.parameter_map["use_off_line"].b = True
    custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes(FLAGS.precision_mode)
    custom_op.parameter_map["graph_memory_max_size"].s = tf.compat.as_bytes(str(DEVICE_MEMORY))
    custom_op.parameter_map["iterations_per_loop"].i = FLAGS.iterations_per_loop
    # The operators that lose too much in float16.
    custom_op.parameter_map["modify_mixlist"].s = tf.compat.as_bytes(LOSSY_OPERATORS)
    # custom_op.parameter_map["precision_moed"].s = tf.compat.as_bytes("force_fp16")
    custom_op.parameter_map["op_select_implmode"].s = tf.compat.as_bytes("high_precision")
    custom_op.parameter_map["optypelist_for_implmode"].s = tf.compat.as_bytes("Gelu,LayerNorm")
    custom_op.parameter_map["dynamic_input"].i = 1
    custom_op.parameter_map["sfusion_switch_file"].s = tf.compat.as_bytes("./fusion_switch.cfg")
    if FLAGS.profile:
        custom_op.parameter_map["profiling_mode"].b = True
        custom_op.parameter_map["profiling_options"].s = tf.compat.as_bytes(
            '{"output": "./profiling", "task_trace": "on", "aicpu": "on", "fp_point": "", "bp_point": ""}'
        )
    else:
        custom_op.parameter_map["hcom_parallel"].b = "True"
    config.graph_options.rewrite_options.remapping = RewriterConfig.OFF
    config.graph_options.rewrite_options.memory_optimization = RewriterConfig.OFF
    return config


def main(_):
    tf.logging.set_verbosity(tf.logging.INFO)
    bert_config = modeling.BertConfig.from_json_file(FLAGS.bert_config_file)
    files = tf.gfile.Glob(os.path.join(FLAGS.input_files_dir, "*.tf_record"))
    iterator = build_input(files, FLAGS.train_batch_size, is_training=True)
    features = iterator.get_next()
    model = modeling.BertModel(bert_config, True, features["input_ids"], features["input_mask"])
    loss = model.pre_training_loss(features)
    train_op = optimization.create_optimizer(loss, FLAGS.learning_rate, FLAGS.num_train_steps)

    with tf.Session(config=session_config()) as sess:
        sess.run([tf.global_variables_initializer(), iterator.initializer])
        for step in range(FLAGS.num_train_steps // FLAGS.iterations_per_loop):
            _, value = sess.run([train_op, loss])
            tf.logging.info("step %d: loss %.4f", step * FLAGS.iterations_per_loop, value)


if __name__ == "__main__":
    flags.mark_flag_as_required("bert_config_file")
    tf.app.run()
