"""Flags of MindSpeed on the command lines of training scripts, among those of others."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import cursor, read
from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.languages.told import told as of_text
from tests.together import together

IN_A_VARIABLE = """GPT_ARGS="
    --use-fused-rmsnorm \\
    --swap-optimizer \\
    --num-layers 32 \\
"
torchrun $DISTRIBUTED_ARGS pretrain_gpt.py $GPT_ARGS --lr 1e-5 | tee train.log
"""


def told(text: str) -> list[tuple[str, str]]:
    """Return what is told of a script, but for what a flag needs beside it: these are excerpts."""
    return [each for each in of_text(text, kind=Kind.SHELL) if each[0] != "NPU223"]


def names(text: str, kind: Kind = Kind.SHELL) -> list[list[str]]:
    blocks = read(Document(text, kind=kind)).blocks
    return [[s.name for s in block.settings] for block in blocks if block.surface is Surface.MINDSPEED]


@together(
    "text",
    [
        "torchrun --nproc_per_node 8 pretrain_gpt.py --use-fused-rmsnorm --bf16\n",
        "python3 -u ${ROOT}/pretrain_gpt.py --use-fused-rmsnorm --bf16\n",
        "python -m torch.distributed.launch $D posttrain_gpt.py \\\n  --use-fused-rmsnorm \\\n  --bf16\n",
        "nohup msrun $D pretrain_gpt.py --use-fused-rmsnorm --bf16 &\n",
    ],
)
def test_a_command(text: str) -> None:
    assert names(text) == [["use-fused-rmsnorm", "bf16"]]
    assert names(f"```sh\n{text}```\n", Kind.MARKDOWN) == [["use-fused-rmsnorm", "bf16"]]


def test_flags_in_a_variable() -> None:
    assert names(IN_A_VARIABLE) == [["use-fused-rmsnorm", "swap-optimizer", "num-layers", "lr"]]
    assert told(IN_A_VARIABLE) == []


def test_a_script_of_megatron_is_known_by_its_name() -> None:
    assert names("torchrun pretrain_gpt.py --bf16 --num-layers 2\n") == [["bf16", "num-layers"]]


@together(
    "text",
    [
        "torchrun train.py --bf16 --recompute-activations --profile\n",
        "python tools/convert.py --use-fused-rmsnorm\n",
        "echo pretrain_gpt.py --use-fused-rmsnorm\n",
        "cat train.py --use-fused-rmsnorm\n",
    ],
)
def test_what_is_no_command_of_mindspeed(text: str) -> None:
    assert names(text) == []


@together(
    ("flags", "findings"),
    [
        ("--use-fused-rmsnorm --use-fused-swigluu", [("NPU101", "--use-fused-swigluu")]),
        ("--use-fused-rmsnorm --reuse_fp32_param", [("NPU101", "--reuse_fp32_param")]),
        ("--use-fused-rmsnorm --use-frobnicate --moe-permute-fusion --profile", [("NPU101", "--use-frobnicate")]),
        ("--shape-order SHB", [("NPU104", "SHB")]),
        ("--shape-order $ORDER --sparse-mode 2", []),
        ("--swap-optimizer --swap-optimizer-times many", [("NPU103", "many")]),
        ("--swap-optimizer --reuse-fp32-param", [("NPU203", "--reuse-fp32-param")]),
        ("--npu-deterministic --npu-deterministic", [("NPU207", "--npu-deterministic")]),
        ("--profile-ranks 0 1 2 --profile-level level1", []),
        # What parsers of MindSpeed-LLM check, and what they have no longer.
        ("--use-mc2", [("NPU301", "--use-mc2")]),
        ("--use-deter-comp", [("NPU301", "--use-deter-comp")]),
        ("--use-fused-rmsnorm --qlora", [("NPU302", "--qlora")]),
        ("--use-fused-rmsnorm --use-fused-mlp", [("NPU302", "--use-fused-mlp")]),
        ("--use-fused-rmsnorm --n-group 8", [("NPU301", "--n-group")]),
        ("--sparse-mode 9", [("NPU106", "9")]),
        ("--use-fused-rmsnorm --ema-decay 1.5", [("NPU106", "1.5")]),
        ("--use-fused-rmsnorm --ema-decay 0.9999", []),
        ("--use-fused-rmsnorm --stage sftt", [("NPU104", "sftt")]),
        ("--moe-fb-overlap --recompute-in-bubble", [("NPU203", "--recompute-in-bubble")]),
        # Release 2.1 takes both.
        ("--moe-fb-overlap --moe-tp-extend-ep", []),
        # What is asked of flags, where something reads them.
        ("--use-fused-rmsnorm --mla-up-proj-tp-overlap --recompute-mla-up-proj --mla-zero-memory", []),
        ("--use-fused-rmsnorm --alibi-fusion-attn-type 3", []),
        # A negative number is the value of the flag before it, and what a template leaves empty is filled in.
        ("--use-fused-rmsnorm --first-k-dense-replace -1 --moe-layer-freq -1", []),
        # Flags of Megatron are known, if only by name, and a slip of one is told.
        ("--use-fused-rmsnorm --disable-bias-linear --no-load-optim --transformer-impl local", []),
        ("--use-fused-rmsnorm --tensor-model-paralel-size 2", [("NPU101", "--tensor-model-paralel-size")]),
    ],
)
def test_what_is_told(flags: str, findings: list[tuple[str, str]]) -> None:
    assert told(f"torchrun $D pretrain_gpt.py {flags} --train-iters 10\n") == findings


@together(
    "text",
    [
        "python train.py --lora-r 8 --lora-alpha x --stage foo\n",
        "torchrun pretrain_bert.py --ema-decay 1.5 --use-ema\n",
        "torchrun pretrain_gpt.py --lora-r 8\n",
        "torchrun train.py --transformer-impl local --rotary-base 1 --ckpt-format torch\n",
    ],
)
def test_flags_that_other_trainers_have_tell_nothing(text: str) -> None:
    assert names(text) == []


def test_two_of_them_do_in_scripts_of_megatron() -> None:
    assert names("torchrun posttrain_gpt.py --stage sft --lora-r 8\n") == [["stage", "lora-r"]]


def test_a_template_that_is_to_be_filled_in() -> None:
    text = 'TOKENIZER=""\ntorchrun pretrain_gpt.py --use-fused-rmsnorm --tokenizer-name-or-path ${TOKENIZER} --bf16\n'
    assert told(text) == []


def test_a_name_is_mended() -> None:
    text = "torchrun pretrain_gpt.py --use-fused-rmsnorm --use_fused_swiglu --bf16\n"
    (finding,) = Analyzer(Config(), all_rules).findings(Document(text, kind=Kind.SHELL))
    assert apply_edits(text, finding.fixes[0].edits) == text.replace("--use_fused_swiglu", "--use-fused-swiglu")


@pytest.mark.parametrize(
    "text",
    [
        "torchrun pretrain_gpt.py --use-fused-rmsnorm --use-fus|\n",
        'ARGS="\n    --use-fused-rmsnorm \\\n    --use-fus|\n"\ntorchrun pretrain_gpt.py $ARGS\n',
    ],
)
def test_completion(text: str) -> None:
    at = text.index("|")
    found = cursor(Document(text.replace("|", ""), kind=Kind.SHELL), at)
    assert found is not None
    assert (found.wanted, found.surface, found.typed) == (CompletionKind.FLAG, Surface.MINDSPEED, "--use-fus")


@pytest.mark.parametrize(
    "words",
    [
        '["torchrun", "pretrain_gpt.py", "--use-fused-rmsnorm", "--bf16"]',
        '["python3", "-u", root + "/pretrain_gpt.py", "--use-fused-rmsnorm", "--bf16"]',
        '["torchrun"] + ["pretrain_gpt.py", "--use-fused-rmsnorm", "--bf16=" + str(x)]',
    ],
)
def test_a_list_of_words(words: str) -> None:
    assert names(f"import subprocess\nsubprocess.run({words})\n", Kind.PYTHON) == [["use-fused-rmsnorm", "bf16"]]
    assert names('import subprocess\nsubprocess.run(["torchrun", "train.py", "--bf16"])\n', Kind.PYTHON) == []
