"""Makefiles."""

from __future__ import annotations

import pytest

from npu_lsp.kinds import Kind
from npu_lsp.readers.model import Wanted
from tests.readers.embedded.found import UNKNOWN, at_bar, cut, reading, rows

LOG = [[("log", "info")]]


@pytest.mark.parametrize(
    "text",
    [
        "all:\n\tatc --log=info\n",
        "all:\n\t@atc --log=info\n",
        "all:\n\t-@ atc --log=info\n",
        "all:\n\tcd x && \\\n\tatc --log=info\n",
        "all:\n\tatc \\\n\t  --log=info\n",
        "all: ; atc --log=info\n",
        "ATC := /usr/bin/atc\nall:\n\t$(ATC) --log=info\n",
        "ATC ?= atc\nall:\n\t@${ATC} --log=info\n",
        "all:\n\tfor m in a; do atc --log=info; done\n",
    ],
)
def test_a_command_is_found(text: str) -> None:
    assert rows(text, Kind.MAKEFILE) == LOG


@pytest.mark.parametrize(
    "text",
    [
        "# atc --log=info\n",
        "all:\n\t# atc --log=info\n",
        "CMD = atc --log=info\n",
        "CMD = x \\\n\tatc --log=info\n",
        "atc: x\n\tls\n",
        "all:\n\t@echo atc --log=info\n",
        "X = 1\n",
    ],
)
def test_what_is_no_command_is_left_alone(text: str) -> None:
    assert rows(text, Kind.MAKEFILE) == []


def test_what_make_fills_in_is_unknown() -> None:
    text = "all:\n\tatc --model=$(MODEL) --output=$$HOME/x --log=info$(A)\n"
    assert rows(text, Kind.MAKEFILE) == [[("model", UNKNOWN), ("output", UNKNOWN), ("log", UNKNOWN)]]
    (block,) = reading(text, Kind.MAKEFILE).blocks
    assert cut(text, block.settings[1].value.span) == "$$HOME/x"


def test_variables() -> None:
    text = "export ASCEND_A = 1\nexport HCCL_B := $(X)\nexport NPU_C=a b # why\nNPU_D = 1\n"
    assert rows(text, Kind.MAKEFILE) == [[("ASCEND_A", "1"), ("HCCL_B", UNKNOWN), ("NPU_C", "a b")]]


def test_completion() -> None:
    found = at_bar("all:\n\t@atc --log=info \\\n\t\t--pre|~\n", Kind.MAKEFILE)
    assert found is not None
    assert (found.wanted, found.typed, found.present) == (Wanted.FLAG, "--pre", frozenset({"log"}))
