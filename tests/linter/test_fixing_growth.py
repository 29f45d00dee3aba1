"""All fixes of a file: what they cost grows with the file, and not with its square."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from npu_lsp.languages.density import MOST
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.fixing.rounds import fixed
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.robustness.steps import projected

_SETTING = 'op.parameter_map["dump_mode"].s = "all "\n'


@pytest.mark.parametrize(
    ("kind", "make"),
    [
        pytest.param(Kind.SHELL, lambda n: "atc --output=a --output=a --log=debug \n" * n, id="commands"),
        pytest.param(Kind.SHELL, lambda n: "export ASCEND_GLOBAL_LOG_LEVEL = 1\n" * n, id="variables"),
        pytest.param(
            Kind.PYTHON, lambda n: "".join(_SETTING.replace("op", f"op{n}_{i}") for i in range(n)), id="objects"
        ),
        pytest.param(Kind.PYTHON, lambda n: _SETTING * n, id="one object"),
    ],
)
def test_every_fix_of_a_file(kind: Kind, make: Callable[[int], str]) -> None:
    analyzer = Analyzer(Config(), all_rules)

    def run(times: int) -> Callable[[], object]:
        document = Document(make(times), kind=kind, path="/nowhere/file")
        return lambda: fixed(document, analyzer.findings, unsafe=False)

    run(2)()
    assert sum(fixed(Document(make(60), kind=kind), analyzer.findings, unsafe=False).counts.values()) >= 30
    assert projected(run, 60, MOST) is None


def test_trials_of_a_long_file_are_few() -> None:
    analyzer = Analyzer(Config(), all_rules)

    def analyses(times: int) -> int:
        count = 0

        def find(document: Document) -> object:
            nonlocal count
            count += 1
            return analyzer.findings(document)

        # What stands more than 50 times in a command shows its other findings only when some are mended.
        text = "atc" + " --output＝a" * times + "\n"
        fixed(Document(text, kind=Kind.SHELL), find, unsafe=True)  # type: ignore[arg-type]
        return count

    assert analyses(800) < analyses(100)
