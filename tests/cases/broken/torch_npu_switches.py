"""Slips in what torch_npu is told in Python."""

import torch
import torch_npu
from torch_npu.profiler import profile, ProfilerLevel, AiCMetrics
import torch_npu.profiler as prof

torch.npu.config.allow_internal_format = "False"
torch_npu.npu.config.allow_internal_fromat = False
torch.npu.config.allow_hf32 = False
torch.npu.matmul.allow_hf32 = "True"
torch.npu.conv.allow_hf32 = 1
torch.npu.matmul.cube_math_type = torch.npu.CubeMathType.USE_HF23
torch.npu.is_available = lambda: True
torch.npu.set_compile_mode(jit_compile="False")
torch_npu.npu.set_compile_mode(False)
torch.npu.set_compile_mode(jit_complie=False)
torch.npu.set_per_process_memory_fraction(1)
torch.npu.set_per_process_memory_fraction(1.5)
torch.npu.set_device_limit(True, cube_num=3)
cfg = torch_npu.profiler._ExperimentalConfig(
    aic_metrics=torch_npu.profiler.AiCMetrics.Memory,
    l2_cache="True",
    op_attr=True,
    msprof_tx=True,
    mstx_domain_include=["a"],
    host_sys=[torch_npu.profiler.HostSystem.CPUU],
)
level = torch_npu.profiler.ProfilerLevel.Level0
cfg = prof._ExperimentalConfig(profiler_level=level, aic_metrics=AiCMetrics.AiCoreNone, export_type=[prof.ExportType.Db, prof.ExportType.Text], op_attr=True)
cfg = prof._ExperimentalConfig(profiler_level=ProfilerLevel.Level0, aic_metrics=AiCMetrics.PipeUtilization, mstx_domain_exclude=["b"])
cfg = prof._ExperimentalConfig(profiler_level=ProfilerLevel.Level1, aic_metrics=AiCMetrics.PipeUtilisation, export_type=prof.ExportType.Text, op_attr=True)
cfg = prof._ExperimentalConfig(profiler_level="Level1", aic_metrics=AiCMetrics.Memory, **more)
with profile(activities=[torch_npu.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA], use_cuda=True,
    schedule=torch_npu.profiler.schedule(wait=0, warmup=-1, active=0, repeat="1", skip_first=10),
    on_trace_ready=torch_npu.profiler.tensorboard_trace_handler("./r", use_gzip=True), with_stack=1, wit_flops=True) as p:
    pass
with torch.profiler.profile(activities=[], foo=1):
    pass
