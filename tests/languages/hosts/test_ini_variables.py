"""Variables and commands of tox and pytest-env."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.detection import detect
from npu_lsp.languages.writers import writer_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.languages.hosts.found import at_bar, find, reading, rows
from tests.together import together


@together(
    ("text", "expected"),
    [
        ("[testenv]\nset_env = HCCL_A=1\n", "1"),
        ("[testenv]\nsetenv =\n    X = 2\n    # why\n\n    HCCL_A = 1\ndeps = x\n", "1"),
        ("[pytest]\nenv =\n    D:HCCL_A=a b\n", "a b"),
        ("[tool:pytest]\nenv =\n    R:D:HCCL_A=1\n", "1"),
        ("[testenv]\nset_env =\n\tHCCL_A={env:A:1}\n", "?"),
        ("[testenv]\nset_env =\n\tHCCL_A='1'\n", "?"),
    ],
)
def test_a_variable(text: str, expected: str) -> None:
    assert [row for row in rows(text, Kind.INI)[0] if row[0] == "HCCL_A"] == [("HCCL_A", expected)]


@together(
    "text", ["[a]\nHCCL_A=1\n", "pass_env =\n    HCCL_A\n", "env =\n    # HCCL_A=1\n", "env =\nx = HCCL_A=1\n", ""]
)
def test_no_variable(text: str) -> None:
    assert rows(text, Kind.INI) == []


def test_a_command() -> None:
    found = reading(
        "[testenv]\ncommands =\n    pytest {posargs}\n    - atc --model=a.onnx --output={toxworkdir}/b\n", Kind.INI
    )
    assert [block.surface for block in found.blocks] == [Surface.ATC]
    assert [(s.name, s.value.known) for s in found.blocks[0].settings] == [("model", True), ("output", False)]
    assert found.blocks[0].open


def test_a_value_is_changed_and_completed() -> None:
    document = Document("[testenv]\nset_env =\n    HCCL_A = 1\n", kind=Kind.INI)
    setting = find(document, "HCCL_A")[1]
    changed = apply_edits(document.text, writer_for(setting).set_value(document, setting, "x"))
    assert changed == "[testenv]\nset_env =\n    HCCL_A = x\n"
    found = at_bar("[testenv]\nset_env =\n    TASK_QUEUE_ENABLE = |~\n", Kind.INI)
    assert found is not None
    assert found.option == "TASK_QUEUE_ENABLE"


@pytest.mark.parametrize("name", ["tox.ini", "setup.cfg", "a/pytest.ini"])
def test_its_name_tells_a_file(name: str) -> None:
    assert detect(name, "") is Kind.INI


def test_other_names_are_those_of_others() -> None:
    assert detect("op_precision.ini", "") is Kind.OP_PRECISION
    assert detect("a.ini", "[testenv]\n") is Kind.OTHER
