"""The global options of TensorFlow 2."""

import npu_device as npu
from npu_device import global_options

npu.global_options().precision_mode = "allow_mix_precision"
npu.global_options().dump_config.enable_dump = True
npu.global_options().hcom_parallel = npu.global_options().dynamic_input = True
options = npu.global_options()
options.op_debug_level, options.graph_run_mode = 0, 1
dump = options.dump_config
dump.dump_path = "/tmp"
dump.dump_step = "0|5"; dump.dump_mode = "all"
global_options().is_tailing_optimization = 1
setattr(npu.global_options(), "jit_compile", "auto")
for name, value in {"aoe_mode": "2", "work_path": "/tmp"}.items():
    setattr(options, name, value)
for name in more_options():
    setattr(options, name, True)


def configure(opts, flags):
    if flags.fusion: opts.fusion_switch_file = "fusion.cfg"
    opts.profiling_config.enable_profiling = flags.profile


configure(npu.global_options(), FLAGS)
npu.open().as_default()
with npu.open().as_default():
    npu.global_options().op_precision_mode = "op_precision.ini"
