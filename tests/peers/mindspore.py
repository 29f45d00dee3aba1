"""Puts calls to MindSpore and to npu-lsp, and prints where their verdicts differ: contexts, and how graphs are compiled.

`python -m tests.peers.mindspore PYTHON`: an interpreter that has MindSpore, such as that of an environment made for it; npu-lsp is
told its version. The calls are made from the catalog: each option with each listed value, and with values of other types; each
key at its place and at others. The exit code is 1 where npu-lsp reports an error at what MindSpore takes, or says nothing of what
it refuses. CI doesn't run this.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.severity import Severity
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_CHILD = Path(__file__).with_name("mindspore_child.py")
_OTHERS: tuple[Any, ...] = (True, False, 0, 1, 2, 7, -1, 5000, 1.5, "True", "wrong", "", [1])
_NEEDS_MORE = frozenset({"path", "dict"})
"""Types whose values depend on files, or on keys of their own."""
_TOLD = frozenset({"unknown-option", "missing-value", "newer-option"})
"""Rules that report what is refused, if only as a warning."""
_ANSWERS_TWICE = frozenset(
    {
        *("device_target", "mempool_block_size", "max_device_memory", "variable_memory_max_size"),
        *("dataset_strategy", "grad_accumulation_step", "all_reduce_fusion_config"),
    }
)
"""Options whose verdict depends on the machine, or on a form that the catalog doesn't have."""
_CALLED = {
    Surface.MINDSPORE: ("set_context", ("ascend_config", "jit_config")),
    Surface.MINDSPORE_PARALLEL: (
        "set_auto_parallel_context",
        ("parallel_optimizer_config", "strategy_ckpt_config", "comm_fusion"),
    ),
    Surface.MINDSPORE_JIT: ("JitConfig", ()),
}
"""The function, and the dicts in its arguments that get keys of others."""
_COMPANIONS: dict[str, tuple[str, Any]] = {
    "pipeline_config.pipeline_interleave": ("pipeline_scheduler", "1f1b"),
    "pipeline_config.pipeline_scheduler": ("pipeline_interleave", True),
    **{f"comm_fusion.{name}.mode": ("config", 1) for name in ("allgather", "reducescatter")},
}
"""Keys that are refused alone, with another one and its value."""
_LISTED = frozenset({"comm_fusion.allreduce.mode"})
"""Keys whose companion's form depends on their value."""


class Call(NamedTuple):
    """A call of one function."""

    name: str
    arguments: dict[str, Any]


def calls() -> Iterator[Call]:
    """Yield what both are asked about."""
    for surface, (function, groups) in _CALLED.items():
        for option in sorted(load().options(surface), key=lambda each: each.name):
            name = option.name.removeprefix(f"{function}.")
            if option.type in _NEEDS_MORE or name in _ANSWERS_TWICE | _LISTED or name.endswith(".config"):
                continue
            for value in (*(each.value for each in option.values), *_OTHERS):
                yield Call(function, _placed(name, value))
            for arguments in _misplaced(option, groups):
                yield Call(function, arguments)


def _placed(name: str, value: Any) -> dict[str, Any]:
    first, *inner = name.split(".")
    companion = _COMPANIONS.get(name)
    for number, key in enumerate(reversed(inner)):
        value = {key: value}
        if companion is not None and not number:
            value[companion[0]] = companion[1]
    return {first: value}


def _misplaced(option: Option, groups: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the option with its first value, where it doesn't belong."""
    value = next((each.value for each in option.values), 1)
    group, _, own = option.name.rpartition(".")
    for other in ("", *groups) if groups else ():
        if other != group and "ge_options" not in option.name:
            yield _placed(f"{other}.{own}" if other else own, value)


def verdicts(made: Sequence[Call], python: str) -> tuple[str, list[str | None]]:
    """Return the version of MindSpore, and what it says of each call."""
    text = "".join(json.dumps(each) + "\n" for each in made)
    ran = subprocess.run([python, "-I", str(_CHILD)], input=text, capture_output=True, text=True, check=True)
    version, *found = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith(("null", '"'))]
    return version, found


def told(call: Call, analyzer: Analyzer) -> str | None:
    """Return the error that npu-lsp reports, or that a name is told of."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    document = Document(f"import mindspore\nmindspore.{call.name}({arguments})\n", kind=Kind.PYTHON)
    found = analyzer.findings(document)
    sure = [each for each in found if each.severity is Severity.ERROR or each.name in _TOLD]
    return sure[0].message if sure else None


def main(arguments: Sequence[str]) -> int:
    """Print the differences."""
    made = list(calls())
    version, theirs_of_each = verdicts(made, arguments[0])
    analyzer = Analyzer(Config(target=TargetConfig({"mindspore": version})), all_rules)
    wrong = missed = 0
    for call, theirs in zip(made, theirs_of_each, strict=True):
        ours = told(call, analyzer)
        if ours is not None and theirs is None:
            wrong += 1
            sys.stdout.write(f"taken, and reported: {call}: {ours}\n")
        elif ours is None and theirs is not None:
            missed += 1
            sys.stdout.write(f"refused, and not reported: {call}: {theirs}\n")
    sys.stdout.write(f"MindSpore {version}, {len(made)} calls: {wrong} reported for nothing, {missed} not reported\n")
    return 1 if wrong or missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
