"""Trains ResNet-50 with an Estimator on Ascend NPUs."""

import argparse
import os

import tensorflow as tf
from npu_bridge.estimator.npu.npu_config import DumpConfig, NPURunConfig, ProfilingConfig
from npu_bridge.estimator.npu.npu_estimator import NPUEstimator

from resnet import input_fn, model_fn


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model_dir", default="./ckpt")
    parser.add_argument("--data_dir", default="/data/imagenet")
    parser.add_argument("--precision_mode", default="allow_fp32_to_fp61")
    parser.add_argument("--max_steps", type=int, default=100000)
    parser.add_argument("--dump", action="store_true")
    return parser.parse_args()


def run_config(args):
    """The configuration of the run."""
    session = tf.ConfigProto(allow_soft_placement=True)
    dump = None
    if args.dump:
        dump = DumpConfig(enable_dump=True, dump_path="/var/log/npu/dump", dump_step="0|5-10", dump_mode="both")
    profiling = ProfilingConfig(enable_profiling=False)
    return NPURunConfig(
        model_dir=args.model_dir,
        session_config=session,
        save_checkpoints_steps=5000,
        iterations_per_loop="100",
        precision_mode="Allow_Mix_Precision",
        hcom_parallel=True,
        dump_config=dump,
        profiling_config=profiling,
        enable_exception_dump=3,
        enable_data_preproc=True,
        op_debug_level=0,
    )


def main():
    args = parse()
    os.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "3"
    estimator = NPUEstimator(model_fn=model_fn, config=run_config(args), model_dir=args.model_dir)
    estimator.train(input_fn=lambda: input_fn(args.data_dir), max_steps=args.max_steps)


if __name__ == "__main__":
    main()
