"""What each row of `refusals.toml` speaks of is told where a command meets it, and only there."""

from __future__ import annotations

import shlex

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.catalog.target import Target
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.refusals.table import refusals
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.peers.engines import COMPONENT, START, together

_ASKED = [
    (Surface.VLLM, "0.11.0"),
    (Surface.VLLM, "0.18.0"),
    (Surface.VLLM, "0.30.0rc1"),
    (Surface.SGLANG, "0.5.4"),
    (Surface.SGLANG, "0.5.10"),
]


@pytest.mark.parametrize(("surface", "version"), _ASKED)
def test_a_command_that_meets_a_row_is_told(surface: Surface, version: str) -> None:
    target = {COMPONENT[surface.value]: version}
    analyzer = Analyzer(Config(select=("NPU223",), target=TargetConfig(target)), all_rules)
    # Of pairs drawn at random nobody knows beforehand what is said.
    made = [line for line in together(surface, Target.parse(target)) if line.slip.endswith("met")]
    assert len(made) > 100
    wrong = []
    for line in made:
        words = " ".join(map(shlex.quote, line.words))
        found = analyzer.findings(Document(f"{START[surface.value]} {words}\n", kind=Kind.SHELL))
        name, _, met = line.slip.partition(": ")
        said = {each.message for each in found}
        if (met == "met" and not said) or (met == "not met" and said & _messages(name)):
            wrong.append(line)
    assert not wrong


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (
            "--moe-shared-expert-overlap --moe-token-dispatcher-type allgather",
            "--moe-shared-expert-intermediate-size 64",
        ),
        ("--num-experts 10 --moe-router-num-groups 4", "--moe-router-group-topk 2"),
        ("--recompute-mla-up-proj --mla-zero-memory", "--multi-latent-attention"),
        ("--mla-up-proj-tp-overlap --sequence-parallel", "--multi-latent-attention"),
        ("--alibi-fusion-attn-type 3", "--position-embedding-type alibi"),
    ],
)
def test_what_megatron_asserts_beside_another_argument_is_told_only_there(words: str, asked: str) -> None:
    assert not _told(words)
    assert _told(f"{words} {asked}")


@pytest.mark.parametrize(
    ("words", "without"),
    [
        ("--overlap-param-gather --use-distributed-optimizer", "--data-parallel-sharding-strategy optim_grads"),
        (
            "--recompute-granularity full --pipeline-model-parallel-size 2 --num-layers-per-virtual-pipeline-stage 2",
            "--recompute-in-bubble",
        ),
        ("--recompute-granularity full --recompute-method block", "--automated-pipeline"),
    ],
)
def test_what_another_argument_sets_is_not_missing(words: str, without: str) -> None:
    assert _told(words)
    assert not _told(f"{words} {without}")


@pytest.mark.parametrize(("value", "count"), [("None", 0), ("False", 0), ("True", 1)])
def test_nothing_is_not_switched_on(value: str, count: int) -> None:
    target = TargetConfig({"vllm-ascend": "0.27.1"})
    call = f"from vllm import LLM\nLLM('m', enable_elastic_ep={value})\n"
    analyzer = Analyzer(Config(select=("NPU223",), target=target), all_rules)
    assert len(analyzer.findings(Document(call, kind=Kind.PYTHON))) == count


def _told(words: str) -> list[str]:
    analyzer = Analyzer(Config(select=("NPU223",)), all_rules)
    line = f"torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --use-fused-rmsnorm {words}\n"
    return [each.message for each in analyzer.findings(Document(line, kind=Kind.SHELL))]


def _messages(name: str) -> set[str]:
    """Return what a row says, where it says the same of all values."""
    program = load().plain("refusals")[name]["program"]
    return {row.says.en for row in refusals(load(), program) if row.name == name}
