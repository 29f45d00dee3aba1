"""What torch_npu is told in Python, as people write it."""

import torch
import torch.profiler
from torch.profiler import profile, schedule

try:
    import torch_npu
    from torch_npu.contrib import transfer_to_npu
except ImportError:
    torch_npu = None

torch.npu.config.allow_internal_format = False
torch_npu.npu.matmul.allow_hf32 = args.hf32
torch_npu.npu.conv.allow_hf32 = bool(args.hf32)
torch.npu.set_compile_mode(jit_compile=args.jit)
torch_npu.npu.set_device(0)
torch.npu.set_per_process_memory_fraction(0.9, device=0)
torch.npu.synchronize = lambda: None
torch.backends.cuda.matmul.allow_tf32 = True

levels = {"level0": torch_npu.profiler.ProfilerLevel.Level0, "level1": torch_npu.profiler.ProfilerLevel.Level1}


def profiler(level, path):
    if level == "level1":
        profiler_level = torch_npu.profiler.ProfilerLevel.Level1
        metrics = torch_npu.profiler.AiCMetrics.PipeUtilization
    else:
        profiler_level = torch_npu.profiler.ProfilerLevel.Level0
        metrics = torch_npu.profiler.AiCMetrics.AiCoreNone
    config = torch_npu.profiler._ExperimentalConfig(
        aic_metrics=metrics, profiler_level=profiler_level, l2_cache=False, data_simplification=False
    )
    other = torch_npu.profiler._ExperimentalConfig(
        export_type=[torch_npu.profiler.ExportType.Text, torch_npu.profiler.ExportType.Db],
        profiler_level=levels[level],
        aic_metrics=torch_npu.profiler.AiCMetrics.Memory,
        op_attr=True,
        mstx=True,
        mstx_domain_include=["default"],
    )
    with torch_npu.profiler.profile(
        activities=[torch_npu.profiler.ProfilerActivity.CPU, torch_npu.profiler.ProfilerActivity.NPU],
        schedule=torch_npu.profiler.schedule(wait=0, warmup=0, active=1, repeat=1, skip_first=10),
        on_trace_ready=torch_npu.profiler.tensorboard_trace_handler(path),
        record_shapes=True,
        with_stack=False,
        experimental_config=config,
    ) as prof:
        prof.step()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA], schedule=schedule(wait=1, warmup=1)):
        pass
    return profile(other=other)
