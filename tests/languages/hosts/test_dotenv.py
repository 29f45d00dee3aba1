"""Files of variables: one a line, quoted or not, with what several programs allow around it."""

from __future__ import annotations

from npu_lsp.languages.writers import writer_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.languages.hosts.found import at_bar, find, rows
from tests.together import together


@together(
    ("text", "expected"),
    [
        ("HCCL_A=1\n", "1"),
        ("export HCCL_A=1\n", "1"),
        ("HCCL_A = 1", "1"),
        ("HCCL_A='a b'\n", "a b"),
        ('HCCL_A="a b" # why\n', "a b"),
        ("HCCL_A=a b # why\n", "a b"),
        ("HCCL_A=a#b\r\n", "a#b"),
        ("HCCL_A=\n", ""),
        ("HCCL_A=${HOME}/x\n", "?"),
    ],
)
def test_a_line(text: str, expected: str) -> None:
    assert rows(text, Kind.DOTENV) == [[("HCCL_A", expected)]]


@together("text", ["# HCCL_A=1\n", "HCCL_A\n", "HOME=/\n", 'HCCL_A="1\n', "a HCCL_A=1\n", ""])
def test_no_line(text: str) -> None:
    assert rows(text, Kind.DOTENV) == []


def test_a_line_goes_whole() -> None:
    document = Document("A=1\nHCCL_A=1\nB=2\n", kind=Kind.DOTENV)
    setting = find(document, "HCCL_A")[1]
    assert apply_edits(document.text, writer_for(setting).remove(document, [setting])) == "A=1\nB=2\n"


def test_a_value_is_completed() -> None:
    found = at_bar("TASK_QUEUE_ENABLE=|~\n", Kind.DOTENV)
    assert found is not None
    assert found.option == "TASK_QUEUE_ENABLE"
