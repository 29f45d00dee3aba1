"""Whoever names a version means it: what that version no longer has is told loudly, of every option, in every language that holds it.

What nobody's version decides is information, in the same languages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Scalar, Surface
from npu_lsp.catalog.target import Target, Version
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.context import is_assumed
from npu_lsp.linter.findings import Severity
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.lsp.every_surface import HOLDERS

Written = tuple[str, Option, Scalar]
Form = Callable[[list[Written]], str]


def _lines(pattern: str, before: str = "", behind: str = "") -> Form:
    """A line for each option."""

    def form(written: list[Written]) -> str:
        lines = (
            pattern.format(name=n, word=_word(v), python=v if not isinstance(v, str) else repr(v))
            for n, _, v in written
        )
        return before + "".join(lines) + behind

    return form


def _object(before: str, behind: str, dumped: Callable[[dict[str, object]], str]) -> Form:
    """All options as the keys of one object."""

    def form(written: list[Written]) -> str:
        return before + dumped({name: value for name, _, value in written}) + behind

    return form


def _slots(written: list[Written]) -> str:
    lines = ((n, o.slot.value if o.slot else "s", v.encode() if isinstance(v, str) else v) for n, o, v in written)
    return "".join(f'op.parameter_map["{name}"].{slot} = {value!r}\n' for name, slot, value in lines)


def _word(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


FORMS: tuple[tuple[Surface, Kind, Form], ...] = (
    (Surface.ENV, Kind.SHELL, _lines("export {name}={word}\n", "export HCCL_BUFFSIZE=200\n")),
    (Surface.ENV, Kind.PYTHON, _lines('os.environ["{name}"] = "{word}"\n', "import os\nimport torch_npu\n")),
    (Surface.ENV, Kind.DOCKERFILE, _lines("ENV {name}={word}\n", "FROM quay.io/ascend/x\n")),
    (Surface.ENV, Kind.YAML, _lines("  {name}: '{word}'\n", "env:\n  HCCL_BUFFSIZE: '200'\n")),
    (Surface.ENV, Kind.DOTENV, _lines("{name}={word}\n", "HCCL_BUFFSIZE=200\n")),
    (Surface.ENV, Kind.MAKEFILE, _lines("export {name} := {word}\n", "export HCCL_BUFFSIZE := 200\n")),
    (Surface.ADDITIONAL_CONFIG, Kind.SHELL, _object("vllm serve m --additional-config '", "'\n", json.dumps)),
    (Surface.ADDITIONAL_CONFIG, Kind.PYTHON, _object('from vllm import LLM\nLLM("m", additional_config=', ")\n", repr)),
    (Surface.ADDITIONAL_CONFIG, Kind.YAML, _object("args:\n  - --additional-config\n  - '", "'\n", json.dumps)),
    (Surface.VLLM, Kind.SHELL, _lines(" --{name} {word}", "vllm serve m --additional-config '{{}}'", "\n")),
    (Surface.VLLM_ARGS, Kind.PYTHON, _lines(", {name}={python}", 'import torch_npu\nfrom vllm import LLM\nLLM("m"', ")\n")),
    (Surface.SGLANG, Kind.SHELL, _lines(" --{name} {word}", "python3 -m sglang.launch_server --device npu --model-path m", "\n")),
    (Surface.SGLANG_ARGS, Kind.PYTHON, _lines(", {name}={python}", 'import torch_npu\nimport sglang as sgl\nsgl.Engine(model_path="m"', ")\n")),
    (Surface.MINDSPEED, Kind.SHELL, _lines(" --{name} {word}", "export HCCL_BUFFSIZE=200\ntorchrun pretrain_gpt.py --attention-mask-type causal", "\n")),
    (Surface.MINDSPORE, Kind.PYTHON, _lines(", {name}={python}", "import mindspore\nmindspore.set_context(device_id=0", ")\n")),
    (Surface.MINDSPORE_PARALLEL, Kind.PYTHON, _lines("{name}={python}", "import mindspore\nmindspore.set_auto_parallel_context(", ")\n")),
    (Surface.ATC, Kind.SHELL, _lines(" --{name}={word}", "atc --model=a.onnx --framework=5 --output=b", "\n")),
    (Surface.RUN_CONFIG, Kind.PYTHON, _lines("{name}={python}, ", "from npu_bridge.npu_init import *\nconfig = NPURunConfig(", ")\n")),
    (Surface.SESSION, Kind.PYTHON, _slots),
    (Surface.TORCH_NPU, Kind.PYTHON, _object("import torch_npu\ntorch.npu.set_option(", ")\n", repr)),
)  # fmt: skip
"""How options are written beside each other, by surface and language."""


def _value(option: Option) -> Scalar:
    """Return a value that isn't the default, here or of what takes its place, so that the line means something."""
    heir = load().option(option.surface, option.removed.replacement or "") if option.removed is not None else None
    default = (heir or option).default
    listed = [value for value in option.values if value.value != default]
    if option.type == "bool":
        return default is not True
    if listed and isinstance(listed[0].value, (str, int)):
        return listed[0].value
    if option.type in ("int", "float"):
        return int(option.minimum or 0) + (2 if default == 1 else 1)
    return str(option.examples[0]) if option.examples else "abc"


@cache
def _gone(surface: Surface) -> list[Written]:
    """The options of a surface that the newest release lacks; of groups whose keys moved the keys are told, in texts of their own."""
    found = ((name, load().option(surface, name)) for name in sorted(load().names(surface)) if "." not in name)
    gone = [(n, o, _value(o)) for n, o in found if o is not None and o.removed is not None]
    return [
        each
        for each in gone
        if each[1].type != "dict" or each[1].removed is None or each[1].removed.replacement is None
    ]


@cache
def _refused(surface: Surface) -> list[Written]:
    """The options of a surface with a value that the newest release no longer takes."""
    found = ((name, load().option(surface, name)) for name in sorted(load().names(surface)) if "." not in name)
    return [
        (name, option, change.dropped[0])
        for name, option in found
        if option is not None and option.removed is None and not option.open
        for change in option.changes[-1:]
        if change.dropped
    ]


def _newest() -> dict[str, str]:
    lines = load().plain("versions")
    return {component: max(releases, key=Version.parse) for component, releases in lines.items()}


def everywhere(written: Callable[[Surface], list[Written]] = _gone) -> Iterator[tuple[Surface, Kind, str]]:
    for surface, kind, form in FORMS:
        if not written(surface):
            continue
        text = form(written(surface))
        yield surface, kind, text
        for (inner, around), wrap in HOLDERS.items():
            if inner is kind:
                yield surface, around, wrap(text)


@cache
def _analyzer(*, named: bool) -> Analyzer:
    return Analyzer(
        Config(select=("NPU302", "NPU104", "NPU401"), target=TargetConfig(_newest() if named else {})), all_rules
    )


def _told(text: str, kind: Kind, *, named: bool) -> dict[str | None, Severity]:
    """Return how bad it is at worst, by option."""
    found = sorted(_analyzer(named=named).findings(Document(text, kind=kind)), key=lambda each: -each.severity.rank)
    return {each.option: each.severity for each in found}


def _cases(written: Callable[[Surface], list[Written]]) -> pytest.MarkDecorator:
    cases = [pytest.param(*each, id=f"{each[0].value}-{i}") for i, each in enumerate(everywhere(written))]
    return pytest.mark.parametrize(("surface", "kind", "text"), cases)


@_cases(_gone)
def test_what_a_named_version_lacks_is_loud(surface: Surface, kind: Kind, text: str) -> None:
    told = _told(text, kind, named=True)
    loud = (Severity.ERROR, Severity.WARNING)
    assert [name for name, option, _ in _gone(surface) if told.get(option.name) not in loud] == []


@_cases(_refused)
def test_a_value_that_a_named_version_refuses_is_loud(surface: Surface, kind: Kind, text: str) -> None:
    told = _told(text, kind, named=True)
    loud = (Severity.ERROR, Severity.WARNING)
    assert [name for name, option, _ in _refused(surface) if told.get(option.name) not in loud] == []


@_cases(_refused)
def test_a_value_that_newer_versions_refuse_is_information(surface: Surface, kind: Kind, text: str) -> None:
    told = _told(text, kind, named=False)
    versions = load().plain("versions")
    expected = {
        option.name: is_assumed(option.changes[-1].version, option.component, Target(), versions)
        for _, option, _ in _refused(surface)
    }
    assert {name: told[name] is Severity.INFO for name in expected} == expected
