"""Writes a text in which two related options are set, in the way of their surface."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from npu_lsp.catalog.model import Option, Scalar, Surface
from npu_lsp.catalog.surfaces import COMMANDS
from npu_lsp.docs.example import example
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

Set = tuple[Option, Scalar]

_HEADS = {
    Surface.SESSION: "op = config.graph_options.rewrite_options.custom_optimizers.add()\n",
    Surface.GLOBAL_OPTIONS: "import npu_device as npu\n",
    Surface.TORCH_NPU: "import torch_npu\n",
    Surface.AMCT_QUANTIZE: "import amct_pytorch as amct\n",
    Surface.TORCHAIR: "import torchair\nconfig = torchair.CompilerConfig()\n",
}
_KINDS = {
    **dict.fromkeys(COMMANDS, Kind.SHELL),
    Surface.ENV: Kind.SHELL,
    Surface.GE: Kind.GE_OPTIONS,
    Surface.AIPP: Kind.AIPP,
    Surface.OP_CACHE: Kind.OP_CACHE,
    Surface.OP_DEBUG: Kind.OP_DEBUG,
    Surface.SINGLE_OP: Kind.SINGLE_OP,
    Surface.ADDITIONAL_CONFIG: Kind.ADDITIONAL_CONFIG,
    Surface.MINDIE: Kind.MINDIE,
    Surface.MS_COORDINATOR: Kind.MINDIE,
    Surface.PYMOTOR: Kind.MINDIE,
    Surface.AMCT: Kind.AMCT,
    Surface.MINDSPEED: Kind.SHELL,
    Surface.MINDFORMERS: Kind.MINDFORMERS,
}
WITHOUT = frozenset(
    {
        *(Surface.MIXLIST, Surface.FUSION_SWITCH, Surface.COMPRESSION, Surface.RANK_TABLE, Surface.ACL_JSON),
        *(Surface.MINDIE_DEPLOY, Surface.MS_CONTROLLER, Surface.MS_COORDINATOR, Surface.NODE_MANAGER),
    }
)
"""Files whose texts aren't made from single options."""
_ENGINES = {
    Surface.VLLM: "vllm serve m",
    Surface.SGLANG: "python3 -m sglang.launch_server --model-path m",
}
_ENGINE_CALLS = {
    Surface.VLLM_ARGS: "from vllm import EngineArgs\nEngineArgs",
    Surface.SGLANG_ARGS: "import sglang\nsglang.Engine",
}
_SOMETHING: dict[str, Scalar] = {"int": 7, "float": 0.5, "bool": True}


def document(*settings: Set) -> Document:
    """Return a document that sets each option to its value; variables come first."""
    variables = [pair for pair in settings if pair[0].surface is Surface.ENV]
    others = [pair for pair in settings if pair[0].surface is not Surface.ENV]
    surface = (others or variables)[0][0].surface
    kind = _KINDS.get(surface, Kind.PYTHON)
    head = "".join(_variable(each, kind) for each in variables)
    return Document(f"{head}{_HEADS.get(surface, '')}{_body(surface, others)}\n", kind=kind)


def any_value(option: Option, unwanted: Sequence[Scalar] = ()) -> Scalar:
    """Return a value that `option` may have, none of `unwanted`, and none that it has anyway where there is a choice."""
    usual = [default.value for default in option.defaults]
    known = [allowed.value for allowed in option.values if allowed.value not in unwanted]
    plain = [value for value in known if value not in usual] or known
    if plain:
        return plain[0]
    chosen = option.examples[0] if option.examples else _SOMETHING.get(option.type, "./a")
    return _SOMETHING[option.type] if chosen in unwanted else chosen


def as_written(value: Scalar) -> Scalar:
    """Return a value of a relation as a text has it: an ending stands for any name that has it."""
    return value.replace("*", "a") if isinstance(value, str) else value


def _body(surface: Surface, settings: Sequence[Set]) -> str:
    if surface in _ENGINES:
        return " ".join([_ENGINES[surface], *map(_flag, settings)])
    if surface in _ENGINE_CALLS:
        made = _made(settings)
        return f"{_ENGINE_CALLS[surface]}({', '.join(f'{name}={value!r}' for name, value in made.items())})"
    if surface.row.beside:
        flags = [f"--{option.name}" if option.type == "none" else _line((option, value)) for option, value in settings]
        return " ".join(["torchrun pretrain_gpt.py", *flags])
    lines = [_line(each) for each in settings]
    if not lines:
        return ""
    if surface in COMMANDS:
        return " ".join([surface.row.commands[0], *lines])
    if surface is Surface.GE:
        return "{" + ", ".join(lines) + "}"
    if surface in (Surface.MINDSPORE, Surface.MINDSPORE_PARALLEL):
        made = _made(settings)
        return f"{surface.row.tool}({', '.join(f'{name}={value!r}' for name, value in made.items())})"
    if surface is Surface.MINDFORMERS:
        return "\n".join(_yaml(_made(settings)))
    if surface is Surface.AMCT_QUANTIZE:
        return f"amct.quantize(model, {_made(settings)!r})"
    if surface.row.grouped or surface is Surface.AMCT:
        return _grouped(settings)
    if surface.row.nested == "calls":
        return _calls(lines) if surface is Surface.RUN_CONFIG else _calls_apart(lines)
    if surface is Surface.AIPP:
        return "aipp_op {\n" + "\n".join(lines) + "\n}"
    if surface is Surface.SESSION:
        return "\n".join(f"op.{line}" for line in lines)
    return "\n".join(lines)


def _calls(lines: Sequence[str]) -> str:
    """Return one call of NPURunConfig; what belongs to an object of its own stands in a call for that."""
    arguments: dict[str, list[str]] = {}
    for line in lines:
        owner, _, argument = line.partition("(")
        arguments.setdefault(owner, []).append(argument.removesuffix(")"))
    own = arguments.pop("NPURunConfig", [])
    inner = [f"part_{number}={owner}({', '.join(each)})" for number, (owner, each) in enumerate(arguments.items())]
    return f"config = NPURunConfig({', '.join([*own, *inner])})"


def _calls_apart(lines: Sequence[str]) -> str:
    """Return a call of each function, with all that it takes."""
    arguments: dict[str, list[str]] = {}
    for line in lines:
        owner, _, argument = line.partition("(")
        arguments.setdefault(owner, []).append(argument.removesuffix(")"))
    return "\n".join(f"{owner}({', '.join(each)})" for owner, each in arguments.items())


def _grouped(settings: Sequence[Set]) -> str:
    """Return one JSON object in which each key stands in the groups that its name says."""
    made = _made(settings)
    if settings[0][0].surface is Surface.MINDIE:
        made.setdefault("BackendConfig", {}).setdefault("ModelDeployConfig", {})  # by which such a file is known
    if settings[0][0].surface is Surface.MS_COORDINATOR:
        made.setdefault("request_limit", {})  # as above
    return json.dumps(made)


def _yaml(made: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Yield the lines of a mapping in block style."""
    for name, value in made.items():
        inner = value if isinstance(value, dict) and value else None
        yield f"{indent}{name}:" if inner is not None else f"{indent}{name}: {json.dumps(value)}"
        yield from _yaml(inner or {}, f"{indent}  ")


def _made(settings: Sequence[Set]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for option, value in settings:
        *groups, last = option.name.split(".")
        inside = made
        for group in groups:
            inside = inside.setdefault(group, {})
        inside[last] = {} if option.type == "dict" else value
    return made


def _line(setting: Set) -> str:
    option, value = setting
    plain = option._replace(examples=(value,), deprecated=None, removed=None, status="documented")  # type: ignore[arg-type]
    line = example(plain)
    assert line is not None, setting
    return line


def _flag(setting: Set) -> str:
    """Return a flag of an engine; one that takes no word stands alone."""
    return f"--{setting[0].name}" if setting[0].nargs == "0" else _line(setting)


def _variable(setting: Set, kind: Kind) -> str:
    option, value = setting
    return f'os.environ["{option.name}"] = "{value}"\n' if kind is Kind.PYTHON else f"export {option.name}='{value}'\n"
