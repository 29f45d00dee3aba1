"""The settings that a message names: options of the catalog, and other words that are shaped like flags, keys and variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.surfaces import COMMANDS, ENVIRONMENT, Surface
from npu_lsp.checking.written import plain
from npu_lsp.text import lazy_re as re

_WORD = re.compile(r"--?[A-Za-z][\w-]*\w|[A-Za-z_][\w.]*\w")
_PARAMETER = re.compile(
    r"(?:parameter|variable|config(?:uration item)?|option|参数|环境变量) ?\[?\"?(?:--)?(?P<name>[A-Za-z_][\w.]*\w)"
)
_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_KEY = re.compile(
    r"(?:(?<![\w/.-])|(?<=args\.)|(?<=self\.)|(?<=config\.)|(?<=config\(\)\.))[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?!\w|[/(]|\.\w)|(?<![\w/.(-])[a-z]{2,}(?:[A-Z][a-z0-9]+)+(?![\w/(.:])"
    r"|(?<=[a-z]_config\.)[\w.]+\w"
)
_IDENTIFIES = re.compile(r"_id ?[=:]")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SPOKEN_OF, _MOST_WORDS = 2, 6
_SPOKEN = {
    r"\b(?:TP(?! rank)|[Tt]ensor[ -](?:model[ -])?parallel)": (
        "--tensor-parallel-size",
        "tp_size",
        "--tensor-model-parallel-size",
    ),
    r"\b(?:DP[ _-]size|DP ?[=><]|[Dd]ata[ -]parallel)": ("--data-parallel-size", "dp_size"),
    r"\b(?:PP(?! rank)|[Pp]ipeline[ -](?:model[ -])?parallel)": (
        "--pipeline-parallel-size",
        "pp_size",
        "--pipeline-model-parallel-size",
    ),
    r"\bV(?:PP|pp)\b|\b[Vv]irtual[ -]pipeline|vpp[ _-]stage": (
        "--num-layers-per-virtual-pipeline-stage",
        "virtual_pipeline_model_parallel_size",
    ),
    r"\b(?:EP[ _-]size|EP ?[=><]|[Ee]xpert[ -](?:model[ -])?parallel)": (
        "--enable-expert-parallel",
        "--expert-model-parallel-size",
    ),
    r"\b(?:PCP|prefill[ -]context)": ("--prefill-context-parallel-size",),
    r"\b(?:DCP|decode[ -]context)": ("--decode-context-parallel-size", "dcp_size"),
    r"\b(?:CP\b|[Cc]ontext[ -]parallel)": ("--context-parallel-size", "context_parallel_algo"),
    r"\b[Ss]equence[ -]parallel": ("--sequence-parallel", "VLLM_ASCEND_ENABLE_FLASHCOMM1"),
    r"\bnum_moe_experts\b": ("--num-experts",),
    r"\b[Bb]lock[ _-]size\b": ("--block-size",),
    r"\b[Pp]age[ -]size\b": ("--page-size",),
    r"\b[Ss]peculative|\bMTP\b|\b[Dd]rafter\b|\b[Dd]raft[ -](?:model|token|head|worker|attention|TP|tp|tensor)|\bEAGLE|\b[Mm]ulti-[Tt]oken": (
        "--speculative-config",
        "--speculative-algorithm",
        "mtp_num_layers",
    ),
    r"\b[Pp]refix[ -]cach|\b[Rr]adix ?[Cc]ach": ("--enable-prefix-caching", "--disable-radix-cache"),
    r"\b[Hh]ierarchical[ -]cach|\bHiCache": ("--enable-hierarchical-cache",),
    r"\b[Cc]hunked[ -]prefill": ("--enable-chunked-prefill", "--chunked-prefill-size"),
    r"\b[Ss]leep[ -]mode": ("--enable-sleep-mode",),
    r"\bACL ?[Gg]raph|\bgraph mode|\b[Cc][Uu][Dd][Aa] ?[Gg]raph": (
        "--compilation-config",
        "--enforce-eager",
        "--disable-cuda-graph",
    ),
    r"\bEPLB\b": ("eplb_config", "DYNAMIC_EPLB", "enable_eplb"),
    r"\bL[oO]RA\b|\blora\b": ("--enable-lora", "lora_r", "lora_rank"),
    r"\bKV (?:cache )?transfer|\bKV ?[Cc]onnector|\bPD[ -]|\b[Dd]isaggregat": (
        "--kv-transfer-config",
        "--disaggregation-mode",
    ),
    r"\b[Dd]ecode host\b|\b[Hh]ost receive": ("--disaggregation-decode-host-receive-threshold",),
    r"\b[Tt]ransfer backend": ("--disaggregation-transfer-backend",),
    r"\b(?:KV|CPU|cpu|[Ww]eights?|[Mm]odel|[Oo]ptimizer|[Ll]ayer)[ -]offload|\boffloading (?:is|needs|requires)\b|\boffload(?:ing)? (?:of |to )?(?:the )?(?:KV|CPU|cpu|weights?|model|optimizer|layers?)\b": (
        "--cpu-offload-gb",
        "sparse_kv_offload_config",
        "kv_offloading_size",
    ),
    r"\b(?:[Ff][Pp][48]|INT8|C8|quantized) KV|\bKV (?:cache )?(?:dtype|type|quant)": ("--kv-cache-dtype",),
    r"\bhybrid KV|\bHMA\b": ("--disable-hybrid-kv-cache-manager",),
    r"\b[Aa]sync[ -]scheduling": ("--async-scheduling",),
    r"\b[Ee]lastic EP": ("--enable-elastic-ep", "--elastic-ep-backend"),
    r"\b[Dd]ual-batch|\bDBO\b|\b[Mm]icrobatching": ("--enable-dbo",),
    r"\bHiSparse": ("--enable-hisparse", "hisparse_config"),
    r"\bDP[ -]attention|\b[Dd]ata[ -]parallel attention": ("--enable-dp-attention",),
    r"\bV[01] [Ee]ngine|\bengine V[01]": ("VLLM_USE_V1", "VLLM_ATTENTION_BACKEND"),
    r"\b(?:V2|v2) model runner|\b[Mm]odel ?[Rr]unner V2|\bMRV2": ("VLLM_USE_V2_MODEL_RUNNER",),
    r"\b[Cc]hat template": ("--chat-template",),
    r"\b[Mm]egatron[ -][Cc]ore|\bmcore\b|\blegacy (?:\w+ )?models?": ("--use-mcore-models", "--use-legacy-models"),
    r"\b[Tt]ransformer[ -][Ee]ngine": ("--transformer-impl",),
    r"\b[Rr]ecomput": ("--recompute-granularity", "--recompute-method"),
    r"\b[Cc]heckpoint format": ("--ckpt-format",),
    r"\b[Gg]rouped[ -]?[Gg]emm|\bGMM (?:is|does|only|requires)\b": ("--moe-grouped-gemm",),
    r"\b[Tt]oken dispatcher": ("--moe-token-dispatcher-type",),
    r"\bmc2\b|\bMC2\b": ("--use-ascend-mc2",),
    r"\bCo[Cc]\b|\bascend coc\b": ("--use-ascend-coc",),
    r"\b[Rr]ing[ -]attention|\b[Uu]lysses": ("context_parallel_algo",),
    r"\b[Dd]ynamic pipeline|(?<!net )\blayer list\b": ("--num-layer-list",),
    r"\b[Dd]ual[Pp]ipe": ("--schedules-method",),
    r"\b[Rr]ank ?[Tt]able\b": ("RANK_TABLE_FILE",),
    r"\b[Mm]aster[ -](?:addr|port)": ("MASTER_ADDR", "MASTER_PORT", "--master_addr", "--master_port"),
    r"\b[Ee]ngram": ("--engram-config", "engram_storage", "enable_engram"),
    r"\b[Pp]rofiler (?:is|was|isn|has|must|requires|config|dir|not)|\b(?:[Tt]orch|vLLM|NPU|[Ww]orker) [Pp]rofiler": (
        "--profiler-config",
        "VLLM_TORCH_PROFILER_DIR",
    ),
}
"""How messages call settings without writing their names."""
_SAID = [(re.compile(pattern), names) for pattern, names in _SPOKEN.items()]
_OWN = frozenset({"ERROR", "EZ9999", "PTA", "CANN"})
_NO_VARIABLE = ("ACL_ERROR", "DT_", "CL_", "RT_", "GE_", "OP_", "HCCL_E_", "ERR_", "DRV_ERROR", "FORMAT_")
"""What constants of error codes, types and formats begin with."""
_FLAGS, _VARIABLES = sorted(COMMANDS), sorted(ENVIRONMENT)
_SURFACES = (("flag", _FLAGS), ("variable", _VARIABLES), ("key", sorted(Surface)))
"""The places of a signature that hold the name of an option, and where it may be set."""

PLACES = frozenset(place for place, _ in _SURFACES)


class NamedSetting(NamedTuple):
    """An option that a message names."""

    surface: Surface
    name: str


def spelled(catalog: Catalog, places: Mapping[str, bytes]) -> Iterator[NamedSetting]:
    """Yield the option that a signature has a place for, as it is written: it may be one that nobody knows."""
    for place, surfaces in _SURFACES if places else ():
        name = places.get(place, b"").decode("utf-8", "replace").strip().lstrip("-")
        if name and re.fullmatch(r"[\w.-]+", name):
            # `CompilationConfig` is what the class of `--compilation-config` is called.
            flag = _HUMP.sub("-", name).lower() if name.endswith("Config") else ""
            known = list(_options(catalog, name)) or (list(_options(catalog, flag)) if flag else [])
            yield from known or (NamedSetting(each, name) for each in surfaces)


def named_in(catalog: Catalog, text: str) -> Iterator[NamedSetting]:
    """Yield the options that a message names, as far as their spelling tells that an option is meant."""
    for match in _PARAMETER.finditer(text):
        yield from _options(catalog, match["name"])
    for match in _WORD.finditer(text):
        word = match.group()
        name = word.lstrip("-")
        if word != name:
            yield from (NamedSetting(each, name) for each in _FLAGS if catalog.option(each, name))
        elif name.isupper() and "_" in name:
            yield from (NamedSetting(each, name) for each in _VARIABLES if catalog.option(each, name))
        elif name.startswith("ge.") and catalog.option(Surface.GE, name):
            yield NamedSetting(Surface.GE, name)


def words_of(text: str, *, keys: bool) -> Iterator[str]:
    """Yield the words of a message that are written as variables and flags are, on request as keys are, whoever knows them."""
    for match in _FLAG.finditer(text):
        yield match.group()
    for match in _VARIABLE.finditer(text):
        if match.group() not in _OWN and not match.group().startswith(_NO_VARIABLE):
            yield match.group()
    if keys:
        # `device_id=3, stream_id=7` tells where, and sets nothing.
        named = (match for match in _KEY.finditer(text) if not _IDENTIFIES.match(text, match.end() - 3))
        yield from (match.group() for match in named)
        for pattern, names in _SAID:
            if pattern.search(text):
                yield from names


def spoken_in(catalog: Catalog, text: str) -> Iterator[str]:
    """Yield the options that a message calls by the words of their names: three and more, or two with a hyphen between.

    `Unrecognized distributed executor backend`, `seq-length should be a multiple of`.
    """
    names = _names(catalog)
    found = re.finditer(r"[A-Za-z0-9]+", text)
    words = [(match.group().lower(), text[match.end() : match.end() + 1]) for match in found]
    for count in range(_MOST_WORDS, 1, -1):
        for at in range(len(words) - count + 1):
            run = words[at : at + count]
            signs = {sign for _, sign in run[:-1]}
            # Two words with a blank between are said of anything.
            name = names.get("_".join(word for word, _ in run)) if signs <= {" ", "-"} else None
            if name is not None and (count > _SPOKEN_OF or signs == {"-"}):
                yield name


@cache
def _names(catalog: Catalog) -> Mapping[str, str]:
    """Return the options of two words and more by their plain names, as they are written: flags where a command has them."""
    found: dict[str, str] = {}
    for surface in Surface:
        for option in catalog.options(surface):
            name = plain(option.name)
            if name.count("_") and (name not in found or surface in COMMANDS):
                # A package has a hyphen, and no dashes in front.
                flag = surface in COMMANDS or ("-" in option.name and surface is not Surface.PACKAGE)
                found[name] = f"--{option.name.lstrip('-')}" if flag else option.name
    return found


def _options(catalog: Catalog, name: str) -> Iterator[NamedSetting]:
    return (NamedSetting(surface, name) for surface in Surface if catalog.option(surface, name))
