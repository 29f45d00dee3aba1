"""Variables that others get: a server, Ray's workers, a test."""

import os
from unittest.mock import patch

import ray

RAY_ENV_VARS = {
    "HCCL_DETERMINISTIC": "strict",
    "PYTORCH_NPU_ALLOC_CONF": "expandable_segments:True",
}
ray.init(runtime_env={"env_vars": RAY_ENV_VARS})

FEATURE_ENVS = {
    "VLLM_ASCEND_ENABLE_MLAPO": "mlapo",
    "VLLM_ASCEND_ENABLE_FUSED_MC2": "fused_mc2",
}
for variable, feature in FEATURE_ENVS.items():
    print(feature, os.environ.get(variable))


@patch.dict(os.environ, {"HCCL_BUFFSIZE": "1024"})
def test_server(monkeypatch):
    monkeypatch.setenv("TASK_QUEUE_ENABLE", "2")
    env_dict = {"HCCL_OP_EXPANSION_MODE": "AIV"}
    env_dict.update({"ASCEND_RT_VISIBLE_DEVICES": "0,1"})
    with RemoteOpenAIServer("model", env_dict=env_dict):
        pass


class Launcher:
    def __init__(self):
        self.env = {**os.environ, "HCCL_CONNECT_TIMEOUT": "1200"}
        self.env["HCCL_EXEC_TIMEOUT"] = str(3600)
