import tensorflow as tf  # 中文😀


def f():
    if x:
        op.parameter_map["precision_mode"].s = tf.compat.as_bytes("force_fp16")  # 精度
        op.parameter_map["work_path"].s = tf.compat.as_bytes("/tmp/中文")
    cfg = NPURunConfig(
        precision_mode="模式",
        hcom_parallel=True)
