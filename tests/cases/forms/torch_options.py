"""Options of torch_npu and of TorchAir."""

import torch
import torch_npu
import torchair
from torch_npu.npu import set_option
from torchair.configs.compiler_config import CompilerConfig

torch.npu.set_option({"ACL_PRECISION_MODE": "must_keep_origin_dtype", "ACL_OP_SELECT_IMPL_MODE": "high_precision"})
torch_npu.npu.set_compile_mode(jit_compile=False)
torch.npu.set_compile_mode(True)
option = {}
option["ACL_OP_COMPILER_CACHE_MODE"] = "enable"
option["ACL_OP_COMPILER_CACHE_DIR"] = "./cache"
set_option(option)
if FLAGS.blacklist:
    names = {"NPU_FUZZY_COMPILE_BLACKLIST": "LayerNormGrad"}
else:
    names = {"NPU_FUZZY_COMPILE_BLACKLIST": ""}
names["MM_BMM_ND_ENABLE"] = "enable"
torch_npu.npu.set_option(names)

config = torchair.CompilerConfig()
config.mode = "reduce-overhead"
config.fusion_config.fusion_switch_file = "fusion.cfg"
debug = config.debug
debug.graph_dump.type = "pbtxt"


def other():
    config = CompilerConfig(); config.experimental_config.frozen_parameter = True
    return config
