"""A number without quotes, where a variable must be a text: the fix puts quotes around it, and brings no finding.

What is wrong with the number itself is told beside it, and stays.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.fixing.rounds import fixed
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind


def _pod(name: str, number: str) -> Document:
    head = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    env:\n"
    return Document(f"{head}    - name: {name}\n      value: {number}\n", kind=Kind.YAML)


def _workers(name: str, number: str) -> Document:
    return Document(f'import ray\nray.init(runtime_env={{"env_vars": {{"{name}": {number}}}}})\n', kind=Kind.PYTHON)


def _job(name: str, number: str) -> Document:
    return Document(f'ray start --runtime-env-json \'{{"env_vars": {{"{name}": {number}}}}}\'\n', kind=Kind.SHELL)


# Where it stands and what number it is have nothing to do with each other.
@pytest.mark.parametrize(("written", "number"), [(_pod, "10"), (_workers, "-1"), (_job, "8.5")])
def test_the_quotes_bring_no_finding(written: Callable[[str, str], Document], number: str) -> None:
    analyzer = Analyzer(Config(), all_rules)
    for name in load().names(Surface.ENV):
        document = written(name, number)
        told = {finding.message for finding in analyzer.findings(document)}
        done = fixed(document, analyzer.findings, unsafe=False)
        assert done.counts["NPU103"] == 1, (name, told)
        assert {finding.message for finding in analyzer.findings(done.document)} < told, name
