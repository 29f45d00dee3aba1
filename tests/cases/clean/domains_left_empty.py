import torch_npu

config = torch_npu.profiler._ExperimentalConfig(
    mstx=False,
    mstx_domain_include=[],
    mstx_domain_exclude=[],
)
