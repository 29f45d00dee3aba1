"""Words that are looked for in each text that is read: all in one pass, which takes a fifth of the time of one after the other.

A test finds those that are missing, and those that nobody asks for any more.
"""

from __future__ import annotations

from npu_lsp.catalog.calls import RUN_CONFIG, RUN_CONFIG_PARTS
from npu_lsp.catalog.surfaces import ARGUMENTS, CALLS
from npu_lsp.text.word_search import Words

COMMON = Words(
    dict.fromkeys(
        (
            "npu-lsp:",
            *("parameter_map", "custom_optimizers", "remapping", "memory_optimization", "session_config"),
            *("init_resource", "npu_config_proto", "set_keras_session_npu_config", "global_options", RUN_CONFIG),
            *(*RUN_CONFIG_PARTS, "set_iteration_per_loop", "load_iteration_per_loop_var"),
            *("npu", "Npu", "NPU", "torch", "torch_npu", "torchair", "mindspore", "device_context"),
            *("vllm", "sglang", "additional-config", "additional_config", "CANNExecutionProvider"),
            *(
                "env",
                "env_vars",
                "environ",
                "putenv",
                "environ as",
                "putenv as",
                "os as",
                "os import",
                "os.exec",
                "os.spawn",
            ),
            *("subprocess", "os.system", "popen", "Popen", "check_call", "check_output", "getoutput"),
            *("getstatusoutput", "get_ipython", "export "),
            *("import", "print ", "except", "exec ", "raise "),
            *(call.trigger for _, call in CALLS),
            *(f"{call.name}(" for _, call in ARGUMENTS),
        )
    )
)
