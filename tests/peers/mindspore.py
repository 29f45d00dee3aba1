"""Puts calls of `mindspore.set_context` to MindSpore and to npu-lsp, and prints where their verdicts differ.

`python -m tests.peers.mindspore PYTHON`: an interpreter that has MindSpore, such as that of an environment made for it. The calls
are made from the catalog: each option with each listed value, and with values of other types; each key at its place and at
others. The exit code is 1 where npu-lsp reports an error at what MindSpore takes, or says nothing of what it refuses. CI doesn't run this.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.severity import Severity
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_CHILD = Path(__file__).with_name("mindspore_child.py")
_OTHERS: tuple[Any, ...] = (True, False, 0, 1, 2, 7, -1, 5000, 1.5, "True", "wrong", "", [1])
_NEEDS_MORE = frozenset({"path", "dict"})
"""Types whose values depend on files, or on keys of their own."""
_TOLD = frozenset({"unknown-option", "missing-value"})
"""Rules that report what is refused, if only as a warning."""
_ANSWERS_TWICE = frozenset({"device_target", "mempool_block_size", "max_device_memory", "variable_memory_max_size"})
"""Options whose verdict depends on the machine, or on a form that the catalog doesn't have."""

Call = dict[str, Any]


def calls() -> Iterator[Call]:
    """Yield arguments of `set_context`."""
    for option in sorted(load().options(Surface.MINDSPORE), key=lambda each: each.name):
        if option.type in _NEEDS_MORE or option.name in _ANSWERS_TWICE:
            continue
        for value in (*(each.value for each in option.values), *_OTHERS):
            yield _placed(option.name, value)
        yield from _misplaced(option)


def _placed(name: str, value: Any) -> Call:
    first, *inner = name.split(".")
    for key in reversed(inner):
        value = {key: value}
    return {first: value}


def _misplaced(option: Option) -> Iterator[Call]:
    """Yield the option with its first value, where it doesn't belong."""
    value = next((each.value for each in option.values), 1)
    group, _, own = option.name.rpartition(".")
    for other in ("", "ascend_config", "jit_config"):
        if other != group and "ge_options" not in option.name:
            yield _placed(f"{other}.{own}" if other else own, value)


def verdicts(made: Sequence[Call], python: str) -> list[str | None]:
    """Return what MindSpore says of each call."""
    text = "".join(json.dumps(each) + "\n" for each in made)
    ran = subprocess.run([python, "-I", str(_CHILD)], input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines() if line.startswith(("null", '"'))]


def told(call: Call, analyzer: Analyzer) -> str | None:
    """Return the error that npu-lsp reports, or that a name is told of."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in call.items())
    document = Document(f"import mindspore\nmindspore.set_context({arguments})\n", kind=Kind.PYTHON)
    found = analyzer.findings(document)
    sure = [each for each in found if each.severity is Severity.ERROR or each.name in _TOLD]
    return sure[0].message if sure else None


def main(arguments: Sequence[str]) -> int:
    """Print the differences."""
    made = list(calls())
    analyzer = Analyzer(Config(), all_rules)
    wrong = missed = 0
    for call, theirs in zip(made, verdicts(made, arguments[0]), strict=True):
        ours = told(call, analyzer)
        if ours is not None and theirs is None:
            wrong += 1
            sys.stdout.write(f"taken, and reported: {call}: {ours}\n")
        elif ours is None and theirs is not None:
            missed += 1
            sys.stdout.write(f"refused, and not reported: {call}: {theirs}\n")
    sys.stdout.write(f"{len(made)} calls: {wrong} reported for nothing, {missed} not reported\n")
    return 1 if wrong or missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
