"""A minute of fuzzing, with the same seeds each time; `python -m tests.robustness.fuzz` goes on with others."""

from __future__ import annotations

import random

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.case_files import CASES, case_files
from tests.lsp.wire import Wire
from tests.robustness import attack, configuration, reading, workspace
from tests.robustness.fuzz import session


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return Analyzer(Config(), all_rules)


@pytest.mark.parametrize("start", [1_000, 2_000])
def test_reading(analyzer: Analyzer, start: int) -> None:
    for seed in range(start, start + 60):
        reading.walk(seed, analyzer)


def test_configuration() -> None:
    for seed in range(40):
        configuration.walk(seed)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_session(seed: int) -> None:
    session(seed, operations=150)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.SHELL, "atc --fusion_switch_file=s\\w中文tch<<'fg\natc --fusion_switch_file=s\\w中文tch<<'fg\n"),
        (
            Kind.PYTHON,
            f'op.parameter_map["hccl_timeout"].i = {"9" * 400}\nop.parameter_map["stream_sync_timeout"].i = 60000\n',
        ),
        (
            Kind.PYTHON,
            'op.parameter_map["graph_run_mode"].i = 1e999\nop.parameter_map["op_debug_level"].i = 1\n',
        ),
    ],
)
def test_what_fuzzing_once_found(analyzer: Analyzer, kind: Kind, text: str) -> None:

    reading.check(Document(text, kind=kind), analyzer, random.Random(1))


def test_the_interpreter_warns_of_nothing(recwarn: pytest.WarningsRecorder, analyzer: Analyzer) -> None:
    text = 'op.parameter_map["a\\d"].i = 1if x else 2\nop.parameter_map[f"{1if x else 2}"].s = b"\\q"\nos.system(f"atc --x={1if y else 0}\\d")\n'
    analyzer.findings(Document(text, kind=Kind.PYTHON))
    assert not recwarn.list


def test_a_session_begins_once() -> None:
    """What begins with `initialized` is kept for ever: done again and again, it keeps what was to go."""
    with Wire() as wire:
        wire.initialize({"workspace": {"configuration": True}})
        wire.status()
        for _ in range(5):
            wire.notify("initialized", {})
        wire.status()
        assert len(wire.messages("workspace/configuration")) == 1


def test_attack() -> None:
    """Files of the cases in two workspace folders with other targets, edited, and each action made on them."""
    files = [(path, path.read_text(encoding="utf-8", errors="replace")) for path in case_files("broken")]
    outcome, code = attack.run(random.Random(2).sample(files, 12), 2)
    assert not outcome.wrong
    assert code == 0
    assert outcome.done["actions"] > 10


def test_two_editors_in_one_folder() -> None:
    """Two servers look at the same files while these are edited, change, come and go: both end with what a fresh one finds."""
    outcome = workspace.run([CASES], 80, 3, rounds=30)
    assert not outcome.differing
    assert outcome.codes == [0, 0, 0]
    assert len(outcome.findings) > 10
    assert outcome.disturbances
