import json

from vllm import LLM

llm = LLM(
    model="/models/qwen",
    additional_config={
        "torchair_graph_config": {"enabled": True, "graph_batch_sizes": [8]},
        "finegrained_tp_config": {"oproj_tensor_parallel_sizes": 8},
        "enable_cpu_binding": "False",
    },
)
server_args = ["--port", "8000", "--additional-config", json.dumps({"enable_graph_mode": True})]
