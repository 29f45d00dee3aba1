"""Calls in Python that set options, as the rows of `surfaces` name them."""

from __future__ import annotations

from typing import NamedTuple


class DictCall(NamedTuple):
    """A call in Python that takes a dict of options: `set_option({...})`, `LLM(additional_config={...})`."""

    name: str
    """The function or the class, without its module."""
    modules: tuple[str, ...]
    """Parts of a module's name that tell it from others of the same name: what stands before it, or where it comes from."""
    keyword: str
    """The argument that is the dict."""
    position: int | None = None
    """Where that argument stands without its keyword, from 0; `None`: it never does."""
    together: bool = False
    """True: all such calls of a text set the same options, as those of the process are."""

    @property
    def trigger(self) -> str:
        """A word that every text with such a call holds: a quick search for it spares parsing the others."""
        return self.keyword if self.position is None else self.name


class ArgumentCall(NamedTuple):
    """A call in Python whose arguments are options: `torch_npu.npu.set_compile_mode(jit_compile=...)`.

    An option's name starts with that of the function or class, `set_compile_mode.jit_compile`, or with another `key`.
    """

    name: str
    """The function or the class, without its module."""
    modules: tuple[str, ...]
    """The modules, in full, that have it; and what they are called where the text has no import."""
    parameters: tuple[str, ...] = ()
    """The options that may stand without their names, in order."""
    bare: bool = False
    """True: the options have their own names only."""
    key: str = ""
    """The argument of another call that takes such an object: `kv_transfer_config`."""
    keywords: bool = False
    """True: Python raises an error for an argument without its name."""
    silent: bool = False
    """True: an argument that it doesn't know stops nothing, as one in `**options`."""
    shown_with: tuple[str, ...] = ()
    """Arguments by which a snippet of a page tells the function where its import stands elsewhere on the page."""

    @property
    def prefix(self) -> str:
        """What the names of its options start with."""
        return "" if self.bare else f"{self.key or self.name}."


RUN_CONFIG = "NPURunConfig"
RUN_CONFIG_PARTS = (
    "DumpConfig",
    "ProfilingConfig",
    "MemoryConfig",
    "ExperimentalConfig",
    "DynamicInputConfig",
    "GraphMemoryOptimizeConfig",
)
"""The classes whose objects it takes; their arguments are options, too."""
NPU = ("torch.npu", "torch_npu.npu")
_PROFILER = "torch_npu.profiler"
_MS = "mindspore.device_context.ascend"
CUSTOMARY = ("ms", "ms.context", "context")
"""What everybody calls MindSpore, on pages that show no import."""
NPU_CALLS = (
    ArgumentCall("set_compile_mode", NPU, ("jit_compile",)),
    ArgumentCall("set_aoe", NPU, ("dump_path",)),
    ArgumentCall("set_dump", NPU, ("cfg_file",)),
    ArgumentCall("set_mm_bmm_format_nd", NPU, ("is_nd",)),
    ArgumentCall("set_device_limit", NPU, ("device", "cube_num", "vector_num")),
    ArgumentCall("set_stream_limit", NPU, ("stream", "cube_num", "vector_num")),
    ArgumentCall("set_per_process_memory_fraction", NPU, ("fraction", "device")),
    ArgumentCall("set_sync_debug_mode", NPU, ("debug_mode",)),
    ArgumentCall("set_op_timeout_ms", NPU, ("timeout",)),
    ArgumentCall("set_deterministic_level", NPU, ("level",)),
    ArgumentCall("use_compatible_impl", NPU, ("is_enable",)),
)
PROFILER_CALLS = (
    ArgumentCall(
        "_ExperimentalConfig",
        (_PROFILER, f"{_PROFILER}.experimental_config"),
        ("profiler_level", "aic_metrics", "l2_cache"),
    ),
    ArgumentCall("profile", (_PROFILER, f"{_PROFILER}.profiler")),
    ArgumentCall(
        "tensorboard_trace_handler",
        (_PROFILER, f"{_PROFILER}.profiler"),
        ("dir_name", "worker_name", "analyse_flag", "async_mode"),
    ),
    ArgumentCall(
        "schedule",
        (_PROFILER,),
        ("wait", "active", "warmup", "repeat", "skip_first", "skip_first_wait"),
    ),
)
MINDSPORE_CALLS = (
    ArgumentCall(
        "set_context",
        ("mindspore", "mindspore.context", *CUSTOMARY),
        bare=True,
        keywords=True,
        shown_with=("mode", "device_target", "save_graphs", "enable_compile_cache", "jit_config", "ascend_config"),
    ),
)
MINDSPORE_PARALLEL_CALLS = (
    ArgumentCall(
        "set_auto_parallel_context",
        ("mindspore", "mindspore.context", *CUSTOMARY),
        bare=True,
        keywords=True,
        shown_with=("parallel_mode", "device_num", "pipeline_stages", "full_batch", "dataset_strategy"),
    ),
)
MINDSPORE_DEVICE_CALLS = (
    ArgumentCall("set_device", ("mindspore", "ms"), ("device_target", "device_id")),
    ArgumentCall("set_ps_context", ("mindspore", "mindspore.context", *CUSTOMARY), keywords=True),
    ArgumentCall(
        "set_memory",
        ("mindspore.runtime", "ms.runtime"),
        ("init_size", "increase_size", "max_size", "optimize_level", "huge_page_reserve_size"),
    ),
    ArgumentCall("dispatch_threads_num", ("mindspore.runtime", "ms.runtime"), ("threads_num",)),
    ArgumentCall("set_kernel_launch_group", ("mindspore.runtime", "ms.runtime"), ("thread_num", "kernel_group_num")),
    ArgumentCall("jit", ("mindspore", "ms"), silent=True),
    ArgumentCall("auto_mixed_precision", ("mindspore.amp", "ms.amp", "mindspore.train.amp")),
    ArgumentCall("init", ("mindspore.communication", "mindspore.communication.management"), ("backend_name",)),
)
MINDSPORE_JIT_CALLS = (
    ArgumentCall(
        "JitConfig",
        ("mindspore", "mindspore.common", *CUSTOMARY),
        ("jit_level", "exc_mode", "jit_syntax_level", "debug_level", "infer_boost"),
    ),
)
MINDSPORE_ASCEND_CALLS = (
    ArgumentCall("precision_mode", (f"{_MS}.op_precision",), ("mode",)),
    ArgumentCall("op_precision_mode", (f"{_MS}.op_precision",), ("path",)),
    ArgumentCall("matmul_allow_hf32", (f"{_MS}.op_precision",), ("value",)),
    ArgumentCall("conv_allow_hf32", (f"{_MS}.op_precision",), ("value",)),
    ArgumentCall("op_compile", (f"{_MS}.op_tuning",), ("value",)),
    ArgumentCall("aoe_tune_mode", (f"{_MS}.op_tuning",), ("tune_mode",)),
    ArgumentCall("aoe_job_type", (f"{_MS}.op_tuning",), ("config",)),
    ArgumentCall("execute_timeout", (f"{_MS}.op_debug",), ("op_timeout",)),
    ArgumentCall("debug_option", (f"{_MS}.op_debug",), ("option_value",)),
)
_VLLM = ("vllm", "vllm.engine.arg_utils", "vllm.entrypoints.llm")
_VLLM_CONFIG = ("vllm.config", "vllm.config.kv_transfer", "vllm.config.kv_events", "vllm.config.parallel")
VLLM_CALLS = (
    ArgumentCall("LLM", _VLLM, ("model",), bare=True),
    ArgumentCall("EngineArgs", _VLLM, ("model",), bare=True),
    ArgumentCall("AsyncEngineArgs", _VLLM, ("model",), bare=True),
    ArgumentCall("KVTransferConfig", _VLLM_CONFIG, key="kv_transfer_config"),
    ArgumentCall("KVEventsConfig", _VLLM_CONFIG, key="kv_events_config"),
    ArgumentCall("EPLBConfig", _VLLM_CONFIG, key="eplb_config"),
)
_SGLANG = ("sglang", "sgl", "sglang.srt.server_args", "sglang.srt.entrypoints.engine")
SGLANG_CALLS = (
    ArgumentCall("Engine", _SGLANG, bare=True),
    ArgumentCall("ServerArgs", _SGLANG, ("model_path",), bare=True),
)
