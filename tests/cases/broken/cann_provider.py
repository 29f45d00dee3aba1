"""Runs an ONNX model on an NPU, with slips in the options of the provider."""

import onnxruntime

options = {"device_id": "npu:0", "npu_mem_limit": 2 * 1024 * 1024 * 1024, "enable_cann_graph": "yes"}
session = onnxruntime.InferenceSession("model.onnx", providers=[("CANNExecutionProvider", options), "CPUExecutionProvider"])
other = onnxruntime.InferenceSession(
    "model.onnx",
    providers=["CANNExecutionProvider", "CPUExecutionProvider"],
    provider_options=[{"arena_extend_strategy": "kNextPowerOf2", "device_di": 0}, {}],
)
cpu = onnxruntime.InferenceSession("model.onnx", providers=[("CUDAExecutionProvider", {"gpu_mem_limit": "x"})])
