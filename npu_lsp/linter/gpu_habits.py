"""What GPUs need and NPUs don't read, in a text that certainly runs on NPUs and doesn't choose between devices.

Sources: `c10/npu/NPUAllocatorConfig.cpp` and `torch_npu/npu/__init__.py` of torch_npu for the allocator and the process group,
`runtime/feature/src/device` of CANN's runtime for the visible devices, `vllm_ascend/platform.py` for the attention backend,
https://github.com/deepspeedai/DeepSpeed/blob/v0.16.2/deepspeed/comm/comm.py for its group,
https://github.com/ray-project/ray/blob/ray-2.40.0/python/ray/train/torch/config.py for the backend that Ray takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.languages.innermost import texts
from npu_lsp.languages.triggers import may_have_gpu_habit
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span
from npu_lsp.text.word_search import in_lines_with, lines_with

_EVIDENCE = {
    "torch_npu": re.compile(r"(?:^|[\"'])(?:import[ \t]+(?:[\w.]+,[ \t]*){0,8}|from[ \t]+)torch_npu\b", re.MULTILINE),
    "device_target": re.compile(r"\bdevice_target[ \t]*=[ \t]*[\"']Ascend[\"']"),
    "env.": re.compile(
        r"(?:^|[;&\"'][ \t]*)(?:source|\.)[ \t]+\S{0,80}(?:Ascend|ascend|nnal|cann)\S{0,80}set_?env\.(?:sh|bash)",
        re.MULTILINE,
    ),
    "_VISIBLE_DEVICES": re.compile(r"\b(?:ASCEND_RT|NPU)_VISIBLE_DEVICES\b"),
    "HCCL_": re.compile(r"HCCL_(?<![A-Z_]HCCL_)[A-Z_]+[\"']?\]?[ \t]*="),
    "ascend": re.compile(r"(?:quay\.io/ascend|ascendhub\.[\w./-]{0,80}|swr\.[\w./-]{0,80}/ascend)/"),
    "--device": re.compile(r"--device(?:=|[ \t]+)[\"']?npu\b"),
    "/dev/davinci": re.compile("/dev/davinci"),
    "npu-smi": re.compile(r"npu-smi(?<!\wnpu-smi)\b"),
    "_PER_NODE": re.compile(r"^[ \t]*(?:export[ \t]+)?NPUS?_PER_NODE=", re.MULTILINE),
    "resources": re.compile(r"resources(?<!\wresources)(?:_per_worker)?[ \t]*=[ \t]*\{[ \t]*[\"']NPU[\"']"),
}
"""What nobody writes for GPUs, on one line, and a word of it: only lines with that are looked at."""
_ON_GPUS = re.compile(r"nvidia\.com/gpu(?<!\wnvidia\.com/gpu)\b|vllm/vllm-openai(?<!\wvllm/vllm-openai)\b")
"""What somebody writes who has GPUs."""
_CHOOSES = (
    "torch.cuda",
    "transfer_to_npu",
    *("cuda_available", "cuda_is_available", "Cuda_available", "Cuda_is_available", "npu_available", "xpu_available"),
    *("is_cuda", "is_npu", "is_gpu", "is_torch_cuda", "is_torch_npu", "is_torch_gpu"),
)
_CUDA = re.compile(r"cuda(?<=[\"'=: \t]cuda)\b(?!_)")
_CONDITION = re.compile(
    r"[ \t]*(?:(?:el)?if\b[^\n]*(?i:npu|ascend|gpu|cuda)|case\b[^\n]*(?i:device|npu|arch|platform))"
)
_OTHERS = ("nvidia", "rocm", "device_type", "accelerator", "hardware_platform")
_OTHER = re.compile(r"xpu(?<!\wxpu)\b|m(?<!\wm)(?:lu|usa)\b")
"""In small letters, as the words above: what tells that other devices are thought of."""
_HABIT = re.compile(
    r"(?<![\w$.-])(?P<variable>PYTORCH_CUDA_ALLOC_CONF|CUDA_VISIBLE_DEVICES|NPU_VISIBLE_DEVICES|(?:TORCH_)?NCCL_[A-Z0-9_]+)"
    r"(?:=|[\"']\][ \t]*=(?!=)|[\"']?:[ \t])[ \t]*(?P<quote>[\"']?)(?P<given>[^\s\"']*)"
    r"|(?:init_process_group|init_distributed|(?<![\w.])init)\([^()]{0,200}?(?P<group>[\"']nccl[\"'])"
    r"|\bddp[_-]backend(?:[ \t]*=[ \t]*[\"']?|[ \t]+)(?P<ddp>nccl|gloo)\b"
    r"|VLLM_ATTENTION_BACKEND=[\"']?(?P<attention>XFORMERS|FLASHINFER|FLASH_ATTN)\b"
    r"|\bScalingConfig\([^()]{0,200}?(?P<workers>use_gpu[ \t]*=[ \t]*True)|(?P<trainer>TorchTrainer)(?=\()"
    r"|(?P<gpus>--gpus(?<=[ \t]--gpus)(?:=|[ \t]+)[\w'\"=,]+)"
)
_OWN_GROUP = re.compile(r"[\"']hccl[\"']")
_OF_RAY = re.compile(r"\bresources_per_worker[ \t]*=[ \t]*\{[^{}\n]{0,100}[\"']NPU[\"']")
_TORCH_CONFIG = "torch_config"
_CONTAINER = re.compile(r"\b(?:docker|podman|nerdctl)[ \t]+run\b(?:\\\r?\n|[^\n;&|\\]|\\(?!\r?\n))*\Z")
_REACH = 400
"""Characters of a command in front of `--gpus` that are looked at."""
NAMES = {
    "PYTORCH_CUDA_ALLOC_CONF": "PYTORCH_NPU_ALLOC_CONF",
    "CUDA_VISIBLE_DEVICES": "ASCEND_RT_VISIBLE_DEVICES",
    "NPU_VISIBLE_DEVICES": "ASCEND_RT_VISIBLE_DEVICES",
}
"""What variables are called for NPUs."""
_FOR_NPUS = "NPU_VISIBLE_DEVICES"
"""It is set for them, whatever else a text chooses between."""
_READS_IT = re.compile(r"(?i:\bvega\b)|env(?:iron)?\b[^\n\"']{0,20}[\"']NPU_VISIBLE_DEVICES[\"'](?!\][ \t]*=(?!=))")
"""Who reads that name: https://github.com/huawei-noah/vega/blob/master/vega/common/backend_register.py, and a text that does it itself."""
_EXPANDED = re.compile(r"\$\{?NPU_VISIBLE_DEVICES\b")
_PRINTED = re.compile(r"[ \t]*(?:#|echo\b|printf\b)")
_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})", re.MULTILINE)
_ASCEND = re.compile(r"(?i)ascend|(?<![a-z])npu(?![a-z])")
_GPU = re.compile(r"(?i)(?<![a-z])(?:gpus?|cuda|nvidia)(?![a-z])")
_OWN = frozenset({Kind.SHELL, Kind.PYTHON, Kind.DOCKERFILE})
"""Kinds of texts that run as a whole."""
_NONE = frozenset({"", "-1"})


class Habit(NamedTuple):
    """One place of a text."""

    what: str
    """`variable`, `group`, `ddp`, `attention`, `workers`, `trainer` or `gpus`."""
    name: str
    """As it is written."""
    span: Span


@Memoized
def gpu_habits(document: Document) -> tuple[Habit, ...]:
    """Return what a text that runs on NPUs has for GPUs, and what the texts in it have."""
    if not may_have_gpu_habit(document.text):
        return ()
    found = (
        habit._replace(span=span)
        for place in texts(document)
        for habit in _own_habits(place.document)
        if (span := place.content(habit.span)) is not None
    )
    return tuple(dict.fromkeys(found))


@Memoized
def _own_habits(document: Document) -> tuple[Habit, ...]:
    """Return those of a text itself, whatever stands in it."""
    text = document.text
    if not (document.kind in _OWN or _is_ours(document)) or not may_have_gpu_habit(text):
        return ()
    runs = document.kind is Kind.MARKDOWN or runs_on_npus(document)
    if not runs and (_FOR_NPUS not in text or not _is_evident(document)):
        return ()
    is_read = _FOR_NPUS in text and (_READS_IT.search(document.path + text) is not None or _hands_on(text))
    return tuple(habit for habit in _found(document) if (not is_read if habit.name == _FOR_NPUS else runs))


def _hands_on(text: str) -> bool:
    """Return whether a script takes the value of that name for something else than to print it, or to set it anew."""
    return any(
        (read := _EXPANDED.search(text, *line)) is not None
        and _FOR_NPUS not in (said := text[line[0] : read.start()])
        and not _PRINTED.match(said)
        for line in lines_with(text, _FOR_NPUS)
    )


def _is_ours(document: Document) -> bool:
    """Return whether a page is about NPUs, as its name says."""
    return document.kind is Kind.MARKDOWN and _ASCEND.search(_own_name(document)) is not None


@Memoized
def runs_on_npus(document: Document) -> bool:
    """Return whether a text certainly runs on NPUs, and doesn't choose; `run_gpu.sh` doesn't, whatever it was copied from."""
    name = _own_name(document)
    if _GPU.search(name) and not _ASCEND.search(name):
        return False
    return _is_evident(document) and not _chooses(document.text)


@Memoized
def _is_evident(document: Document) -> bool:
    text = document.text
    return any(True for word, pattern in _EVIDENCE.items() for _ in in_lines_with(pattern, text, word))


def _chooses(text: str) -> bool:
    small = text.lower()
    return (
        any(word in small for word in _OTHERS)
        or _OTHER.search(small) is not None
        or any(word in text for word in _CHOOSES)
        or _CUDA.search(text) is not None
        or any(_CONDITION.match(text, *line) is not None for line in lines_with(text, "if", "case"))
    )


@Memoized
def runs_on_gpus(document: Document) -> bool:
    """Return whether a text asks for GPUs, and shows no NPU: releases of vLLM-Ascend mean nothing to it."""
    return _ON_GPUS.search(document.text) is not None and not _is_evident(document)


def _own_name(document: Document) -> str:
    return document.path.replace("\\", "/").rpartition("/")[2]


def _found(document: Document) -> Iterator[Habit]:
    text = document.text
    page = document.kind is Kind.MARKDOWN
    if any(one in text and other in text for one, other in NAMES.items()):
        return  # It is for both.
    fences = [match.start() for match in _FENCE.finditer(text)] if page else []
    beside = _beside(text)
    for match in _HABIT.finditer(text):
        what = str(match.lastgroup if match.lastgroup not in ("quote", "given") else "variable")
        span = Span(*match.span(what))
        line = document.line_text(document.line_of(match.start())).lstrip()
        said = line.startswith(("#", "//", "--")) and what == "variable"
        if said or (page and sum(at < match.start() for at in fences) % 2 == 0):
            continue
        if match["given"] in _NONE if what == "variable" else what in beside:
            continue  # No device, and nothing to be set; or both groups: for each device, or before and behind a migration.
        if what == "gpus" and not _CONTAINER.search(text, max(0, span.start - _REACH), span.start):
            continue  # Another program's.
        yield Habit(what, match[what], span)


def _beside(text: str) -> frozenset[str]:
    """Return what is right in a text: both groups are named, Ray's workers have no NPU, or its trainer is told a backend."""
    group = _OWN_GROUP.search(text) is not None
    on_npus = _OF_RAY.search(text) is not None
    told = (("group", group), ("workers", not on_npus), ("trainer", not on_npus or group or _TORCH_CONFIG in text))
    return frozenset(what for what, is_right in told if is_right)
