"""Trains a small Keras model with the TF 2 adapter."""

import npu_device as npu
import tensorflow as tf

options = npu.global_options()
options.precision_mode = "allow_mix_precision"
options.op_compiler_cache_mode = "enabled"
npu.global_options().dump_config.enable_dump = True
npu.global_options().dump_config.dump_path = "/var/log/npu/dump"
npu.global_options().dump_config.dump_mode = "all"
npu.global_options().jit_complie = "false"
npu.open().as_default()

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss="mse")
model.fit(tf.random.normal([64, 8]), tf.random.normal([64, 10]), epochs=1)
