"""Bytes without which a file says nothing: looked for before a file is decoded and before a parser is imported.

A reader finds nothing in a file that `may_match` turns down. This module imports nothing that takes time.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from npu_lsp.catalog.calls import RUN_CONFIG, RUN_CONFIG_PARTS
from npu_lsp.catalog.install_paths import wrong_paths
from npu_lsp.catalog.programs import PROGRAMS, SERVERS, SHAPES, STARTS
from npu_lsp.catalog.surfaces import CALLS
from npu_lsp.catalog.torch_calls import meant_call
from npu_lsp.catalog.well_known import misspelt
from npu_lsp.languages.json.flags import LONG_WORDS, MAPPED_WORDS
from npu_lsp.languages.registry import BY_KIND, LANGUAGES
from npu_lsp.languages.variable_names import is_variable, meant, stems
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.word_search import Words

if TYPE_CHECKING:
    from mmap import mmap

_COMMENT = b"npu-lsp:"
"""A comment that speaks to npu-lsp: it may be of no use, which is a finding."""
_JSON = frozenset((b"additional_config", b"additional-config"))
_FLAGGED = frozenset(b"--" + word.encode() for word in LONG_WORDS)
_OF_BOTH = (
    *("tensor-parallel-size", "data-parallel-size", "pipeline-parallel-size", "served-model-name", "trust-remote-code"),
    *("kv-cache-dtype", "load-format"),
)
_OF_VLLM = (
    *("max-model-len", "max-num-seqs", "max-num-batched-tokens", "gpu-memory-utilization", "enable-expert-parallel"),
    *("enable-prefix-caching", "enable-chunked-prefill", "distributed-executor-backend", "enforce-eager"),
    *("additional-config", "compilation-config", "kv-transfer-config", "speculative-config"),
)
OF_SGLANG = (
    *("model-path", "tp-size", "dp-size", "ep-size", "mem-fraction-static", "chunked-prefill-size", "context-length"),
    *("max-running-requests", "cuda-graph-max-bs", "disaggregation-mode", "attention-backend"),
)
ARGUMENTS = (*_OF_BOTH, *_OF_VLLM, *OF_SGLANG)
"""Keys of a file of arguments for vLLM or SGLang. One of them has its dashes: with `_` alone they are those of many other programs."""
OF_FACTORY = ("finetuning_type", "infer_backend")
"""Keys of a file of arguments for LLaMA-Factory."""
HANDED_ON = ("engine_kwargs", "vllm_config", "sglang_config")
"""Keys below which verl, Ray and LLaMA-Factory have arguments of an engine."""
_MAPPED = frozenset(word.encode() for word in (*MAPPED_WORDS, *ARGUMENTS, *OF_FACTORY, *HANDED_ON))
_CONFIGS = frozenset(name.encode() for name in (RUN_CONFIG, *RUN_CONFIG_PARTS, "CompilerConfig"))
OWN = _JSON | {b"parameter_map", b"custom_optimizers", b"CANNExecutionProvider"}
"""Words behind which options stand."""
_PYTHON = OWN | _CONFIGS
_TRIGGERS = (b"global_options", *(call.trigger.encode() for _, call in CALLS))
_SHAPES = tuple(
    (frozenset(word.encode() for word in words), frozenset(shape.encode() for shape in shapes))
    for words, shapes in (
        *SHAPES,
        *(((call.trigger,), call.modules) for _, call in CALLS),
        (("global_options",), ("npu", "Npu", "NPU")),
    )
)
"""Words that stand together in a text with such a call or attribute, beside one of the others at least."""
_ENVIRONMENT = frozenset((b"env", b"ENV", b"Env"))
_SETTERS = frozenset((b"environ", b"putenv"))
_RENAMED = frozenset((b"import os as", b", os as", b"environ as", b"putenv as"))
_LAUNCHERS = frozenset((b"system(", b"subprocess", b"popen", b"os.exec", b"os.spawn"))
_PARTS = {b"npu": re.compile(rb"npu(?<!inpu)"), b"NPU": re.compile(rb"NPU(?<!INPU)")}
"""Words that are parts of `input`, where nothing is meant."""
_INSTALLERS = (b"pip", b"pip2", b"pip3")
_WHOLE = frozenset(
    (*_PYTHON, *_TRIGGERS, *_INSTALLERS, *(word for _, shapes in _SHAPES for word in shapes if word.endswith(b"(")))
)
"""Words that mean nothing as parts of others: `set_context(` in `self._set_context()`, `pip` in `pipeline`."""
_BEGINS = re.compile(rb"(?:\A|[^A-Za-z0-9_]|\\[nrt])\Z")
"""What stands before a word; in a text that stands in another the end of a line may be `\\n`, so that a letter does."""
_GOES_ON = re.compile(rb"(?<=[A-Za-z0-9_])[A-Za-z0-9_]")
_SCRIPT = b".py"
_BENCHES = frozenset((b"vllm bench", b"sglang.bench_", b"sglang_router."))
_RUNS_PYTHON = b"python"
_SERVERS = frozenset(name.encode() for name in SERVERS)
_TOOLS = frozenset(name.encode() for name in PROGRAMS) | _SERVERS
_WRITTEN = frozenset((b"kubectl", b".yaml", b".yml"))
"""Who gets a here-document in which a variable's name stands alone."""
_BOLD = b"**export "
"""A command on a page; the name behind it may have escapes, so that no word tells it."""
_SHOWN = frozenset(word.encode() for row in LANGUAGES for word in (*row.shown_by, *row.keys))
_FOR_GPUS = frozenset(
    (
        b"CUDA_VISIBLE_DEVICES",
        b"PYTORCH_CUDA_ALLOC_CONF",
        b"NPU_VISIBLE_DEVICES",
        b"NCCL_",
        b'"nccl"',
        b"'nccl'",
        b"ddp_backend",
        b"ddp-backend",
        b"--gpus",
        b"VLLM_ATTENTION_BACKEND",
        b"TorchTrainer",
        b"use_gpu",
    )
)
_FOR_NPUS = frozenset(
    (
        b"torch_npu",
        b"Ascend",
        b"ascend",
        b"ASCEND_RT_VISIBLE_DEVICES",
        b"NPU_VISIBLE_DEVICES",
        b"HCCL_",
        b"--device npu",
        b"/dev/davinci",
        b"npu-smi",
        b"_PER_NODE=",
        b"resources_per_worker",
    )
)
"""A text with one of either may have what GPUs need, and run on NPUs."""
_OF_TORCH = frozenset((b"torch_npu", b"torch.npu.", b"torch.npu_"))
_CALLED = re.compile(rb"torch(?:\.npu|_npu(?:\.npu|\.utils|\.contrib)?)\.([A-Za-z][A-Za-z0-9_]{5,60})|torch\.npu_[a-z]")
"""A function of torch_npu, or a module of it; or an operator of it as one of `torch`."""
_DEPLOYED = frozenset(
    (
        b"davinci",
        b"ascend/",
        b"Ascend/",
        b"huawei.com/",
        b"vllm-ascend",
        b"vllm_ascend",
        b"torch-npu",
        b"torch_npu",
        b"mindspore-ascend",
        b"triton-ascend",
    )
)
_OF_PODS = frozenset(
    (
        b"CONFIGMAP_PATH",
        b"USER_CONFIG_PATH",
        b"KVP_MASTER_SERVICE",
        b"KV_POOL_",
        b"ASCEND_MF_",
        b"-m motor.",
        b"set_mf_store_env",
    )
)
"""What scripts have that run in the containers of a deployment, and may set nothing of ours."""
_DEPLOYING = frozenset((b"docker", b"podman", b"nerdctl", *_INSTALLERS, b"FROM ", b"image:"))
"""What stands together in a text that installs packages for NPUs, or starts a container with them."""
_OF_HABITS = Words((*_FOR_GPUS, *_FOR_NPUS))
_WORDS = Words(
    frozenset(
        (_COMMENT, _SCRIPT, _RUNS_PYTHON, _BOLD, *(word for words, shapes in _SHAPES for word in (*words, *shapes)))
    ).union(
        *(
            _FOR_GPUS,
            _FOR_NPUS,
            _OF_TORCH,
            _PYTHON,
            _ENVIRONMENT,
            _SETTERS,
            _RENAMED,
            _LAUNCHERS,
            _TOOLS,
            _BENCHES,
            _WRITTEN,
            _SHOWN,
            _FLAGGED,
            _MAPPED,
            _DEPLOYED,
            _DEPLOYING,
            _OF_PODS,
        )
    )
)
"""In one pass they are found ten times as fast as one after the other."""
_DASHED = re.compile(rb"--[a-z][a-z0-9]*[-_][a-z0-9]")
"""A flag of several words, as all of MindSpeed's are."""
_LONG = re.compile(rb"--[a-z][a-z0-9]*(?:-[a-z0-9]+){3}")
"""One that nobody else has by accident."""
_TRAINED = re.compile(rb"(?:train|inference|evaluat|rlhf|convert|preprocess)[A-Za-z0-9_]{0,100}\.py")
_FAMILY = re.compile(rb"[Mm]ind[Ss]peed|[Mm]egatron|\bnpu_|\bNPU|Atlas")
"""A page with such a word may name arguments of MindSpeed."""
_CHIP = re.compile(rb"A(?!scend[39]|tlas)[a-z]{3,7}\d\d[0-9A-Z](?![a-z0-9])|Ascend\d\d[A-Z]")
"""What may be the name of a chip with a slip."""
_NAMED = tuple((name.encode(), re.compile(pattern.encode())) for name, pattern in STARTS)
_BEFORE = re.compile(rb"(?:\A|[^A-Za-z0-9_$])(?:py)?\Z")
# `environ[NAME] = `, `environ.setdefault(NAME, `, `putenv(names.NAME, `: a constant may stand in a module beside.
_CONSTANT = rb"\s*(?:_*[A-Z]|(?!self\.|cls\.)[A-Za-z_][A-Za-z0-9_]{0,100}\.)"
_INDIRECT = tuple(
    re.compile(start + _CONSTANT + end)
    for start, end in (
        (rb"environ\s*\[", rb"[^=\r\n]{0,200}\][ \t]{0,9}[|+]?=(?!=)"),
        (rb"environ\s*\.\s*(?:setdefault|__setitem__)\s*\(", rb""),
        (rb"putenv\s*\(", rb""),
    )
)
_OWN = re.compile(rb"(?:\A|[^A-Za-z0-9_.])(?:os\s{0,9}\.\s{0,9})?\Z")
"""What stands before the script's own environment: a web request has one, too."""
# What must not stand before is asked behind the first letter, so that only capital letters are looked at.
_VARIABLE = re.compile(rb"[A-Z](?<![A-Za-z0-9_$.-].)[A-Z0-9_]{2}[A-Za-z0-9_.-]*(?=['\"\\]|[ \t]*:?=)")
# In a host a variable may stand before `:` or a blank, and in a notebook right behind the `n` of `\n`.
_WORD = re.compile(rb"[A-Z][A-Z0-9_]{2}[A-Za-z0-9_]*")
_NO_SIGN = re.compile(
    rb"(?<![\w-])export(?:[ \t]+(?=[A-Z]\w*[ \t]+[\"']?[/.~0-9])|(?=[A-Z]\w*=))([A-Z][A-Z0-9_]{2}\w*)"
)
"""`export NAME /path`, `exportNAME=v`"""
_EXPANDED = re.compile(rb"\$\{?([A-Z][A-Z0-9_]{2}[A-Z0-9_]*)")

_FOREIGN = frozenset(
    (
        b"CUDA_DEVICE_ORDER CUDA_VISIBLE_DEVICES HOME HOSTNAME LANG LD_LIBRARY_PATH LOGNAME PATH PWD PYTHONPATH SAME SHELL"
        b" TF_CPP_MIN_LOG_LEVEL TMPDIR USER VALID"
    ).split()
)
"""Words of others that many scripts have: to know that they are foreign costs no catalog, as long as none is loaded."""


def may_match(kind: Kind, data: bytes | mmap | str) -> bool:
    """Return whether a file or a text of that kind can hold a setting or speak to npu-lsp; False is certain.

    Bytes are in an encoding that keeps ASCII as it is.
    """
    language = BY_KIND.get(kind)
    if language is None or language.words is None:
        return language is not None
    # Of what isn't ASCII nothing is in a word that matters.
    data = data.encode("ascii", "replace") if isinstance(data, str) else data
    found = _found(data)
    if _COMMENT in found or _has_gpu_habit(found) or _TESTS[language.words](found, data):
        return True
    if found.isdisjoint(_FOR_NPUS) and all(data.find(word) < 0 for word in (b"npu", b"mindspore", b"vllm")):
        return data.find(b"/Ascend/") >= 0 and any(wrong_paths(bytes(data).decode("latin-1")))
    text = bytes(data).decode("latin-1")
    return any(wrong_paths(text)) or any(misspelt(text, kind.value, text))


def may_have_gpu_habit(text: str) -> bool:
    """Return whether a text may run on NPUs and have something that only GPUs need; False is certain."""
    return _has_gpu_habit(_OF_HABITS.found(text))


def _has_gpu_habit(found: AbstractSet[bytes]) -> bool:
    return not found.isdisjoint(_FOR_GPUS) and not found.isdisjoint(_FOR_NPUS)


def prepare() -> None:
    """Compile the word searches now, so that processes forked afterwards share them instead of making their own."""
    _WORDS.prepare()
    stems().prepare()


def _found(data: bytes | mmap) -> AbstractSet[bytes]:
    """Return those of the words that matter that stand in `data`."""
    found = _WORDS.found(data)
    return {word for word in found if not (word in _WHOLE or word in _PARTS) or _is_meant(word, data)}


def _is_meant(word: bytes, data: bytes | mmap) -> bool:
    """Return whether one of the words that may be parts of others stands in `data` in its own right somewhere."""
    if word in _PARTS:
        return _PARTS[word].search(data) is not None
    at = data.find(word)
    while at >= 0:
        end = at + len(word)
        if _BEGINS.search(data[max(0, at - 2) : at]) and not _GOES_ON.search(data[end - 1 : end + 1]):
            return True
        at = data.find(word, end)
    return False


def _python(found: AbstractSet[bytes], data: bytes | mmap) -> bool:
    if not found.isdisjoint(_PYTHON):
        return True
    if any(found >= words and not found.isdisjoint(shapes) for words, shapes in _SHAPES):
        return True
    if not found.isdisjoint(_OF_TORCH) and _miscalls(data):
        return True
    launches = not found.isdisjoint(_LAUNCHERS)
    if launches and (_names_tool(found, data) or _trains(found, data) or _deploys(found)):
        return True
    return (launches or not found.isdisjoint(_ENVIRONMENT)) and (_sets_by_name(found, data) or _sets_variable(data))


def _miscalls(data: bytes | mmap) -> bool:
    """Return whether a function of torch_npu is called by a name with a slip."""
    return any(match[1] is None or meant_call(match[1].decode()) is not None for match in _CALLED.finditer(data))


def _shell(found: AbstractSet[bytes], data: bytes | mmap) -> bool:
    return (
        _names_tool(found, data)
        or not found.isdisjoint(_JSON | _FLAGGED | _OF_PODS)
        or _trains(found, data)
        or _deploys(found)
        or _sets_variable(data)
        or (not found.isdisjoint(_WRITTEN) and data.find(b"<<") >= 0 and _sets_variable(data, _WORD))
        or (not found.isdisjoint(_SHOWN) and data.find(b"<<") >= 0)
        or (data.find(b"${$") >= 0 and _sets_variable(data, _WORD))
        or (_RUNS_PYTHON in found and _python(found, data))
    )


def _names_tool(found: AbstractSet[bytes], data: bytes | mmap) -> bool:
    if found.isdisjoint(_TOOLS):
        return False
    for tool, pattern in _NAMED:
        for match in pattern.finditer(data) if tool in found else ():
            if _BEFORE.search(data[max(0, match.start() - 3) : match.start()]):
                return True
    return False


def _trains(found: AbstractSet[bytes], data: bytes | mmap) -> bool:
    """Return whether a script that trains models, makes what they are trained with, or measures them, seems to be started with flags."""
    return (_SCRIPT in found and _DASHED.search(data) is not None and _TRAINED.search(data) is not None) or not (
        found.isdisjoint(_BENCHES)
    )


def _deploys(found: AbstractSet[bytes]) -> bool:
    return not (found.isdisjoint(_DEPLOYED) or found.isdisjoint(_DEPLOYING))


def _host(found: AbstractSet[bytes], data: bytes | mmap) -> bool:
    return (
        _names_tool(found, data)
        or _trains(found, data)
        or _deploys(found)
        or _python(found, data)
        or not found.isdisjoint(_SHOWN | _FLAGGED | _MAPPED)
        or _BOLD in found
        or _sets_variable(data, _WORD)
        or (_DASHED.search(data) is not None and (_FAMILY.search(data) or _LONG.search(data)) is not None)
        or _CHIP.search(data) is not None
    )


def _notebook(found: AbstractSet[bytes], data: bytes | mmap) -> bool:
    return (
        not found.isdisjoint(_TOOLS - _SERVERS)
        or _names_tool(found, data)
        or _trains(found, data)
        or _deploys(found)
        or _python(found, data)
        or _sets_variable(data, _WORD)
    )


def _sets_by_name(found: AbstractSet[bytes], data: bytes | mmap) -> bool:
    """Return whether a variable gets a value whose name may stand in another file."""
    if found.isdisjoint(_SETTERS):
        return False
    if not found.isdisjoint(_RENAMED):
        return True
    places = (match.start() for pattern in _INDIRECT for match in pattern.finditer(data))
    return any(_OWN.search(data[max(0, place - 24) : place]) for place in places)


def _sets_variable(data: bytes | mmap, pattern: re.Pattern[bytes] = _VARIABLE) -> bool:
    """Return whether one of the variables that matter seems to get a value, or one is used whose name is close to theirs."""
    if (
        not stems.cache_info().currsize
        and not {*pattern.findall(data), *_EXPANDED.findall(data), *_NO_SIGN.findall(data)} - _FOREIGN
    ):
        return False
    done = 0
    for _, place in stems().places(data):
        if place < done:
            continue
        done = data.find(b"\n", place)
        done = done if done >= 0 else len(data)
        begin = data.rfind(b"\n", 0, place) + 1
        if any(is_variable(name.decode("ascii")) for name in pattern.findall(data, begin, done)):
            return True
        if any(is_variable(name.decode("ascii")) for name in _NO_SIGN.findall(data, begin, done)):
            return True
        if any(meant(name.decode("ascii")) is not None for name in _EXPANDED.findall(data, begin, done)):
            return True
    return False


_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "python": _python,
    "shell": _shell,
    "host": _host,
    "notebook": _notebook,
}
"""By the words that a language's row in the registry asks for."""
