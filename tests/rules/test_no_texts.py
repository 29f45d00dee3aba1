"""A number without quotes, where a variable must be a text: the fix puts quotes around it, and brings no finding.

What is wrong with the number itself is told beside it, and stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.fixing.rounds import fixed
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_TOGETHER = 12
"""Variables of one text."""


def _pod(names: Iterable[str], number: str) -> Document:
    head = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    env:\n"
    return Document(head + "".join(f"    - name: {each}\n      value: {number}\n" for each in names), kind=Kind.YAML)


def _workers(names: Iterable[str], number: str) -> Document:
    given = ", ".join(f'"{each}": {number}' for each in names)
    return Document(f'import ray\nray.init(runtime_env={{"env_vars": {{{given}}}}})\n', kind=Kind.PYTHON)


def _job(names: Iterable[str], number: str) -> Document:
    given = ", ".join(f'"{each}": {number}' for each in names)
    return Document(f"ray start --runtime-env-json '{{\"env_vars\": {{{given}}}}}'\n", kind=Kind.SHELL)


# Where it stands and what number it is have nothing to do with each other.
@pytest.mark.parametrize(("written", "number"), [(_pod, "10"), (_workers, "-1"), (_job, "8.5")])
def test_the_quotes_bring_no_finding(written: Callable[[Iterable[str], str], Document], number: str) -> None:
    analyzer = Analyzer(Config(), all_rules)
    every = sorted(load().names(Surface.ENV))
    apart = len(every) // _TOGETHER + 1
    for first in range(apart):
        # Neighbours in the alphabet have to do with each other: what one of them needs would be told of the other.
        names = every[first::apart]
        document = written(names, number)
        told = {finding.message for finding in analyzer.findings(document)}
        done = fixed(document, analyzer.findings, unsafe=False)
        assert done.counts["NPU103"] == len(names), (names, told)
        assert {finding.message for finding in analyzer.findings(done.document)} < told, names
