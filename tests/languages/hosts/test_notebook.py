"""Jupyter notebooks."""

from __future__ import annotations

import json

import pytest

from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.text.kinds import Kind
from tests.languages.hosts.found import UNKNOWN, at_bar, cut, reading, rows
from tests.together import together

LOG = [[("log", "info")]]


def notebook(*cells: str | list[str], indent: int | None = 1) -> str:
    return json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": ["!atc --no=1\n"]},
                *({"cell_type": "code", "metadata": {"source": "!atc --no=2"}, "source": c} for c in cells),
                {"cell_type": "raw", "source": "!atc --no=3"},
            ],
            "nbformat": 4,
        },
        indent=indent,
    )


@together(
    "cell",
    [
        "!atc --log=info",
        "import os\n!atc --log=info\n",
        "if x:\n    !atc --log=info\n",
        "!!atc --log=info",
        "out = !atc --log=info",
        "!cd x && atc \\\n   --log=info\nprint(1)",
        "%%bash\ncd x\natc --log=info\n",
        "%%sh\natc --log=info\n",
        "%%script bash\natc --log=info\n",
        "%%time\n!atc --log=info\n",
        "%sx atc --log=info",
        '!atc --log="info"',
        "import os\nos.system('atc --log=info')\n",
    ],
)
def test_a_command_is_found(cell: str) -> None:
    assert rows(notebook(cell), Kind.NOTEBOOK) == LOG
    assert rows(notebook(cell, indent=None), Kind.NOTEBOOK) == LOG
    assert rows(notebook(cell.splitlines(keepends=True)), Kind.NOTEBOOK) == LOG
    # As an editor shows it: the cell alone.
    assert rows(cell, Kind.NOTEBOOK) == LOG


@together("cell", ["# !atc --log=info", "print('!atc --log=info')", "%%html\n!atc --log=info", "x = 1"])
def test_what_is_no_command_is_left_alone(cell: str) -> None:
    assert rows(notebook(cell), Kind.NOTEBOOK) == []


def test_variables() -> None:
    text = notebook(
        "%env ASCEND_A=1\n%env HCCL_B 2\n%set_env NPU_C=a b\n%env\n", 'import os\nos.environ["HCCL_D"] = "4"\n'
    )
    assert sorted(row for block in rows(text, Kind.NOTEBOOK) for row in block) == [
        ("ASCEND_A", "1"),
        ("HCCL_B", "2"),
        ("HCCL_D", "4"),
        ("NPU_C", UNKNOWN),
    ]


def test_what_python_fills_in_is_unknown() -> None:
    assert rows(notebook("!atc --model={path} --log=$level --mode=0"), Kind.NOTEBOOK) == [
        [("model", UNKNOWN), ("log", UNKNOWN), ("mode", "0")]
    ]


def test_cells_share_their_names() -> None:
    text = notebook(
        'import os\nlevel = "3"\n',
        'os.environ["ASCEND_A"] = level\n',
    )
    assert rows(text, Kind.NOTEBOOK) == [[("ASCEND_A", "3")]]


@pytest.mark.parametrize("indent", [None, 1])
def test_variables_that_a_shell_of_their_own_forgets(indent: int | None) -> None:
    text = notebook(["x = 1\n", "!export ASCEND_GLOBAL_LOG_LEVEL='3'\n"], "!export RANK_ID=$R", indent=indent)
    first, second = reading(text, Kind.NOTEBOOK).syntax
    assert [text[m.span.start : m.span.end] for m in (first, second)] == ["ASCEND_GLOBAL_LOG_LEVEL", "RANK_ID"]
    (edit,) = first.edits
    fixed = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert json.loads(fixed)["cells"][1]["source"][1] == "%env ASCEND_GLOBAL_LOG_LEVEL=3\n"
    assert second.edits == ()


@together(
    "cell",
    [
        "!export ASCEND_GLOBAL_LOG_LEVEL=3; python3 train.py",
        "!ASCEND_GLOBAL_LOG_LEVEL=3 python3 train.py",
        "!export MY_OWN=3",
        "%env ASCEND_GLOBAL_LOG_LEVEL=3",
        "%%bash\nexport ASCEND_GLOBAL_LOG_LEVEL=3\npython3 train.py",
    ],
)
def test_a_shell_that_goes_on_forgets_nothing(cell: str) -> None:
    assert reading(notebook(cell), Kind.NOTEBOOK).syntax == ()


def test_places_in_json_are_exact() -> None:
    text = notebook(["s = '😀中'\n", '!atc --model="a b" \\\n', "  --log=中\n"])
    (block,) = reading(text, Kind.NOTEBOOK).blocks
    model, log = block.settings
    assert cut(text, model.key) == "--model"
    assert cut(text, model.value.span) == '\\"a b\\"'
    assert cut(text, log.value.span) == "\\u4e2d"
    assert (log.value.data, log.value.content) == ("中", None)


def test_completion() -> None:
    found = at_bar(notebook("import os\n", "!atc --log=info --pre|~\n"), Kind.NOTEBOOK)
    assert found is not None
    assert (found.wanted, found.typed, found.present) == (CompletionKind.FLAG, "--pre", frozenset({"log"}))
    found = at_bar("!atc --pre|~", Kind.NOTEBOOK)
    assert found is not None
    assert found.typed == "--pre"
    found = at_bar(notebook('!atc --log="in|~'), Kind.NOTEBOOK)
    assert found is not None
    assert (found.typed, found.after) == ("in", '\\"')


@together(
    "text", ["{", '{"cells": [', '{"cells": [{"cell_type": "code", "source": ["!atc --x=1', "{" * 5000 + '"cells"']
)
def test_broken_files_are_no_problem(text: str) -> None:
    reading(text, Kind.NOTEBOOK)


@together("digits", ["-6a2", "+6a2", " 6a2", "6_a2", "0x61", "61", ""])
def test_what_is_no_number_in_an_escape(digits: str) -> None:
    text = notebook("!atc --log=info --x=@").replace("@", f"\\u{digits}")
    assert len(rows(text, Kind.NOTEBOOK)[0]) >= 1
