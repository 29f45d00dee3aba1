"""What vLLM, SGLang and MindSpeed-LLM check behind their parsers: all of it, with a model that lets everything through in the place of a real one.

Runs in the interpreter of `engine_child.py`, where the package and stubs for what it lacks are importable.
"""

from __future__ import annotations

import ast
import dataclasses
import sys
from argparse import Namespace
from collections.abc import Callable
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

_LENGTH = 40960
_PLAIN = {
    "is_moe": True,
    "architecture": "Qwen3MoeForCausalLM",
    "architectures": ["Qwen3MoeForCausalLM"],
    **dict.fromkeys(("is_chunked_prefill_supported", "is_prefix_caching_supported"), True),
    **dict.fromkeys(("is_encoder_decoder", "is_attention_free", "is_hybrid", "is_multimodal_model"), False),
    **dict.fromkeys(("uses_mrope", "use_mla", "has_inner_state", "is_multimodal_raw_input_only_model"), False),
    **dict.fromkeys(("runner_type", "task"), "generate"),
}
"""What a plain model says of itself, so that nothing is refused for its sake."""
_UNAVAILABLE = (
    *("is_cuda", "is_hip", "is_xpu", "is_hpu", "is_cpu", "is_mps", "is_musa", "is_flashinfer_available"),
    *("is_sm90_supported", "is_sm100_supported", "is_sm120_supported", "is_blackwell_supported"),
)
"""What SGLang asks of the machine, which isn't so on an NPU."""
_MODELS = (
    (["Qwen3ForCausalLM"], "qwen3"),
    (["Qwen2VLForConditionalGeneration"], "qwen2_vl"),
    (["DeepseekV32ForCausalLM"], "deepseek_v32"),
    (["LLaDA2MoeModelLM"], "llada2_moe"),
)
"""What a command may be for: what one of them takes isn't refused for its own sake."""
_FILES = SimpleNamespace(architectures=[], model_type="", num_hidden_layers=32, num_attention_heads=32)
"""What the files of the model tell."""
_REGISTERED = {
    "reasoning_parser": ("reasoning", "_REASONING_PARSERS_TO_REGISTER"),
    "tool_call_parser": ("tool_parsers", "_TOOL_PARSERS_TO_REGISTER"),
    "load_format": ("model_executor/model_loader", "_LOAD_FORMAT_TO_MODEL_LOADER"),
}
"""What names something that vLLM looks up before it serves: the package, and the dict there."""
_ASCEND = frozenset({"netloader", "rfork"})
"""What vLLM-Ascend registers beside them."""
_names: dict[str, set[str]] = {}


def check_vllm(arguments: Namespace, own_check: Callable[[Namespace], None]) -> None:
    """Make the configuration of an engine, as `vllm serve` does before it loads a model."""
    from vllm.engine.arg_utils import AsyncEngineArgs  # type: ignore[import-not-found]

    own_check(arguments)
    for argument, known in _names.items():
        said = getattr(arguments, argument, None)
        if said and str(said).lower() not in known | _ASCEND and said not in known:
            raise ValueError(f"{argument} {said} is not registered")
    engine = AsyncEngineArgs.from_cli_args(arguments)
    guesses = engine.speculative_config or {}
    if guesses.get("method") != "ngram":
        # Any other method reads the configuration of a draft model.
        engine.create_speculative_config = lambda *_, **__: None
    engine.create_model_config = lambda: _model(engine)
    engine.create_engine_config(headless=bool(getattr(arguments, "headless", False)))


def _model(engine: Any) -> object:
    import vllm.config as config  # type: ignore[import-not-found]
    from stubs import Stub  # type: ignore[import-not-found]

    said = {each.name: getattr(engine, each.name, None) for each in dataclasses.fields(config.ModelConfig)}
    defaults = {each.name: each.default for each in dataclasses.fields(config.ModelConfig)}
    length = engine.max_model_len or _LENGTH
    own = {
        **{name: defaults[name] if value is None else value for name, value in said.items()},
        **_PLAIN,
        "max_model_len": length,
        "original_max_model_len": length,
        "dtype": "bfloat16",
        "tokenizer": "m",
        "multimodal_config": None,
        "pooler_config": None,
        "enforce_eager": bool(engine.enforce_eager),
    }

    class Model(config.ModelConfig):  # type: ignore[misc]
        """A model of which nothing is known."""

        def __init__(self) -> None:
            """Read no configuration."""

        def __getattribute__(self, name: str) -> Any:
            if name in own:
                return own[name]
            if name.startswith("__"):
                return object.__getattribute__(self, name)
            nothing = name.startswith(("verify_", "_verify_", "get_sliding_window"))
            return (lambda *_, **__: None) if nothing else Stub(name)

        def __setattr__(self, name: str, value: object) -> None:
            own[name] = value

    return Model()


class _Executor:
    """What runs the workers, of which each kind but Ray's takes in the next step early."""

    @staticmethod
    def get_class(config: Any) -> SimpleNamespace:
        """Return the one that a configuration asks for."""
        early = config.parallel_config.distributed_executor_backend != "ray"
        return SimpleNamespace(supports_async_scheduling=lambda: early)


def prepare_vllm(root: str) -> None:
    """Keep vLLM from looking for the model on the network, and let it find what runs on NPUs, too."""
    import vllm.engine.arg_utils as arg_utils  # type: ignore[import-not-found]
    import vllm.triton_utils as triton_utils  # type: ignore[import-not-found]
    import vllm.v1.executor.abstract as executors  # type: ignore[import-not-found]

    for argument, (package, table) in _REGISTERED.items():
        found = Path(root, "vllm", package, "__init__.py")
        if found.exists() and (keys := _keys(found.read_text(encoding="utf-8"), table)):
            _names[argument] = keys
    executors.Executor = _Executor
    triton_utils.HAS_TRITON = True
    for name in ("vllm.config.vllm", "vllm.config"):
        if "HAS_TRITON" in vars(sys.modules.get(name, sys)):
            vars(sys.modules[name])["HAS_TRITON"] = True

    def as_said(model: str, tokenizer: str, **others: Any) -> tuple[object, ...]:
        return model, tokenizer, others.get("vllm_speculative_config")

    arg_utils.maybe_override_with_speculators = as_said
    # As if it were installed.
    import vllm.tracing as tracing  # type: ignore[import-not-found]

    tracing.is_otel_available = tracing.is_tracing_available = lambda: True


def _keys(source: str, table: str) -> set[str]:
    """Return the keys of a dict that a module makes."""
    for node in ast.walk(ast.parse(source)):
        made = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(made, ast.Name) and made.id == table and isinstance(value, ast.Dict):
            return {str(each.value) for each in value.keys if isinstance(each, ast.Constant)}
    return set()


def check_sglang(arguments: Namespace) -> None:
    """Make the arguments of a server, and check them, as `sglang.launch_server` does: with a plain model, and with such as have more."""
    from sglang.srt.server_args import ServerArgs  # type: ignore[import-not-found]

    refused: Exception | None = None
    for _FILES.architectures, _FILES.model_type in _MODELS:
        try:
            server = ServerArgs.from_cli_args(deepcopy(arguments))
            # Since 0.5.20 nothing is worked out before that.
            getattr(server, "resolve_once", bool)()
            server.check_server_args()
        except Exception as error:
            refused = refused or error
        else:
            return
    if refused is not None:
        raise refused


def prepare_sglang() -> None:
    """Let SGLang take the machine for one with NPUs, and the model for a plain one."""
    from stubs import Stub

    module = sys.modules["sglang.srt.server_args"]

    def model(_: object) -> object:
        found = Stub("model")
        found.__dict__.update(hf_config=_FILES, hf_text_config=_FILES, quantization=None, context_len=_LENGTH)
        # What makes a model one that answers in a single pass.
        found.__dict__.update(joint_head_config=None, pointer_head=None)
        return found

    said: dict[str, Callable[..., object]] = {name: lambda *_, **__: False for name in _UNAVAILABLE}
    said.update(
        model_config_of=model,
        is_npu=lambda: True,
        get_device=lambda *_: "npu",
        get_device_memory_capacity=lambda *_: 65536,
    )
    # Since 0.5.19 modules below `arg_groups` ask as well.
    for name, each in list(sys.modules.items()):
        if name.startswith("sglang.srt.") and isinstance(each, ModuleType):
            vars(each).update({asked: answer for asked, answer in said.items() if asked in vars(each)})
    vars(module)["ServerArgs"].get_model_config = model


_PROCESSES = 8


def prepare_mindspeed() -> None:
    """Put the classes of a model's configuration where Megatron looks for them, and what MindSpeed-LLM puts around their checks."""
    import megatron.core.transformer as transformer  # type: ignore[import-not-found]
    from megatron.core.transformer.transformer_config import (  # type: ignore[import-not-found]
        MLATransformerConfig,
        TransformerConfig,
    )

    transformer.TransformerConfig, transformer.MLATransformerConfig = TransformerConfig, MLATransformerConfig
    for module in ("transformer_config", "moe.router"):
        around = vars(import_module(f"mindspeed_llm.core.transformer.{module}")).get(
            "transformer_config_post_init_wrapper"
        )
        if around is not None:
            TransformerConfig.__post_init__ = around(TransformerConfig.__post_init__)


def check_mindspeed(arguments: Namespace) -> None:
    """Check arguments as a training does before it reads its data, on so many NPUs of one node."""
    import megatron.training.arguments as megatron  # type: ignore[import-not-found]
    import mindspeed_llm.training.arguments as mindspeed  # type: ignore[import-not-found]

    def checkpoints(args: Namespace) -> None:
        args.use_dist_ckpt = args.ckpt_format != "torch"

    megatron.is_torch_min_version = lambda *_, **__: True
    # What MindSpeed puts in the place of Megatron's.
    megatron.get_device_arch_version = lambda: 8
    megatron.update_use_dist_ckpt = checkpoints
    arguments.rank, arguments.world_size = 0, _PROCESSES
    vars(sys.modules["mindspeed_llm.core.transformer.transformer_config"])["get_args"] = lambda: arguments
    mindspeed.validate_args_v2_decorator(megatron.validate_args)(arguments)
    mindspeed.core_transformer_config_from_args_wrapper(megatron.core_transformer_config_from_args)(arguments)
