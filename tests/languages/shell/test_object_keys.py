"""Keys of objects that a command has in words of their own are those that the object has as JSON."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import cursor, read
from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Severity
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

VERL = "python3 -m verl.trainer.main_ppo a.b=1 "
ENGINE = "actor_rollout_ref.rollout.engine_kwargs"


def _settings(text: str) -> list[tuple[str, str, object]]:
    found = (s for b in read(Document(text, kind=Kind.SHELL)).blocks for s in b.settings)
    surfaces = (Surface.VLLM_ARGS, Surface.SGLANG_ARGS, Surface.ADDITIONAL_CONFIG)
    return [(s.surface.value, s.name, s.value.data if s.value.known else None) for s in found if s.surface in surfaces]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--compilation-config.cudagraph_mode FULL", ("vllm_args", "compilation_config.cudagraph_mode", "FULL")),
        ("--compilation_config.cudagraph_mode=FULL", ("vllm_args", "compilation_config.cudagraph_mode", "FULL")),
        ("--kv-transfer-config.kv_port 5000", ("vllm_args", "kv_transfer_config.kv_port", 5000)),
        ("--additional-config.enable_cpu_binding true", ("additional_config", "enable_cpu_binding", True)),
        ("--additional-config.enable_cpu_binding True", ("additional_config", "enable_cpu_binding", None)),
        ("--additional-config.a.b $X", ("additional_config", "a.b", None)),
        (
            "--compilation-config.cudagraph_capture_sizes '[1,2]'",
            ("vllm_args", "compilation_config.cudagraph_capture_sizes", None),
        ),
    ],
)
def test_flags_of_vllm(words: str, said: tuple[str, str, object]) -> None:
    assert _settings(f"vllm serve m {words} --port 80\n") == [said]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        (f"{ENGINE}.vllm.enforce_eager=True", ("vllm_args", "enforce_eager", True)),
        (f"+{ENGINE}.vllm.enforce_eager=false", ("vllm_args", "enforce_eager", False)),
        (f"++{ENGINE}.vllm.max_num_seqs=16", ("vllm_args", "max_num_seqs", 16)),
        (
            f"{ENGINE}.vllm.compilation_config.cudagraph_mode='FULL'",
            ("vllm_args", "compilation_config.cudagraph_mode", "FULL"),
        ),
        (f"\"{ENGINE}.vllm.kv_cache_dtype='fp8'\"", ("vllm_args", "kv_cache_dtype", "fp8")),
        (
            f"+{ENGINE}.vllm.additional_config.enable_cpu_binding=True",
            ("additional_config", "enable_cpu_binding", True),
        ),
        (f"{ENGINE}.sglang.attention_backend=ascend", ("sglang_args", "attention_backend", "ascend")),
        (f"{ENGINE}.vllm.max_model_len=$LENGTH", ("vllm_args", "max_model_len", None)),
        (f"{ENGINE}.vllm.kv_cache_dtype=null", ("vllm_args", "kv_cache_dtype", None)),
    ],
)
def test_words_of_verl(word: str, said: tuple[str, str, object]) -> None:
    assert _settings(f"{VERL}{word} c.d=2\n") == [said]


@pytest.mark.parametrize(
    "words",
    [
        "vllm serve m --hf-overrides.rope.factor 2",
        "vllm serve m --compilation-config",
        f"{VERL}{ENGINE}.trtllm.batch=1",
        f"{VERL}~{ENGINE}.vllm.enforce_eager",
        f"{VERL}{ENGINE}.vllm.limit_mm_per_prompt.image=2",
        f"{VERL}{ENGINE}.vllm=null",
        "python3 train.py --compilation-config.cudagraph_mode FULL",
    ],
)
def test_what_nobody_knows_is_none(words: str) -> None:
    assert _settings(f"{words}\n") == []


def test_slips_are_told_where_they_stand() -> None:
    text = (
        "vllm serve m --compilation-config.cudagraph_modee FULL --kv-transfer-config.kv_rol kv_both\n"
        f"{VERL}+{ENGINE}.vllm.enable_prefix_cachng=True {ENGINE}.vllm.compilation_config.cudagraph_mode=FULLL\n"
    )
    found = Analyzer(Config(), all_rules).findings(Document(text, kind=Kind.SHELL))
    told = [(f.code, text[slice(*f.span)]) for f in found if f.severity <= Severity.WARNING]
    assert told == [
        ("NPU101", "cudagraph_modee"),
        ("NPU101", "kv_rol"),
        ("NPU101", "enable_prefix_cachng"),
        ("NPU104", "FULLL"),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "surface", "typed", "rest"),
    [
        ("vllm serve m --compilation-config.cud|", CompletionKind.KEY, Surface.VLLM_ARGS, "cud", "compilation_config."),
        ("vllm serve m --additional-config.a.en| 1", CompletionKind.KEY, Surface.ADDITIONAL_CONFIG, "en", "a."),
        (f"{VERL}{ENGINE}.vllm.enf|", CompletionKind.KEY, Surface.VLLM_ARGS, "enf", ""),
        (f"{VERL}+{ENGINE}.sglang.att|=x", CompletionKind.KEY, Surface.SGLANG_ARGS, "att", ""),
        (f"{VERL}{ENGINE}.sglang.attention_backend=as|", CompletionKind.VALUE, Surface.SGLANG_ARGS, "as", "attention_backend"),
        ("vllm serve m --compilation-config.cudagraph_mode FU|", CompletionKind.VALUE, Surface.VLLM_ARGS, "FU", "compilation_config.cudagraph_mode"),
        ("vllm serve m --compilation-config.cudagraph_mode=FU|", CompletionKind.VALUE, Surface.VLLM_ARGS, "FU", "compilation_config.cudagraph_mode"),
    ],
)  # fmt: skip
def test_completion(text: str, kind: CompletionKind, surface: Surface, typed: str, rest: str) -> None:
    offset = text.index("|")
    found = cursor(Document(text.replace("|", "") + "\n", kind=Kind.SHELL), offset)
    assert found is not None
    assert (found.wanted, found.surface, found.typed) == (kind, surface, typed)
    assert (found.prefix if kind is CompletionKind.KEY else found.option) == rest
