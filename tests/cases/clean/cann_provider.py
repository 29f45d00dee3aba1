"""Runs an ONNX model on an NPU."""

import onnxruntime

providers = [
    (
        "CANNExecutionProvider",
        {
            "device_id": 0,
            "arena_extend_strategy": "kNextPowerOfTwo",
            "npu_mem_limit": 20 * 1024 * 1024 * 1024,
            "op_select_impl_mode": "high_performance",
            "optypelist_for_implmode": "Gelu",
            "enable_cann_graph": True,
            "dump_graphs": flag,
        },
    ),
    "CPUExecutionProvider",
]
session = onnxruntime.InferenceSession("model.onnx", providers=providers)
