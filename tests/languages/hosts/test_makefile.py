"""Makefiles."""

from __future__ import annotations

from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.text.kinds import Kind
from tests.languages.hosts.found import UNKNOWN, at_bar, cut, reading, rows
from tests.together import together

LOG = [[("log", "info")]]


@together(
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
        "OPTS = --log=info\nall:\n\tatc $(OPTS)\n",
        "OPTS := \\\n  --log=info # why\nATC = atc\nall:\n\t@$(ATC) ${OPTS}\n",
        "OPTS :=\nOPTS += --log=info\nall:\n\tatc $(OPTS)\n",
        "all:\n\tatc $(OPTS)\nOPTS = --log=info\n",
        "LOG = info\nall:\n\tatc --log=$(LOG)\n",
        "LOG = info\nOPTS = --log=$(LOG)\nall:\n\tatc $(OPTS)\n",
        "ATC = atc\nCMD = $(ATC) --log=info\nall:\n\tcd x && $(CMD)\n",
        "define convert\natc --log=info\nendef\n",
        "define convert\n\tatc --log=info\nendef\nall:\n\t$(convert)\n",
        "all:\n\tfor m in a; do atc --log=info; done\n",
        ".RECIPEPREFIX = >\nall:\n> @atc --log=info\n",
        ".RECIPEPREFIX := >\nall:\n>cd x && \\\n>atc --log=info\n\tatc --not-a-recipe\n",
        ".RECIPEPREFIX = >\na:\n> ls\n.RECIPEPREFIX =\nb:\n\tatc --log=info\n",
        "OUT := $(shell atc --log=info)\n",
        "OUT = ${shell cd $(dir x) && atc --log=info}\n",
        "all:\n\techo $(shell echo $$(atc --log=info))\n",
        "OUT != atc --log=info\n",
        "LOG = info\nall:\n\techo $(shell atc --log=$(LOG))\n",
    ],
)
def test_a_command_is_found(text: str) -> None:
    assert rows(text, Kind.MAKEFILE) == LOG


@together(
    "text",
    [
        "# atc --log=info\n",
        "all:\n\t# atc --log=info\n",
        "CMD = atc --log=info\n",
        "# $(shell atc --log=info)\n",
        "OUT = $(shell atc --log=info\n",
        "all:\n> atc --log=info\n",
        "CMD = x \\\n\tatc --log=info\n",
        "atc: x\n\tls\n",
        "all:\n\t@echo atc --log=info\n",
        "X = 1\n",
        "define text\necho atc --log=info\nendef\n",
        "OPTS = --log=info\nall:\n\tls $(OPTS)\n",
        "unexport ASCEND_A\nASCEND_A = 1\n",
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


@together(
    "text",
    [
        "ASCEND_A = 1\nexport ASCEND_A\n",
        "export ASCEND_A\nASCEND_A := 1\n",
        "export\nASCEND_A = 1\n",
        "all: export ASCEND_A = 1\nall:\n\tls\n",
        "override export ASCEND_A = 1\n",
        "ASCEND_A ?= 1 # why\nexport HCCL_B ASCEND_A # why\n",
    ],
)
def test_forms_of_exports(text: str) -> None:
    assert rows(text, Kind.MAKEFILE) == [[("ASCEND_A", "1")]]
    (block,) = reading(text, Kind.MAKEFILE).blocks
    assert cut(text, block.settings[0].key) == "ASCEND_A"


def test_what_a_variable_holds_stands_where_it_is_set() -> None:
    text = "L = info\nOPTS = --mode=0 \\\n  --log=$(L)\nOPTS += --out=b\nall:\n\tatc --model=a $(OPTS)\n"
    assert rows(text, Kind.MAKEFILE) == [[("model", "a"), ("mode", "0"), ("log", "info"), ("out", "b")]]
    (block,) = reading(text, Kind.MAKEFILE).blocks
    assert [cut(text, s.key) for s in block.settings] == ["--model", "--mode", "--log", "--out"]
    assert [cut(text, s.value.span) for s in block.settings] == ["a", "0", "$(L)", "b"]
    assert not block.open


@together(
    "text",
    [
        "OPTS = --log=info\nOPTS = --log=error\nall:\n\tatc $(OPTS)\n",
        "ifdef X\nOPTS = --log=info\nelse\nOPTS = --log=error\nendif\nall:\n\tatc $(OPTS)\n",
        "all: OPTS = --log=info\nall:\n\tatc $(OPTS)\n",
        "OPTS = $(OPTS) $(OPTS)\nall:\n\tatc $(OPTS)\n",
        "all:\n\tatc $(OPTS)\n",
    ],
)
def test_what_a_variable_holds_is_not_always_known(text: str) -> None:
    (block,) = reading(text, Kind.MAKEFILE).blocks
    assert not block.settings
    assert block.open


def test_completion() -> None:
    found = at_bar("all:\n\t@atc --log=info \\\n\t\t--pre|~\n", Kind.MAKEFILE)
    assert found is not None
    assert (found.wanted, found.typed, found.present) == (CompletionKind.FLAG, "--pre", frozenset({"log"}))
    found = at_bar("OPTS = --log=info --pre|~\nall:\n\tatc $(OPTS)\n", Kind.MAKEFILE)
    assert found is not None
    assert (found.wanted, found.typed) == (CompletionKind.FLAG, "--pre")
    found = at_bar("OPTS = --log=info\nall:\n\tatc $(OPTS) --pre|~\n", Kind.MAKEFILE)
    assert found is not None
    assert (found.wanted, found.typed) == (CompletionKind.FLAG, "--pre")
