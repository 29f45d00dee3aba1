"""NPURunConfig and the objects in it."""

import functools

from npu_bridge.estimator.npu.npu_config import NPURunConfig, DumpConfig as Dump, ProfilingConfig
from npu_bridge.estimator.npu import npu_config

SHARED = dict(hcom_parallel=True, iterations_per_loop=10)
SHARED["precision_mode"] = "allow_mix_precision"


def make(flags, session_config, **more):
    dump = Dump(enable_dump=True, dump_path="/tmp", dump_step="0|5")
    first = NPURunConfig(
        model_dir=flags.model_dir,  # where
        # commented_out=True,
        session_config=session_config,
        dump_config=dump,
        profiling_config=ProfilingConfig(
            enable_profiling=True,
            profiling_options='{"output": "/tmp"}',
        ),
        save_checkpoints_steps=1000 if flags.often else 5000, keep_checkpoint_max=5)
    second = npu_config.NPURunConfig(**SHARED)
    third = NPURunConfig(**{"op_debug_level": 1, "enable_data_pre_proc": False}, **more)
    other = NPURunConfig(**{key: value for key, value in {"hcom_parallel": True, "op_debug_level": 0}.items()})
    fourth = functools.partial(NPURunConfig, mix_compile_mode=True)
    estimator = NPUEstimator(model_fn=flags.model, config=NPURunConfig(precision_mode="force_fp16"))
    return [first, second, third, other, fourth, estimator, lambda: NPURunConfig(op_select_implmode="high_precision")]
