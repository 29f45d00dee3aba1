"""Files of arguments for vLLM and SGLang say the same as the command line that the servers make of them."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import read
from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.languages.half_typed import completed_at
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Severity
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

VLLM = "model: Qwen/Qwen3-8B\ntensor-parallel-size: 4\nmax-model-len: 4096\n"
SGLANG = "model-path: Qwen/Qwen3-8B\ntp-size: 4\n"


def _document(text: str, kind: Kind = Kind.YAML) -> Document:
    return Document(text, kind=kind)


def _findings(text: str, kind: Kind = Kind.YAML) -> list[tuple[str, str, str]]:
    """Return code, place and message of what is wrong."""
    document = _document(text, kind)
    found = Analyzer(Config(), all_rules).findings(document)
    return sorted(
        (f.code, text[slice(*f.span)].lstrip("-"), f.message) for f in found if f.severity <= Severity.WARNING
    )


ENTRIES = {
    "gpu-memory-utilization: 1.5": "--gpu-memory-utilization 1.5",
    "gpu_memory_utilization: '1.5'": "--gpu_memory_utilization '1.5'",
    "enable-expert-paralel: true": "--enable-expert-paralel",
    "enable-expert-parallel: true": "--enable-expert-parallel",
    "enable-expert-paralel: false": "",
    "load-format: [dumy]": "--load-format dumy",
    "load-format:\n  - dumy": "--load-format dumy",
    "load-format: &x dumy": "",
    "port: 99999 # too large": "--port 99999",
    "max-num-seqs: many": "--max-num-seqs many",
    "max-num-seqs: {{ seqs }}": "",
    "max-num-seqs: null": "",
    "max-num-seqs: <seqs>": "--max-num-seqs '<seqs>'",
    "served-model-name:\n  - a\n  - b": "--served-model-name a b",
}


@pytest.mark.parametrize(("entry", "flags"), ENTRIES.items())
def test_an_entry_says_what_its_flag_says(entry: str, flags: str) -> None:
    command = f"vllm serve Qwen/Qwen3-8B --config x.yaml --tensor-parallel-size 4 --max-model-len 4096 {flags}\n"
    assert _findings(f"{VLLM}{entry}\n") == _findings(command, Kind.SHELL)


def test_something_is_wrong_with_some() -> None:
    assert sum(bool(_findings(f"{VLLM}{entry}\n")) for entry in ENTRIES) > 3
    assert _findings(VLLM) == _findings(SGLANG) == []
    assert [each[:2] for each in _findings(SGLANG + "mem-fraction-statc: 0.8\n")] == [("NPU101", "mem-fraction-statc")]


@pytest.mark.parametrize(
    "text",
    [
        "tensor_parallel_size: 4\nmax_model_len: 4096\ntrust_remote_coda: true\n",  # many programs have these
        "tensor-parallel-size: 4\nenable-expert-paralel: true\n",  # one alone tells nothing
        "rollout:\n  tensor-parallel-size: 4\n  max-model-len: 4096\n",
        "lr: 1\nepochs: 2\ndata: x\ntensor-parallel-size: 4\nmax-model-len: 4096\n",  # has some of them
        f"{VLLM}env: x\n",  # and a word of its own
        f"- {VLLM}",
        f"{VLLM}- item\n",
    ],
)
def test_a_mapping_of_another_program_is_none(text: str) -> None:
    assert not [s for s in read(_document(text)).settings if s.surface in (Surface.VLLM, Surface.SGLANG)]


@pytest.mark.parametrize(
    ("text", "typed", "surface"),
    [
        (VLLM + "gpu-mem|\n", "gpu-mem", Surface.VLLM),
        (VLLM + "max_num|", "max_num", Surface.VLLM_ARGS),
        (f"max-num-b|\n{VLLM}", "max-num-b", Surface.VLLM),
        (VLLM.replace("max-model", "max-mo|del"), "max-mo", Surface.VLLM),
        (SGLANG + "mem-f|\n", "mem-f", Surface.SGLANG),
    ],
)
def test_names_are_completed_without_dashes(text: str, typed: str, surface: Surface) -> None:
    offset = text.index("|")
    at = completed_at(_document(text.replace("|", "")), offset)
    assert at is not None
    assert (at.wanted, at.surface, at.typed) == (CompletionKind.KEY, surface, typed)


@pytest.mark.parametrize(
    ("text", "option"),
    [
        (VLLM + "quantization: |\nport: 1\n", "quantization"),
        (VLLM + "quantization: as|\n", "quantization"),
        (VLLM + "kv-cache-dtype: 'au|'\n", "kv-cache-dtype"),
        (SGLANG + "attention-backend: as|\n", "attention-backend"),
    ],
)
def test_values_are_completed(text: str, option: str) -> None:
    offset = text.index("|")
    at = completed_at(_document(text.replace("|", "")), offset)
    assert at is not None
    assert (at.wanted, at.option) == (CompletionKind.VALUE, option)


def test_a_fix_writes_a_key() -> None:
    text = f"{SGLANG}mem-fraction-statc: 0.8\nattention-backend: ascendd\nport: 1\n"
    document = _document(text)
    for finding in reversed(Analyzer(Config(), all_rules).findings(document)):
        for edit in finding.fixes[0].edits if finding.fixes else ():
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert text == f"{SGLANG}mem-fraction-static: 0.8\nattention-backend: ascend\nport: 1\n"


HANDED_ON = {
    "engine_kwargs:\n  vllm:\n": "vllm",
    "rollout:\n  name: vllm\n  engine_kwargs:\n    vllm:\n": "vllm",
    "llm_configs:\n- model_id: m\n  engine_kwargs:\n": "vllm",
    "vllm_config:\n": "vllm",
    "engine_kwargs:\n  vllm: {}\n  sglang:\n": "sglang",
    "sglang_config:\n": "sglang",
}
SAID = {
    "enable_prefix_cachng: true": {engine: ["NPU101 enable_prefix_cachng"] for engine in ("vllm", "sglang")},
    "attention_backend: asend": {"vllm": ["NPU223 asend"], "sglang": ["NPU104 asend"]},
    "max_num_seqs: many": {"vllm": ["NPU103 many"], "sglang": ["NPU101 max_num_seqs"]},
    "gpu_memory_utilization: 1.5": {"vllm": ["NPU106 1.5"], "sglang": ["NPU101 gpu_memory_utilization"]},
    "compilation_config: {cudagraph_mode: FULLL}": {
        "vllm": ["NPU104 FULLL"],
        "sglang": ["NPU101 compilation_config", "NPU104 FULLL"],
    },
}
WHOLE = {
    "vllm": ("max_model_len: 4096", "tensor_parallel_size: 2"),
    "sglang": ("tp_size: 2", "mem_fraction_static: 0.8"),
}


@pytest.mark.parametrize(("lead", "engine"), HANDED_ON.items())
def test_what_programs_hand_on_to_an_engine(lead: str, engine: str) -> None:
    indent = " " * (len(lead.splitlines()[-1]) - len(lead.splitlines()[-1].lstrip()) + 2)
    for entry, said in SAID.items():
        text = lead + "".join(f"{indent}{each}\n" for each in (*WHOLE[engine], entry))
        assert [f"{code} {place}" for code, place, _ in _findings(text)] == said[engine], text


def test_arguments_of_another_engine_are_none() -> None:
    assert _findings("engine_kwargs:\n  max_model_len: 5\n  hidden_dim: 3\n  learning_rate: 1\n  warmup: 2\n") == []
    assert _findings("engine_kwargs:\n  trtllm:\n    max_model_length: 5\n") == []


def test_a_keyword_is_mended_and_completed_as_python_writes_it() -> None:
    text = "vllm_config:\n  enable_prefix_cachng: true\n  max_num: 1\n  max_model_len: 5\n"
    (found,) = (f for f in Analyzer(Config(), all_rules).findings(_document(text)) if f.code == "NPU101" and f.fixes)
    assert [edit.text for edit in found.fixes[0].edits] == ["enable_prefix_caching"]
    asked = completed_at(_document(text), text.index("max_num") + 3)
    assert asked is not None
    assert (asked.wanted, asked.surface) == (CompletionKind.KEY, Surface.VLLM_ARGS)


def test_one_flag_is_enough_beside_the_json_that_vllm_alone_takes() -> None:
    text = "model: m\ntensor-parallel-size: 8\nmax-model-lenn: 4096\nadditional-config:\n  refresh: true\n"
    assert [(code, said) for code, said, _ in _findings(text)] == [("NPU101", "max-model-lenn")]
