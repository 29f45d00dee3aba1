"""Asks the argument parsers of vLLM, SGLang and MindSpeed-LLM: `python engine_child.py vllm FOLDER`, a folder with the package's source.

Prints one line of JSON: all arguments, and what the JSON of each may hold. Then it answers each line of standard input, a command's
words as JSON, with null, or with what the parser, and what checks its arguments behind it, say of them. Runs in an interpreter with pydantic, regex and msgspec; other packages may be missing.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import enum
import io
import json
import os
import sys
import types
import typing
import warnings
from argparse import Action, ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from engine_checks import (  # type: ignore[import-not-found]
    check_mindspeed,
    check_sglang,
    check_vllm,
    prepare_mindspeed,
    prepare_sglang,
    prepare_vllm,
)
from stubs import Stub, install  # type: ignore[import-not-found]

_VLLM = (
    *(
        "_C",
        "assets",
        "attention",
        "beam_search",
        "compilation",
        "connections",
        "core",
        "device_allocator",
        "distributed",
    ),
    *("engine.async_llm_engine", "engine.llm_engine", "entrypoints.chat_utils", "entrypoints.openai.models"),
    *("entrypoints.openai.reasoning_parsers", "entrypoints.openai.serving_models", "entrypoints.openai.tool_parsers"),
    *("env_override", "executor", "guided_decoding", "inputs", "ir", "kernels", "lora", "model_executor", "multimodal"),
    *("outputs", "parser", "profiler", "prompt_adapter", "ray", "reasoning", "renderers", "spec_decode", "third_party"),
    *("tokenizers", "tool_parsers", "tracing", "transformers_utils", "triton_utils", "usage", "v1", "worker"),
)
_VLLM_REAL = (
    *("attention.backends.registry", "v1.attention.backends.registry", "v1.attention.backends.mla.prefill.registry"),
    *("model_executor.layers.quantization", "model_executor.layers.quantization.utils.quant_utils"),
    *("transformers_utils.utils", "transformers_utils.repo_utils"),
)
_SGLANG = (
    "srt.layers",
    "srt.model_executor.forward_batch_info",
    "srt.models",
    "srt.configs",
    "srt.hardware_backend",
    "jit_kernel",
    "kernel_api_logging",
    "utils",
    "kernels",
)
_SGLANG_REAL = ("utils",)
_MAPPINGS = {"speculative_config": ("vllm.config", "SpeculativeConfig")}
"""Arguments that are mappings of which a class is made later."""
_DEEPEST = 3


def _fixed(text: object) -> object:
    """Return a value as JSON has it; `None` where it is no plain one."""
    if isinstance(text, enum.Enum):
        return _fixed(text.value if isinstance(text.value, (str, int)) else text.name)
    if isinstance(text, (list, tuple, set, frozenset)):
        return [_fixed(each) for each in (sorted(text, key=str) if isinstance(text, (set, frozenset)) else text)]
    if isinstance(text, dict):
        return {str(key): _fixed(value) for key, value in text.items()}
    return text if isinstance(text, (str, int, float, bool)) else None


def _arguments(parser: ArgumentParser, deprecated: set[Action]) -> list[dict[str, Any]]:
    groups = {id(action): group.title for group in parser._action_groups for action in group._group_actions}
    return [{"group": groups.get(id(each)), **_argument(each, each in deprecated)} for each in parser._actions]


def _argument(action: Action, deprecated: bool) -> dict[str, Any]:
    kind = action.type
    name = getattr(kind, "__name__", "") if kind is not None else ""
    nested = [cell.cell_contents for cell in getattr(kind, "__closure__", None) or ()]
    if name in ("_optional_type", "_parse_type"):
        name = next((getattr(each, "__name__", str(each)) for each in nested if callable(each)), name)
    return {
        "flags": list(action.option_strings),
        "dest": action.dest,
        "type": name,
        "nargs": action.nargs,
        "action": type(action).__name__,
        "choices": _fixed(list(action.choices)) if action.choices is not None else None,
        "default": _fixed(action.default),
        "const": _fixed(action.const),
        "required": action.required,
        "deprecated": deprecated,
    }


def _hint(hint: Any, depth: int) -> dict[str, Any]:
    """Return what a type says: names of plain types, the values of literals, the fields of a class."""
    found: dict[str, Any] = {"types": [], "values": []}
    todo = [hint]
    while todo:
        each = todo.pop()
        origin = typing.get_origin(each)
        if origin in (typing.Union, types.UnionType) or isinstance(each, types.UnionType):
            todo += typing.get_args(each)
        elif origin is typing.Annotated:
            inner, *told = typing.get_args(each)
            todo.append(inner)
            # SGLang works it out by itself.
            found["derived"] = any(getattr(of, "no_cli", False) and getattr(of, "resolvable", False) for of in told)
        elif origin is typing.Literal:
            found["values"] += [_fixed(value) for value in typing.get_args(each)]
        elif dataclasses.is_dataclass(each):
            found["types"].append("dataclass")
            if depth < _DEEPEST:
                found.setdefault("fields", {}).update(fields_of(each, depth + 1))
        elif isinstance(each, type) and issubclass(each, enum.Enum):
            # Their names stand for them, and texts and numbers that they are, but for paths of classes.
            plain = (member.value for member in each if isinstance(member.value, (int, str)))
            found["values"] += [member.name for member in each]
            found["values"] += [value for value in plain if "." not in str(value) and value not in found["values"]]
            found["types"].append("enum")
        elif isinstance(each, (Stub, str, typing.ForwardRef)):
            found["types"].append("unknown")
        else:
            found["types"].append(getattr(origin or each, "__name__", str(each)))
    return found


def _hints(owner: Any) -> dict[str, Any]:
    """Return the types of a class's fields, one by one: a stub in one of them doesn't hide the others."""
    found: dict[str, Any] = {}
    for base in reversed(owner.__mro__):
        module = vars(sys.modules.get(base.__module__, sys.modules[__name__]))
        for name, hint in vars(base).get("__annotations__", {}).items():
            try:
                found[name] = eval(hint, dict(module)) if isinstance(hint, str) else hint  # noqa: S307
            except Exception:
                found[name] = "unknown"
    return found


def _value(field: Any) -> Any:
    """Return what a field holds unless it is set; `None`: nothing, or what can't be made here."""
    value = field.default
    if value is dataclasses.MISSING and field.default_factory is not dataclasses.MISSING:
        with contextlib.suppress(Exception):
            return field.default_factory()
        return None
    if type(value).__name__ == "FieldInfo":
        value = value.default if value.default_factory is None else None
    return None if type(value).__name__ == "PydanticUndefinedType" else value


def fields_of(owner: Any, depth: int = 0) -> dict[str, Any]:
    """Return the fields of a class that a caller may set, with their types, values and defaults."""
    hints, found = _hints(owner), {}
    for field in _fields(owner):
        value, told = _value(field), _hint(hints.get(field.name, "unknown"), depth)
        if dataclasses.is_dataclass(value):
            # What is made there may differ from what its class has.
            for name, inner in told.get("fields", {}).items():
                inner["default"] = _fixed(getattr(value, name, None))
        found[field.name] = {"default": _fixed(value), "path": _path(owner.__module__), **told}
    return found


def _path(module: str) -> str:
    """Return the file of a module below the folder of the package's source."""
    return os.path.relpath(sys.modules[module].__file__ or "", sys.argv[2])


def _fields(owner: Any) -> list[Any]:
    """Return the fields of a dataclass or of a msgspec structure, as SGLang's arguments are since 0.5.20."""
    if not hasattr(owner, "__struct_fields__"):
        return [field for field in dataclasses.fields(owner) if field.init]
    names, defaults = owner.__struct_fields__, owner.__struct_defaults__
    lacking = (None,) * (len(names) - len(defaults))
    return [
        types.SimpleNamespace(name=name, default=default, default_factory=dataclasses.MISSING)
        if (made := getattr(default, "factory", None)) is None
        else types.SimpleNamespace(name=name, default=dataclasses.MISSING, default_factory=made)
        for name, default in zip(names, (*lacking, *defaults), strict=True)
    ]


def _parameters(path: str, owner: str) -> list[str]:
    """Return the parameters of a class's constructor, as its source has them."""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == owner:
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                    return [argument.arg for argument in (*each.args.args, *each.args.kwonlyargs)][1:]
    return []


Asked = tuple[dict[str, Any], Callable[[list[str]], object]]


def _vllm(root: str) -> Asked:
    install(
        "vllm",
        root,
        tuple(f"vllm.{each}" for each in _VLLM),
        frozenset(f"vllm.{each}" for each in _VLLM_REAL),
    )
    os.environ["VLLM_LOGGING_LEVEL"] = "CRITICAL"
    import vllm.platforms as platforms  # type: ignore[import-not-found]
    from vllm.platforms.interface import Platform, PlatformEnum  # type: ignore[import-not-found]

    class Npu(Platform):  # type: ignore[misc]
        _enum = getattr(PlatformEnum, "OOT", PlatformEnum.UNSPECIFIED)
        device_name = device_type = "npu"
        dispatch_key, ray_device_key = "PrivateUse1", "NPU"
        supported_quantization: list[str] = []

        @classmethod
        def support_hybrid_kv_cache(cls) -> bool:
            """Do as the platform of vLLM-Ascend does."""
            return True

    platforms._current_platform = platforms.__dict__["current_platform"] = Npu()
    from vllm.engine.arg_utils import AsyncEngineArgs, EngineArgs  # type: ignore[import-not-found]

    try:
        from vllm.utils.argparse_utils import FlexibleArgumentParser  # type: ignore[import-not-found]
    except ImportError:
        from vllm.utils import FlexibleArgumentParser  # type: ignore[import-not-found]
    make = check = None
    for place in ("openai.cli_args", "launchers.cli_args", "common.cli_args"):
        with contextlib.suppress(ModuleNotFoundError):
            module = importlib_of(f"vllm.entrypoints.{place}")
            make, check = module.make_arg_parser, module.validate_parsed_serve_args
            break
    if make is None:
        raise SystemExit("no parser of vllm serve is known there")
    parser = FlexibleArgumentParser(prog="vllm")
    serve = parser.add_subparsers(dest="subparser").add_parser("serve")
    if not any(action.dest == "model_tag" for action in make(serve)._actions):
        serve.add_argument("model_tag", nargs="?")
        if not any("--config" in action.option_strings for action in serve._actions):
            serve.add_argument("--config", default="")
    deprecated = set(getattr(serve, "_deprecated", ()))
    calls = {
        "LLM": _parameters(_existing(root, "vllm/entrypoints/llm.py", "vllm/entrypoints/offline/llm.py"), "LLM"),
        "EngineArgs": list(fields_of(EngineArgs)),
        "AsyncEngineArgs": list(fields_of(AsyncEngineArgs)),
    }
    fields = fields_of(AsyncEngineArgs)
    for name, (module, owner) in _MAPPINGS.items():
        with contextlib.suppress(ImportError, AttributeError, TypeError):
            fields.get(name, {})["fields"] = fields_of(getattr(importlib_of(module), owner))
    facts = {
        "arguments": _arguments(serve, deprecated),
        "fields": fields,
        "calls": calls,
    }
    prepare_vllm(root)
    return facts, lambda words: check_vllm(parser.parse_args(["serve", *words]), check)


def importlib_of(name: str) -> Any:
    """Return a module by its name."""
    import importlib

    return importlib.import_module(name)


def _existing(root: str, *paths: str) -> str:
    found = next((Path(root, path) for path in paths if Path(root, path).exists()), None)
    if found is None:
        for file in Path(root).rglob("llm.py"):
            if "class LLM" in file.read_text(encoding="utf-8"):
                return str(file)
        raise SystemExit(f"none of {', '.join(paths)} is there")
    return str(found)


def _sglang(root: str) -> Asked:
    install(
        "sglang",
        root,
        tuple(f"sglang.{each}" for each in _SGLANG),
        frozenset(f"sglang.{each}" for each in _SGLANG_REAL),
    )
    import torch  # type: ignore[import-not-found]

    torch.npu.is_available = lambda: True
    from sglang.srt.server_args import ServerArgs  # type: ignore[import-not-found]

    parser = ArgumentParser(prog="sglang.launch_server")
    ServerArgs.add_cli_args(parser)
    fields = fields_of(ServerArgs)
    # Since 0.5.20 most are put together of structures in modules of their own.
    for name, module in list(sys.modules.items()):
        if name.startswith("sglang.srt.arg_groups.fields."):
            for owner in vars(module).values():
                for field in getattr(owner, "__struct_fields__", ()) if isinstance(owner, type) else ():
                    fields.get(field, {})["path"] = _path(owner.__module__)
    # Some fields of a phase are the other's alone.
    phases = vars(sys.modules.get("sglang.srt.model_executor.cuda_graph_config", sys)).get("ALLOWED_KEYS_PER_PHASE", {})
    for phase, keys in phases.items():
        of = fields["cuda_graph_config"]["fields"][phase]
        of["fields"] = {key: of["fields"][key] for key in keys}
    facts: dict[str, Any] = {
        "arguments": _arguments(parser, set()),
        "fields": fields,
        "calls": {"ServerArgs": list(fields)},
    }
    prepare_sglang()
    return facts, lambda words: check_sglang(parser.parse_args(words))


def _mindspeed(root: str) -> Asked:
    """Return the parser of MindSpeed-LLM, whose folder has those of MindSpeed and Megatron-LM beside it."""
    parts = ("core", "training", "legacy")
    real = (
        "training.arguments",
        "core.transformer.enums",
        "core.transformer.transformer_config",
        "core.model_parallel_config",
    )
    install(
        "megatron",
        str(Path(root, "megatron")),
        (*(f"megatron.{each}" for each in parts), "torch_npu"),
        frozenset(f"megatron.{each}" for each in real),
    )
    for each in ("mindspeed", "mindspeed_llm"):
        install(each, str(Path(root, each)), (), frozenset())
    prepare_mindspeed()
    megatron = importlib_of("megatron.training.arguments")
    importlib_of("mindspeed_llm.features_manager")
    provide = importlib_of("mindspeed_llm.training.arguments").extra_args_provider_decorator(None)
    parser = provide(megatron.add_megatron_arguments(ArgumentParser(prog="pretrain_gpt.py", allow_abbrev=False)))
    facts: dict[str, Any] = {"arguments": _arguments(parser, set())}
    return facts, lambda words: check_mindspeed(parser.parse_args(words))


def _answers(ask: Callable[[list[str]], object]) -> Iterator[str | None]:
    for line in sys.stdin:
        said = io.StringIO()
        told: str | None = None
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            try:
                ask(json.loads(line))
            except SystemExit as end:
                told = (said.getvalue().strip().splitlines() or ["stopped"])[-1] if end.code else None
            except Exception as error:
                told = f"{type(error).__name__}: {error}"
        yield told


def main() -> None:
    """Print the facts, then answer what is asked."""
    warnings.simplefilter("ignore")
    package, root = sys.argv[1:3]
    with contextlib.redirect_stdout(sys.stderr):
        facts, ask = {"vllm": _vllm, "sglang": _sglang, "mindspeed": _mindspeed}[package](root)
    sys.stdout.write(json.dumps(facts) + "\n")
    for told in _answers(ask):
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
